"""The report of a campaign and of a run: its numbers are those of what was made, on the page and in the file."""

import asyncio
import csv
import io
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest

from tests.factories import make_campaign, make_contact, make_run, make_topic
from tests.fakes.worker import eventually
from tests.pages.campaigns.test_campaigns import add_run, make_sent
from tests.pages.conftest import Page, Visitor
from tests.plans import use_plans
from tests.queries import look_ups, plan_of
from tests.support.topics import choose
from webapp import clock, db
from webapp.config import Settings
from webapp.domain.campaigns.report import MOST_EMAILS, load_report
from webapp.domain.csv_writer import BOM
from webapp.domain.instance.retention import prune
from webapp.models import (
    Account,
    Campaign,
    CampaignRun,
    Contact,
    Content,
    MailHit,
    MailLog,
    Organization,
    TopicChoice,
    TrackedLink,
)

ADDRESSES = (
    *("ann@gmail.com", "ben@GoogleMail.com", "cid@hotmail.co.uk", "dan@live.nl", "eve@yahoo.co.jp", "fay@aol.com"),
    *("gus@icloud.com", "hal@acme.example", "ida@live.acme.example", "jan@notgmail.com"),
)
NO_MAILBOX = {"type": "Permanent", "subType": "NoEmail", "status": "5.1.1", "diagnosticCode": ["550 5.1.1 <b>gone</b>"]}
SPAM = {"type": "Transient", "subType": "ContentRejected", "status": "5.7.1", "diagnosticCode": ["550 5.7.1 spam"]}


async def finish(run: CampaignRun, addresses: Sequence[str], **fields: Any) -> list[MailLog]:
    """Sends the run's emails to these addresses, half an hour apart."""
    rows = await MailLog.of_run(run.id).order_by("id")
    for number, (row, address) in enumerate(zip(rows, addresses, strict=True)):
        row.to_email, row.status = address, "sent"
        row.sent_at = clock.now().replace(hour=9, minute=0, second=0) + timedelta(minutes=30 * number)
        row.update_from_dict({"campaign_id": run.campaign_id})
        await row.save()
    await CampaignRun.filter(id=run.id).update(status="completed", started_at=rows[0].sent_at, **fields)
    return rows


async def hit(row: MailLog, verdict: str | None, link: TrackedLink | None = None, at: datetime | None = None) -> None:
    about = {"org_id": row.org_id, "run_id": row.campaign_run_id, "mail_log_id": row.id, "agent": "x", "network": "x"}
    about |= {"campaign_id": row.campaign_id, "link_id": link and link.id}
    await MailHit.create(**about, verdict=verdict, created_at=at or clock.now())


@pytest.fixture
async def campaign(acme: Organization, account: Account) -> Campaign:
    """A run to ten, of whom one failed, two bounced and one complained; all of it tracked."""
    run, _ = await make_run(acme, [account], len(ADDRESSES))
    campaign = await make_campaign(acme, id=run.campaign_id, title="News", status="sent", last_run_at=clock.now())
    counts = {"skipped": 3, "bounced": 1, "complained": 1, "tracking": {"opens": True, "clicks": True}}
    rows = await finish(run, ADDRESSES, **counts)
    links = [
        await TrackedLink.create(org=acme, content_id=run.content_id, number=number, url=f"https://x.example/{number}")
        for number in (1, 2, 3)
    ]
    rows[9].status, rows[9].error, rows[9].sent_at = "failed", "550 5.1.1 <jan@notgmail.com> unknown", None
    rows[2].bounced_at, rows[2].bounce = clock.now(), NO_MAILBOX
    rows[3].bounce = SPAM
    rows[0].complained_at = clock.now()
    for row in rows:
        await row.save()
    for number, verdict in ((0, "person"), (0, "sweep"), (1, "person"), (4, None), (6, "proxy"), (7, "agent")):
        await hit(rows[number], verdict)
    for number, verdict in ((0, "person"), (1, "burst"), (2, "burst"), (7, "head")):
        await hit(rows[number], verdict, links[0])
    await hit(rows[1], "person", links[1])
    return campaign


async def run_of(campaign: Campaign) -> CampaignRun:
    return await CampaignRun.filter(campaign_id=campaign.id).order_by("id").get()


def section(page: Page, heading: str) -> str:
    return " ".join(page.soup.select_one(f"section:has(#{heading})").get_text(" ").split())


def table(page: Page, heading: str) -> dict[str, list[str]]:
    rows = page.soup.select(f"section:has(#{heading}) tbody tr")
    cells = [[" ".join(cell.get_text(" ").split()) for cell in row.select("td")] for row in rows]
    return {first: rest for first, *rest in cells}


async def counted(visitor: Visitor, path: str, *words: str) -> Page:
    """The page once all is counted, and the words are there: on a slow machine a count is shown for some seconds."""
    pages = []

    async def is_counted() -> bool:
        pages.append(await visitor.get(path))
        text = pages[-1].text
        return "still being counted" not in text and all(one in text for one in words)

    await eventually(is_counted)
    assert pages[-1].status == 200
    return pages[-1]


async def file_of(visitor: Visitor, path: str, *words: str) -> list[list[str]]:
    await counted(visitor, path.replace(".csv", ""), *words)
    answer = await visitor.get(path)
    assert answer.response.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.data.startswith(BOM)
    return list(csv.reader(io.StringIO(answer.data.removeprefix(BOM).decode(), newline="")))


@pytest.mark.parametrize(
    ("subject", "shown"),
    [
        ("News for {{ first_name | default: 'readers' }} of {{ town }}", "News for readers of [town]"),
        ("{% if first_name %}{{ first_name }}, this{% else %}This{% endif %} is <b>new</b>", "is <b>new</b>"),
        ("A {{ broken", "A {{ broken"),
    ],
)
async def test_the_subject_has_defaults_or_names_for_its_merge_tags(
    owner: Visitor, rival_owner: Visitor, campaign: Campaign, subject: str, shown: str
) -> None:
    await Content.filter(id=(await run_of(campaign)).content_id).update(subject=subject, is_template=True)
    page = await owner.get(f"/campaigns/{campaign.id}/report")
    assert page.soup.select_one(".report-subject").get_text(strip=True).endswith(shown)
    assert (await rival_owner.get(f"/campaigns/{campaign.id}/report")).status == 404


async def test_the_numbers_are_those_of_what_was_made(owner: Visitor, campaign: Campaign) -> None:
    run = await run_of(campaign)
    for path in (f"/campaigns/{campaign.id}/report", f"/campaigns/{campaign.id}/report?run={run.id}"):
        page = await counted(owner, path)
        assert page.title == "News"
        results = section(page, "results")
        for words in ("100% 10 of 10", "9 Sent", "1 Failed", "3 Skipped", "1 Bounced later", "1 Marked as spam"):
            assert words in results
        assert ("0 Unsubscribed" in results) is ("run=" not in path)
        engagement = section(page, "engagement")
        assert "Opened by 2 to 5 22% to 56% of 9 sent" in engagement
        assert "The first number counts people only; the second also counts" in engagement
        assert "They don't get the follow-up either." in engagement
        assert (
            "where nobody can tell 1 (20%) Checking, ready in 2 minutes 1 (20%) Known scanners and crawlers 1 (20%)"
            in engagement
        )
        assert "Clicked by 2 to 4 22% to 44% of 9 sent" in engagement
        assert "Checked without being fetched 1 (25%) Several links within two seconds 1 (25%)" in engagement
        assert list(table(page, "links").items()) == [
            ("https://x.example/1", ["1", "3"]),
            ("https://x.example/2", ["1", "0"]),
            ("https://x.example/3", ["0", "0"]),
        ]
        assert table(page, "providers") == {
            "Gmail": ["2", "0", "0", "1", "2", "2"],
            "Microsoft": ["2", "0", "1", "0", "0", "at most 1"],
            "Yahoo and AOL": ["2", "0", "0", "0", "at most 1", "0"],
            "Apple": ["1", "0", "0", "0", "at most 1", "0"],
            "Others": ["2", "1", "0", "0", "at most 1", "at most 1"],
        }
        bounces = section(page, "bounces")
        assert "1 The mailbox doesn't exist Hard 550 5.1.1 <b>gone</b> cid@hotmail.co.uk" in bounces
        assert "1 Rejected for its content Not counted 550 5.7.1 spam dan@live.nl" in bounces
        assert "1 550 5.1.1 … unknown jan@notgmail.com" in section(page, "failures")
        assert sum(int(sent) for (sent,) in table(page, "times").values()) == 9
        assert "Each bar is 10 minutes, in UTC" in section(page, "times")


async def test_first_opens_and_clicks_of_people_are_drawn_over_time(
    owner: Visitor, rival_owner: Visitor, campaign: Campaign
) -> None:
    run, link = await run_of(campaign), await TrackedLink.get(number=1)
    await MailHit.all().delete()
    for number, row in enumerate(await MailLog.of_run(run.id).order_by("id")):
        first = run.started_at + timedelta(minutes=30 * number)
        await hit(row, "proxy" if number == 9 else "person", at=first)
        await hit(row, "person", at=first + timedelta(days=20))  # not its first
        if number < 2:
            await hit(row, "person", link, at=first)
    path = f"/campaigns/{campaign.id}/report"
    page = await counted(owner, path)
    times = table(page, "engaged-times")
    assert [sum(int(cells[column]) for cells in times.values()) for column in (0, 1)] == [10, 2]
    assert "10 opened 2 clicked" in section(page, "engaged-times")
    assert len(page.soup.select("section:has(#engaged-times) svg rect.clicked")) == len(
        [cells for cells in times.values() if cells[1] != "0"]
    )
    lines = await file_of(owner, f"{path}.csv")
    assert sum(int(value) for about, _, _, value in lines if about == "engagement") == 12
    assert (await rival_owner.get(path)).status == 404


async def test_the_file_has_the_same_numbers_and_no_formulas(owner: Visitor, campaign: Campaign) -> None:
    run = await run_of(campaign)
    await Campaign.filter(id=campaign.id).update(title='=HYPERLINK("https://evil.example")')
    await TrackedLink.filter(number=3).update(url="=cmd|' /C calc'!A0")
    head, *lines = await file_of(owner, f"/campaigns/{campaign.id}/report.csv?run={run.id}")
    assert head == ["section", "item", "measure", "value"]
    found = {(about, item, measure): value for about, item, measure, value in lines}
    assert found["summary", "campaign", "title"] == '\'=HYPERLINK("https://evil.example")'
    assert (found["opens", "all", "people"], found["opens", "all", "fetched"]) == ("2", "5")
    assert found["links", "'=cmd|' /C calc'!A0", "people"] == "0"
    assert found["providers", "gmail", "sent"] == "2"
    assert found["failures", "550 5.1.1 … unknown", "emails"] == "1"
    assert sum(int(value) for about, _, _, value in lines if about == "timeline") == 9
    assert ("summary", "contacts", "unsubscribed") not in found
    whole = await file_of(owner, f"/campaigns/{campaign.id}/report.csv")
    assert ["summary", "contacts", "unsubscribed", "0"] in whole


async def test_it_is_the_organizations_own(
    owner: Visitor, viewer: Visitor, campaign: Campaign, rival: Organization
) -> None:
    other, _ = await make_run(rival, [], 1)
    theirs = await make_campaign(rival, id=other.campaign_id)
    for end in ("report", "report.csv"):
        await counted(viewer, f"/campaigns/{campaign.id}/report")
        assert (await viewer.get(f"/campaigns/{campaign.id}/{end}")).status == 200
        assert (await owner.get(f"/campaigns/{theirs.id}/{end}")).status == 404
        for run_id in (other.id, "nonsense"):
            assert (await owner.get(f"/campaigns/{campaign.id}/{end}", query_string={"run": run_id})).status == 404
    run = await run_of(campaign)
    hits = await MailHit.all()
    await MailHit.filter(id__in=[one.id for one in hits]).update(org_id=rival.id)  # whose hits are no one else's
    page = await counted(owner, f"/campaigns/{campaign.id}/report?run={run.id}", "Opened by 0")
    assert "Clicked by 0" in section(page, "engagement")


async def test_what_others_wrote_is_shown_as_text(owner: Visitor, campaign: Campaign) -> None:
    evil = '"><script>alert(1)</script>'
    await Campaign.filter(id=campaign.id).update(title=evil)
    await TrackedLink.filter(number=1).update(url=f"javascript:{evil}")
    await MailLog.filter(status="failed").update(error=evil, to_email=f"{evil}@example.org")
    page = await counted(owner, f"/campaigns/{campaign.id}/report")
    assert page.title == evil
    assert f"javascript:{evil}" in table(page, "links")
    assert not page.soup.select("a[href^='javascript:'], .stack script, .stack b b")
    assert all(script["src"].startswith("/static/") for script in page.soup.select("script"))


async def test_a_recipient_of_several_runs_counts_once(
    owner: Visitor, acme: Organization, account: Account, campaign: Campaign
) -> None:
    first = await run_of(campaign)
    second, _ = await make_run(acme, [account], 2)
    await CampaignRun.filter(id=second.id).update(campaign_id=campaign.id)
    await second.refresh_from_db()
    counts = {"bounced": 2, "tracking": {"opens": True, "clicks": True}}
    again = await finish(second, ["ann@gmail.com", "jan@notgmail.com"], **counts)
    before = await MailLog.of_run(first.id).order_by("id")
    await MailLog.filter(id=again[0].id).update(contact_id=before[0].contact_id)
    await MailLog.filter(id=again[1].id).update(contact_id=before[9].contact_id)
    again = await MailLog.of_run(second.id).order_by("id")
    links = await TrackedLink.filter(content_id=first.content_id).order_by("number")
    same = await TrackedLink.create(org=acme, content_id=second.content_id, number=1, url=links[0].url)
    for row in again:
        await hit(row, "person")
        await hit(row, "person", same)
    page = await counted(owner, f"/campaigns/{campaign.id}/report")
    results = section(page, "results")
    for words in ("2 runs", "10 Sent", "0 Failed", "3 Skipped", "3 Bounced later"):
        assert words in results
    assert "Opened by 3 to 6 30% to 60% of 10 sent" in section(page, "engagement")
    assert "Clicked by 3 to 5" in section(page, "engagement")
    assert table(page, "links")["https://x.example/1"] == ["2", "3"]
    assert sum(int(sent) for (sent,) in table(page, "times").values()) == 11
    await CampaignRun.filter(id=second.id).update(tracking=None)
    page = await counted(owner, f"/campaigns/{campaign.id}/report", "Counted in 1 of 2 runs")
    engagement = section(page, "engagement")
    assert "Opened by 2 to 5 See who Of 5, these may be software" in engagement  # without a share of all that were sent


async def test_unsubscribes_are_the_campaigns_own(
    owner: Visitor, acme: Organization, rival: Organization, campaign: Campaign
) -> None:
    for org, status, by in (
        (acme, "unsubscribed", campaign.id),
        (acme, "unsubscribed", uuid4()),
        (acme, "subscribed", campaign.id),
        (rival, "unsubscribed", campaign.id),
    ):
        contact = await make_contact(org, status=status)
        await Contact.filter(id=contact.id).update(unsubscribed_campaign_id=by)
    page = await counted(owner, f"/campaigns/{campaign.id}/report", "1 Unsubscribed")
    assert "Left the topic" not in page.text


async def test_a_run_within_a_minute_shows_one_time(owner: Visitor, campaign: Campaign) -> None:
    at = datetime(2026, 11, 20, 12, 42, 5, tzinfo=UTC)
    for later, words in ((30, "20 Nov 2026, 12:42"), (90, "20 Nov 2026, 12:42 to 20 Nov 2026, 12:43")):
        await CampaignRun.all().update(started_at=at, finished_at=at + timedelta(seconds=later))
        page = await owner.get(f"/campaigns/{campaign.id}/report")
        assert page.soup.select_one("#results + .small").get_text() == words


async def test_who_left_the_topic_of_a_campaign_stands_beside_who_unsubscribed(
    owner: Visitor, acme: Organization, campaign: Campaign
) -> None:
    topic, contact = await make_topic(acme), await make_contact(acme)
    await CampaignRun.filter(campaign_id=campaign.id).update(topic_id=topic.id)
    await choose(topic, contact, subscription="opt_out")
    await TopicChoice.filter(contact_id=contact.id).update(campaign_id=campaign.id)
    path = f"/campaigns/{campaign.id}/report"
    await counted(owner, path, "1 Left the topic")
    assert ["summary", "contacts", "left_topic", "1"] in await file_of(owner, f"{path}.csv")


async def test_a_campaign_under_way_without_tracking(owner: Visitor, acme: Organization, account: Account) -> None:
    campaign = await make_sent(acme, account, sent=2, failed=1, pending=4)
    page = await counted(owner, f"/campaigns/{campaign.id}/report")
    assert "Still sending. This page updates itself." in page.text
    assert page.soup.select_one("#report[hx-select='#report']")["hx-trigger"] == "every 10s"
    assert "42% 3 of 7" in section(page, "results")
    assert "Opens and clicks weren't counted for this campaign." in section(page, "engagement")
    assert not page.soup.select("#links, #bounces, figure")
    assert re.search(r"2 emails on \d+ \w{3} at \d\d:\d\d", section(page, "times"))
    assert table(page, "providers") == {"Others": ["2", "1", "0", "0"]}


async def test_of_very_many_emails_the_newest_runs_count(
    owner: Visitor, acme: Organization, account: Account, campaign: Campaign
) -> None:
    first = await run_of(campaign)
    await CampaignRun.filter(id=first.id).update(ended_counts={"sent": MOST_EMAILS, "failed": 0})
    await add_run(acme, campaign, account, sent=2)
    second = await CampaignRun.filter(campaign_id=campaign.id).order_by("-id").first()
    await CampaignRun.filter(id=second.id).update(ended_counts={"sent": 2, "failed": 0})
    page = await counted(owner, f"/campaigns/{campaign.id}/report")
    assert "Everything but Results is based on the latest 1 of 2 runs." in page.text
    assert table(page, "providers") == {"Others": ["2", "0", "0", "0"]}


async def test_a_slow_count_keeps_no_page_waiting(owner: Visitor, acme: Organization, campaign: Campaign) -> None:
    path = f"/campaigns/{campaign.id}/report"
    async with all_searches_busy(acme):
        page = await owner.get(path)
        answer = await owner.get(f"{path}.csv?run={(await run_of(campaign)).id}")
    assert "The emails are still being counted." in page.text
    assert page.soup.select_one("#report")["hx-trigger"] == "every 3s"
    assert not page.soup.select("a[href$='.csv'], #providers")
    assert answer.path.startswith(f"{path}?run=")
    assert "Download the file when they are." in answer.text
    page = await counted(owner, path)
    assert page.soup.select("a[href$='.csv'], #providers")


@asynccontextmanager
async def all_searches_busy(org: Organization) -> AsyncIterator[None]:
    """As many slow reads as an organization may have, until the block ends."""
    begun, end = asyncio.Semaphore(0), asyncio.Event()

    async def search() -> None:
        async with db.searching(org.id):
            begun.release()
            await end.wait()

    tasks = [asyncio.create_task(search()) for _ in range(1 if db.dialect().has_one_writer else 2)]
    for _ in tasks:
        await begun.acquire()
    try:
        yield
    finally:
        end.set()
        await asyncio.gather(*tasks)


async def is_counted(org: Organization, campaign: Campaign, run: CampaignRun | None) -> bool:
    return (await load_report(org, campaign, run)).is_counted


async def test_all_is_found_by_indexes(acme: Organization, campaign: Campaign) -> None:
    run = await run_of(campaign)
    for asked in (None, run):
        with look_ups() as sent:
            await eventually(partial(is_counted, acme, campaign, asked))
        about = [one for one in sent if "mail_logs" in one[0] or "mail_hits" in one[0]]
        assert len(about) >= 5
        for statement, values in about:
            steps = "\n".join(await plan_of(statement, *values))
            assert "campaign_run_id" in steps or "mail_hits_of_run" in steps, (statement, steps)


async def test_a_campaigns_page_says_that_retention_has_deleted_its_deliveries(
    owner: Visitor, acme: Organization, campaign: Campaign, settings: Settings
) -> None:
    use_plans(settings, {acme.plan: {"kept_rows": 0}})
    place = f"/campaigns/{campaign.id}"
    assert "retention" not in (await owner.get(place)).text
    assert await prune()
    page = await owner.get(place)
    lists = [part.get_text(" ", strip=True) for part in page.soup.select(".pair .card")]
    assert lists == ["Deleted by the retention policy."] * 2
    assert "Based on" not in page.text
