"""/v1/emails."""

from typing import Annotated

from pydantic import Field
from quart import Blueprint, ResponseReturnValue, g
from quart_schema import document_response

from webapp.api import shapes
from webapp.domain import emails
from webapp.domain.emails import EmailCursor, NewEmail
from webapp.domain.inputs import Id, Input
from webapp.domain.roles import Role
from webapp.http.body import SEND_BYTES, json_body
from webapp.http.caller import role_required
from webapp.http.paging import QueryInteger, query

blueprint = Blueprint("emails", __name__, url_prefix="/emails")


class Cursor(Input):
    """Which part of the emails to list."""

    limit: Annotated[QueryInteger, Field(ge=1, le=100)] = Field(default=20, description="How many at most.")
    after: Id | None = Field(default=None, description="Only emails older than the one with this id.")
    before: Id | None = Field(default=None, description="Only emails newer than the one with this id.")


@blueprint.post("")
@role_required(Role.SENDER)
@json_body(NewEmail, max_bytes=SEND_BYTES)
@document_response(shapes.Created)
async def create(data: NewEmail) -> ResponseReturnValue:
    """Send an email.

    The id is that of the first recipient's mail-log row. The mail is kept before this answers, and sent right after.
    """
    return shapes.created(await emails.add_email(g.caller.org, data))


@blueprint.get("")
@role_required(Role.VIEWER)
@query(Cursor)
@document_response(shapes.EmailList)
async def index(query_args: Cursor) -> ResponseReturnValue:
    """List the emails, newest first, without their bodies; waiting and scheduled ones too."""
    cursor = EmailCursor(query_args.limit, query_args.after, query_args.before)
    return shapes.email_list(await emails.list_emails(g.caller.org, cursor))


@blueprint.get("/<email_id>")
@role_required(Role.VIEWER)
@document_response(shapes.One[shapes.Email])
async def show(email_id: str) -> ResponseReturnValue:
    """Show an email with its bodies and what became of each recipient.

    The id of any of its mail-log rows finds it.
    """
    return shapes.one(shapes.email(await emails.find_email(g.caller.org, email_id)))
