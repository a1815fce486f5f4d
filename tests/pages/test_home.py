"""The home page: today in figures, and the first steps."""

import asyncio
import itertools
import re
from collections import Counter
from datetime import datetime, timedelta
from uuid import UUID

import pytest
from uuid_utils.compat import uuid7

from tests.domain.home.test_daily_chart import make_many
from tests.factories import (
    copy_row,
    make_account,
    make_campaign,
    make_contact,
    make_form,
    make_mail,
    make_run,
    make_segment,
    make_template,
)
from tests.pages.conftest import Page, Visitor
from tests.plans import use_plans
from tests.queries import plan_of
from webapp import clock, db
from webapp.config import Settings
from webapp.domain.accounts.accounts import sandbox_account
from webapp.domain.api_keys import NewKey, issue_key
from webapp.domain.home import home
from webapp.domain.home.daily_chart import FEW, refresh_counts
from webapp.domain.home.home import COUNTS, SENT_LATE
from webapp.domain.instance.retention import prune
from webapp.models import (
    Account,
    AccountUsage,
    BounceReport,
    CampaignRun,
    MailEvent,
    MailLog,
    Organization,
    SegmentSheet,
)
from webapp.models.base.row import id_lower_bound
from webapp.models.mail_log import MailStatus
from webapp.models.queries.mail_log_search import RECENT, latest_rows


def figures(page: Page) -> dict[str, str]:
    return {tile.span.get_text(strip=True): tile.b.get_text(strip=True) for tile in page.soup.select(".strip a")}


def steps(page: Page) -> dict[str, bool]:
    return {step.b.get_text(strip=True): "done" in step.get("class", []) for step in page.soup.select(".steps li")}


async def test_bounces_and_complaints_of_today_are_told(owner: Visitor, acme: Organization) -> None:
    account = await make_account(acme)
    (mail_id,) = await make_mail(acme, account)
    assert "reported today" not in (await owner.get("/home")).text
    matched = {"org": acme, "account_id": account.id, "verdict": "x", "mail_log_id": mail_id}
    for kind in ("bounce", "bounce", "complaint", "delivered"):
        await BounceReport.create(**matched, kind=kind, is_certain=True)
    await BounceReport.create(**matched, kind="bounce")  # unconfirmed
    await BounceReport.create(org=acme, account_id=account.id, kind="bounce", verdict="x")  # ignored
    yesterday = id_lower_bound(clock.now() - timedelta(days=2))
    await BounceReport.create(**matched, id=yesterday, kind="bounce", is_certain=True)
    assert "2 bounces and 1 spam complaint reported today." in (await owner.get("/home")).text


async def test_a_new_organization_sees_what_to_do(owner: Visitor, acme: Organization) -> None:
    await sandbox_account(acme)
    page = await owner.get("/home")
    assert figures(page) == {"Sent today": "0", "Failed today": "0", "Pending": "0", "Deferred": "0"}
    assert list(steps(page).values()) == [False] * 6
    assert sections(page)[:2] == ["first-steps", "Today's email"]
    assert [link["href"] for link in page.soup.select(".main .main-action")] == ["/accounts/new"]
    account = await make_account(acme)
    assert sections(await owner.get("/home"))[:2] == ["first-steps", "Today's email"]
    await make_mail(acme, account)
    await MailLog.of(acme).update(status="sent")
    assert sections(await owner.get("/home"))[0] == "Today's email"


def sections(page: Page) -> list[str]:
    return [part.get("aria-labelledby") or part.get("aria-label") for part in page.soup.select("#now > section")]


async def test_email_to_the_sandbox_is_named(owner: Visitor, acme: Organization, rival: Organization) -> None:
    for org, recipients in ((acme, 2), (rival, 3)):
        sandbox = await sandbox_account(org)
        await make_mail(org, sandbox, *[f"r{number}@example.org" for number in range(recipients)])
        await MailLog.of(org).update(status="sent", sent_at=clock.now())
        await AccountUsage.create(account_id=sandbox.id, day=clock.today(org.timezone), used=recipients)
    page = await owner.get("/home")
    assert figures(page)["Sent today"] == "2"
    assert "2 of those sent went to the sandbox, which Usage does not count." in page.text


async def test_the_accounts_that_sent_most_today_come_first(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    for org, name, used in ((acme, "Shop", 40), (acme, "Letters", 90), (acme, "Summer", 0), (rival, "Theirs", 99)):
        account = await make_account(org, name=name)
        await AccountUsage.create(account_id=account.id, day=clock.today(org.timezone), used=used)
    names = [link.get_text() for link in (await owner.get("/home")).soup.select(".gauges .row-link")]
    assert names == ["Letters", "Shop", "Summer"]


async def test_the_steps_tick_themselves(owner: Visitor, viewer: Visitor, acme: Organization) -> None:
    await sandbox_account(acme)
    assert steps(await viewer.get("/home")) == {}
    account = await make_account(acme)
    assert await ticked(owner) == 1
    (next_step,) = (await owner.get("/home")).soup.select(".steps .main-action")
    assert next_step["href"] == f"/accounts/{account.id}/test"
    await make_mail(acme, account)
    assert await ticked(owner) == 1
    await MailLog.of(acme).update(status="sent")
    assert await ticked(owner) == 2
    await make_contact(acme)
    assert await ticked(owner) == 3
    await make_template(acme)
    assert await ticked(owner) == 4
    await make_run(acme, [account], 0)
    assert await ticked(owner) == 5
    await issue_key(acme, NewKey(name="x", role="sender"))
    assert steps(await owner.get("/home")) == {}


async def ticked(visitor: Visitor) -> int:
    """How many of the steps are ticked; they are so in their order."""
    found = list(steps(await visitor.get("/home")).values())
    assert found == sorted(found, reverse=True)
    return sum(found)


async def test_todays_mail_is_counted_by_what_became_of_it(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    account = await make_account(acme)
    ids = await make_mail(acme, account, *[f"r{number}@example.org" for number in range(6)])
    now = clock.now()
    await MailLog.of(acme).filter(id__in=ids[:2]).update(status="sent", sent_at=now)
    await MailLog.of(acme).filter(id=ids[2]).update(status="sent", sent_at=now - timedelta(days=2))
    await hand_in_earlier(ids[2], now - timedelta(days=2))
    await MailLog.of(acme).filter(id=ids[3]).update(status="failed", error="550 no")
    await MailLog.of(acme).filter(id=ids[4]).update(status="deferred")
    await make_mail(rival, await make_account(rival))
    page = await owner.get("/home")
    assert figures(page) == {"Sent today": "2", "Failed today": "1", "Pending": "1", "Deferred": "1"}
    assert len(page.soup.select(".table.brief tbody tr")) == 6


async def hand_in_earlier(mail_id: UUID, at: datetime) -> None:
    """Give a row the id that it would have, had it been handed in then."""
    await db.fetch(
        "UPDATE mail_logs SET id = $2 WHERE id = $1", mail_id, UUID(int=id_lower_bound(at).int + mail_id.int % 2**62)
    )


async def test_mail_of_earlier_days_counts_on_the_day_it_is_sent(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    now = clock.now()
    for org in (acme, rival):
        ids = await make_mail(org, await make_account(org), *[f"r{number}@example.org" for number in range(6)])
        await MailLog.of(org).filter(id__in=ids[:3]).update(status="sent", sent_at=now)
        await MailLog.of(org).filter(id=ids[3]).update(status="sent", sent_at=now - timedelta(days=2))
        await MailLog.of(org).filter(id=ids[4]).update(status="failed")
        for mail_id in ids[1:]:
            await hand_in_earlier(mail_id, now - timedelta(days=3))
    wanted = {"Sent today": "3", "Failed today": "0", "Pending": "1", "Deferred": "0"}
    for _ in range(50):  # a page waits for this count for a moment only, and then the next one has it
        found = figures(await owner.get("/home"))
        if found == wanted:
            break
    assert found == wanted


async def test_very_much_mail_of_today_is_counted_behind_the_page(
    owner: Visitor, rival_owner: Visitor, acme: Organization
) -> None:
    await make_mail(acme, await make_account(acme))
    await MailLog.of(acme).update(status="sent")
    await copy_row(await MailLog.of(acme).get(), [uuid7() for _ in range(home.FEW)])
    may_end, midnight = asyncio.Event(), clock.start_of_day(clock.today("UTC"), "UTC")

    async def count() -> Counter[str]:
        await may_end.wait()
        return Counter(sent=10_001)

    asked = asyncio.create_task(home.large_days.get((acme.id, midnight), count))
    await asyncio.sleep(0)
    page = await owner.get("/home")
    assert figures(page) == dict.fromkeys(("Sent today", "Failed today", "Pending", "Deferred"), "…")
    assert days_of(page)[0][1:] == ["Not counted yet"]
    assert figures(await rival_owner.get("/home"))["Sent today"] == "0"
    may_end.set()
    assert await asked is None
    assert figures(await owner.get("/home/now"))["Sent today"] == "10,001"
    assert days_of(await owner.get("/home/chart"))[0][1:] == ["10,001", "0"]


@pytest.mark.parametrize("statement", [COUNTS, SENT_LATE])
async def test_the_figures_are_counted_with_an_index(acme: Organization, rival: Organization, statement: str) -> None:
    now = clock.now()
    await keep_many(acme, rival)
    since = id_lower_bound(now - timedelta(days=2))
    values = [acme.id, since, id_lower_bound(now), now] if statement is SENT_LATE else [acme.id, since, now.date()]
    steps = [step for step in await plan_of(statement, *values) if "mail_logs" in step]
    assert len(steps) == statement.count("FROM mail_logs")
    # (org_id, status, id); or the ids alone, which PostgreSQL prefers while few organizations share the table
    assert not [step for step in steps if not re.search("idx_mail_logs_org_id_06c0d2|mail_logs_pkey", step)]


async def keep_many(*orgs: Organization) -> None:
    """A month's rows in every state, enough that an index is worth its while, and known to the planner."""
    now, states = clock.now(), ["sent"] * 30 + ["pending", "sending", "failed", "deferred"]
    columns = {"kind": "transactional", "recipient_type": "to", "content_id": uuid7(), "variables": {}}
    columns |= {"to_email": "ann@example.org", "message_id": "<x@acme.example>", "next_attempt_at": now}
    ids = (UUID(int=id_lower_bound(now - timedelta(minutes=15 * number)).int) for number in itertools.count())
    rows = [
        MailLog(id=row_id, org=org, status=status, **columns)
        for (status, org), row_id in zip(itertools.product(states * 40, orgs), ids, strict=False)
    ]
    await MailLog.bulk_create(rows, batch_size=500)
    await db.fetch("ANALYZE")


async def test_each_day_of_the_last_month_has_its_bar(owner: Visitor, acme: Organization, rival: Organization) -> None:
    for org, count in ((acme, 7), (rival, 5)):
        ids = await make_mail(org, await make_account(org), *[f"r{number}@example.org" for number in range(count)])
        await MailLog.of(org).filter(id__in=ids).update(status="sent")
        await MailLog.of(org).filter(id=ids[0]).update(status="failed")
        for mail_id, days in zip(ids[1:4], (1, 29, 30), strict=True):
            await hand_in_earlier(mail_id, clock.now() - timedelta(days=days))
    page = await owner.get("/home")
    days = {number: row[1:] for number, row in enumerate(days_of(page)) if row[1:] != ["0", "0"]}
    assert days == {0: ["3", "1"], 1: ["1", "0"], 29: ["1", "0"]}
    assert "5 sent, 1 failed" in page.soup.select_one(".chart svg")["aria-label"]
    assert (await owner.get("/home/now")).soup.select(".chart") == []


async def test_days_that_nobody_has_counted_yet_follow(
    owner: Visitor, rival_owner: Visitor, acme: Organization, rival: Organization
) -> None:
    await make_many(acme, 3, FEW + 1)
    await make_many(rival, 3, 1)
    page = await owner.get("/home")
    part = page.soup.find(id="days")
    assert (part["hx-get"], part["hx-trigger"]) == ("/home/chart", "every 5s")
    assert "1 day still being counted" in page.text
    assert part.find("a", string="Refresh")["href"] == "/home"  # without JavaScript
    assert days_of(page)[3][1:] == ["Not counted yet"]
    assert days_of(await rival_owner.get("/home/chart"))[3][1:] == ["1", "0"]
    await refresh_counts()
    fragment = await owner.get("/home/chart")
    assert fragment.soup.find("html") is None
    assert "hx-get" not in fragment.soup.find(id="days").attrs
    assert days_of(fragment)[3][1:] == days_of(await owner.get("/home"))[3][1:] == ["1,001", "0"]
    assert days_of(await rival_owner.get("/home"))[3][1:] == ["1", "0"]


def days_of(page: Page) -> list[list[str]]:
    """The figures below the chart, today's first."""
    rows = [[cell.get_text() for cell in row.select("td")] for row in page.soup.select(".chart-table tbody tr")]
    assert len(rows) == 30
    return rows


async def test_what_retention_has_taken_today_is_counted_still(
    owner: Visitor, acme: Organization, rival: Organization, settings: Settings
) -> None:
    use_plans(settings, {acme.plan: {"kept_rows": 0}})
    for org in (acme, rival):
        ids = await make_mail(org, await make_account(org), *[f"r{number}@example.org" for number in range(4)])
        await MailLog.of(org).filter(id__in=ids[:3]).update(status="sent", sent_at=clock.now())
        await MailLog.of(org).filter(id=ids[3]).update(status="failed")
    before = await owner.get("/home")
    assert await prune()
    assert await MailLog.of(acme).count() == 0
    after = await owner.get("/home")
    assert figures(after) == {"Sent today": "3", "Failed today": "1", "Pending": "0", "Deferred": "0"}
    assert days_of(after)[0] == days_of(before)[0]


async def test_what_needs_somebody_is_named_and_leads_there(owner: Visitor, acme: Organization) -> None:
    assert "Needs attention" not in (await owner.get("/home")).text
    account = await make_account(acme, status="error", last_error="535 wrong password", name="Main")
    campaign = await make_campaign(acme, status="halted", halted_reason="its segment was deleted", title="News")
    overdue = {"status": "scheduled", "schedule_note": "it couldn't start yet: no account"}
    waiting = await make_campaign(acme, title="Late", next_run_at=clock.now() - timedelta(minutes=2), **overdue)
    await make_campaign(acme, title="Next", next_run_at=clock.now() + timedelta(hours=1), **overdue)
    segment = await make_segment(acme)
    sheet = {"account_id": account.id, "spreadsheet_id": "x", "title": "Readers"}
    await SegmentSheet.create(org=acme, segment=segment, last_error="it is gone", **sheet)
    await Organization.filter(id=acme.id).update(plan="free")
    await make_account(acme)
    page = await owner.get("/home")
    concerns = {link["href"]: link.parent.get_text(" ", strip=True) for link in page.soup.select(".concerns a")}
    assert concerns == {
        f"/accounts/{account.id}": "Main can't send: 535 wrong password.",
        f"/campaigns/{campaign.id}": "News is paused Its segment was deleted.",
        f"/campaigns/{waiting.id}": "Late is waiting to start It couldn't start yet: no account.",
        f"/segments/{segment.id}": "Readers has stopped syncing It is gone.",
        "/usage": "Sending accounts : limit reached 2 of 2 used. Delete one to free up space.",
    }
    note = (await owner.get(f"/campaigns/{waiting.id}")).soup.select_one(".notes .warn")
    assert note.a["href"] == f"/campaigns/{waiting.id}/review"


@pytest.mark.parametrize(("change", "is_named"), [("pause", True), ("delete", True), ("close", False), ("none", False)])
async def test_an_open_form_that_nobody_sends_for_is_named(
    owner: Visitor, acme: Organization, rival: Organization, change: str, *, is_named: bool
) -> None:
    account = await make_account(acme)
    form = await make_form(acme, account_id=account.id, is_open=change != "close")
    await make_form(rival)
    if change in ("pause", "close"):
        await Account.of(acme).update(status="paused")
    elif change == "delete":
        await owner.submit(await owner.get(f"/accounts/{account.id}/delete"), f"/accounts/{account.id}/delete")
    page = await owner.get("/home")
    concerns = {link["href"]: link.parent.get_text(" ", strip=True) for link in page.soup.select(".concerns a")}
    words = "Newsletter takes no sign-ups No account can send its confirmations."
    assert concerns.get(f"/forms/{form.id}") == (words if is_named else None)
    assert len(concerns) <= 1


async def test_runs_under_way_show_how_far_they_are(owner: Visitor, acme: Organization) -> None:
    campaign = await make_campaign(acme, title="News", status="sending")
    run, rows = await make_run(acme, [await make_account(acme)], 4)
    await CampaignRun.filter(id=run.id).update(campaign_id=campaign.id)
    await MailLog.of(acme).filter(id=rows[0]).update(status="sent")
    page = await owner.get("/home")
    shown = page.soup.find(id="under-way").find_parent("section").li
    assert re.fullmatch(r"News Sending, finishes in a few seconds 25% 1 of 4", " ".join(shown.get_text(" ").split()))


NOW = datetime.fromisoformat("2026-11-20T12:00:00Z")


async def queue(org: Organization, account: Account, *names: str, status: str = "pending") -> list[UUID]:
    ids = [(await make_mail(org, account, f"{name}@example.org"))[0] for name in names]
    await MailLog.of(org).filter(id__in=ids).update(status=status)
    return ids


async def latest(visitor: Visitor, path: str = "/home") -> list[str]:
    cells = (await visitor.get(path)).soup.select("#newest tbody .row-link")
    return [cell.get_text(strip=True).removesuffix("@example.org") for cell in cells]


async def test_what_happened_last_comes_first_and_no_mail_of_the_future(owner: Visitor, acme: Organization) -> None:
    account = await make_account(acme)
    sent = await queue(acme, account, "late", "early", *[f"sent{number}" for number in range(5)], status="sent")
    (failed,) = await queue(acme, account, "failed", status="failed")
    await queue(acme, account, *[f"sending{number}" for number in range(5)], status="sending")
    scheduled = await queue(acme, account, *[f"scheduled{number}" for number in range(9)])
    await MailLog.filter(id__in=scheduled).update(next_attempt_at=clock.now() + timedelta(days=3))
    await queue(acme, account, "halted", status="halted")
    minutes = {row_id: number for number, row_id in enumerate(sent[1:], 20)} | {sent[0]: 1}
    for row_id, ago in minutes.items():
        await MailLog.filter(id=row_id).update(sent_at=NOW - timedelta(minutes=ago))
    for ago in (90, 5):  # refused once before
        move = {"from_status": "sending", "to_status": "failed", "cause": "550 no"}
        event = await MailEvent.create(org=acme, mail_log_id=failed, **move)
        await MailEvent.filter(id=event.id).update(created_at=NOW - timedelta(minutes=ago))
    wanted = ["sending4", "sending3", "sending2", "late", "failed", "early", "sent0", "sent1"]
    assert await latest(owner) == await latest(owner, "/home/now") == wanted
    shown = (await owner.get("/home")).soup.select("#newest .cell-when time")
    assert [cell["datetime"][11:16] for cell in shown[3:6]] == ["11:59", "11:55", "11:40"]


async def test_what_waits_follows_where_little_was_sent(owner: Visitor, acme: Organization) -> None:
    account = await make_account(acme)
    await queue(acme, account, "sent", status="sent")
    await queue(acme, account, *[f"pending{number}" for number in range(9)])
    await queue(acme, account, "deferred", status="deferred")
    assert await latest(owner) == ["sent", "deferred", *[f"pending{number}" for number in range(8, 2, -1)]]


async def test_each_state_is_read_by_its_index(acme: Organization, rival: Organization) -> None:
    await keep_many(acme, rival)
    steps = [
        step for step in await plan_of(latest_rows(), acme.id, RECENT, 8) if re.search("mail_logs_|mail_logs ", step)
    ]
    scans = [step for step in steps if "idx_mail_logs_org_id_06c0d2" in step]
    assert len(scans) == len(MailStatus), steps
    assert not [step for step in steps if "mail_logs_pkey" in step or "Seq Scan on mail_logs" in step]
