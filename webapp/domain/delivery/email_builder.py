"""Builds transactional emails."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from uuid import UUID

from webapp import addresses, clock
from webapp.config import settings
from webapp.db.errors import is_outage
from webapp.domain.contacts import unsubscribe
from webapp.domain.delivery.campaign_builder import list_unsubscribe_headers
from webapp.domain.link_signing import ReaderLink, ReaderPath
from webapp.domain.merge_tags.budget import INLINE_BYTES, run_in_render_pool
from webapp.models.outbox.claims import Claimed
from webapp.models.outbox.stored_emails import EmailOutline, StoredEmail, outlines_of, read_emails
from webapp.sending.mime import message as mime
from webapp.sending.mime.line_endings import Lines
from webapp.sending.smtp.transaction import Envelope

log = logging.getLogger(__name__)

GONE = "the content of the email was removed"
_sender = lru_cache(maxsize=256)(addresses.parse)  # a few senders send most emails


class EmailBuilder:
    """Builds one email of `size` bytes, which is read when it is built unless given."""

    def __init__(self, email_id: UUID, size: int, email: StoredEmail | None = None) -> None:
        self.size = size
        self._email_id = email_id
        self._email = email

    @property
    def can_build_inline(self) -> bool:
        return self._email is not None

    @property
    def buffered_bytes(self) -> int:
        return self.size if self._email is not None else 0

    async def build(self, rows: Sequence[Claimed]) -> tuple[Envelope, bytes]:
        """Raises ValueError for what no message can carry."""
        email = self._email or next(iter(await read_emails([self._email_id])), None)
        if email is None:
            raise ValueError(GONE)
        return await build(_with_link(email), [row.to_email for row in rows], clock.now())

    def build_inline(self, rows: Sequence[Claimed]) -> tuple[Envelope, bytes]:
        if self._email is None:
            raise RuntimeError("the email was not read yet")
        return _built(_with_link(self._email), [row.to_email for row in rows], clock.now())


def _with_link(email: StoredEmail) -> StoredEmail:
    """The email with the working links of its reader, which no table has."""
    if "reader_link" in email.variables:
        path, *ids = email.variables["reader_link"]
        link = ReaderLink(ReaderPath(path), *map(UUID, ids))
        links = {link.sample_url: link.url}
    else:
        samples, own = unsubscribe.sample_own_links(), _own_links(email)
        links = {samples[tag]: url for tag, url in own.items()}
    html, text = (body and _replaced(body, links) for body in (email.html, email.text))
    return email._replace(html=html, text=text)


def _replaced(body: str, links: Mapping[str, str]) -> str:
    for sample in sorted(links, key=len, reverse=True):  # because one may begin with another
        body = body.replace(sample, links[sample])
    return body


def _own_links(email: StoredEmail) -> dict[str, str]:
    """The links of an email about a topic by merge tag, as `webapp/domain/emails/refusals.py` saved them."""
    if "unsubscribe" in email.variables:
        return unsubscribe.own_links(unsubscribe.link(*map(UUID, email.variables["unsubscribe"])))
    if key := email.variables.get("preferences_key"):
        return dict.fromkeys(unsubscribe.OWN_TAGS, f"{settings().base_url}/preferences/{key}")
    return {}


def _list_unsubscribe(email: StoredEmail) -> bytes:
    """The header fields of an email about a topic to one contact, unless it has its own."""
    if "unsubscribe" not in email.variables or any(name.lower() == "list-unsubscribe" for name in email.headers):
        return b""
    return list_unsubscribe_headers(_own_links(email)[unsubscribe.UNSUBSCRIBE_URL])


async def read_outlines(rows: Iterable[Claimed]) -> list[EmailOutline]:
    """Those of the rows' emails."""
    owners = {row.email_id: row.org_id for row in rows if row.email_id is not None}
    return [outline for outline in await outlines_of(owners) if owners[outline.id] == outline.org_id]


async def load_builders(outlines: Iterable[EmailOutline], most_bytes: int) -> dict[UUID, EmailBuilder]:
    """The builders of emails by their ids; reads small emails immediately, up to `most_bytes` in total."""
    sizes = {outline.id: outline.size for outline in outlines}
    stored = await _read_ahead(_fits_in_memory(sizes, most_bytes))
    return {email_id: EmailBuilder(email_id, size, stored.get(email_id)) for email_id, size in sizes.items()}


async def _read_ahead(email_ids: Sequence[UUID]) -> dict[UUID, StoredEmail]:
    """Emails by id; empty if one cannot be read, which then fails alone when it is built."""
    try:
        return {email.id: email for email in await read_emails(email_ids)}
    except Exception as error:
        if is_outage(error):
            raise
        log.exception("%d emails could not be read together", len(email_ids))
        return {}


def _fits_in_memory(sizes: Mapping[UUID, int], most_bytes: int) -> list[UUID]:
    fitting = []
    for email_id in sorted(sizes):
        if sizes[email_id] > INLINE_BYTES:
            continue
        most_bytes -= sizes[email_id]
        if most_bytes < 0:
            break
        fitting.append(email_id)
    return fitting


async def build(email: StoredEmail, recipients: Sequence[str], date: datetime) -> tuple[Envelope, bytes]:
    """Raises ValueError if no message can carry it."""
    if email.size <= INLINE_BYTES:
        return _built(email, recipients, date)
    return await run_in_render_pool(email.org_id, _built, email, recipients, date)


def _built(email: StoredEmail, recipients: Sequence[str], date: datetime) -> tuple[Envelope, bytes]:
    sender = _sender(email.sender)
    if email.source is not None:
        header = email.source[: email.source.find(b"\r\n\r\n")]
        return Envelope(sender.email, tuple(recipients), utf8=not header.isascii()), Lines(email.source)
    to, cc, reply_to = (tuple(map(addresses.parse, email.addresses[field])) for field in ("to", "cc", "reply_to"))
    content = mime.MessageContent(
        from_=sender,
        subject=email.subject,
        html=email.html,
        text=email.text,
        reply_to=reply_to,
        headers=email.headers,
        attachments=tuple(mime.AttachedFile(*file) for file in email.files),
    )
    envelope = Envelope(sender.email, tuple(recipients), utf8=mime.needs_smtputf8(sender, *to, *cc, *reply_to))
    return envelope, mime.MessageTemplate(content).render(
        mime.MessageFields(to=to, cc=cc, message_id=email.message_id, date=date), _list_unsubscribe(email)
    )
