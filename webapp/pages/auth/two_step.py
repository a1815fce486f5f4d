"""Two-step sign-in: setup, turning it off, and the code after the password."""

from typing import Any
from urllib.parse import quote

from quart import Blueprint, current_app, g, render_template, request
from quart.typing import ResponseReturnValue

from webapp.domain.auth import two_step
from webapp.domain.auth.sessions import NewSession, PendingTwoFactor, SignInThrottle
from webapp.domain.auth.two_step import Confirmation
from webapp.domain.roles import Action
from webapp.errors import ApiError
from webapp.http.auth.cookies import drop_cookie, read_cookie, set_cookie
from webapp.http.auth.permissions import guarded, public
from webapp.http.auth.session import local_path, start_session, this_browser
from webapp.http.flashes import flash
from webapp.http.forms import Form, page_error, see_other
from webapp.pages.shared.qr_code import qr_code

blueprint = Blueprint("two_step", __name__)
COOKIE = "halfway"
LABELS = {"code": "The code"}


@blueprint.get("/security/two-step")
@guarded(Action.ONESELF)
async def new() -> ResponseReturnValue:
    if g.visit.user.totp_secret is not None:
        return see_other("/security")
    return await render_template("two_step/new.html", **_offer(Form(), two_step.offer_setup(g.visit)))


@blueprint.post("/security/two-step")
@guarded(Action.ONESELF)
async def enable() -> ResponseReturnValue:
    """Responds with the recovery codes, which are shown only here."""
    form = await Form.sent()
    try:
        setup = two_step.offer_setup(g.visit, form.values.get("setup", ""))
        codes = await two_step.enable(g.visit, setup, form.read(Confirmation), this_browser(), _throttle())
    except ApiError as refusal:
        form.refuse(refusal, LABELS)
        return await page_error("two_step/new.html", refusal, **_offer(form, _setup_again(form)))
    lead = "Two-step sign-in is on, and every other browser is signed out."
    return await render_template("two_step/codes.html", codes=codes, lead=lead)


def _offer(form: Form, setup: two_step.Setup) -> dict[str, Any]:
    return {"form": form, "setup": setup, "qr_code": qr_code(setup.uri)}


def _setup_again(form: Form) -> two_step.Setup:
    """The same secret, which may be in the person's app by now, or a new one if it expired."""
    try:
        return two_step.offer_setup(g.visit, form.values.get("setup", ""))
    except ApiError:
        return two_step.offer_setup(g.visit)


@blueprint.get("/security/two-step/off")
@guarded(Action.ONESELF)
async def ask_off() -> ResponseReturnValue:
    if g.visit.user.totp_secret is None:
        return see_other("/security")
    return await render_template("two_step/off.html", form=Form())


@blueprint.post("/security/two-step/off")
@guarded(Action.ONESELF)
async def disable() -> ResponseReturnValue:
    form = await Form.sent()
    try:
        await two_step.disable(g.visit, form.read(Confirmation), this_browser(), _throttle())
    except ApiError as refusal:
        form.refuse(refusal, LABELS)
        return await page_error("two_step/off.html", refusal, form=form)
    flash("Two-step sign-in is off. Your recovery codes no longer work.")
    return see_other("/security")


@blueprint.get("/security/two-step/codes")
@guarded(Action.ONESELF)
async def ask_codes() -> ResponseReturnValue:
    if g.visit.user.totp_secret is None:
        return see_other("/security")
    return await render_template("two_step/renew.html", form=Form())


@blueprint.post("/security/two-step/codes")
@guarded(Action.ONESELF)
async def renew_codes() -> ResponseReturnValue:
    form = await Form.sent()
    try:
        codes = await two_step.renew_recovery_codes(g.visit, form.read(Confirmation), this_browser(), _throttle())
    except ApiError as refusal:
        form.refuse(refusal, LABELS)
        return await page_error("two_step/renew.html", refusal, form=form)
    return await render_template("two_step/codes.html", codes=codes, lead="Those you had before no longer work.")


def ask_for_code(pending: PendingTwoFactor, target: str) -> ResponseReturnValue:
    """Redirects to the page that asks for the code, and from there to `target`."""
    response = see_other(f"/sign-in/code?next={quote(target, safe='')}")
    set_cookie(response, COOKIE, two_step.store_pending(pending), max_age=int(two_step.PENDING.total_seconds()))
    return response


async def let_in(found: NewSession | PendingTwoFactor, email: str) -> ResponseReturnValue:
    """Goes home with the new session, through the code page where the second step is on."""
    if isinstance(found, PendingTwoFactor):
        return ask_for_code(found, "/home")
    return await start_session(see_other("/home"), found, email)


@blueprint.get("/sign-in/code")
@public
async def show() -> ResponseReturnValue:
    if await two_step.load_pending(read_cookie(COOKIE)) is None:
        return see_other("/sign-in")
    form = Form({"next": local_path(request.args.get("next", "/home"))})
    return await render_template("two_step/code.html", form=form)


@blueprint.post("/sign-in/code")
@public
async def check_code() -> ResponseReturnValue:
    form = await Form.sent()
    target = local_path(form.values.get("next", "/home"))
    pending = await two_step.load_pending(read_cookie(COOKIE))
    if pending is None:
        flash("That took too long. Sign in again.", "info")
        return see_other(f"/sign-in?next={quote(target, safe='')}")
    try:
        opened, codes_left = await two_step.finish_sign_in(
            pending, form.values.get("code", ""), this_browser(), _throttle()
        )
    except ApiError as refusal:
        form.refuse(refusal, LABELS)
        return await page_error("two_step/code.html", refusal, form=form)
    if codes_left is not None:
        flash(f"You came in with a recovery code, which is used up. Left: {codes_left}.", "warn")
    response = await start_session(see_other(target), opened, pending.user.email)
    drop_cookie(response, COOKIE)
    return response


def _throttle() -> SignInThrottle:
    throttle: SignInThrottle = current_app.extensions["sign_in_throttle"]
    return throttle
