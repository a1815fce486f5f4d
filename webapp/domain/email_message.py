"""A transactional email as an SMTP message."""

import asyncio
from collections.abc import Iterable, Sequence
from datetime import datetime

from webapp import addresses, clock
from webapp.models import Attachment, Content, Email
from webapp.sending import message as mime
from webapp.sending.smtp import Envelope

BIG_BYTES = 256 * 1024  # a message of this size is built in a thread


async def build_message(email: Email, recipients: Sequence[str]) -> tuple[Envelope, bytes]:
    """The envelope for the recipients that still wait, and the bytes of the email, which names everyone but Bcc.

    Raises ValueError, with a sentence, for what no message can carry.
    """
    content = await Content.across_orgs().get(id=email.content_id, org_id=email.org_id)
    files = await Attachment.across_orgs().filter(email_id=email.id, org_id=email.org_id).order_by("position")
    return await message_with(email, recipients, content, files, clock.now())


async def message_with(
    email: Email, recipients: Sequence[str], content: Content, files: Sequence[Attachment], date: datetime
) -> tuple[Envelope, bytes]:
    """As `build_message`, of a content and files that are at hand, with this date."""
    sender = addresses.parse(email.sender)
    to, cc, reply_to = (_parse_all(email.addresses[field]) for field in ("to", "cc", "reply_to"))
    frame_content = mime.Content(
        from_=sender,
        subject=content.subject,
        html=content.html,
        text=content.text,
        reply_to=reply_to,
        headers=email.headers,
        attachments=tuple(mime.Attachment(f.filename, f.content_type, bytes(f.data), f.content_id) for f in files),
    )
    slots = mime.Slots(to=to, cc=cc, message_id=email.message_id, date=date)
    envelope = Envelope(
        mail_from=sender.email,
        recipients=tuple(recipients),
        utf8=mime.needs_smtputf8(sender, *to, *cc, *reply_to, *(addresses.Address("", one) for one in recipients)),
    )
    if email.size < BIG_BYTES:
        return envelope, mime.Frame(frame_content).fill(slots)
    return envelope, await asyncio.to_thread(lambda: mime.Frame(frame_content).fill(slots))


def _parse_all(texts: Iterable[str]) -> tuple[addresses.Address, ...]:
    return tuple(addresses.parse(text) for text in texts)
