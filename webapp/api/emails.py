"""/v1/emails."""

from typing import Annotated, Literal

from pydantic import Field
from quart import Blueprint, ResponseReturnValue, g
from quart_schema import document_response

from webapp.api import mail_responses
from webapp.api.responses import Created, One, answers, body_of
from webapp.domain.emails import emails
from webapp.domain.emails.accept import accept_batch, accept_email
from webapp.domain.emails.emails import WholeEmail
from webapp.domain.emails.inputs import NewBatch, NewEmail, read_batch
from webapp.domain.emails.resolve_content import ResolvedEmail, resolve_batch, resolve_email
from webapp.domain.inputs import Id, Input
from webapp.domain.pagination import Cursor
from webapp.domain.roles import Action
from webapp.errors import ApiError
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import SEND_BYTES, json_body
from webapp.http.idempotency import idempotent
from webapp.http.paging import QueryInteger, query
from webapp.http.request_headers import headers
from webapp.http.streamed_json import json_response

blueprint = Blueprint("emails", __name__, url_prefix="/emails")


class EmailParams(Input):
    limit: Annotated[QueryInteger, Field(ge=1, le=100)] = Field(default=20, description="Maximum number of results.")
    after: Id | None = Field(default=None, description="Only emails older than this id.")
    before: Id | None = Field(default=None, description="Only emails newer than this id.")

    @property
    def cursor(self) -> Cursor:
        return Cursor(self.limit, self.after, self.before)


class BatchHeaders(Input):
    mode: Literal["strict", "permissive"] = Field(
        default="strict",
        alias="X-Batch-Validation",
        description="`strict`: one invalid email rejects all. `permissive`: valid emails are sent.",
    )

    @property
    def is_permissive(self) -> bool:
        return self.mode == "permissive"


@blueprint.post("")
@guarded(Action.SEND)
@idempotent
@json_body(NewEmail, max_bytes=SEND_BYTES, find=resolve_email)
@answers(Created)
async def create(data: ResolvedEmail) -> ResponseReturnValue:
    """Send an email.

    Returns the id of the first recipient's mail log. The email is saved before the response and sent right after.
    The mail log of a suppressed recipient fails at once; the others get the email.
    """
    return {"id": await accept_email(g.caller.org, data)}


@blueprint.post("/batch")
@guarded(Action.SEND)
@idempotent
@json_body(NewBatch, max_bytes=SEND_BYTES, read=read_batch, find=resolve_batch)
@headers(BatchHeaders)
@document_response(mail_responses.EmailBatch)
async def create_batch(data: list[ResolvedEmail | ApiError], headers: BatchHeaders) -> ResponseReturnValue:
    """Send up to 100 emails.

    Either all are accepted or none, and `errors` lists the invalid ones. With `X-Batch-Validation: permissive`, valid
    emails are accepted and `errors` in the response lists the others.
    """
    accepted = await accept_batch(g.caller.org, data, is_permissive=headers.is_permissive)
    return mail_responses.email_batch(accepted, is_permissive=headers.is_permissive)


@blueprint.get("")
@guarded(Action.READ)
@query(EmailParams)
@answers(mail_responses.EmailList)
async def index(query_args: EmailParams) -> object:
    """List emails, newest first, without bodies; includes pending and scheduled emails."""
    return await emails.list_emails(g.caller.org, query_args.cursor)


@blueprint.get("/<other(batch):email_id>")  # so that GET /batch is 405, not 404
@guarded(Action.READ, emails.find_email)
@answers(One[mail_responses.Email])
async def show(email: WholeEmail) -> object:
    """Get an email with its bodies and the status of each recipient.

    Accepts the id of any of its mail logs.
    """
    return await json_response(lambda: body_of(One[mail_responses.Email], email), email.size)


@blueprint.post("/<email_id>/cancel")
@guarded(Action.SEND, emails.find_email)
@answers(One[mail_responses.Email])
async def cancel(email: WholeEmail) -> object:
    """Cancel a pending or scheduled email.

    Its mail logs become `halted`. Returns 409 once sending has started, or if the email was already canceled.
    """
    view = await emails.cancel_email(g.caller.org, email)
    return await json_response(lambda: body_of(One[mail_responses.Email], view), view.size)
