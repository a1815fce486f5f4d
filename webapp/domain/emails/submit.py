"""Accepts the messages that programs submit by SMTP, as emails like any other."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple
from uuid import UUID

import orjson
from uuid_utils.compat import uuid7

from webapp import clock
from webapp.addresses import Address
from webapp.domain.api_requests.idempotency import RecordedResponse, find_response, respond_once
from webapp.domain.emails.accept import accept_email
from webapp.domain.emails.inputs import NewEmail
from webapp.domain.emails.mime_message import MimeMessage, read_message
from webapp.domain.emails.resolve_content import ResolvedEmail, Source
from webapp.domain.key_scope import current_scope
from webapp.domain.merge_tags.budget import INLINE_BYTES, run_in_render_pool
from webapp.models import Organization
from webapp.models.api_request import KeyedRequest
from webapp.models.mail_log import RecipientType

ENDPOINT = "smtp"  # of idempotency keys
WAIT_SECONDS = 5.0  # for another submission with the same key
ACCEPTED = 250
# What programs make anew for each try, so that a repeated email is recognized without it.
BOUNDARY = re.compile(rb'boundary="?([^"\r\n;]{1,200})')
BOUNDARIES = 10
SEARCHED = 64 * 1024  # bytes of a body, for the boundaries of its parts
PIECE = 64 * 1024
REMADE = {"date", "message-id", "received", "content-type"}


class Submission(NamedTuple):
    """`content` ends with CRLF unless it is empty; `origin` is the beginning of its Received field."""

    recipients: Sequence[Address]
    content: bytes
    origin: str
    account_key: str | None = None


async def submit_email(org: Organization, submission: Submission) -> UUID:
    """Commits the email and returns its id, which is the earlier one's if the idempotency key was used before.

    Raises what `accept_email` raises, IdempotencyConflict and IdempotencyInProgress.
    """
    if len(submission.content) <= INLINE_BYTES:
        message, email = _read(submission)
    else:
        message, email = await run_in_render_pool(org.id, _read, submission)
    if message.idempotency_key is None:
        return await accept_email(org, email)
    body_hash = await run_in_render_pool(org.id, _fingerprint, message, submission)
    request = KeyedRequest(org, ENDPOINT, message.idempotency_key, body_hash)

    async def accept() -> RecordedResponse:
        return RecordedResponse(ACCEPTED, orjson.dumps(str(await accept_email(org, email))))

    recorded = await find_response(request) or (await respond_once(request, accept, WAIT_SECONDS))[0]
    return UUID(orjson.loads(recorded.body))


def _read(submission: Submission) -> tuple[MimeMessage, ResolvedEmail]:
    """Raises ValidationError."""
    message = read_message(submission.content)
    email_id = uuid7()
    default_id = f"<{email_id.hex}@{message.sender.domain}>"
    html, text = message.bodies()
    email = ResolvedEmail(
        _as_input(message, submission),
        message.subject,
        html,
        text,
        source=Source(
            email_id,
            message.message_id or default_id,
            _sent(message, f"{submission.origin} id {email_id.hex}", default_id),
        ),
    )
    return message, email


def _as_input(message: MimeMessage, submission: Submission) -> NewEmail:
    """The fields that an email of the API has; each recipient is in the field in which the message names it."""
    named_to, named_cc = message.addresses_in("to"), message.addresses_in("cc")
    by_kind: dict[RecipientType, list[Address]] = {kind: [] for kind in RecipientType}
    for address in submission.recipients:
        key = address.email.lower()
        kind = RecipientType.TO if key in named_to else RecipientType.CC if key in named_cc else RecipientType.BCC
        by_kind[kind].append(address)
    return NewEmail.model_construct(
        from_=message.sender,
        to=by_kind[RecipientType.TO],
        cc=by_kind[RecipientType.CC],
        bcc=by_kind[RecipientType.BCC],
        reply_to=[Address("", email) for email in sorted(message.addresses_in("reply-to"))],
        account_key=submission.account_key,
        headers=message.custom_headers,
        tags=message.tags,
    )


def _sent(message: MimeMessage, trace: str, default_id: str) -> bytes:
    """The message with a Received field, and with Message-ID and Date if it has none."""
    now = _date(int(clock.now().timestamp()))
    added = [f"Received: {trace};\r\n\t{now}\r\n"]
    if "message-id" not in message.fields:
        added.append(f"Message-ID: {default_id}\r\n")
    if "date" not in message.fields:
        added.append(f"Date: {now}\r\n")
    return b"".join(["".join(added).encode(), message.header, b"\r\n", message.body])


@lru_cache(maxsize=4)  # emails of the same second share it
def _date(second: int) -> str:
    return format_datetime(datetime.fromtimestamp(second, UTC))


def _fingerprint(message: MimeMessage, submission: Submission) -> str:
    kept = [(name, values) for name, values in sorted(message.fields.items()) if name not in REMADE]
    recipients = sorted(address.email for address in submission.recipients)
    digest = sha256(orjson.dumps([recipients, submission.account_key, kept]))
    for piece in _without_boundaries(message):
        digest.update(piece)
    digest.update(current_scope().fingerprint.encode())  # a key gets no answers outside its scope
    return digest.hexdigest()


def _without_boundaries(message: MimeMessage) -> Iterator[bytes]:
    """The body in pieces, because a replacement in all of it would hold up the other threads."""
    stated = {match[1] for match in BOUNDARY.finditer(message.header + message.body[:SEARCHED])}
    boundaries = sorted(stated, key=len, reverse=True)[:BOUNDARIES]
    remade = [before + boundary for boundary in boundaries for before in (b"--", b"boundary=", b'boundary="')]
    start = 0
    while start < len(message.body):
        least = start + PIECE
        end = message.body.find(b"\n", least, least + PIECE) + 1 or least + PIECE
        piece = message.body[start:end]
        for text in remade:
            piece = piece.replace(text, b"")
        yield piece
        start = end
