"""Queues emails to readers in rows, and sends them by an account of the organization or the instance's own server.

An account's email is accepted in the transaction that deletes its row, so that a crash neither loses nor repeats it.
The instance's own server gets a written letter by an EmailQueue. Both make the link's token while mailing.
"""

import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import clock, db
from webapp.addresses import Address, email_key
from webapp.backoff import report_failure
from webapp.db.errors import is_outage
from webapp.domain.accounts.selection import can_send_campaigns, default_accounts
from webapp.domain.auth import system_email
from webapp.domain.auth.email_queue import ROUND_SECONDS, ROWS_AT_ONCE, EmailQueue, next_wait
from webapp.domain.auth.system_email import SystemEmail
from webapp.domain.emails.accept import accept_email
from webapp.domain.emails.inputs import NewEmail
from webapp.domain.emails.resolve_content import ResolvedEmail
from webapp.domain.inputs import SUBJECT_LENGTH, read_input
from webapp.domain.link_signing import ReaderLink, ReaderPath
from webapp.domain.reader_mail.letter import Letter, html_of, text_of
from webapp.domain.templates.brand import find_brand, style_of, translator
from webapp.errors import ApiError, Conflict
from webapp.languages import Translator
from webapp.models import Account, Organization, ReaderMail
from webapp.models.account import AccountStatus
from webapp.models.base.org_model import AT_ONCE
from webapp.models.queries.contacts.suppressed import READER_LINK, reason_for, reasons_against
from webapp.queue import Job, enqueue

log = logging.getLogger(__name__)

GIVE_UP = timedelta(days=1)

Writer = Callable[[ReaderMail], Awaitable[Letter | None]]


class ReaderMailQueue:
    """`write` returns None if the reader gets no email; it runs in the transaction that deletes the row."""

    def __init__(self, kind: str, write: Writer) -> None:
        self._kind, self._write = kind, write

    async def add(
        self, org: Organization, email: str, *, language: str | None = None, subject_id: UUID | None = None
    ) -> None:
        """Adds an email unless an equal one waits, in the caller's transaction if there is one."""
        row = ReaderMail(
            id=uuid7(),
            org_id=org.id,
            kind=self._kind,
            email=email,
            email_key=email_key(email),
            subject_id=subject_id or org.id,
            language=language,
            due_at=AT_ONCE,
        )
        async with db.write_transaction():
            await ReaderMail.bulk_create([row], ignore_conflicts=True)
            enqueue(Job.MAIL_READERS, row.id)

    async def send(self) -> None:
        """Writes what is due, of all organizations in turn, for ROUND_SECONDS at most."""
        until = clock.elapsed() + ROUND_SECONDS
        for row_id in await ReaderMail.due_in_turn(self._kind, ROWS_AT_ONCE):
            if clock.elapsed() >= until:
                return
            try:
                await self._settle(row_id)
            except Exception as error:
                if is_outage(error):
                    raise
                if not isinstance(error, ApiError):
                    report_failure(log, "an email to a reader could not be written", error, row=str(row_id))
                await _postpone(row_id)

    async def _settle(self, row_id: UUID) -> None:
        """Accepts the email or leaves its letter to the instance's server; does nothing if another worker has it.

        Leaves what has waited long to be deleted, because an old backup may contain what was answered since.
        """
        async with db.write_transaction():
            row = (
                await ReaderMail.across_orgs()
                .filter(id=row_id, letter__isnull=True, created_at__gt=clock.now() - GIVE_UP)
                .select_for_update(skip_locked=True)
                .first()
            )
            if row is None:
                return
            await row.fetch_related("org")
            letter = await self._write(row)
            account = await find_sender(row.org, letter.account_id) if letter else None
            if letter is not None and account is None and not await _is_refused(row, letter):
                if letter.account_id is not None:
                    raise Conflict("no account can send the words of the organization any more")
                row.letter = _as_json(letter)
                await row.save(update_fields=["letter"])
                return
            if letter is not None and account is not None:
                await _accept(row.org, account, row.email, letter)
            await row.delete()


async def _is_refused(row: ReaderMail, letter: Letter) -> bool:
    reasons = await reasons_against(row.org_id, [row.email])
    return reason_for({READER_LINK: letter.link.path}, reasons.get(row.email)) is not None


async def find_sender(org: Organization, account_id: UUID | None = None) -> Account | None:
    """The account if it can send, else the oldest active one, else None."""
    accounts = [account for account in await default_accounts(org) if can_send_campaigns(account)]
    named = await Account.of(org).get_or_none(id=account_id) if account_id else None
    if named is not None and named.status != AccountStatus.PAUSED and can_send_campaigns(named):
        return named
    return next((account for account in accounts if account.status == AccountStatus.ACTIVE), None)


async def words_for(org: Organization, language: str | None) -> tuple[Translator, str, UUID | None]:
    """The sentences of a letter, the organization's name, and the account that can send them.

    What the instance's own server sends has no sentences of the organization's, because anyone could mail anything.
    """
    t = translator(await find_brand(org), language)
    if (account := await find_sender(org)) is not None:
        return t, org.name, account.id
    return Translator(t.language, {}), system_email.plain_name(org.name), None


async def _accept(org: Organization, account: Account, to: str, letter: Letter) -> None:
    is_own = letter.html is not None or letter.text is not None
    fields = {
        "from": Address(account.from_name or "", account.from_email or ""),
        "to": [to],
        "subject": letter.subject[:SUBJECT_LENGTH],
        "html": letter.html if is_own else html_of(letter, await style_of(org)),
        "text": letter.text if is_own else text_of(letter),
        "account_key": account.account_key,
        "headers": system_email.HEADERS,
    }
    email = read_input(NewEmail, fields, strict=True)
    await accept_email(org, ResolvedEmail(email, email.subject or "", email.html, email.text, reader_link=letter.link))


async def _postpone(row_id: UUID) -> None:
    row = await ReaderMail.across_orgs().get_or_none(id=row_id)
    if row is not None:
        now = clock.now()
        row.due_at = now + next_wait(now - row.created_at)
        await row.save(update_fields=["due_at"])


def _as_json(letter: Letter) -> list[Any]:
    path, first, second = letter.link
    return [*letter[:4], [path, str(first), str(second)], letter.language]


async def _compose(row: ReaderMail) -> SystemEmail:
    subject, before, label, after, (path, first, second), language = row.letter or []
    link = ReaderLink(ReaderPath(path), UUID(first), UUID(second))
    return Letter(subject, before, label, after, link, language).as_system_email(row.email)


_written = EmailQueue("a mail to a reader", "due_at", GIVE_UP, _compose)


async def send_written() -> None:
    """Sends the letters of organizations that have no account by the instance's own server."""
    await _written.send(ReaderMail.across_orgs().filter(letter__isnull=False))


async def forget_old_mail() -> int:
    """Deletes what could not be sent in time."""
    return await ReaderMail.across_orgs().filter(created_at__lte=clock.now() - GIVE_UP).delete()
