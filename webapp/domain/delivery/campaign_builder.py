"""Builds campaign and compose mail, and knows contacts who get no mail any more."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from webapp import clock
from webapp.addresses import Address
from webapp.domain import link_signing
from webapp.domain.contacts.contacts import reason_against_run
from webapp.domain.contacts.unsubscribe import link, own_links
from webapp.domain.delivery.campaign_content import CampaignContent
from webapp.domain.link_signing import BROWSER_URL
from webapp.domain.merge_tags.budget import run_in_render_pool
from webapp.models.outbox.claims import Claimed
from webapp.models.outbox.wishes import Asked, read_wishes
from webapp.sending.mime import message as mime
from webapp.sending.smtp.transaction import Envelope

SHORT_ID = 12  # hexadecimal digits
NO_CONTACT = UUID(int=0)  # for rows of runs without a contact


class ContentBuilder:
    buffered_bytes = 0  # messages share the content

    def __init__(self, content: CampaignContent, not_tracked: Collection[UUID] = ()) -> None:
        self._content, self._not_tracked = content, not_tracked  # contact ids
        self._feedback_id = b""

    @property
    def size(self) -> int:
        return self._content.size

    @property
    def can_build_inline(self) -> bool:
        return self._content.is_simple

    async def build(self, rows: Sequence[Claimed]) -> tuple[Envelope, bytes]:
        """Raises ServiceUnavailable, and ValueError if no message can carry it, ContentError if no row's can."""
        (row,) = rows  # one recipient per message
        content, envelope, variables, slots, fields = self._parts(row)
        files = b"" if content.files is None else await content.files.encoded()
        return envelope, await run_in_render_pool(row.org_id, content.render, variables, slots, fields, files)

    def build_inline(self, rows: Sequence[Claimed]) -> tuple[Envelope, bytes] | None:
        (row,) = rows
        content, envelope, variables, slots, fields = self._parts(row)
        data = content.render_fast(variables, slots, fields)
        return None if data is None else (envelope, data)

    def _parts(self, row: Claimed) -> tuple[CampaignContent, Envelope, Mapping[str, Any], mime.MessageFields, bytes]:
        content, recipient = self._content, Address("", row.to_email)
        if row.contact_id is None or row.campaign_id is None or row.contact_id in self._not_tracked:
            content = content.untracked
        variables, fields = row.variables, b""
        if row.contact_id is not None and row.campaign_id is not None:
            url = link(row.contact_id, row.campaign_run_id or row.campaign_id)
            variables = {**variables, **own_links(url)}
            if content.has_browser_link:
                variables[BROWSER_URL] = link_signing.browser_link(row.id, row.org_id)
            if content.tracked is not None:
                variables |= content.tracked.addresses(row.id, row.org_id)
            if not self._feedback_id:  # shared by all rows
                self._feedback_id = feedback_id_header(row.campaign_id, row.org_id)
            fields = list_unsubscribe_headers(url) + self._feedback_id
        slots = mime.MessageFields((recipient,), row.message_id, clock.now())
        is_utf8 = mime.needs_smtputf8(content.sender, recipient, *content.reply_to)
        envelope = Envelope(content.return_path, (recipient.email,), utf8=is_utf8)
        return content, envelope, variables, slots, fields


def list_unsubscribe_headers(url: str) -> bytes:
    """Headers for the unsubscribe button of mail programs (RFC 2369, 3.2; RFC 8058)."""
    return f"List-Unsubscribe: <{url}>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n".encode()


def feedback_id_header(campaign_id: UUID, org_id: UUID) -> bytes:
    """By which Gmail's postmaster tools distinguish campaigns; contains the random ends of ids and the instance."""
    names = campaign_id.hex[-SHORT_ID:], org_id.hex[-SHORT_ID:], "campaign", link_signing.instance_name()
    return f"Feedback-ID: {':'.join(names)}\r\n".encode()


async def read_exclusions(rows: Iterable[Claimed]) -> tuple[dict[UUID, str], set[UUID]]:
    """Reads by row id why rows of runs must not be sent, and which contacts are not tracked; locks nothing."""
    asked = [
        Asked(row.id, row.org_id, row.contact_id or NO_CONTACT, row.topic_id)
        for row in rows
        if row.campaign_run_id is not None
    ]
    wishes = await read_wishes(asked)
    reasons = {row_id: reason for row_id, wish in wishes.items() if (reason := reason_against_run(wish)) is not None}
    wary = {row_id for row_id, wish in wishes.items() if wish is not None and wish.do_not_track}
    return reasons, {row.contact_id for row in asked if row.row_id in wary}
