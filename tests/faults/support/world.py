"""Much mail at once, and questions about what became of it."""

import asyncio
from collections.abc import Callable
from typing import Any
from uuid import UUID

from tests.factories import new_email, rows_of
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually
from webapp import db
from webapp.models import Account, Content, Email, MailLog, Organization
from webapp.models.mail_log import SENT
from webapp.models.outbox.insert import add_rows

AT_ONCE = 1_000


async def queue_mails(org: Organization, account: Account, count: int, name: str = "reader") -> list[UUID]:
    """Queue a mail each to name0@example.org, name1@example.org, ...; returns the ids of their rows, in order."""
    content = await Content.create(org=org, subject="Hello", html="<p>Hello</p>", text=None)
    emails = [new_email(org, account, content, f"{name}{number}@example.org") for number in range(count)]
    for first in range(0, count, AT_ONCE):
        some = emails[first : first + AT_ONCE]
        async with db.write_transaction():
            await Email.bulk_create(some)
            await add_rows([row for email in some for row in rows_of(email)])
    return [email.id for email in emails]


async def count(org: Organization, *statuses: str) -> int:
    """How many rows are in one of these statuses."""
    return await MailLog.of(org).filter(status__in=statuses).count()


async def all_are(org: Organization, *statuses: str) -> bool:
    """Whether every row is in one of these statuses."""
    await asyncio.sleep(0.1)  # a large table is counted ten times in a second at most
    return not await MailLog.of(org).exclude(status__in=statuses).exists()


async def until_row(row_id: UUID, status: str, **fields: Any) -> None:
    """Wait until a row has come to a status."""
    await eventually(MailLog.across_orgs().filter(id=row_id, status=status, **fields).exists)


async def until_sent(org: Organization, seconds: float = 30.0) -> None:
    """Wait until every row is sent."""
    await eventually(lambda: all_are(org, SENT), seconds)


async def until(is_so: Callable[[], object], seconds: float = 30.0) -> None:
    """Wait until something that this process knows is so."""

    async def ask() -> bool:
        return bool(is_so())

    await eventually(ask, seconds)


async def until_received(server: SmtpServer, messages: int, seconds: float = 30.0) -> None:
    """Wait until a server has accepted so many messages."""
    await until(lambda: len(server.messages) >= messages, seconds)
