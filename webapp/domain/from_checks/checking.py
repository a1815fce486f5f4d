"""Checks From addresses when they are due, under leases: daily, after changes, and once a probe was read or is lost."""

import asyncio
import logging
from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

from tortoise.exceptions import IntegrityError

from webapp import clock
from webapp.config import settings
from webapp.db.errors import is_outage
from webapp.domain.from_checks.findings import Finding, Measured, Severity, find_all, finding, verdict_of
from webapp.domain.from_checks.probes import results_of
from webapp.domain.from_checks.providers import sender_of
from webapp.domain.from_checks.records import FromRecords, look_up
from webapp.errors import Busy
from webapp.models import Account, FromCheck
from webapp.models.base.org_model import AT_ONCE
from webapp.sending.dns_records import DnsFailed
from webapp.sending.reports.authentication import Judgement

log = logging.getLogger(__name__)

ROUND_SECONDS = 20.0  # then no further check is begun, because a job has a minute
LEASE_SECONDS = 60.0  # longer than the look-ups take
WORKERS = 4
MOST_DUE, MOST_ADDED = 500, 500
EVERY = timedelta(days=1)
MOMENT = timedelta(seconds=10)  # after which people may have DNS looked at again
RETRY_DELAYS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 240))


async def check_due(seconds: float = ROUND_SECONDS) -> None:
    """Checks due From addresses for `seconds`, several at once; adds those of accounts that have no check yet."""
    for account in await FromCheck.without(MOST_ADDED):
        try:
            await FromCheck.begin(account)
        except IntegrityError:  # the account was deleted just then
            continue
    until, due = clock.elapsed() + seconds, iter(await FromCheck.due(MOST_DUE))
    async with asyncio.TaskGroup() as tasks:
        for _ in range(WORKERS):
            tasks.create_task(_check_each(due, until))


async def check_now(account: Account) -> None:
    """Checks the account's From address, unless that was done a moment ago or another process does it."""
    await FromCheck.ensure(account)
    check = await FromCheck.of_account(account).get_or_none()
    if check is None or (check.checked_at is not None and clock.now() - check.checked_at < MOMENT):
        return
    await FromCheck.of_account(account).update(next_at=AT_ONCE)
    claimed = await FromCheck.claim(check.id, LEASE_SECONDS)
    if claimed is not None:
        await _check(claimed)


async def _check_each(due: Iterator[UUID], until: float) -> None:
    for check_id in due:
        if clock.elapsed() >= until:
            return
        check = await FromCheck.claim(check_id, LEASE_SECONDS)
        if check is not None:
            await _check(check)


async def _check(check: FromCheck) -> None:
    account = check.account
    domain = account.from_domain
    if domain != check.domain:  # changed by an older version of this program
        await FromCheck.begin(account)
        return
    sender = sender_of(account)
    try:
        records = await look_up(domain, settings().dns_servers, check.org_id)
        measured = _measured(check)
        findings = find_all(sender, records, measured)
        verdict = verdict_of(sender, records, measured, findings)
        await _save(check, verdict, findings, EVERY, records=_shown(records), tries=0)
    except Busy:  # not the domain's fault
        await check.release(next_at=clock.now() + RETRY_DELAYS[0], tries=check.tries - 1)
    except DnsFailed as error:
        words = f"DNS says nothing about {domain} right now: {error}. Pennypost asks again."
        fault = finding("dns_failed", Severity.INFO, words)
        delay = RETRY_DELAYS[min(check.tries, len(RETRY_DELAYS)) - 1]
        await _save(check, Judgement.UNKNOWN, [fault], delay, tries=check.tries)
    except Exception as error:
        if is_outage(error):
            raise  # the others would fail too; the lease ends by itself
        log.exception("a From address could not be checked", extra={"account": str(check.account_id)})
        await check.release(next_at=clock.now() + RETRY_DELAYS[-1])


async def _save(
    check: FromCheck, verdict: Judgement, findings: list[Finding], delay: timedelta, **changes: object
) -> None:
    now = clock.now()
    next_at = now + delay
    if check.awaits_probe and check.probe_ends_at is not None:
        next_at = min(next_at, check.probe_ends_at)
    await check.release(verdict=verdict.value, findings=findings, checked_at=now, next_at=next_at, **changes)


def _measured(check: FromCheck) -> Measured | None:
    if check.probe_sent_at is None or check.awaits_probe:
        return None
    return Measured(check.probe_read_at is None, results_of(check))


def _shown(records: FromRecords) -> dict[str, list[str]]:
    mail_servers = [server or "none (null MX)" for server in records.mail_servers]
    return {"SPF": [*records.spf.records], "DMARC": [*records.dmarc.records], "MX": mail_servers}
