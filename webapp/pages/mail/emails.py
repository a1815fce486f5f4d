"""The list of emails, and an email with its recipients."""

from typing import Any
from uuid import UUID

from quart import Blueprint, ResponseReturnValue, g, render_template, request

from webapp.domain.emails import emails
from webapp.domain.emails.emails import WholeEmail, can_cancel, cancel_email, reason_not_cancellable, search_emails
from webapp.domain.emails.export import export_emails
from webapp.domain.events.events import EventFilters
from webapp.domain.mail_logs import mail_logs
from webapp.domain.mail_logs.search import MailLogSearch, filter_options
from webapp.domain.roles import Action
from webapp.errors import Conflict
from webapp.http.auth.permissions import guarded
from webapp.http.forms import FORM, redirect, render_dialog
from webapp.models import Organization
from webapp.models.mail_log import MailStatus
from webapp.pages.mail import views
from webapp.pages.mail.filters import LABELS, EmailSearchForm
from webapp.pages.shared.event_feed import latest_lines
from webapp.pages.shared.search import read_search

blueprint = Blueprint("emails", __name__, url_prefix="/emails")


@blueprint.get("", defaults={"template": "emails/index.html"})
@blueprint.get("/list", defaults={"template": "emails/_list.html"})  # polled by the open page
@guarded(Action.READ)
async def index(template: str) -> ResponseReturnValue:
    org, asked = g.caller.org, read_search(EmailSearchForm, LABELS)
    listed = await search_emails(org, MailLogSearch(**asked.filters), asked.cursor) if asked.is_valid else None
    accounts, _, _ = await filter_options(org, MailLogSearch(account_id=asked.search.account_id))
    context: dict[str, Any] = {
        "asked": asked,
        "listed": listed,
        "emails": await emails.without_bodies(org, listed.rows) if listed else [],
        "account_names": {account.id: account.name for account in accounts},
        "account_options": [(account.id, account.name) for account in accounts],
        "statuses": list(MailStatus),
        # Polls only if an index serves the search and new rows may match.
        "is_live": asked.is_first and not asked.has("status", "account_id", "to", "tag", "until"),
    }
    return await render_template(template, **context), asked.status


@blueprint.get("/<uuid:email_id>")
@guarded(Action.READ, emails.find_email)
async def show(email: WholeEmail) -> ResponseReturnValue:
    org = g.caller.org
    view = await mail_logs.find_mail_log(org, email.email.id, shows_links=g.caller.sees_links)
    return await render_template(
        "emails/show.html",
        email=email,
        mail=view.mail,
        account=await mail_logs.account_of(org, view.row),
        template=await emails.template_of(org, email.email),
        topic=await emails.topic_of(org, email.email),
        can_cancel=_can_cancel(email),
        lines=await latest_lines(org, EventFilters(email_id=email.email.id)),
        **await views.message_page(org, view),
    )


def _can_cancel(email: WholeEmail) -> bool:
    return g.caller.role.may(Action.SEND) and can_cancel(email)


@blueprint.route("/<uuid:email_id>/cancel", methods=FORM)
@guarded(Action.SEND, emails.find_email)
async def cancel(email: WholeEmail) -> ResponseReturnValue:
    path = f"/emails/{email.email.id}"
    if request.method == "POST":
        try:
            await cancel_email(g.caller.org, email)
        except Conflict as refusal:
            return redirect(path, f"Couldn't cancel: {refusal.message}.", "bad")
        return redirect(path, "Email canceled. It won't be sent.")
    if not _can_cancel(email):
        return redirect(path, f"This email can no longer be canceled: {reason_not_cancellable(email)}.", "info")
    return await render_dialog("emails/cancel.html", email=email)


async def _first(org: Organization, row_id: UUID) -> mail_logs.MailLogView:
    email = await emails.find_email(org, row_id)
    return await mail_logs.find_mail_log(org, email.email.id, shows_links=g.caller.sees_links)


views.add_export(blueprint, EmailSearchForm, export_emails)
views.add_parts(blueprint, _first)
