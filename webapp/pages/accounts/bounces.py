"""Settings of the mailbox that gets an account's bounces and complaints, and the reports in it."""

from typing import Any

from quart import Blueprint, ResponseReturnValue, current_app, g, render_template

from webapp.domain.accounts import accounts
from webapp.domain.accounts.inputs import AccountChanges
from webapp.domain.bounces.settings import list_reports, reading_of, save_reading
from webapp.domain.oauth_providers import MICROSOFT, connected_with
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.http.forms import Form, redirect, render_page
from webapp.http.paging import ListPaging, query
from webapp.models import Account

blueprint = Blueprint("bounces", __name__, url_prefix="/accounts")
FIELDS = (
    "bounce_reading",
    "bounce_imap_host",
    "bounce_imap_port",
    "bounce_imap_security",
    "bounce_imap_username",
    "bounce_verp",
)
LABELS = {
    "bounce_imap_host": "Host",
    "bounce_imap_port": "Port",
    "bounce_imap_security": "Encryption",
    "bounce_imap_username": "Username",
    "bounce_imap_password": "Password",
    "smtp_username": "The account's username",
    "microsoft_email": "The account's address",
}
SECURITY = [("tls", "SSL/TLS (port 993)"), ("starttls", "STARTTLS"), ("none", "None (private networks only)")]
MODES = [("off", "Off"), ("account", "This account's mailbox"), ("mailbox", "Another mailbox, for bounces only")]


@blueprint.get("/<uuid:account_id>/bounces")
@guarded(Action.READ, accounts.find_account)
@query(ListPaging)
async def show(account: Account, query_args: ListPaging) -> ResponseReturnValue:
    form = Form({name: value for name in FIELDS if (value := getattr(account, name)) is not None})
    return await render_template("accounts/bounces.html", form=form, **await _about(account, query_args))


@blueprint.post("/<uuid:account_id>/bounces")
@guarded(Action.ACCOUNTS, accounts.find_account)
async def save(account: Account) -> ResponseReturnValue:
    form = await Form.sent()
    for name in ("bounce_imap_host", "bounce_imap_port", "bounce_imap_username"):  # an empty field removes the value
        form.values.setdefault(name, None)
    form.values.setdefault("bounce_verp", False)
    is_own = form.values.get("bounce_reading") == "account"  # which uses the SMTP username
    if form.values["bounce_imap_username"] is None and not is_own:  # the password goes with the username
        form.values["bounce_imap_password"] = None
    with form.refusing(LABELS, (*FIELDS, "bounce_imap_password")):
        data = form.read(AccountChanges, "bounce_reading")
        if not await save_reading(g.caller.org, account, data, current_app.extensions["login_checks"]):
            way = connected_with(account) or MICROSOFT
            message = "Saved. Now let Pennypost read this account's mailbox."
            return redirect(f"/accounts/{account.id}/{way.name}", message)
        message = "Saved. The mailbox is read now."
        if account.bounce_reading == "off":
            message = "Bounces are not read any more."
        elif account.bounce_verp and not account.bounce_verp_works:
            message += " Tagged return paths don't work, so emails keep the plain one."
        return redirect(f"/accounts/{account.id}/bounces", message)
    await account.refresh_from_db()
    about = await _about(account, ListPaging())
    return await render_page("accounts/bounces.html", "accounts/_bounces.html", form=form, **about)


async def _about(account: Account, asked: ListPaging) -> dict[str, Any]:
    return {
        "account": account,
        "reading": await reading_of(g.caller.org, account),
        "listed": await list_reports(g.caller.org, account, asked.wanted),
        "asked": asked,
        "modes": MODES,
        "securities": SECURITY,
    }
