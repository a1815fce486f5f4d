"""/v1/mail-logs."""

from typing import Literal

from pydantic import Field
from quart import Blueprint, g

from webapp.api import mail_responses
from webapp.api.responses import Many, One, answers, body_of
from webapp.domain.inputs import Id
from webapp.domain.mail_logs import mail_logs
from webapp.domain.mail_logs.search import MailLogSearch
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.http.paging import Paging, query
from webapp.http.streamed_json import json_response, stream_json
from webapp.models.mail_log import MailStatus

blueprint = Blueprint("mail_logs", __name__, url_prefix="/mail-logs")


class MailLogParams(Paging):
    campaign_id: Id | None = Field(default=None, description="Only emails of this campaign.")
    account_id: Id | None = Field(default=None, description="Only emails of this account.")
    status: Literal["pending", "sending", "sent", "failed", "deferred", "halted"] | None = Field(
        default=None, description="Only emails with this status."
    )
    campaign_run_id: Id | None = Field(default=None, description="Only emails of this run.")


@blueprint.get("")
@guarded(Action.READ)
@query(MailLogParams)
@answers(Many[mail_responses.MailLog])
async def index(query_args: MailLogParams) -> object:
    """List mail logs, newest first, one row per recipient.

    Keys below `editor` get a sample link in place of the contact's unsubscribe link.
    """
    search = MailLogSearch(
        campaign_id=query_args.campaign_id,
        account_id=query_args.account_id,
        status=MailStatus(query_args.status) if query_args.status else None,
        campaign_run_id=query_args.campaign_run_id,
    )
    listed = await mail_logs.list_mail_logs(g.caller.org, search, query_args.wanted, shows_links=g.caller.sees_links)
    return await stream_json(mail_responses.mail_log_parts(listed))


@blueprint.get("/<mail_log_id>")
@guarded(Action.READ)
@answers(One[mail_responses.MailLog])
async def show(mail_log_id: str) -> object:
    """Get a mail log.

    Keys below `editor` get a sample link in place of the contact's unsubscribe link.
    """
    view = await mail_logs.find_mail_log(g.caller.org, mail_log_id, shows_links=g.caller.sees_links)
    return await json_response(lambda: body_of(One[mail_responses.MailLog], view), view.size)
