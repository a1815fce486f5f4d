"""Opens and clicks over the API: a campaign's choice, a contact's, and a run's engagement."""

import pytest

from tests.api.conftest import Api
from tests.factories import make_campaign, make_run, make_segment
from webapp.models import MailHit, Organization


async def test_a_campaign_has_a_choice_of_its_own(api: Api, acme: Organization) -> None:
    segment = await make_segment(acme)
    new = {"title": "News", "segment_id": str(segment.id)}
    _, made = await api.post("/v1/campaigns", new)
    assert made["data"]["tracking"] is None
    path = f"/v1/campaigns/{made['data']['id']}"
    for given in ({"opens": False, "clicks": True}, {"opens": True, "clicks": False}, None):
        status, changed = await api.patch(path, {"tracking": given})
        assert (status, changed["data"]["tracking"]) == (200, given)


@pytest.mark.parametrize(
    "bad", [True, "on", [], {}, {"clicks": True}, {"opens": "yes", "clicks": True}, {"opens": None, "clicks": True}]
)
async def test_others_are_refused(api: Api, acme: Organization, bad: object) -> None:
    campaign = await make_campaign(acme)
    status, answer = await api.patch(f"/v1/campaigns/{campaign.id}", {"tracking": bad})
    assert (status, answer["details"][0]["field"].split(".")[0]) == (400, "tracking")


async def test_a_contact_is_not_tracked_where_it_says_so(api: Api) -> None:
    _, made = await api.post("/v1/contacts", {"email": "ann@example.org"})
    assert made["data"]["do_not_track"] is False
    _, other = await api.post("/v1/contacts", {"email": "bob@example.org", "do_not_track": True})
    assert other["data"]["do_not_track"] is True
    path = f"/v1/contacts/{made['data']['id']}"
    _, changed = await api.patch(path, {"do_not_track": True})
    assert changed["data"]["do_not_track"] is True
    _, changed = await api.patch(path, {"first_name": "Ann"})
    assert changed["data"]["do_not_track"] is True
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
    theirs, _ = await make_run(rival, [], 1)
    assert (await api.get(f"/v1/campaigns/{theirs.campaign_id}/runs/{theirs.id}/engagement"))[0] == 404
