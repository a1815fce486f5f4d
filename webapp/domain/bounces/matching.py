"""Finds the mail log that a report is about, by the Message-ID of the email in it, or else the tag of a return path.

Ours is `<hex of an id>@domain`: of an email, whose recipients share it, or of a mail log; so is what a tag names. A
provider that puts its own in place says so as it accepts the email: Amazon SES answers `250 Ok <local part>`. Only a
report that returns none is matched by its recipient, which proves nothing: whoever can write to the mailbox may have
written it.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from tortoise.queryset import QuerySet

from webapp import clock, db
from webapp.domain.delivery.return_path import ids_in
from webapp.models import Account, MailLog, Organization
from webapp.models.mail_log import SENDING, SENT
from webapp.models.queries.mail_log_search import MailLogQuery, search_mail_logs
from webapp.models.row import id_lower_bound
from webapp.sending.reports.parse import Verdict

OURS = re.compile(r"<([0-9a-f]{32})@[^<>\s]+>", re.ASCII)
SENT_WITHIN = timedelta(days=7)  # of a mail log that is found by its recipient
SIMILAR = 20
SHORTEST_ID = 16  # characters of a provider's Message-ID, which nobody guesses
HIGHEST_ID = UUID(int=2**128 - 1)


class Match(NamedTuple):
    """A mail log, which a Message-ID or a tag makes certain, or its recipient likely."""

    row: MailLog
    is_certain: bool


async def find_match(org: Organization, account: Account, verdict: Verdict) -> Match | None:
    """The organization's mail log that was sent and that the verdict is about."""
    ids = (*verdict.message_ids, *verdict.references)
    row = _of_recipient(await _with_message_ids(org, ids), verdict.addresses)
    if row is None:
        row = _of_recipient(await _with_ids(org, ids_in(org.id, verdict.tags)), verdict.addresses)
    if row is not None:
        return Match(row, is_certain=True)
    lately = await _sent_lately(org, account, verdict.addresses)
    if verdict.message_ids:
        given = {text[1:].partition("@")[0] for text in verdict.message_ids if len(text) > SHORTEST_ID}
        row = next((one for one in lately if given & {*(one.smtp_message_id or "").split()}), None)
        return None if row is None else Match(row, is_certain=True)
    return Match(lately[0], is_certain=False) if lately else None


async def _with_message_ids(org: Organization, message_ids: Iterable[str]) -> list[MailLog]:
    ids = {text: UUID(hex=found[1]) for text in message_ids if (found := OURS.fullmatch(text))}
    return [row for row in await _with_ids(org, list(ids.values())) if row.message_id in ids]


async def _with_ids(org: Organization, ids: list[UUID]) -> list[MailLog]:
    """The mail logs with these ids, and those of the emails with them."""
    if not ids:
        return []
    found = [*await _sent(org).filter(id__in=ids), *await _sent(org).filter(email_id__in=ids)]
    return list({row.id: row for row in found}.values())


def _of_recipient(rows: Sequence[MailLog], addresses: Collection[str]) -> MailLog | None:
    """The latest to one of the addresses, or of a mail to one recipient the latest: a forwarder may know another."""
    keys = {address.lower() for address in addresses}
    named = [row for row in rows if row.to_email.lower() in keys]
    if not named and len({row.to_email.lower() for row in rows}) == 1:
        named = list(rows)
    return max(named, key=lambda row: row.id, default=None)


async def _sent_lately(org: Organization, account: Account, addresses: Iterable[str]) -> list[MailLog]:
    """The account's latest mail logs to the first of the addresses that has any, the newest first."""
    low = id_lower_bound(clock.now() - SENT_WITHIN)
    for address in addresses:
        query = MailLogQuery(org.id, low, HIGHEST_ID, SENT, account.id, to=address.lower())
        async with db.searching(org.id):
            found = await search_mail_logs(query, SIMILAR)  # those that contain the address
        rows = await MailLog.of(org).filter(id__in=found.ids).order_by("-id")
        same = [row for row in rows if row.to_email.lower() == address.lower()]
        if same:
            return same
    return []


def _sent(org: Organization) -> QuerySet[MailLog]:
    return MailLog.of(org).filter(status__in=[SENDING, SENT])  # a report may be faster than the settlement
