"""The list of campaigns, a campaign as a whole, and what is done with it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.factories import make_campaign, make_contact, make_run, make_segment, make_template, want_mail
from tests.fakes.worker import eventually
from tests.pages.conftest import Visitor
from webapp import clock
from webapp.domain.accounts.accounts import sandbox_account
from webapp.models import Account, Campaign, CampaignRun, MailLog, Organization

MONDAY = datetime(2030, 11, 25, 8, tzinfo=UTC)
DAILY: dict[str, Any] = {
    "schedule_type": "recurring",
    "recurrence_interval": 1,
    "recurrence_unit": "day",
    "anchor_at": MONDAY,
    "next_run_at": MONDAY,
    "status": "scheduled",
}


async def make_sent(org: Organization, account: Account, title: str = "News", **states: int) -> Campaign:
    """A campaign with a run whose rows are in these states."""
    campaign = await make_campaign(org, title=title, last_run_at=clock.now())
    await add_run(org, campaign, account, **states)
    return campaign


async def add_run(org: Organization, campaign: Campaign, account: Account, **states: int) -> CampaignRun:
    run, rows = await make_run(org, [account], sum(states.values()))
    is_over = states.keys() <= {"sent", "failed"}
    status = "completed" if is_over else "sending"
    now = clock.now()
    await CampaignRun.filter(id=run.id).update(campaign_id=campaign.id, status=status, started_at=now)
    left = iter(rows)
    for state, count in states.items():
        for _ in range(count):
            fields = {"account_id": account.id, "sent_at": now} if state == "sent" else {}
            error = {"error": "550 5.1.1 no such user"} if state == "failed" else {}
            await MailLog.filter(id=next(left)).update(campaign_id=campaign.id, status=state, **fields, **error)
    await want_mail(org, run)
    await Campaign.filter(id=campaign.id).update(status="sent" if is_over else "sending")
    return await CampaignRun.get(id=run.id)


async def test_campaigns_are_searched_by_title(owner: Visitor, acme: Organization, rival: Organization) -> None:
    for title in ("Spring sale", "SPRING news", "100% off"):
        await make_campaign(acme, title=title)
    await make_campaign(rival, title="Spring of a stranger")
    for q, shown in (("spring", ["SPRING news", "Spring sale"]), ("%", ["100% off"]), ("nothing", [])):
        page = await owner.get("/campaigns", query_string={"q": q})
        assert [row[0] for row in page.rows] == shown
        assert page.soup.select_one("nav.filters a[href*='status=sent']")["href"].startswith(f"/campaigns?q={q[:1]}")
    assert "No campaigns match your search." in page.text


async def test_the_list_tells_status_segment_schedule_and_progress(
    owner: Visitor, acme: Organization, account: Account
) -> None:
    segment = await make_segment(acme, *[await make_contact(acme) for _ in range(3)], name="Readers")
    rhythm = {"recurrence_interval": 2, "recurrence_unit": "week"}
    await make_campaign(acme, title="Letter", segment=segment, **DAILY | rhythm)
    await make_sent(acme, account, "Sale", sent=7, failed=1)
    await make_sent(acme, account, "Event", sent=3, pending=1)
    rows = (await owner.get("/campaigns")).rows
    assert [*rows[0][:3], rows[0][4]] == ["Event", "Sending", "Deleted", "3 of 4 sent"]
    assert [*rows[1][:3], rows[1][4]] == ["Sale", "Sent", "Deleted", "7 of 8 sent, 1 failed"]
    assert [row[3].partition(" ")[0] for row in rows[:2]] == ["Started", "Sent"]
    assert rows[2][:3] == ["Letter", "Scheduled", "Readers 3 members"]
    assert rows[2][3].startswith("Every 2 weeks on Monday at 08:00 Next: ")


async def test_a_status_in_the_address_filters_the_list(owner: Visitor, acme: Organization) -> None:
    for status in ("draft", "scheduled", "halted"):
        await make_campaign(acme, title=f"One that is {status}", status=status)
    page = await owner.get("/campaigns?status=halted")
    assert [row[0] for row in page.rows] == ["One that is halted"]
    assert len((await owner.get("/campaigns?status=nonsense")).rows) == 3
    assert "No campaigns have the status Sending." in (await owner.get("/campaigns?status=sending")).text


async def test_pausing_is_immediate_and_resuming_names_how_many_emails_are_sent(
    owner: Visitor, rival_owner: Visitor, acme: Organization, account: Account
) -> None:
    campaign = await make_sent(acme, account, "Sale", sent=1, pending=4)
    place = f"/campaigns/{campaign.id}"
    page = await owner.get(f"{place}/resume")
    assert (page.path, page.notes) == (place, ["“Sale” isn't paused."])
    page = await owner.submit(await owner.get(place), f"{place}/stop")
    assert page.notes[0] == "“Sale” paused. No more email goes out until you resume."
    assert await MailLog.filter(campaign_id=campaign.id, status="halted").count() == 4
    listed = (await owner.get("/campaigns")).soup.select_one("tbody .cell-title .small")
    assert (listed.get_text(), "bad" in listed["class"]) == ("Paused by ada@acme.example", False)
    assert "paused by ada@acme.example" in (await owner.get("/events")).text
    row = await MailLog.filter(campaign_id=campaign.id, status="halted").first()
    assert "The campaign was paused" in (await owner.get(f"/mail-logs/{row.id}")).text
    deliveries = await owner.get("/mail-logs?status=halted")
    assert [row[3] for row in deliveries.rows] == ["Paused"] * 4
    assert deliveries.soup.select_one(".filters [aria-current]").text == "Paused or canceled"
    kept = "Resuming sends the rest with the content it started with"
    for path in (place, f"{place}/audience", f"{place}/review"):
        assert kept in (await owner.get(path)).text
    assert (await rival_owner.get(f"{place}/resume")).status == 404
    assert page.soup.select_one(f"a[href='{place}/resume']").get_text() == "Resume"
    asked = await owner.get(f"{place}/resume")
    assert asked.title == "Resume “Sale”?"
    assert "The remaining 4 emails are sent with the content the run started with." in asked.text
    page = await owner.submit(asked, f"{place}/resume")
    assert page.notes[0] == "“Sale” resumed."
    assert await MailLog.filter(campaign_id=campaign.id, status="pending").count() == 4
    page = await owner.send_form(f"{place}/resume")
    assert page.notes == ["Couldn't resume “Sale”: nothing to resume: this campaign's status is sending."]


async def test_a_schedule_is_stopped_and_armed_again(owner: Visitor, acme: Organization) -> None:
    parts = {"segment": await make_segment(acme), "template": await make_template(acme)}
    campaign = await make_campaign(acme, title="Letter", **parts, **DAILY)
    place = f"/campaigns/{campaign.id}"
    page = await owner.submit(await owner.get(place), f"{place}/stop")
    words = "Schedule of “Letter” paused. Nothing is sent until you resume it."
    assert page.notes == [f"{words} Scheduled dates in the meantime are skipped."]
    assert "Paused by " in page.text
    assert (await Campaign.get(id=campaign.id)).next_run_at is None
    asked = await owner.get(f"{place}/resume")
    assert "Its schedule continues: every day at 08:00 (UTC). Next send: 25 Nov 2030, 08:00." in asked.text
    await owner.submit(asked, f"{place}/resume")
    assert (await Campaign.get(id=campaign.id)).next_run_at == MONDAY


@pytest.mark.parametrize(
    ("ahead", "shown"),
    [
        (timedelta(days=400), "It goes out "),
        (-timedelta(hours=1), "has passed, so it is sent now."),
        (-timedelta(hours=7), "passed too long ago, so it won't be sent. Schedule it again instead."),
    ],
)
async def test_resuming_a_campaign_with_a_time_says_when_it_goes_out(
    owner: Visitor, acme: Organization, ahead: timedelta, shown: str
) -> None:
    parts = {"segment": await make_segment(acme), "template": await make_template(acme)}
    once = DAILY | {"schedule_type": "scheduled_once", "anchor_at": clock.now() + ahead}
    campaign = await make_campaign(acme, title="Letter", **parts, **once)
    page = await owner.send_form(f"/campaigns/{campaign.id}/stop")
    assert page.notes[0].endswith("If its time passes before that, schedule it again.")
    assert shown in (await owner.get(f"/campaigns/{campaign.id}/resume")).text


async def test_the_pages_of_a_campaign_that_is_scheduled_once_say_when_it_goes_out(
    owner: Visitor, acme: Organization
) -> None:
    for kind, words, apply in (
        ("scheduled_once", "Goes out 25 Nov 2030, 08:00.", "when it is sent"),
        ("recurring", "Nothing sent yet. First send: 25 Nov 2030, 08:00.", "from the next run"),
    ):
        campaign = await make_campaign(acme, **DAILY | {"schedule_type": kind})
        assert words in (await owner.get(f"/campaigns/{campaign.id}")).text
        assert f"Your changes apply {apply}." in (await owner.get(f"/campaigns/{campaign.id}/audience")).text


async def test_the_list_names_who_paused_a_campaign_and_alarms_about_what_the_system_paused(
    owner: Visitor, acme: Organization
) -> None:
    for reason in ("stopped by Jörg Müller <joerg@acme.example>", "its segment was deleted"):
        await make_campaign(acme, status="halted", halted_reason=reason)
    reasons = (await owner.get("/campaigns")).soup.select("tbody .cell-title .small")
    shown = [(reason.get_text(), "bad" in reason["class"]) for reason in reasons]
    assert shown == [("Paused: its segment was deleted", True), ("Paused by Jörg Müller", False)]


async def test_a_copy_is_a_draft_that_is_not_armed(owner: Visitor, acme: Organization) -> None:
    parts = {"segment": await make_segment(acme), "template": await make_template(acme)}
    campaign = await make_campaign(acme, title="x" * 200, **parts, **DAILY)
    place = f"/campaigns/{campaign.id}"
    page = await owner.get(place)
    for _ in range(2):  # a double click
        await owner.submit(page, f"{place}/duplicate")
    copied = await Campaign.exclude(id=campaign.id).get()
    assert (copied.title, copied.status) == ("x" * 193 + " (copy)", "draft")
    assert (copied.schedule_type, copied.next_run_at, copied.anchor_at) == ("recurring", None, None)
    assert (copied.segment_id, copied.template_id) == (campaign.segment_id, campaign.template_id)
    await owner.submit(await owner.get(place), f"{place}/duplicate")
    second = await Campaign.exclude(id__in=[campaign.id, copied.id]).get()
    assert second.title == "x" * 191 + " (copy 2)"


async def test_rates_of_several_runs_stand_beside_their_totals(
    owner: Visitor, rival_owner: Visitor, acme: Organization, account: Account
) -> None:
    campaign = await make_sent(acme, account, sent=3)
    place, tracking = f"/campaigns/{campaign.id}", {"opens": True, "clicks": True}

    async def shown_in() -> list[str]:
        await CampaignRun.filter(campaign_id=campaign.id).update(tracking=tracking)
        rates = (await owner.get(place)).soup.select("p.rates")
        return [str(line.find_parent("section")["aria-labelledby"]) for line in rates]

    async def is_in(section: str) -> bool:
        return await shown_in() == [section]

    await eventually(lambda: is_in("newest"))
    await add_run(acme, campaign, account, sent=2)
    await eventually(lambda: is_in("totals"))
    assert (await rival_owner.get(place)).status == 404


async def test_a_sent_campaign_names_the_accounts_that_sent_it(
    owner: Visitor, acme: Organization, account: Account
) -> None:
    sandbox = await sandbox_account(acme)
    campaign = await make_sent(acme, sandbox, sent=2)
    place = f"/campaigns/{campaign.id}"
    assert (await owner.get(place)).facts["Accounts"] == "Sandbox (nobody receives it)"
    await Campaign.filter(id=campaign.id).update(**DAILY)  # later runs use the others
    assert (await owner.get(place)).facts["Accounts"] == "All active accounts"


async def test_deliveries_are_listed_once_there_are_some(owner: Visitor, acme: Organization, account: Account) -> None:
    for states, is_listed in (({"pending": 2}, False), ({"sent": 1, "pending": 1}, True), ({"failed": 1}, True)):
        campaign = await make_sent(acme, account, **states)
        page = await owner.get(f"/campaigns/{campaign.id}")
        assert bool(page.soup.select("#latest, #shares")) == is_listed, states
