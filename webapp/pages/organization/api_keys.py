"""Issues API keys, shows their secrets once, and revokes them."""

from typing import Any

from quart import Blueprint, ResponseReturnValue, g, render_template, request

from webapp import clock
from webapp.config import settings
from webapp.domain import api_keys
from webapp.domain.api_keys import NewKey, expires_after
from webapp.domain.campaigns import overview
from webapp.domain.home import home
from webapp.domain.roles import Action
from webapp.http.auth.one_time_secret import read_secret, redirect_with, render_secret, seal_secret
from webapp.http.auth.permissions import guarded
from webapp.http.forms import FORM, Form, redirect, render_dialog, render_page, submit_once
from webapp.http.paging import ListPaging, query
from webapp.models import Account, ApiKey
from webapp.pages.api_reference.samples import CodeSample, Request, samples_of
from webapp.pages.shared import role_labels

blueprint = Blueprint("api_keys", __name__, url_prefix="/api-keys")
COOKIE = "fresh_key"
LABELS = {"lifetime": "Expiration", "allowed_from": "Each line"}
LINES = ("allowed_from", "allowed_networks")  # texts with an item on each line
LIFETIMES = [("", "Never"), ("7", "In 7 days"), ("30", "In 30 days"), ("90", "In 90 days"), ("365", "In 1 year")]


@blueprint.get("")
@guarded(Action.READ)
@query(ListPaging)
async def index(query_args: ListPaging) -> ResponseReturnValue:
    listed = await api_keys.list_keys(g.caller.org, query_args.wanted)
    names = await api_keys.account_names(g.caller.org, [key.allowed_account_ids for key in listed.rows])
    return await render_template("api_keys/index.html", listed=listed, asked=query_args, account_names=names)


@blueprint.get("/new")
@blueprint.post("")
@guarded(Action.KEYS)
async def create() -> ResponseReturnValue:
    async def issue() -> str:
        form.values["expires_at"] = expires_after(form.values.get("lifetime", ""))
        issued = await api_keys.issue_key(g.caller.org, form.read(NewKey), g.caller.user)
        return seal_secret(COOKIE, issued.key.id, issued.secret, f"/api-keys/{issued.key.id}/secret")

    form = await Form.sent({"role": "sender"})
    if request.method == "POST":
        form.values["allowed_account_ids"] = (await request.form).getlist("allowed_account_ids")
        for name in LINES:
            form.values[name] = form.values.get(name, "").replace(",", " ").split()
        with form.refusing(LABELS):
            return redirect_with(await submit_once(form, issue))
    accounts = await overview.account_options(g.caller.org)
    return await render_page("api_keys/new.html", "api_keys/_form.html", form=form, accounts=accounts, **_choices())


@blueprint.get("/<uuid:key_id>/secret")
@guarded(Action.KEYS, api_keys.find_key)
async def secret(key: ApiKey) -> ResponseReturnValue:
    text = read_secret(COOKIE, key.id)
    if text is None:
        lost = "API keys are shown only once. If you lost this key, revoke it and create a new one."
        return redirect("/api-keys", lost, "info")
    account = await home.sample_account(g.caller.org)
    names = await api_keys.account_names(g.caller.org, [key.allowed_account_ids])
    samples = _samples(text, account)
    context = {"key": key, "secret": text, "account": account, "samples": samples, "account_names": names}
    return await render_secret("api_keys/secret.html", COOKIE, **context)


@blueprint.route("/<uuid:key_id>/revoke", methods=FORM)
@guarded(Action.KEYS, api_keys.find_key)
async def revoke(key: ApiKey) -> ResponseReturnValue:
    if request.method == "POST":
        await api_keys.revoke_key(key)
        is_over = key.has_expired(clock.now())
        done = "removed" if is_over else "revoked. Apps that use it can no longer connect"
        return redirect("/api-keys", f"“{key.name}” {done}.")
    return await render_dialog("api_keys/revoke.html", key=key, is_over=key.has_expired(clock.now()))


def _choices() -> dict[str, Any]:
    return role_labels.choices(role_labels.KEYS, g.caller.role) | {"lifetimes": LIFETIMES}


def _samples(secret: str, account: Account) -> list[CodeSample]:
    mail = {
        "account_key": account.account_key,
        "from": account.from_email or "you@example.com",
        "to": ["reader@example.com"],
        "subject": "Hello from Pennypost",
        "html": "<p>It works.</p>",
    }
    return samples_of(Request("POST", f"{settings().base_url}/v1/emails", mail, needs_key=True, secret=secret))
