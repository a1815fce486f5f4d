"""Much mail at once, and questions about what became of it."""

import asyncio
from collections.abc import Callable
from uuid import UUID

from uuid_utils.compat import uuid7

from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually
from webapp import db
from webapp.models import Account, Content, Email, MailLog, Organization
from webapp.models.mail_log import SENT
from webapp.models.outbox.insert import NewRow, add_rows

AT_ONCE = 1_000


async def queue_mails(org: Organization, account: Account, count: int, name: str = "reader") -> list[UUID]:
    """Queue a mail each to name0@example.org, name1@example.org, ...; returns the ids of their rows, in order."""
    content = await Content.create(org=org, subject="Hello", html="<p>Hello</p>", text=None)
    ids = [uuid7() for _ in range(count)]
    addresses = [f"{name}{number}@example.org" for number in range(count)]
    for first in range(0, count, AT_ONCE):
        some = list(zip(ids, addresses, strict=True))[first : first + AT_ONCE]
        async with db.write_transaction():
            await Email.bulk_create([_email(org, account, content, *one) for one in some])
            await add_rows([_row(org, account, content, *one) for one in some])
    return ids


def _email(org: Organization, account: Account, content: Content, row_id: UUID, address: str) -> Email:
    return Email(
        id=row_id,
        org=org,
        account_id=account.id,
        content_id=content.id,
        message_id=f"<{row_id.hex}@acme.example>",
        sender="Acme <hello@acme.example>",
        addresses={"to": [address], "cc": [], "bcc": [], "reply_to": []},
        headers={},
        tags=[],
        variables={},
    )


def _row(org: Organization, account: Account, content: Content, row_id: UUID, address: str) -> NewRow:
    return NewRow(
        id=row_id,
        org_id=org.id,
        kind="transactional",
        content_id=content.id,
        to_email=address,
        recipient_type="to",
        message_id=f"<{row_id.hex}@acme.example>",
        email_id=row_id,
        account_id=account.id,
        from_email="hello@acme.example",
    )


async def count(org: Organization, *statuses: str) -> int:
    """How many rows are in one of these statuses."""
    return await MailLog.of(org).filter(status__in=statuses).count()


async def all_are(org: Organization, *statuses: str) -> bool:
    """Whether every row is in one of these statuses."""
    await asyncio.sleep(0.1)  # a large table is counted ten times in a second at most
    return not await MailLog.of(org).exclude(status__in=statuses).exists()


async def until_sent(org: Organization, seconds: float) -> None:
    """Wait until every row is sent."""
    await eventually(lambda: all_are(org, SENT), seconds)


async def until(is_so: Callable[[], object], seconds: float) -> None:
    """Wait until something that this process knows is so."""

    async def ask() -> bool:
        return bool(is_so())

    await eventually(ask, seconds)


async def until_received(server: SmtpServer, messages: int, seconds: float) -> None:
    """Wait until a server has accepted so many messages."""
    await until(lambda: len(server.messages) >= messages, seconds)
