"""Lists, adds, tests, changes, pauses and deletes sending accounts."""

from typing import Any

from quart import Blueprint, ResponseReturnValue, current_app, g, render_template, request

from webapp import clock
from webapp.domain.accounts import accounts
from webapp.domain.accounts.credentials import SECRETS, needs_smtp_password, sign_in_finding
from webapp.domain.accounts.inputs import AccountChanges, NewAccount
from webapp.domain.accounts.pace import pace_sentences
from webapp.domain.accounts.today import today_of
from webapp.domain.delivery.login_test import check_login
from webapp.domain.emails.send_test import NewAccountTest, send_account_test
from webapp.domain.from_checks.from_checks import from_check_of, warnings_about
from webapp.domain.oauth_providers import connected_with
from webapp.domain.roles import Action
from webapp.errors import ApiError, FieldError
from webapp.http.auth.permissions import guarded
from webapp.http.auth.session import came_from
from webapp.http.flashes import flash
from webapp.http.forms import FORM, Form, redirect, render_dialog, render_page, submit_once, wants_fragment
from webapp.http.paging import ListPaging, query
from webapp.models import Account
from webapp.models.account import OAuthProvider, ProviderType, SmtpAuth
from webapp.pages.accounts import smtp_presets
from webapp.pages.sandbox import inbox_link
from webapp.pages.shared.filters import ended

blueprint = Blueprint("accounts", __name__, url_prefix="/accounts")
REQUIRED = {  # by provider
    "smtp": ("name", "smtp_host", "smtp_port", "smtp_security", "daily_mail_limit", "concurrency"),
    "google": ("name", "daily_mail_limit", "concurrency"),
    "microsoft": ("name", "daily_mail_limit", "concurrency"),
}
LABELS = {
    "smtp_host": "Host",
    "smtp_port": "Port",
    "smtp_username": "Username",
    "smtp_password": "Password",
    "smtp_security": "Encryption",
    "from_email": "From address",
    "from_name": "From name",
    "daily_mail_limit": "Daily limit",
    "concurrency": "Connections",
    "max_per_minute": "Emails per minute",
}
SHOWN = ("name", *LABELS)
OAUTH_LABELS = {  # of a provider that the account brings itself
    "microsoft_email": "Mailbox",
    "oauth_grant": "Sign-in",
    "oauth_token_url": "Token URL",
    "oauth_scope": "Scope",
    "oauth_client_id": "Client ID",
    "oauth_client_secret": "Client secret",
    "oauth_refresh_token": "Refresh token",
}
GRANTS = [
    ("refresh_token", "As a person (refresh token)"),
    ("client_credentials", "As an app (client credentials)"),
]
# By the form's `sign_in`: what an account with an OAuth client of its own is.
CUSTOM = {
    "oauth": {"provider_type": "smtp", "smtp_auth": "oauth2", "oauth_provider": "custom"},
    "graph": {"provider_type": "microsoft", "oauth_provider": "custom"},
}
BY_GRAPH = {"oauth_grant": "client_credentials", "daily_mail_limit": 10_000, "concurrency": 4, "max_per_minute": 30}
SECURITY = [
    ("auto", "Automatic"),
    ("tls", "SSL/TLS (port 465)"),
    ("starttls", "STARTTLS"),
    ("none", "None (unencrypted)"),
]


class AccountListQuery(ListPaging):
    columns = ("name", "sent")
    default_sort = "-created"


@blueprint.get("")
@guarded(Action.READ)
@query(AccountListQuery)
async def index(query_args: AccountListQuery) -> ResponseReturnValue:
    listed = await accounts.list_accounts(g.caller.org, query_args.wanted, query_args.order)
    about = {
        "resets_at": clock.next_day(g.caller.org.timezone),
        "refused": warnings_about(item.account for item in listed.rows),
    }
    return await render_template("accounts/index.html", listed=listed, asked=query_args, **about)


@blueprint.get("/new")
@blueprint.post("")
@guarded(Action.ACCOUNTS)
async def create() -> ResponseReturnValue:
    async def add() -> str:
        form.values |= CUSTOM.get(sign_in, {"provider_type": "smtp"})
        data = form.read(NewAccount, *REQUIRED[form.values["provider_type"]], faults=_login_faults(form))
        account = await accounts.add_account(g.caller.org, data)
        if not await _say_login(account):
            return f"/accounts/{account.id}"
        return "/accounts" if await accounts.is_any_other(g.caller.org, account) else "/home"  # for the next step

    preset = smtp_presets.find(request.args.get("provider"))
    asked = request.args.get("sign_in", "")
    form = await Form.sent(BY_GRAPH if asked == "graph" else smtp_presets.fill_in(preset, request.args))
    sign_in = form.values.get("sign_in", asked)
    is_custom = sign_in in CUSTOM
    preset = preset or smtp_presets.find(form.values.get("provider"))  # sent with the form, to keep its note
    if request.method == "POST":
        with form.refusing(LABELS | OAUTH_LABELS, _shown(is_custom=is_custom)):
            return redirect(await submit_once(form, add))
    about = {"preset": preset, "is_custom": is_custom, "is_graph": sign_in == "graph", **_choices()}
    return await render_page("accounts/new.html", "accounts/_form.html", form=form, **about)


def _shown(*, is_custom: bool) -> tuple[str, ...]:
    return (*SHOWN, *OAUTH_LABELS) if is_custom else SHOWN


def _login_faults(form: Form, account: Account | None = None) -> list[FieldError]:
    if form.values.get("oauth_provider") or (account and account.smtp_auth == SmtpAuth.OAUTH2):
        return []
    has_username = bool(form.values.get("smtp_username"))
    has_password = bool(form.values.get("smtp_password") or (has_username and account and account.smtp_password))
    if has_username == has_password:
        return []
    name, other = ("smtp_password", "username") if has_username else ("smtp_username", "password")
    return [FieldError(name, f"Enter the {name.removeprefix('smtp_')} for this {other}.")]


async def _say_login(account: Account) -> bool:
    """Tests the login of a saved account, and flashes the result. True if it works."""
    try:
        trouble = await check_login(g.caller.org, account, current_app.extensions["login_checks"])
    except ApiError as refusal:
        trouble = str(refusal.message)
    if trouble is None:
        flash(f"“{account.name}” was saved. Login successful{_return_path_words(account)}.")
    else:
        flash(f"“{account.name}” was saved, but it can't send yet: {ended(trouble)}", "bad")
    return trouble is None


@blueprint.get("/<uuid:account_id>")
@guarded(Action.READ, accounts.find_account)
async def show(account: Account) -> ResponseReturnValue:
    shown = _shown(is_custom=_is_custom(account))
    values = {name: getattr(account, name) for name in shown if name not in SECRETS}
    form = Form({name: value for name, value in values.items() if value is not None})
    return await render_template("accounts/show.html", form=form, **await _about(account))


@blueprint.post("/<uuid:account_id>")
@guarded(Action.ACCOUNTS, accounts.find_account)
async def update(account: Account) -> ResponseReturnValue:
    form = await Form.sent()
    for name in ("from_name", "from_email", "max_per_minute"):  # an empty field removes the value
        form.values.setdefault(name, None)
    if account.smtp_auth == SmtpAuth.PASSWORD and form.values.get("smtp_username") is None:
        form.values |= {"smtp_username": None, "smtp_password": None}  # the password goes with the username
    is_custom = _is_custom(account)
    if is_custom:
        form.values.setdefault("oauth_scope", None)
    labels = OAUTH_LABELS if is_custom else {"oauth_refresh_token": "A new sign-in"}
    with form.refusing(LABELS | labels, _shown(is_custom=is_custom)):
        data = form.read(AccountChanges, *REQUIRED[account.provider_type], faults=_login_faults(form, account))
        account = await accounts.change_account(account, data)
        await _say_login(account)
        return redirect(f"/accounts/{account.id}")
    await account.refresh()
    return await render_page("accounts/show.html", "accounts/_form.html", form=form, **await _about(account))


@blueprint.post("/<uuid:account_id>/test-login")
@guarded(Action.ACCOUNTS, accounts.find_account)
async def test_login(account: Account) -> ResponseReturnValue:
    if trouble := await check_login(g.caller.org, account, current_app.extensions["login_checks"]):
        return await _changed(account, f"“{account.name}”: {ended(trouble)}", "bad")
    return await _changed(account, f"“{account.name}”: login successful{_return_path_words(account)}.")


def _return_path_words(account: Account) -> str:
    """The end of a sentence; the account's page shows the server's own words."""
    if not account.bounce_verp or account.bounce_verp_works is None:
        return ""
    works = account.bounce_verp_works
    return "; the server accepts tagged return paths" if works else ", but tagged return paths don't work"


@blueprint.route("/<uuid:account_id>/test", methods=FORM)
@guarded(Action.SEND, accounts.find_account)
async def send_test(account: Account) -> ResponseReturnValue:
    async def send() -> str:
        sent = await send_account_test(g.caller.org, account, form.read(NewAccountTest))
        flash(f"{sent.text} Its delivery status is shown below.", link=inbox_link(sent))
        return f"/mail-logs/{sent.row_id}"

    form = await Form.sent({"to": g.caller.user.email})
    if request.method == "POST":
        with form.refusing({"to": "Address"}, ("to",)):
            return redirect(await submit_once(form, send))
    return await render_dialog("accounts/test.html", account=account, form=form)


@blueprint.post("/<uuid:account_id>/pause")
@guarded(Action.ACCOUNTS, accounts.find_account)
async def pause(account: Account) -> ResponseReturnValue:
    await accounts.change_account(account, AccountChanges(status="paused"))
    return await _changed(account, f"“{account.name}” paused. Its email stays pending until you resume it.")


@blueprint.post("/<uuid:account_id>/resume")
@guarded(Action.ACCOUNTS, accounts.find_account)
async def resume(account: Account) -> ResponseReturnValue:
    await accounts.change_account(account, AccountChanges(status="active"))
    return await _changed(account, f"“{account.name}” resumed.")


@blueprint.route("/<uuid:account_id>/delete", methods=FORM)
@guarded(Action.ACCOUNTS, accounts.find_account)
async def delete(account: Account) -> ResponseReturnValue:
    if request.method == "POST":
        await accounts.delete_account(g.caller.org, account)
        return redirect("/accounts", f"“{account.name}” deleted. Its deliveries are kept.")
    users = await accounts.campaigns_left_without(account)
    return await render_dialog("accounts/delete.html", account=account, users=users)


async def _changed(account: Account, message: str, kind: str = "good") -> ResponseReturnValue:
    if not wants_fragment():
        return redirect(came_from("/accounts"), message, kind)
    flash(message, kind)
    item = await today_of(g.caller.org, account)
    return await render_template("accounts/_changed.html", item=item, refused=warnings_about([account]))


def _is_custom(account: Account) -> bool:
    return account.has_oauth_sign_in and account.oauth_provider == OAuthProvider.CUSTOM


async def _about(account: Account) -> dict[str, Any]:
    item = await today_of(g.caller.org, account)
    return {
        "account": account,
        "item": item,
        "pace": pace_sentences(account, item.rules),
        "resets_at": clock.next_day(g.caller.org.timezone),
        "needs_password": needs_smtp_password(account),
        "is_custom": _is_custom(account),
        "is_graph": account.provider_type == ProviderType.MICROSOFT,
        "finding": sign_in_finding(account),
        "check": await from_check_of(account),
        "connected": connected_with(account),
        **_choices(),
    }


def _choices() -> dict[str, Any]:
    providers = [(preset.provider, preset.provider) for preset in smtp_presets.PROVIDERS]
    return {"providers": providers, "hosts": smtp_presets.PROVIDERS, "securities": SECURITY, "grants": GRANTS}
