"""A transactional email as an SMTP message."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from uuid import UUID

from webapp import addresses, clock
from webapp.db.errors import is_outage
from webapp.domain.merge_tags.budget import INLINE_BYTES, run_in_render_pool
from webapp.models.outbox import Claimed
from webapp.models.outbox.stored_emails import StoredEmail, read_emails, sizes_of
from webapp.sending.mime import message as mime
from webapp.sending.smtp.session import Envelope

log = logging.getLogger(__name__)

GONE = "the mail's content is gone"


class EmailMaker:
    """Makes the message of one email. `size` in bytes is that of its bodies and files."""

    def __init__(self, email_id: UUID, size: int, email: StoredEmail | None = None) -> None:
        """Without `email` it is read when its turn has come."""
        self.size = size
        self._email_id = email_id
        self._email = email

    @property
    def is_quick(self) -> bool:
        """Whether `make_now` is for it."""
        return self._email is not None

    @property
    def held(self) -> int:
        """The bytes that it keeps in memory until its turn has come."""
        return self.size if self._email is not None else 0

    async def make(self, rows: Sequence[Claimed]) -> tuple[Envelope, bytes]:
        """The envelope for the rows that still wait, and the bytes of the email, which names everyone but Bcc.

        Raises ValueError, with a sentence, for what no message can carry.
        """
        if self._email is not None:
            return self.make_now(rows)
        for email in await read_emails([self._email_id]):
            return await build(email, [row.to_email for row in rows], clock.now())
        raise ValueError(GONE)

    def make_now(self, rows: Sequence[Claimed]) -> tuple[Envelope, bytes]:
        """As `make`, at once."""
        if self._email is None:
            raise RuntimeError("the email was not read yet")
        return _built(self._email, [row.to_email for row in rows], clock.now())


async def makers_of(rows: Iterable[Claimed], most_bytes: int) -> dict[UUID, EmailMaker]:
    """What makes the emails of these rows, by their ids; small ones are at hand, up to so many bytes in all."""
    owners = {row.email_id: row.org_id for row in rows if row.email_id is not None}
    sizes = {email_id: size for email_id, org_id, size in await sizes_of(owners) if owners[email_id] == org_id}
    at_hand = await _read_ahead(_small(sizes, most_bytes))
    return {email_id: EmailMaker(email_id, size, at_hand.get(email_id)) for email_id, size in sizes.items()}


async def _read_ahead(email_ids: Sequence[UUID]) -> dict[UUID, StoredEmail]:
    """These emails by their ids; none where one cannot be read: on their turns that is its own trouble alone."""
    try:
        return {email.id: email for email in await read_emails(email_ids)}
    except Exception as error:
        if is_outage(error):
            raise
        log.exception("%d emails could not be read together", len(email_ids))
        return {}


def _small(sizes: Mapping[UUID, int], most_bytes: int) -> list[UUID]:
    """The ids of what is small, until that is enough."""
    found = []
    for email_id in sorted(sizes):  # as they go
        if sizes[email_id] > INLINE_BYTES:
            continue
        most_bytes -= sizes[email_id]
        if most_bytes < 0:
            break
        found.append(email_id)
    return found


async def build(email: StoredEmail, recipients: Sequence[str], date: datetime) -> tuple[Envelope, bytes]:
    """The envelope for these recipients and the bytes of an email of any size, with this date.

    Raises ValueError, with a sentence, for what no message can carry.
    """
    if email.size <= INLINE_BYTES:
        return _built(email, recipients, date)
    return await run_in_render_pool(email.org_id, _built, email, recipients, date)


def _built(email: StoredEmail, recipients: Sequence[str], date: datetime) -> tuple[Envelope, bytes]:
    sender = _sender(email.sender)
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
    envelope = Envelope(
        mail_from=sender.email,
        recipients=tuple(recipients),
        utf8=mime.needs_smtputf8(sender, *to, *cc, *reply_to),
    )
    return envelope, mime.MessageTemplate(content).render(
        mime.MessageFields(to=to, cc=cc, message_id=email.message_id, date=date)
    )


@lru_cache(maxsize=256)  # a few write most of them
def _sender(text: str) -> addresses.Address:
    return addresses.parse(text)
