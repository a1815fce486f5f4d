"""Two-step sign-in: turning it on and off, and the code after the password."""

from typing import Any
from urllib.parse import quote

import segno
from markupsafe import Markup
from quart import Blueprint, ResponseReturnValue, current_app, g, render_template, request

from webapp.domain.auth import two_step
from webapp.domain.auth.sessions import NewSession, PendingTwoFactor, SignInThrottle
from webapp.domain.auth.two_step import Confirmation
from webapp.domain.roles import Action
from webapp.errors import ApiError
from webapp.http.auth.cookies import drop_cookie, read_cookie, set_cookie
from webapp.http.auth.permissions import guarded, public
from webapp.http.auth.session import local_path, start_session, this_browser
from webapp.http.flashes import flash
from webapp.http.forms import FORM, Form, page_error, see_other

blueprint = Blueprint("two_step", __name__)
COOKIE = "halfway"
LABELS = {"code": "Code"}
QUIET_ZONE = 4  # modules of white around the QR code (ISO/IEC 18004, 5.3.8)


@blueprint.route("/security/two-step", methods=FORM)
@guarded(Action.ONESELF)
async def enable() -> ResponseReturnValue:
    if request.method != "POST":
        if g.visit.user.totp_secret is not None:
            return see_other("/security")
        return await render_template("two_step/new.html", **_offer(Form(), two_step.offer_setup(g.visit)))
    form = await Form.sent()
    try:
        setup = two_step.offer_setup(g.visit, form.values.get("setup", ""))
        codes = await two_step.enable(g.visit, setup, form.read(Confirmation), this_browser(), _throttle())
    except ApiError as refusal:
        form.refuse(refusal, LABELS)
        return await page_error("two_step/new.html", refusal, **_offer(form, _setup_again(form)))
    lead = "Two-step sign-in is on. You've been signed out of all other browsers."
    return await render_template("two_step/codes.html", codes=codes, lead=lead)


def _offer(form: Form, setup: two_step.Setup) -> dict[str, Any]:
    return {"form": form, "setup": setup, "qr_code": qr_code(setup.uri)}


def _setup_again(form: Form) -> two_step.Setup:
    """The same secret, which may already be in the user's app, or a new one if it expired."""
    try:
        return two_step.offer_setup(g.visit, form.values.get("setup", ""))
    except ApiError:
        return two_step.offer_setup(g.visit)


@blueprint.route("/security/two-step/off", methods=FORM)
@guarded(Action.ONESELF)
async def disable() -> ResponseReturnValue:
    if request.method == "POST":
        form = await Form.sent()
        try:
            await two_step.disable(g.visit, form.read(Confirmation), this_browser(), _throttle())
        except ApiError as refusal:
            return await page_error("two_step/off.html", refusal, form=form.refuse(refusal, LABELS))
        flash("Two-step sign-in is off. Your recovery codes no longer work.")
        return see_other("/security")
    if g.visit.user.totp_secret is None:
        return see_other("/security")
    return await render_template("two_step/off.html", form=Form())


@blueprint.route("/security/two-step/codes", methods=FORM)
@guarded(Action.ONESELF)
async def renew_codes() -> ResponseReturnValue:
    if request.method == "POST":
        form = await Form.sent()
        try:
            codes = await two_step.renew_recovery_codes(g.visit, form.read(Confirmation), this_browser(), _throttle())
        except ApiError as refusal:
            return await page_error("two_step/renew.html", refusal, form=form.refuse(refusal, LABELS))
        return await render_template("two_step/codes.html", codes=codes, lead="Your old recovery codes no longer work.")
    if g.visit.user.totp_secret is None:
        return see_other("/security")
    return await render_template("two_step/renew.html", form=Form())


def ask_for_code(pending: PendingTwoFactor, target: str) -> ResponseReturnValue:
    response = see_other(f"/sign-in/code?next={quote(target, safe='')}")
    set_cookie(response, COOKIE, two_step.store_pending(pending), max_age=int(two_step.PENDING.total_seconds()))
    return response


async def let_in(session: NewSession | PendingTwoFactor, email: str) -> ResponseReturnValue:
    if isinstance(session, PendingTwoFactor):
        return ask_for_code(session, "/home")
    return await start_session(see_other("/home"), session, email)


@blueprint.route("/sign-in/code", methods=FORM)
@public
async def check_code() -> ResponseReturnValue:
    pending = await two_step.load_pending(read_cookie(COOKIE))
    if request.method != "POST":
        if pending is None:
            return see_other("/sign-in")
        target = local_path(request.args.get("next", "/home"))
        return await render_template("two_step/code.html", form=Form({"next": target}))
    form = await Form.sent()
    target = local_path(form.values.get("next", "/home"))
    if pending is None:
        flash("Your sign-in timed out. Sign in again.", "info")
        return see_other(f"/sign-in?next={quote(target, safe='')}")
    try:
        opened, codes_left = await two_step.finish_sign_in(
            pending, form.values.get("code", ""), this_browser(), _throttle()
        )
    except ApiError as refusal:
        return await page_error("two_step/code.html", refusal, form=form.refuse(refusal, LABELS))
    if codes_left is not None:
        flash(f"You used a recovery code. {codes_left} left.", "warn")
    response = await start_session(see_other(target), opened, pending.user.email)
    drop_cookie(response, COOKIE)
    return response


def _throttle() -> SignInThrottle:
    throttle: SignInThrottle = current_app.extensions["sign_in_throttle"]
    return throttle


def qr_code(text: str) -> Markup:
    """An SVG of `text`, black on white in every theme, because some cameras cannot read inverted codes."""
    image = segno.make(text, error="m", micro=False)
    svg = image.svg_inline(border=QUIET_ZONE, dark="#000", light="#fff", omitsize=True, svgclass="qr-code")
    return Markup(svg)  # noqa: S704 - the SVG does not contain the text
