"""/v1/sandbox/messages and its response bodies."""

import asyncio
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field, StringConstraints
from quart import Blueprint, g
from typing_extensions import TypedDict

from webapp.api.responses import Done, Many, One, Time, answers, makes, shaped
from webapp.api.responses.emails import Attachment
from webapp.domain.contacts.unsubscribe import hide_links
from webapp.domain.inputs import OneLine
from webapp.domain.roles import Action
from webapp.domain.sandbox import sandbox
from webapp.domain.sandbox.message_view import ParsedMessage, parse
from webapp.http.auth.permissions import guarded
from webapp.http.paging import Paging, query
from webapp.models import SandboxMail

blueprint = Blueprint("sandbox", __name__, url_prefix="/sandbox/messages")


class Header(TypedDict):
    """A header field of a message, decoded."""

    name: str
    value: str


_Sender = TypedDict("_Sender", {"id": UUID, "from": str})


class SandboxMessageOutline(_Sender):
    """A message that the sandbox received, with its envelope."""

    to: list[str]
    subject: str
    size: int
    created_at: Time


class SandboxMessage(SandboxMessageOutline):
    """A message that the sandbox received, with its content."""

    html: str | None
    text: str | None
    headers: list[Header]
    attachments: list[Attachment]


class SandboxSource(TypedDict):
    """The source of a message."""

    raw: Annotated[str, Field(description="The message as it was received (RFC 5322).")]


class SandboxParams(Paging):
    q: Annotated[str, StringConstraints(max_length=200), OneLine] = Field(
        default="",
        description="Only messages with this text in their subject, From header or an address (case-insensitive).",
    )


def _envelope(mail: SandboxMail) -> dict[str, Any]:
    return {"from": mail.mail_from, "to": mail.rcpt_tos, "subject": hide_links(mail.subject)}


@makes(SandboxMessageOutline)
def _outline(mail: SandboxMail) -> SandboxMessageOutline:
    return shaped(SandboxMessageOutline, mail, **_envelope(mail))


@makes(SandboxMessage)
def _message(view: tuple[SandboxMail, ParsedMessage]) -> SandboxMessage:
    mail, parsed = view
    headers = [Header(name=name, value=value) for name, value in parsed.headers]
    content = {"html": parsed.html, "text": parsed.text, "headers": headers, "attachments": parsed.attachments}
    return shaped(SandboxMessage, mail, **_envelope(mail), **content)


@blueprint.get("")
@guarded(Action.READ)
@query(SandboxParams)
@answers(Many[SandboxMessageOutline])
async def index(query_args: SandboxParams) -> object:
    """List the messages that the sandbox received, newest first.

    The sandbox is an account of every organization that delivers to no one; send with its `account_key`. It plays an
    outcome for these addresses at any domain: `bounce+x@` is refused for good, `tempfail+x@` for now (Pennypost tries
    again after 1, 5 and 15 minutes), and `slow+x@` is answered slowly.
    """
    return await sandbox.received_mails(g.caller.org, query_args.wanted, query_args.q)


@blueprint.delete("")
@guarded(Action.SANDBOX)
@answers(Done)
async def clear() -> None:
    """Delete all messages of the sandbox."""
    await sandbox.clear(g.caller.org)


@blueprint.get("/<mail_id>")
@guarded(Action.READ, sandbox.received_mail)
@answers(One[SandboxMessage])
async def show(mail: SandboxMail) -> object:
    """Get a message that the sandbox received: its headers, bodies and attachments."""
    await sandbox.hide_links_unless(mail, shows_links=g.caller.sees_links)
    return mail, await asyncio.to_thread(parse, mail.data)


@blueprint.get("/<mail_id>/raw")
@guarded(Action.READ, sandbox.received_mail)
@answers(One[SandboxSource])
async def raw(mail: SandboxMail) -> object:
    """Get the source of a message that the sandbox received."""
    await sandbox.hide_links_unless(mail, shows_links=g.caller.sees_links)
    return SandboxSource(raw=mail.data.decode(errors="replace"))


@blueprint.delete("/<mail_id>")
@guarded(Action.SANDBOX, sandbox.received_mail)
@answers(Done)
async def remove(mail: SandboxMail) -> None:
    """Delete a message of the sandbox."""
    await mail.delete()
