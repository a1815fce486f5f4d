"""Finds the mail log of a report by the returned Message-ID or the tag of a return path.

Our Message-IDs are `<hex of an id>@domain`, of an email (shared by its recipients) or, like tags, of a mail log. Those
who replace it name theirs on acceptance: Amazon SES `250 Ok <local part>`, Outlook `250 2.6.0 <Message-ID> Queued mail
for delivery`. Matches by recipient prove nothing, because anybody can write to the mailbox, and neither do IDs that
several recipients know, because one of them may have forged the report. Only its recipient knows a tag.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from webapp import clock, db
from webapp.domain.delivery.return_path import ids_in
from webapp.models import Account, MailLog, Organization
from webapp.models.base.row import LAST_ID, id_lower_bound
from webapp.models.mail_log import SENDING, SENT
from webapp.models.queries.mail_log_search import MailLogQuery, search_mail_logs
from webapp.sending.reports.parse import Verdict

OURS = re.compile(r"<([0-9a-f]{32})@[^<>\s]+>", re.ASCII)
SENT_WITHIN = timedelta(days=7)  # for mail logs found by recipient
SIMILAR = 20
EXAMINED = 20_000  # latest mail logs of the account
# A provider's ID that strangers cannot guess: long, with many digits. Host names have dots; queue IDs, which are times
# and counters, are shorter (Postfix, Sendmail) or follow an equals sign (Exim).
PROVIDERS_ID = re.compile(r"(?=(?:[^0-9]*[0-9]){8})[A-Za-z0-9_-]{24,200}", re.ASCII)
PROVIDERS_MESSAGE_ID = re.compile(rf"<{PROVIDERS_ID.pattern}@[^<>@\s]+>", re.ASCII)


class Match(NamedTuple):
    """A mail log; `is_certain` if matched by an ID that no other recipient knows."""

    row: MailLog
    is_certain: bool


async def match_by_id(org: Organization, verdicts: Sequence[Verdict]) -> list[Match | None]:
    """By verdict, the organization's sent mail logs named by one of our Message-IDs or a tag.

    All verdicts of a message share its IDs.
    """
    if not verdicts:
        return []
    message_ids, tags = (*verdicts[0].message_ids, *verdicts[0].references), verdicts[0].tags
    rows = await _with_message_ids(org, message_ids)
    tagged = await MailLog.of(org).filter(id__in=ids_in(org.id, tags)) if tags else []
    return [_match(rows, tagged, verdict.addresses) for verdict in verdicts]


def _match(rows: list[MailLog], tagged: list[MailLog], addresses: Collection[str]) -> Match | None:
    row = _of_recipient(filter(_was_sent, rows), addresses)
    if row is not None and not any(_shares_id(other, row) for other in rows):
        return Match(row, is_certain=True)
    named = _of_recipient(filter(_was_sent, tagged), addresses)
    if named is not None:
        return Match(named, is_certain=True)
    return None if row is None else Match(row, is_certain=False)


async def search_match(org: Organization, account: Account, verdict: Verdict) -> Match | None:
    """The account's latest mail log to the recipient, certain by a provider's ID; reads thousands of rows."""
    lately = await _sent_lately(org, account, verdict.addresses)
    if verdict.message_ids:
        returned = {*verdict.message_ids, *(text[1:].partition("@")[0] for text in verdict.message_ids)}
        row = next((row for row in lately if returned & _provider_ids(row)), None)
        if row is None:
            return None
        beside = await MailLog.of(org).filter(email_id=row.email_id) if row.email_id else []
        is_shared = any(_shares_id(other, row) and returned & _provider_ids(other) for other in beside)
        return Match(row, is_certain=not is_shared)
    return Match(lately[0], is_certain=False) if lately else None


def _provider_ids(row: MailLog) -> set[str]:
    ids = (PROVIDERS_ID, PROVIDERS_MESSAGE_ID)
    return {word for word in (row.smtp_message_id or "").split() if any(pattern.fullmatch(word) for pattern in ids)}


async def _with_message_ids(org: Organization, message_ids: Iterable[str]) -> list[MailLog]:
    ids = {text: UUID(hex=match[1]) for text in message_ids if (match := OURS.fullmatch(text))}
    if not ids:
        return []
    of_rows, of_emails = ({f"{column}__in": list(ids.values())} for column in ("id", "email_id"))
    rows = [*await MailLog.of(org).filter(**of_rows), *await MailLog.of(org).filter(**of_emails)]
    return list({row.id: row for row in rows if row.message_id in ids}.values())


def _was_sent(row: MailLog) -> bool:
    return row.status in (SENDING, SENT)  # a report may arrive before the settlement


def _shares_id(other: MailLog, row: MailLog) -> bool:
    """True if another recipient may have got the same message, even with an unknown outcome."""
    may_have_it = _was_sent(other) or other.unknowns > 0 or other.crashes > 0
    return may_have_it and other.message_id == row.message_id and other.to_email.lower() != row.to_email.lower()


def _of_recipient(rows: Iterable[MailLog], addresses: Collection[str]) -> MailLog | None:
    """The latest row to one of the addresses, or to a single recipient, whose forwarder may use another address."""
    rows = list(rows)
    keys = {address.lower() for address in addresses}
    named = [row for row in rows if row.to_email.lower() in keys]
    if not named and len({row.to_email.lower() for row in rows}) == 1:
        named = rows
    return max(named, key=lambda row: row.id, default=None)


async def _sent_lately(org: Organization, account: Account, addresses: Iterable[str]) -> list[MailLog]:
    low = id_lower_bound(clock.now() - SENT_WITHIN)
    for address in addresses:
        query = MailLogQuery(org.id, low, LAST_ID, SENT, account.id, to=address.lower())
        async with db.searching(org.id):
            candidates = await search_mail_logs(query, SIMILAR, max_scanned=EXAMINED)  # contain the address
        rows = await MailLog.of(org).filter(id__in=candidates.ids).order_by("-id")
        same = [row for row in rows if row.to_email.lower() == address.lower()]
        if same:
            return same
    return []
