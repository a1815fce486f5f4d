"""Reads the mailboxes of bounces when they are due, under leases.

The cursor is saved after the effects of its messages, so a worker that dies repeats them, which changes nothing. A
mailbox that cannot be read waits without delaying others.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager
from datetime import timedelta
from typing import TypeVar
from uuid import UUID

from tortoise.expressions import F

from webapp import clock
from webapp.config import settings
from webapp.db.errors import is_outage
from webapp.domain.accounts import oauth_tokens
from webapp.domain.accounts.credentials import imap_login, reads_by_oauth
from webapp.domain.accounts.validation import reads_by_imap
from webapp.domain.bounces import effects
from webapp.domain.bounces.matching import match_by_id, search_match
from webapp.domain.delivery.login_test import check_return_path
from webapp.domain.from_checks.probes import awaited_subjects, read_probes
from webapp.errors import Busy, KeyMissing
from webapp.models import Account, MailboxReading
from webapp.models.account import BounceReading
from webapp.models.base.org_model import AT_ONCE
from webapp.queue import Job, enqueue
from webapp.sending.http_client import HttpClient
from webapp.sending.oauth import TokenRefused
from webapp.sending.outcomes import clean
from webapp.sending.reports.gmail import GmailMailbox
from webapp.sending.reports.imap import check_imap, read_imap
from webapp.sending.reports.mailbox import MAX_MESSAGES, MailboxTrouble, MailboxUnreadable, Reading
from webapp.sending.reports.parse import parse
from webapp.sending.smtp.connect import UNIFORM_FAILURE_DELAY, Dialer

T = TypeVar("T")
log = logging.getLogger(__name__)

ROUND_SECONDS = 20.0  # then no further mailbox is begun, because a job has a minute
READ_SECONDS = 25.0
LEASE_SECONDS = 120.0  # longer than a reading and its effects take
WORKERS = 6  # mailboxes at once; IMAP has more threads, for login tests
MOST_DUE = 500
MOST_SEARCHES = 10  # per message, because anybody can write one that names many recipients and none of our IDs
EVERY = timedelta(seconds=60)
LOOKBACK = timedelta(days=7)  # at the first reading
RETRY_DELAYS = tuple(timedelta(minutes=minutes) for minutes in (1, 2, 5, 10, 30, 60))


async def read_due(seconds: float = ROUND_SECONDS) -> None:
    """Reads due mailboxes for `seconds`, several at once; the others stay due."""
    until, due = clock.elapsed() + seconds, iter(await MailboxReading.due(MOST_DUE))
    async with asyncio.TaskGroup() as tasks:
        for _ in range(WORKERS):
            tasks.create_task(_read_each(due, until))


async def _read_each(due: Iterator[UUID], until: float) -> None:
    for reading_id in due:
        if clock.elapsed() >= until:
            return
        reading = await MailboxReading.claim(reading_id, LEASE_SECONDS)
        if reading is not None:
            await _read(reading)


async def _read(reading: MailboxReading) -> None:
    try:
        await check_return_path(reading.account)
        subjects = await awaited_subjects(reading.org, reading.account)
        batch = await _fetch(reading, subjects)
        is_whole = await awaited_subjects(reading.org, reading.account) == subjects  # no later probe was passed over
        with _logged(reading):
            await read_probes(reading.org, [message.content for message in batch.messages])
        for message in batch.messages:
            await _apply_all(reading, message.content)
    except MailboxUnreadable as error:
        await _record_trouble(reading, str(error), error.trouble)
    # Not the mailbox's fault: all threads are busy, or this worker lacks a key, which its heartbeat reports.
    except (Busy, KeyMissing):
        await reading.release(next_at=clock.now() + EVERY, tries=reading.tries - 1)
    except Exception as error:
        if is_outage(error):
            raise  # the others would fail too; the lease ends by itself
        log.exception("a mailbox could not be read", extra={"account": str(reading.account_id)})
        await _record_trouble(reading, "something went wrong on our side", MailboxTrouble.UNREACHABLE)
    else:
        now = clock.now()
        is_saved = await reading.release(
            cursor=batch.cursor if is_whole else reading.cursor,
            next_at=AT_ONCE if batch.has_more else now + EVERY,
            tries=0,
            read_at=now,
            messages=F("messages") + len(batch.messages),
            last_error=None,
        )
        if is_saved and batch.has_more:
            enqueue(Job.READ_MAILBOXES, reading.account_id)


async def _apply_all(reading: MailboxReading, content: bytes) -> None:
    """Applies a message; one that fails must not prevent reading the others."""
    with _logged(reading):
        verdicts = await asyncio.to_thread(parse, content)
        matches = await match_by_id(reading.org, verdicts)
        searches = 0
        for verdict, match in zip(verdicts, matches, strict=True):
            if match is None and (searches := searches + 1) > MOST_SEARCHES:
                continue
            with _logged(reading):
                matched = match or await search_match(reading.org, reading.account, verdict)
                await effects.apply(reading.org, reading.account, verdict, matched)
                if matched is not None and matched.is_certain:
                    await effects.check_run(reading.org, matched.row)


@contextmanager
def _logged(reading: MailboxReading) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if is_outage(error):
            raise
        log.exception("a report could not be applied", extra={"account": str(reading.account_id)})


async def _record_trouble(reading: MailboxReading, error: str, trouble: MailboxTrouble) -> None:
    delay = RETRY_DELAYS[min(reading.tries, len(RETRY_DELAYS)) - 1] if trouble.passes else RETRY_DELAYS[-1]
    await reading.release(next_at=clock.now() + delay, last_error=error)


async def _fetch(reading: MailboxReading, subjects: Sequence[str]) -> Reading:
    """Raises MailboxUnreadable, Busy, ConfigError."""
    account, since = reading.account, (clock.now() - LOOKBACK).date()
    # After a reading that took too long, fewer messages are read.
    limit = max(1, MAX_MESSAGES >> (reading.tries - 1))

    async def by_imap(token: str | None = None) -> Reading:
        everything = account.bounce_reading == BounceReading.MAILBOX
        login, dialer = imap_login(account, token), Dialer.of(settings())
        return await read_imap(
            login, dialer, reading.cursor, since, subjects, everything=everything, limit=limit, within=READ_SECONDS
        )

    async with aclosing(HttpClient()) as http:

        async def by_gmail(token: str) -> Reading:
            mailbox = GmailMailbox(http, settings().google.api_url, token)
            return await mailbox.read(reading.cursor, since, subjects, limit=limit, within=READ_SECONDS)

        if reads_by_oauth(account):
            return await _with_token(account, http, by_imap)
        return await (by_imap() if reads_by_imap(account) else _with_token(account, http, by_gmail))


async def _with_token(account: Account, http: HttpClient, work: Callable[[str], Awaitable[T]]) -> T:
    """Works with an access token, and once more with a new one if it is rejected. Raises MailboxUnreadable."""
    try:
        token = await oauth_tokens.mailbox_token(account, http)
        try:
            return await work(token)
        except MailboxUnreadable as error:
            if error.trouble is not MailboxTrouble.LOGIN:
                raise
        return await work(await oauth_tokens.mailbox_token(account, http, token))
    except TokenRefused as error:
        raise MailboxUnreadable(clean(str(error)), MailboxTrouble.LOGIN) from None
    except MailboxUnreadable as error:
        if error.trouble is not MailboxTrouble.LOGIN:
            raise
        words = f"the sign-in doesn't let Pennypost read this mailbox, reconnect the account ({error})"
        raise MailboxUnreadable(words, MailboxTrouble.LOGIN) from None


async def try_mailbox(account: Account) -> MailboxUnreadable | None:
    """Signs in to the mailbox of bounces; returns why that fails. Raises Busy, ConfigError."""

    async def by_imap(token: str | None = None) -> None:
        await check_imap(imap_login(account, token), Dialer.of(settings(), UNIFORM_FAILURE_DELAY))

    async def by_gmail(token: str) -> None:
        await GmailMailbox(http, settings().google.api_url, token).history_id()

    try:
        async with aclosing(HttpClient()) as http:
            if reads_by_oauth(account):
                await _with_token(account, http, by_imap)
            elif reads_by_imap(account):
                await by_imap()
            else:
                await _with_token(account, http, by_gmail)
    except MailboxUnreadable as error:
        return error
    return None
