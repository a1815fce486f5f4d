"""Opens and clicks over the API: a campaign's choice, a contact's, a run's engagement, and reports."""

from typing import Any

from tests.api.conftest import Api
from tests.factories import make_campaign, make_run, make_segment
from tests.fakes.worker import eventually
from webapp import clock
from webapp.models import MailHit, MailLog, Organization, TrackedLink


async def test_a_campaign_has_a_choice_of_its_own(api: Api, acme: Organization) -> None:
    segment = await make_segment(acme)
    new = {"title": "News", "segment_id": str(segment.id)}
    _, made = await api.post("/v1/campaigns", new)
    assert made["data"]["tracking"] is None
    path = f"/v1/campaigns/{made['data']['id']}"
    for choice in ({"opens": False, "clicks": True}, None):
        status, changed = await api.patch(path, {"tracking": choice})
        assert (status, changed["data"]["tracking"]) == (200, choice)
    for bad in (True, {}, {"clicks": True}, {"opens": "yes", "clicks": True}):
        status, answer = await api.patch(path, {"tracking": bad})
        assert (status, answer["details"][0]["field"].split(".")[0]) == (400, "tracking"), bad


async def test_a_contact_is_not_tracked_where_it_says_so(api: Api) -> None:
    _, made = await api.post("/v1/contacts", {"email": "bob@example.org", "do_not_track": True})
    path = f"/v1/contacts/{made['data']['id']}"
    for change, choice in (({"first_name": "Bob"}, True), ({"do_not_track": False}, False)):
        assert (await api.patch(path, change))[1]["data"]["do_not_track"] is choice
    assert (await api.patch(path, {"do_not_track": "maybe"}))[0] == 400


async def test_a_runs_engagement_is_its_organizations(api: Api, acme: Organization, rival: Organization) -> None:
    run, rows = await make_run(acme, [], 2)
    await make_campaign(acme, id=run.campaign_id)
    path = f"/v1/campaigns/{run.campaign_id}/runs/{run.id}/engagement"
    assert await api.get(path) == (200, {"data": {"opens": None, "clicks": None, "links": []}})
    run.tracking = {"opens": True, "clicks": False}
    await run.save()
    for org in (acme, rival):  # another organization's hit of the same run cannot be, and is not counted
        await MailHit.create(org=org, run_id=run.id, mail_log_id=rows[0], agent="", network="", verdict="agent")
    status, shown = await api.get(path)
    assert (status, shown["data"]["clicks"]) == (200, None)
    assert (shown["data"]["opens"]["people"], shown["data"]["opens"]["fetched"]) == (0, 1)
    assert shown["data"]["opens"]["left_out"]["agent"] == 1


async def test_a_report_has_the_numbers_of_its_page(api: Api, acme: Organization) -> None:
    run, rows = await make_run(acme, [], 3)
    await make_campaign(acme, id=run.campaign_id, last_run_at=clock.now())
    path = f"/v1/campaigns/{run.campaign_id}/report"
    run.tracking, run.skipped = {"opens": True, "clicks": True}, 2
    run.status, run.started_at = "completed", clock.now()
    await run.save()
    await MailLog.filter(id__in=rows[:2]).update(status="sent", sent_at=clock.now())
    await MailLog.filter(id=rows[2]).update(status="failed", error="550 5.1.1 unknown")
    link = await TrackedLink.create(org=acme, content_id=run.content_id, number=1, url="https://x.example")
    for link_id in (None, link.id):
        about = {"org": acme, "run_id": run.id, "mail_log_id": rows[0], "link_id": link_id}
        await MailHit.create(**about, agent="", network="", verdict="person")
    for query, run_id in (("", None), (f"?run_id={run.id}", str(run.id))):
        shown = await counted(api, path + query)
        assert (shown["run_id"], shown["subject"], shown["skipped"], shown["deleted"]) == (run_id, "News", 2, 0)
        assert [shown["totals"][name] for name in ("runs", "total", "sent", "failed")] == [1, 3, 2, 1]
        details = shown["details"]
        assert (details["unsubscribed"], details["opens"]["people"]) == (None if run_id else 0, 1)
        assert [(one["url"], one["clicks"]["people"]) for one in details["links"]] == [("https://x.example", 1)]
        assert details["failures"] == [{"reason": "550 5.1.1 unknown", "emails": 1}]
    draft = await make_campaign(acme)
    status, shown = await api.get(f"/v1/campaigns/{draft.id}/report")
    assert (status, shown["data"]["totals"], shown["data"]["details"]) == (200, None, None)


async def counted(api: Api, path: str) -> dict[str, Any]:
    """The report as soon as all is counted."""
    answers = []

    async def is_counted() -> bool:
        answers.append(await api.get(path))
        data = answers[-1][1]["data"]
        return data["totals"] is not None and data["details"] is not None

    await eventually(is_counted)
    data: dict[str, Any] = answers[-1][1]["data"]
    return data
