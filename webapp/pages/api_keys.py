"""API keys: issue, show the secret once, revoke."""

import json
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from quart import Blueprint, Response, g, render_template, request
from quart.typing import ResponseReturnValue

from webapp import clock, crypto
from webapp.config import settings
from webapp.domain import api_keys, home
from webapp.domain.accounts import Account
from webapp.domain.api_keys import NewKey
from webapp.domain.key_lifetimes import expires_after
from webapp.domain.roles import Action
from webapp.errors import ApiError, NotFound
from webapp.http.cookies import drop_cookie, read_cookie, set_cookie
from webapp.http.flashes import flash
from webapp.http.forms import Form, done, once, refused, see_other, wants_fragment
from webapp.http.guard import guarded
from webapp.http.paging import Paging, query
from webapp.pages import role_words

blueprint = Blueprint("api_keys", __name__, url_prefix="/api-keys")
SHOWN_SECONDS = 300  # how long a fresh secret waits for the page that shows it
LABELS = {"lifetime": "The lifetime"}
LIFETIMES = [("", "Never"), ("7", "In 7 days"), ("30", "In 30 days"), ("90", "In 90 days"), ("365", "In a year")]


@blueprint.get("")
@guarded(Action.READ)
@query(Paging)
async def index(query_args: Paging) -> ResponseReturnValue:
    listed = await api_keys.list_keys(g.caller.org, query_args.wanted)
    return await render_template("api_keys/index.html", listed=listed, now=clock.now())


@blueprint.get("/new")
@guarded(Action.KEYS)
async def new() -> ResponseReturnValue:
    return await render_template("api_keys/new.html", form=Form({"role": "sender"}), **_choices())


@blueprint.post("")
@guarded(Action.KEYS)
async def create() -> ResponseReturnValue:
    form = await Form.sent()
    try:
        fresh = await once(form, str(g.visit.session.id), lambda: _issue(form))
    except ApiError as refusal:
        form.refuse(refusal, LABELS)
        return await refused("api_keys/new.html", "api_keys/_form.html", form=form, **_choices())
    response = done(fresh.place)
    set_cookie(response, "fresh_key", fresh.sealed, max_age=fresh.seconds_left, path=fresh.place)
    return response


class Fresh(NamedTuple):
    """A key just made: the page that shows it, and its sealed secret, which the browser takes there."""

    place: str
    sealed: str
    ends_at: datetime

    @property
    def seconds_left(self) -> int:
        """How long the secret still waits; a form sent again much later brings nothing back."""
        return max(0, int((self.ends_at - clock.now()).total_seconds()))


async def _issue(form: Form) -> Fresh:
    form.values["expires_at"] = expires_after(form.values.get("lifetime", ""))
    issued = await api_keys.issue_key(g.caller.org, form.read(NewKey), g.caller.user)
    ends_at = clock.now() + timedelta(seconds=SHOWN_SECONDS)
    return Fresh(f"/api-keys/{issued.key.id}/secret", _sealed(issued.key.id, issued.secret), ends_at)


@blueprint.get("/<uuid:key_id>/secret")
@guarded(Action.KEYS)
async def secret(key_id: UUID) -> ResponseReturnValue:
    """The one page that shows a secret: the browser that made the key holds it sealed, and forgets it here."""
    key = await api_keys.find_key(g.caller.org, key_id)
    sealed = read_cookie("fresh_key", request.path)
    if not sealed:
        flash("A key is shown once, right after it is made. Revoke it and issue another if it is lost.", "info")
        return see_other("/api-keys")
    text_of_key, account = _opened(key.id, sealed), await home.sample_account(g.caller.org)
    text = await render_template(
        "api_keys/secret.html", key=key, secret=text_of_key, account=account, sample=_curl(text_of_key, account)
    )
    response = Response(text, mimetype="text/html")
    drop_cookie(response, "fresh_key", path=request.path)
    return response


@blueprint.get("/<uuid:key_id>/revoke")
@guarded(Action.KEYS)
async def ask_revoke(key_id: UUID) -> ResponseReturnValue:
    key = await api_keys.find_key(g.caller.org, key_id)
    return await render_template("api_keys/_revoke.html" if wants_fragment() else "api_keys/revoke.html", key=key)


@blueprint.post("/<uuid:key_id>/revoke")
@guarded(Action.KEYS)
async def revoke(key_id: UUID) -> ResponseReturnValue:
    key = await api_keys.find_key(g.caller.org, key_id)
    await api_keys.revoke_key(key)
    flash(f"The key {key.name} is revoked: programs that use it are refused from now on.")
    return done("/api-keys")


def _choices() -> dict[str, Any]:
    return {"roles": role_words.options(role_words.KEYS, g.caller.role), "lifetimes": LIFETIMES}


def _curl(secret: str, account: Account) -> str:
    """A request to paste into a terminal, with the reader's own key and account."""
    mail = {
        "account_key": account.account_key,
        "from": account.from_email or "you@example.com",
        "to": ["reader@example.com"],
        "subject": "Hello from Pennypost",
        "html": "<p>It works.</p>",
    }
    return (
        f"curl {settings().base_url}/v1/emails \\\n"
        f"  -H 'Authorization: Bearer {secret}' \\\n"
        "  -H 'Content-Type: application/json' \\\n"
        f"  -d '{_quotable(mail)}'"
    )


def _quotable(mail: dict[str, Any]) -> str:
    """JSON to stand between a shell's single quotes, a field to a line."""
    lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(value)}" for name, value in mail.items())
    return "{\n" + lines.replace("'", "'\\''") + "\n  }"


def _sealed(key_id: UUID, text: str) -> str:
    return crypto.seal(text, f"fresh_key:{key_id}:{g.visit.session.id}")


def _opened(key_id: UUID, sealed: str) -> str:
    try:
        return crypto.unseal(sealed, f"fresh_key:{key_id}:{g.visit.session.id}")
    except Exception:  # noqa: BLE001 - a cookie is anybody's text
        raise NotFound from None
