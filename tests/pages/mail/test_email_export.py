"""Emails taken along as a file: what the page finds, one line each, made while it leaves."""

import csv
import io
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.factories import make_account, make_mail, make_template, tag_email
from tests.pages.conftest import Visitor
from tests.queries import count_queries
from webapp import clock
from webapp.domain.csv_writer import BOM
from webapp.domain.emails.export import export_emails
from webapp.domain.mail_logs.search import MailLogSearch
from webapp.models import AuditEntry, Email, MailLog, Organization

FILE = "/emails/export.csv"


@pytest.fixture
async def email(acme: Organization) -> list[UUID]:
    """An email to three, of whom one has it, one never will, and one waits."""
    ids = await make_mail(acme, await make_account(acme), "ann@example.org", "bob@example.org", "cy@example.org")
    await MailLog.of(acme).filter(id=ids[1]).update(status="failed", error="550 gone", recipient_type="cc")
    await MailLog.of(acme).filter(id=ids[2]).update(status="sent", sent_at=clock.now(), recipient_type="bcc")
    addresses = {"to": ["Ann <ann@example.org>"], "cc": ["bob@example.org"], "bcc": ["cy@example.org"]}
    await tag_email(ids[0], kind="welcome", shop="7")
    await Email.of(acme).filter(id=ids[0]).update(addresses=addresses, scheduled_at=clock.now())
    return ids


async def lines(visitor: Visitor, **asked: Any) -> list[dict[str, str]]:
    """The lines of the file of a search."""
    page = await visitor.get(FILE, query_string={name: str(value) for name, value in asked.items()})
    assert page.status == 200, page.text
    assert page.data.startswith(BOM)
    return list(csv.DictReader(io.StringIO(page.data.decode("utf-8-sig"), newline="")))


async def test_an_email_is_one_line_with_all_who_get_it(owner: Visitor, acme: Organization, email: list[UUID]) -> None:
    template = await make_template(acme)
    await Email.of(acme).update(template_id=template.id)
    row, sent = await Email.of(acme).get(), await MailLog.of(acme).get(id=email[2])
    (line,) = await lines(owner)
    about = {"id": str(email[0]), "status": "pending", "template_id": str(template.id), "account": "Main"}
    about |= {"subject": "Hello", "tags": "kind:welcome, shop:7", "error": "550 gone"}
    people = {"to": "Ann <ann@example.org>", "cc": "bob@example.org", "bcc": "cy@example.org"}
    people |= {"from": "Acme <hello@acme.example>", "recipients": "3"}
    counts = {"pending": "1", "sending": "0", "deferred": "0", "halted": "0", "sent": "1", "failed": "1"}
    times = {"created_at": row.created_at, "scheduled_at": row.scheduled_at, "sent_at": sent.sent_at}
    assert line == about | people | counts | {name: f"{at:%Y-%m-%dT%H:%M:%SZ}" for name, at in times.items()}


async def test_the_file_holds_what_the_page_finds(owner: Visitor, acme: Organization, email: list[UUID]) -> None:
    second = await make_account(acme, name="Second")
    (other,) = await make_mail(acme, second, "dan@example.com")
    await MailLog.of(acme).filter(id=other).update(status="failed")
    today = clock.now().date()
    for asked, expected in (
        ({}, [other, email[0]]),
        ({"status": "pending"}, [email[0]]),
        ({"status": "failed"}, [other]),
        ({"tag": "kind:welcome", "to": "BOB@"}, [email[0]]),
        ({"since": today - timedelta(days=1), "account_id": second.id}, [other]),
        ({"until": today - timedelta(days=2)}, []),
    ):
        assert [line["id"] for line in await lines(owner, **asked)] == [str(one) for one in expected], asked
        page = await owner.get("/emails", query_string={name: str(value) for name, value in asked.items()})
        assert len(page.rows) == len(expected)
    assert (await owner.get(f"{FILE}?status=lost")).status == 400


async def test_that_it_was_taken_is_in_the_audit_log(
    owner: Visitor, viewer: Visitor, acme: Organization, email: list[UUID]
) -> None:
    response = (await owner.get(f"{FILE}?tag=kind:welcome&status=pending")).response
    assert response.headers["Content-Disposition"] == "attachment; filename*=UTF-8''emails.csv"
    assert response.headers["Cache-Control"] == "no-store"
    entry = await AuditEntry.of(acme).get(action="data.exported")
    assert (entry.target, entry.actor) == ("emails", "ada@acme.example")
    assert entry.details == {"tag": "kind:welcome", "status": "pending"}
    assert len(await lines(viewer)) == 1  # who may read the list
    assert await AuditEntry.of(acme).filter(action="data.exported").count() == 2


async def test_a_long_file_is_made_part_by_part(acme: Organization) -> None:
    account = await make_account(acme)
    for _ in range(25):
        await make_mail(acme, account)
    pieces = export_emails(acme, MailLogSearch(), part=10)
    await anext(pieces)  # the heading
    sizes, asked = [], []
    with count_queries() as queries:
        async for piece in pieces:
            sizes.append(len(piece.splitlines()))
            asked.append(len(queries))
    assert sizes == [10, 10, 5]
    assert asked == [4, 8, 12]  # however many emails a part has
    cut = b"".join([piece async for piece in export_emails(acme, MailLogSearch(), most_rows=20, part=10)]).decode()
    assert len(cut.splitlines()) == 22
    assert cut.splitlines()[-1] == '"This file stops at 20 rows. Choose a shorter date range for the rest."'
