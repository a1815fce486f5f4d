"""The home page: today in figures, and the first steps."""

import itertools
import re
from datetime import datetime, timedelta
from uuid import UUID

import pytest
from uuid_utils.compat import uuid7

from tests.factories import make_account, make_mail
from tests.pages.conftest import Page, Visitor
from tests.queries import count_queries, plan_of
from webapp import clock, db
from webapp.domain.accounts import sandbox_account
from webapp.domain.api_keys import NewKey, issue_key
from webapp.domain.home import COUNTS, SENT_LATE, first_id
from webapp.models import MailLog, Organization


def figures(page: Page) -> dict[str, str]:
    return {tile.span.get_text(strip=True): tile.b.get_text(strip=True) for tile in page.soup.select(".strip a")}


def steps(page: Page) -> dict[str, bool]:
    return {step.b.get_text(strip=True): "done" in step.get("class", []) for step in page.soup.select(".steps li")}


async def test_a_new_organization_sees_what_to_do(owner: Visitor, acme: Organization) -> None:
    await sandbox_account(acme)
    page = await owner.get("/home")
    assert figures(page) == {"Sent today": "0", "Failed today": "0", "Waiting": "0", "Deferred": "0"}
    assert steps(page) == {"Make an API key": False, "Send a mail": False, "Connect an account": False}
    assert "No mail yet" in page.text


async def test_the_steps_tick_themselves(owner: Visitor, acme: Organization) -> None:
    await issue_key(acme, NewKey(name="x", role="sender"))
    account = await sandbox_account(acme)
    assert steps(await owner.get("/home"))["Make an API key"]
    await make_mail(acme, account)
    assert steps(await owner.get("/home"))["Send a mail"]
    await make_account(acme)
    assert steps(await owner.get("/home")) == {}


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
    assert figures(page) == {"Sent today": "2", "Failed today": "1", "Waiting": "1", "Deferred": "1"}
    assert len(page.rows) == 6


async def hand_in_earlier(mail_id: UUID, at: datetime) -> None:
    """Give a row the id that it would have, had it been handed in then."""
    await db.fetch(
        "UPDATE mail_logs SET id = $2 WHERE id = $1", mail_id, UUID(int=first_id(at).int + mail_id.int % 2**62)
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
    assert figures(await owner.get("/home")) == {
        "Sent today": "3",
        "Failed today": "0",
        "Waiting": "1",
        "Deferred": "0",
    }


async def test_mail_of_earlier_days_is_counted_once_a_minute(owner: Visitor, acme: Organization) -> None:
    with count_queries() as statements:
        for _ in range(3):
            await owner.get("/home/now")
    assert sum("sent_at >=" in statement for statement in statements) == 1


@pytest.mark.parametrize("statement", [COUNTS, SENT_LATE])
async def test_the_figures_are_counted_with_an_index(acme: Organization, rival: Organization, statement: str) -> None:
    now = clock.now()
    await keep_many(acme, rival)
    values = [acme.id, first_id(now - timedelta(days=2)), first_id(now), now][: 4 if "$4" in statement else 2]
    steps = [step for step in await plan_of(statement, *values) if "mail_logs" in step]
    assert len(steps) == statement.count("FROM mail_logs")
    # (org_id, status, id); or the ids alone, which PostgreSQL prefers while few organizations share the table
    assert not [step for step in steps if not re.search("idx_mail_logs_org_id_06c0d2|mail_logs_pkey", step)]


async def keep_many(*orgs: Organization) -> None:
    """A month's rows in every state, enough that an index is worth its while, and known to the planner."""
    now, states = clock.now(), ["sent"] * 30 + ["pending", "sending", "failed", "deferred"]
    columns = {"kind": "transactional", "recipient_type": "to", "content_id": uuid7(), "variables": {}}
    columns |= {"to_email": "ann@example.org", "message_id": "<x@acme.example>", "next_attempt_at": now}
    ids = (UUID(int=first_id(now - timedelta(minutes=15 * number)).int) for number in itertools.count())
    rows = [
        MailLog(id=row_id, org=org, status=status, **columns)
        for (status, org), row_id in zip(itertools.product(states * 40, orgs), ids, strict=False)
    ]
    await MailLog.bulk_create(rows, batch_size=500)
    await db.fetch("ANALYZE")


async def test_the_open_page_asks_for_its_moving_part(owner: Visitor) -> None:
    page = await owner.get("/home")
    part = page.soup.find(id="now")
    assert (part["hx-get"], part["hx-trigger"]) == ("/home/now", "every 5s")
    fragment = await owner.get("/home/now")
    assert fragment.soup.find("html") is None
    assert fragment.soup.find(id="now") is not None


async def test_the_navigation_marks_where_one_is_and_leads_only_to_pages(owner: Visitor) -> None:
    page = await owner.get("/home")
    links = page.soup.select(".side .nav a")
    assert [link.get_text(strip=True) for link in links if link.get("aria-current") == "page"] == ["Home"]
    for link in links:
        assert (await owner.get(link["href"])).status == 200
