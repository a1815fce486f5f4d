"""Loads claimed rows as messages, with one query of each kind per batch."""

from collections.abc import Collection, Sequence
from itertools import groupby
from uuid import UUID

from webapp.db.errors import is_outage
from webapp.domain.accounts.credentials import require_keys
from webapp.domain.delivery.campaign_builder import ContentBuilder, read_exclusions
from webapp.domain.delivery.campaign_content import CampaignContentCache
from webapp.domain.delivery.email_builder import load_builders
from webapp.domain.delivery.message import Message, MessageBuilder
from webapp.models import Account
from webapp.models.outbox.claims import Claimed, claim
from webapp.models.outbox.due import ClaimCursors
from webapp.models.outbox.emails import EXPIRED

PREFETCH_BYTES = 8 * 1024 * 1024  # of emails in all queues of a process


class ClaimNotLoaded(Exception):
    """The database was lost after a claim: the rows of `message` are ours, but their contents are unknown."""

    def __init__(self, message: Message) -> None:
        super().__init__(f"{len(message.rows)} rows are claimed and could not be read")
        self.message = message


async def claim_messages(
    account_id: UUID,
    contents: CampaignContentCache,
    *,
    limit: int,
    lease_seconds: float,
    cursors: ClaimCursors | None = None,
    prefetch_bytes: int = PREFETCH_BYTES,
    takes_suspect: bool = True,
) -> list[Message]:
    """Claims up to `limit` due messages and reads up to `prefetch_bytes` of emails; commits.

    Raises KeyMissing, without claiming, if this process cannot sign in for the account, and ClaimNotLoaded.
    """
    account = await Account.across_orgs().get_or_none(id=account_id)
    if account is None:
        return []
    require_keys(account)
    rows = await claim(
        account_id, messages=limit, lease_seconds=lease_seconds, cursors=cursors, takes_suspect=takes_suspect
    )
    try:
        return await load_messages(account, rows, contents, prefetch_bytes)
    except Exception as error:
        if is_outage(error):
            raise ClaimNotLoaded(Message(account, tuple(rows))) from error
        raise  # the leases expire and count, so that a row that can never be read fails eventually


async def load_messages(
    account: Account, rows: Sequence[Claimed], contents: CampaignContentCache, prefetch_bytes: int = PREFETCH_BYTES
) -> list[Message]:
    of_emails = [row for row in rows if row.email_id is not None]
    others = {(row.org_id, row.content_id) for row in rows if row.email_id is None}
    reasons, not_tracked = await read_exclusions(rows)
    loaded = await contents.load(account, others)
    builders: dict[UUID, MessageBuilder] = {
        content_id: ContentBuilder(content, not_tracked) for content_id, content in loaded.items()
    }
    builders |= await load_builders(of_emails, prefetch_bytes)
    messages = []
    for owner, group in groupby(rows, key=lambda row: row.email_id or row.id):
        for claimed in _by_transaction(account, tuple(group)):
            first = claimed[0]
            builder = builders.get(owner if first.email_id else first.content_id)
            expired = EXPIRED if first.expires_in is not None and first.expires_in <= 0 else None
            refusal = reasons.get(first.id) or first.suppressed or expired
            messages.append(Message(account, claimed, builder, refusal))
    return messages


def _by_transaction(account: Account, rows: tuple[Claimed, ...]) -> Collection[tuple[Claimed, ...]]:
    """Groups an email's rows by the reason against their addresses; these fail, and the others get the email.

    With tags, each recipient has a transaction with a return path that the others do not know.
    """
    if len(rows) > 1 and account.tags_return_path(rows[0].from_email):
        return [(row,) for row in rows]
    if len(rows) == 1 or not any(row.suppressed for row in rows):
        return (rows,)
    parts: dict[str | None, tuple[Claimed, ...]] = {}
    for row in rows:
        parts[row.suppressed] = (*parts.get(row.suppressed, ()), row)
    return parts.values()
