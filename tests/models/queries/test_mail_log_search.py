"""The search in the mail logs: what it finds, how far it looks, and what it costs."""

import random
import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.factories import make_account, make_mail, tag_email
from tests.queries import look_ups, plan_of
from tests.support.searching import EVERYTHING, LIMIT, NOTHING, ROWS, check_all_is_found, minute_of, plans_of, some_of
from webapp import clock
from webapp.domain.emails.emails import STATUSES
from webapp.models import Email, MailLog, Organization
from webapp.models.mail_log import MailStatus
from webapp.models.queries.listed_emails import scan_emails
from webapp.models.queries.mail_log_search import MailLogQuery, page_of_mail_logs, search_mail_logs

IDS = [UUID(int=number) for number in range(1, 4)]


async def make_rows(org: Organization, count: int, seed: int, runs: Sequence[UUID] = IDS) -> list[MailLog]:
    """Rows of all kinds, one every minute until now, some of them an email's; the oldest first."""
    chance, start = random.Random(seed), clock.now() - timedelta(minutes=count)
    account = await make_account(org)
    emails = [(await make_mail(org, account))[0] for _ in range(3)]
    template = await MailLog.of(org).filter(id=emails[0]).get()
    await MailLog.of(org).delete()
    for email_id, value in zip(emails, ("welcome", "reset", 'say "hi"'), strict=True):
        await tag_email(email_id, **{"kind": value, value[:5]: "1"})
    names = ("content_id", "variables", "recipient_type", "message_id", "next_attempt_at")
    same = {name: getattr(template, name) for name in names}
    rows = [
        MailLog(
            **same,
            **minute_of(start, number, chance),
            org=org,
            kind="transactional",
            email_id=chance.choice([*emails, None]),
            account_id=chance.choice(IDS),
            campaign_id=chance.choice(IDS),
            campaign_run_id=chance.choice([*runs, None]),
            to_email=chance.choice(("ann@example.org", "Ann@Example.org", "bob_x%@example.com")),
            status=chance.choice(("sent", *MailStatus)),
        )
        for number in range(count)
    ]
    await MailLog.bulk_create(rows)
    return rows


def some_search(chance: random.Random, org: Organization, rows: Sequence[MailLog]) -> MailLogQuery:
    """A search for this and that: each filter in a part of the cases."""
    given: dict[str, Any] = {
        "status": chance.choice(list(MailStatus)),
        "account_id": chance.choice(IDS),
        "campaign_id": chance.choice(IDS),
        "campaign_run_id": chance.choice(IDS),
        "to": chance.choice(("ann@", "example.org", "_", "%", "nobody")),
        "tag": chance.choice((("kind", None), ("kind", "reset"), ("kind", 'say "hi"'), ("reset", "1"), ("kind", "1"))),
    }
    return MailLogQuery(org_id=org.id, **some_of(chance, [row.id for row in rows], given))


def is_wanted(wanted: MailLogQuery, row: MailLog, tags: dict[UUID, list[dict[str, str]]]) -> bool:
    """The rule itself, in the plainest words."""
    name, value = wanted.tag or (None, None)
    its_tags = tags.get(row.email_id, []) if row.email_id else []
    return (
        wanted.low <= row.id < wanted.high
        and wanted.status in (None, row.status)
        and wanted.account_id in (None, row.account_id)
        and wanted.campaign_id in (None, row.campaign_id)
        and wanted.campaign_run_id in (None, row.campaign_run_id)
        and (wanted.to or "") in row.to_email.lower()
        and (name is None or any(tag["name"] == name and value in (None, tag["value"]) for tag in its_tags))
    )


async def test_whatever_is_searched_is_found_once_and_in_its_order(acme: Organization, rival: Organization) -> None:
    rows = await make_rows(acme, ROWS, 1)
    await make_rows(rival, ROWS // 4, 101, [UUID(int=99)])  # a run is one organization's
    tags = {email.id: email.tags for email in await Email.of(acme)}
    chance = random.Random(1)
    await check_all_is_found(
        search_mail_logs,
        chance,
        30,
        lambda: some_search(chance, acme, rows),
        lambda wanted: [row.id for row in rows if is_wanted(wanted, row, tags)],
    )


@pytest.mark.parametrize("given", [{}, {"account_id": IDS[0]}, {"status": "sent"}], ids=str)
async def test_a_total_counts_so_many_rows_beyond_the_page(acme: Organization, given: dict[str, Any]) -> None:
    rows = await make_rows(acme, ROWS, 5)
    wanted = MailLogQuery(acme.id, NOTHING, rows[-20].id, **given)
    ids = [row.id for row in rows[::-1] if is_wanted(wanted, row, {})]
    for offset, most, total, is_exact in (
        (0, 10_000, len(ids), True),
        (0, 20, LIMIT + 20, False),
        (10, 20, LIMIT + 30, False),
        (len(ids) - 5, 1, len(ids), True),
        (len(ids) + 5, 1, len(ids), True),
    ):
        page = await page_of_mail_logs(wanted, LIMIT, offset, most)
        assert page == (ids[offset : offset + LIMIT], total, is_exact), (offset, most)


async def test_every_statement_goes_by_an_index(acme: Organization) -> None:
    await make_rows(acme, 60, 3)
    searches: list[dict[str, Any]] = [
        {},
        {"status": "failed"},
        {"campaign_run_id": IDS[0]},
        {"account_id": IDS[0], "status": "sent", "campaign_id": IDS[1]},
        {"to": "ann"},
        {"tag": ("kind", None), "campaign_id": IDS[0]},
    ]
    wanted = [MailLogQuery(acme.id, NOTHING, EVERYTHING, **given) for given in searches]
    with look_ups() as sent:
        for page in (*wanted[:4], wanted[5]):
            await page_of_mail_logs(page, LIMIT, LIMIT)
    pages = [(statement, await plan_of(statement, *values)) for statement, values in sent]
    assert len(pages) == 7  # the last chooses between two indexes
    for statement, steps in [*await plans_of(search_mail_logs, wanted), *pages]:
        whole = [step for step in steps if re.search(r"Seq Scan on (mail_logs|emails)|SCAN (mail_logs|e)$", step)]
        assert not whole, (statement, steps)


@pytest.mark.parametrize(
    ("given", "index"),
    [
        ({"recipient": "ann@example.org"}, "mail_logs_to"),
        ({"tag": ("kind", "reset")}, "email_tags_org_id|autoindex_email_tags_2"),
        ({"sender": "hello@acme.example"}, "idx_emails_org_id_\\w+"),
        ({"subject": "hello"}, "idx_emails_org_id_\\w+"),
        ({"status": "failed"}, "mail_logs_email_status"),
        ({"status": "sending"}, "idx_mail_logs_org_id_\\w+"),
        ({"recipient": "ann@example.org", "tag": ("kind", None), "status": "sent"}, "mail_logs_to"),
    ],
    ids=str,
)
async def test_emails_and_mail_logs_are_found_by_an_index(
    acme: Organization, given: dict[str, Any], index: str
) -> None:
    await make_rows(acme, 60, 3)
    query = MailLogQuery(acme.id, NOTHING, EVERYTHING, **given)
    with look_ups() as sent:
        await scan_emails(query, STATUSES, LIMIT)
        await scan_emails(query, STATUSES, LIMIT, oldest_first=True)
        if index.startswith("mail_logs_to"):
            await page_of_mail_logs(query, LIMIT, LIMIT)
    plans = [await plan_of(statement, *values) for statement, values in sent]
    for steps in plans:
        whole = [step for step in steps if re.search(r"Seq Scan|SCAN (mail_logs|emails|email_tags|m|t|e)$", step)]
        assert not whole, steps
        weak = [step for step in steps if re.search(r"USING INDEX \w+ \(org_id=\?\)", step)]
        assert not weak, steps
    assert any(re.search(index, step) for steps in plans for step in steps), plans
