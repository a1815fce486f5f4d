"""Loads claimed rows as messages, with one query of each kind per batch."""

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from uuid import UUID

from webapp.domain.delivery.campaign_builder import ContentBuilder, read_exclusions
from webapp.domain.delivery.campaign_content import CampaignContentCache
from webapp.domain.delivery.email_builder import load_builders, read_outlines
from webapp.domain.delivery.message import Message, MessageBuilder
from webapp.models import Account
from webapp.models.outbox.claims import Claimed
from webapp.models.outbox.emails import EXPIRED
from webapp.models.queries.contacts.topic_state import topic_states

PREFETCH_BYTES = 8 * 1024 * 1024  # of emails in all queues of a process


async def load_messages(
    account: Account, rows: Sequence[Claimed], contents: CampaignContentCache, prefetch_bytes: int = PREFETCH_BYTES
) -> list[Message]:
    """Reads the contents of claimed rows, and up to `prefetch_bytes` of emails."""
    of_emails = [row for row in rows if row.email_id is not None]
    others = {(row.org_id, row.content_id) for row in rows if row.email_id is None}
    reasons, not_tracked = await read_exclusions(rows)
    loaded = await contents.load(account, others)
    builders: dict[UUID, MessageBuilder] = {
        content_id: ContentBuilder(content, not_tracked) for content_id, content in loaded.items()
    }
    outlines = await read_outlines(of_emails)
    builders |= await load_builders(outlines, prefetch_bytes)
    rows = await _with_refusals(account, rows, {outline.id: outline.topic_id for outline in outlines})
    messages = []
    for owner, group in groupby(rows, key=lambda row: row.email_id or row.id):
        for claimed in _by_transaction(account, tuple(group)):
            first = claimed[0]
            builder = builders.get(owner if first.email_id else first.content_id)
            expired = EXPIRED if first.expires_in is not None and first.expires_in <= 0 else None
            refusal = reasons.get(first.id) or first.suppressed or expired
            messages.append(Message(account, claimed, builder, refusal))
    return messages


async def _with_refusals(
    account: Account, rows: Sequence[Claimed], topics: Mapping[UUID, UUID | None]
) -> Sequence[Claimed]:
    """Adds the reasons of recipients who opted out of their email's topic since it was accepted."""
    named = {row.id: topic for row in rows if row.email_id and (topic := topics.get(row.email_id))}
    if not named:
        return rows
    asked = {(row.to_email, named[row.id]) for row in rows if row.id in named}
    states = await topic_states(account.org_id, asked)
    return [
        row._replace(suppressed=row.suppressed or states[row.to_email, named[row.id]].refusal)
        if row.id in named
        else row
        for row in rows
    ]


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
