"""/v1/mail-logs and its response bodies."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Annotated, Literal, NotRequired
from uuid import UUID

from pydantic import Field
from quart import Blueprint, Response, g
from typing_extensions import TypedDict

from webapp.api.mail_filters import MailFilters
from webapp.api.responses import Many, One, Time, answers, body_of, make, makes, shaped
from webapp.api.responses.emails import MailState
from webapp.clock import timestamp
from webapp.domain.inputs import Id
from webapp.domain.mail_logs import mail_logs
from webapp.domain.mail_logs.mail_logs import MailLogsListed, MailLogView
from webapp.domain.mail_logs.search import MailLogSearch
from webapp.domain.pagination import Listed
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.http.body.finish_on_disconnect import SENDING_SECONDS
from webapp.http.paging import Paging, query
from webapp.http.request_log import record_response_start
from webapp.json_encoder import encode
from webapp.models.mail_log import MailStatus

blueprint = Blueprint("mail_logs", __name__, url_prefix="/mail-logs")


class Bounce(TypedDict):
    """The verdict of a report that came after the email was sent."""

    type: Literal["Permanent", "Transient", "Undetermined"]
    subType: str
    status: Annotated[str | None, Field(description="The enhanced status code.")]
    diagnosticCode: list[str]
    unconfirmed: NotRequired[
        Annotated[
            bool,
            Field(description="True when the report has no id that only the recipient knows: others may have sent it."),
        ]
    ]


class MailLog(TypedDict):
    """The delivery status of one recipient, with the rendered subject and body."""

    id: UUID
    to_email: str
    subject: str | None
    body_html: str | None
    status: MailState
    from_email: str | None
    account_id: UUID | None
    campaign_id: UUID | None
    campaign_run_id: UUID | None
    contact_id: UUID | None
    sent_at: Time | None
    error: str | None
    smtp_message_id: str | None
    attempts: int
    created_at: Time
    email_id: UUID | None
    response_code: int | None
    bounced_at: Annotated[Time | None, Field(description="When a report said that the sent email bounced.")]
    complained_at: Annotated[Time | None, Field(description="When the recipient marked it as spam.")]
    bounce: Bounce | None


class OneMailLog(MailLog):
    """A mail log, and while it waits the reason and the time."""

    waits_for: Annotated[str | None, Field(description="Why it waits, as a sentence.")]
    next_attempt_at: Annotated[Time | None, Field(description="When it is expected to be tried, by the forecast.")]


@makes(MailLog)
def _mail_log(view: MailLogView) -> MailLog:
    subject, body_html = (view.mail.subject, view.mail.body_html) if view.mail else (None, None)
    return shaped(MailLog, view.row, subject=subject, body_html=body_html)


@makes(OneMailLog)
def _one_mail_log(view: MailLogView) -> OneMailLog:
    sentence, until = (view.waiting.sentence, view.waiting.until) if view.waiting else (None, None)
    return shaped(OneMailLog, _mail_log(view), waits_for=sentence, next_attempt_at=until and timestamp(until))


async def _parts(listed: MailLogsListed) -> AsyncIterator[tuple[list[bytes], bool]]:
    """The pieces of each part of the list, and True for the last."""
    envelope = encode(body_of(Many[MailLog], Listed[MailLogView]([], listed.page, listed.total, listed.is_total_exact)))
    lead, end = envelope.split(b"[]", 1)
    lead, end = lead + b"[", b"]" + end
    async for views, is_last in listed.load():
        rows = await asyncio.to_thread(_encoded, views)  # which may be megabytes
        views.clear()  # frees their memory while the next ones are loaded
        yield [lead, *rows, end] if is_last else [lead, *rows], is_last
        lead = b","


def _encoded(views: Sequence[MailLogView]) -> list[bytes]:
    pieces = [piece for view in views for piece in (encode(make(MailLog, view)), b",")]
    return pieces[:-1]


async def _streamed(listed: MailLogsListed) -> Response:
    """Responds with parts that are made as they are sent; only a failure of the first can set a status."""
    parts = _parts(listed)
    pieces, is_last = await anext(parts)
    if is_last:
        return Response(b"".join(pieces), content_type="application/json")
    record_response_start(pieces)
    response = Response(_leaving(pieces, parts), content_type="application/json")
    response.timeout = SENDING_SECONDS
    return response


async def _leaving(pieces: list[bytes], others: AsyncIterator[tuple[list[bytes], bool]]) -> AsyncIterator[bytes]:
    is_last = False
    while True:
        pieces.reverse()
        while pieces:
            yield pieces.pop()
        if is_last:
            break
        pieces, is_last = await anext(others)


class MailLogParams(MailFilters, Paging):
    campaign_id: Id | None = Field(default=None, description="Only emails of this campaign.")
    account_id: Id | None = Field(default=None, description="Only emails of this account.")
    status: MailState | None = Field(default=None, description="Only emails with this status.")
    campaign_run_id: Id | None = Field(default=None, description="Only emails of this run.")

    @property
    def search(self) -> MailLogSearch:
        return replace(
            super().search,
            campaign_id=self.campaign_id,
            account_id=self.account_id,
            status=MailStatus(self.status) if self.status else None,
            campaign_run_id=self.campaign_run_id,
        )


@blueprint.get("")
@guarded(Action.READ)
@query(MailLogParams)
@answers(Many[MailLog])
async def index(query_args: MailLogParams) -> object:
    """List mail logs, newest first, one row per recipient.

    With `to` or `tag`, order and dates are those of the emails: a recipient tried again later stands with its email.
    Keys below `editor` get a sample link in place of the contact's unsubscribe link.
    """
    listed = await mail_logs.list_mail_logs(
        g.caller.org, query_args.search, query_args.wanted, shows_links=g.caller.sees_links
    )
    return await _streamed(listed)


@blueprint.get("/<mail_log_id>")
@guarded(Action.READ)
@answers(One[OneMailLog])
async def show(mail_log_id: str) -> object:
    """Get a mail log, with the reason why it waits.

    Keys below `editor` get a sample link in place of the contact's unsubscribe link.
    """
    return await mail_logs.find_waiting(g.caller.org, mail_log_id, shows_links=g.caller.sees_links)
