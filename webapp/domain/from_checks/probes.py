"""Recognizes probe emails in a mailbox that is read, and saves what the receiving server wrote about them.

A token in the subject names the probe, because some providers replace Message-IDs (Amazon SES, Outlook.com).
"""

import asyncio
import re
import secrets
from collections.abc import Sequence
from uuid import UUID

from webapp import clock
from webapp.models import Account, FromCheck, Organization
from webapp.models.base.org_model import DUE_ANEW
from webapp.queue import Job, enqueue
from webapp.sending.reports.authentication import Authentication, Result, read_authentication
from webapp.sending.reports.mime_parts import first, header_of, read_fields

TOKEN = re.compile(r"\b[0-9a-f]{24}\b")


def new_token() -> str:
    return secrets.token_hex(12)


async def await_probe(account: Account, token: str, email_id: UUID, to: str) -> None:
    """Saves that this email is the account's probe; call it in the transaction that accepts the email."""
    await FromCheck.ensure(account)
    probe = {"probe_token": token, "probe_email_id": email_id, "probe_to": to, "probe_sent_at": clock.now()}
    unread = {"probe_read_at": None, "probe_results": None}
    await FromCheck.of_account(account).update(**probe, **unread, **DUE_ANEW)


async def awaited_subjects(org: Organization, account: Account) -> list[str]:
    """What the subjects of the account's probes contain that have not been read yet."""
    checks = await FromCheck.awaiting(org).filter(account_id=account.id)
    return [check.probe_token for check in checks if check.probe_token]


async def read_probes(org: Organization, messages: Sequence[bytes]) -> None:
    """Saves what the receiving server wrote about the probes among the messages, and has their accounts checked."""
    awaiting = {check.probe_token: check for check in await FromCheck.awaiting(org)}
    if awaiting and messages:
        tokens = await asyncio.to_thread(lambda: list(map(_token_of, messages)))
        for message, token in zip(messages, tokens, strict=True):
            if token in awaiting:
                await _save(org, awaiting[token], await asyncio.to_thread(read_authentication, message))


def _token_of(message: bytes) -> str:
    match = TOKEN.search(first(read_fields(header_of(message)), "subject"))
    return match[0] if match else ""


async def _save(org: Organization, check: FromCheck, results: Authentication | None) -> None:
    """A second copy of the probe, or one that was replaced, changes nothing."""
    unread = FromCheck.of(org).filter(id=check.id, probe_token=check.probe_token, probe_read_at=None)
    read = {"probe_read_at": clock.now(), "probe_results": None if results is None else _as_json(results)}
    if await unread.update(**read, **DUE_ANEW):
        enqueue(Job.CHECK_FROM, check.account_id)


def _as_json(results: Authentication) -> dict[str, object]:
    named = {"spf": results.spf and results.spf._asdict(), "dmarc": results.dmarc and results.dmarc._asdict()}
    return {"server": results.server, **named, "dkim": [result._asdict() for result in results.dkim]}


def results_of(check: FromCheck) -> Authentication | None:
    saved = check.probe_results
    if saved is None:
        return None
    spf, dmarc = (Result(**saved[name]) if saved[name] else None for name in ("spf", "dmarc"))
    return Authentication(saved["server"], spf, tuple(Result(**result) for result in saved["dkim"]), dmarc)
