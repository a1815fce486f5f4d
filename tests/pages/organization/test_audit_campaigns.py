"""The audit log names who sent, stopped, resumed, retried or deleted a campaign, and who imported or undid."""

from tests.factories import make_account, make_campaign, make_contact, make_segment, make_template
from tests.pages.conftest import Page, Visitor
from webapp.domain.campaigns.runs import finish_runs
from webapp.models import AuditEntry, Campaign, CampaignRun, ContactImport, MailLog, Organization

ADA = "ada@acme.example"


async def press(visitor: Visitor, campaign: Campaign, what: str, start: str = "") -> Page:
    place = f"/campaigns/{campaign.id}"
    return await visitor.submit(await visitor.get(f"{place}{start}"), f"{place}/{what}")


async def actions(org: Organization) -> list[tuple[str, str, str]]:
    return [(entry.actor, entry.action, entry.target) for entry in await AuditEntry.of(org).order_by("id")]


async def test_a_campaigns_life_is_told_with_who_did_what(owner: Visitor, acme: Organization) -> None:
    await make_account(acme)
    segment = await make_segment(acme, *[await make_contact(acme) for _ in range(2)])
    campaign = await make_campaign(acme, title="November", segment=segment, template=await make_template(acme))
    await press(owner, campaign, "send", "/review")
    run = await CampaignRun.of(acme).get()
    page = await owner.get(f"/campaigns/{campaign.id}/runs/{run.id}")
    assert f"Dashboard, {ADA}" in page.text
    await press(owner, campaign, "stop", "/stop")
    await press(owner, campaign, "resume")
    await MailLog.of(acme).update(status="failed")
    await finish_runs()
    retry = f"/campaigns/{campaign.id}/runs/{run.id}/retry"
    await owner.submit(await owner.get(retry), retry)
    retried = await CampaignRun.of(acme).get(trigger="retry")
    assert f"Retry, {ADA}" in (await owner.get(f"/campaigns/{campaign.id}/runs/{retried.id}")).text
    await press(owner, campaign, "delete", "/delete")
    told = ("sent", "stopped", "resumed", "retried", "deleted")
    assert await actions(acme) == [(ADA, f"campaign.{what}", "November") for what in told]
    shown = (await owner.get("/audit?what=campaign")).text
    assert "Sent campaign" in shown
    assert "Undid" not in shown


async def test_a_schedule_is_told_when_it_is_made_changed_and_removed(owner: Visitor, acme: Organization) -> None:
    segment = await make_segment(acme, await make_contact(acme))
    campaign = await make_campaign(acme, title="Weekly", segment=segment, template=await make_template(acme))
    await make_account(acme)
    place, typed = f"/campaigns/{campaign.id}", {"recurrence_interval": "1", "recurrence_unit": "week"}
    await owner.submit(await owner.get(f"{place}/schedule"), f"{place}/schedule", schedule_type="recurring", **typed)
    assert await actions(acme) == []  # nothing is armed yet
    await press(owner, campaign, "send", "/review")
    await owner.submit(await owner.get(f"{place}/schedule"), f"{place}/schedule", schedule_type="manual")
    told = ("scheduled", "unscheduled")
    assert await actions(acme) == [(ADA, f"campaign.{what}", "Weekly") for what in told]


async def test_an_import_and_its_undoing_are_told(owner: Visitor, acme: Organization) -> None:
    row = await ContactImport.create(
        org=acme,
        file_name="people.csv",
        size_bytes=5,
        encoding="utf-8",
        delimiter=",",
        header=["email"],
        status="checked",
        created_count=3,
        made_by_name=ADA,
    )
    await owner.submit(await owner.get(f"/imports/{row.id}"), f"/imports/{row.id}/run")
    await ContactImport.of(acme).update(status="done", finished_at=row.created_at)
    await owner.submit(await owner.get(f"/imports/{row.id}/undo"), f"/imports/{row.id}/undo")
    told = ("imported", "import_undone")
    assert await actions(acme) == [(ADA, f"contacts.{what}", "people.csv") for what in told]
    assert (await AuditEntry.of(acme).order_by("id").first()).details == {"created": 3, "changed": 0}
