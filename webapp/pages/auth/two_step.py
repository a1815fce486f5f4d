"""Two-step sign-in: turning it on and off, and the code after the password."""

from urllib.parse import quote

import segno
from markupsafe import Markup
from quart import Blueprint, ResponseReturnValue, current_app, g, render_template, request

from webapp.domain.auth import two_step
from webapp.domain.auth.sessions import NewSession, PendingTwoFactor, SignInThrottle
from webapp.domain.auth.two_step import TwoStepConfirmation
from webapp.domain.roles import Action
from webapp.errors import ApiError
from webapp.http.auth.cookies import drop_cookie, read_cookie, set_cookie
from webapp.http.auth.permissions import guarded, public
from webapp.http.auth.session import local_path, start_session, this_browser
from webapp.http.flashes import flash
from webapp.http.forms import FORM, Form, redirect, render_page, see_other
from webapp.pages.auth.words import account_words, render_account_page

blueprint = Blueprint("two_step", __name__)
COOKIE = "halfway"
LABELS = {"code": "Code"}
QUIET_ZONE = 4  # modules of white around the QR code (ISO/IEC 18004, 5.3.8)


@blueprint.route("/security/two-step", methods=FORM)
@guarded(Action.ONESELF)
async def enable() -> ResponseReturnValue:
    form = await Form.sent()
    if request.method == "POST":
        with form.refusing(LABELS):
            setup = two_step.offer_setup(g.visit, form.values.get("setup", ""))
            codes = await two_step.enable(g.visit, setup, form.read(TwoStepConfirmation), this_browser(), _throttle())
            lead = "Two-step sign-in is on. You've been signed out of all other browsers."
            return await render_template("two_step/codes.html", codes=codes, lead=lead)
    elif g.visit.user.totp_secret is not None:
        return see_other("/security")
    try:  # the same secret, which may already be in the user's app
        setup = two_step.offer_setup(g.visit, form.values.get("setup", ""))
    except ApiError:  # it expired
        setup = two_step.offer_setup(g.visit)
    return await render_page("two_step/new.html", form=form, setup=setup, qr_code=qr_code(setup.uri))


@blueprint.route("/security/two-step/off", methods=FORM)
@guarded(Action.ONESELF)
async def disable() -> ResponseReturnValue:
    form = await Form.sent()
    if request.method == "POST":
        with form.refusing(LABELS):
            await two_step.disable(g.visit, form.read(TwoStepConfirmation), this_browser(), _throttle())
            return redirect("/security", "Two-step sign-in is off. Your recovery codes no longer work.")
    elif g.visit.user.totp_secret is None:
        return see_other("/security")
    return await render_page("two_step/off.html", form=form)


@blueprint.route("/security/two-step/codes", methods=FORM)
@guarded(Action.ONESELF)
async def renew_codes() -> ResponseReturnValue:
    form = await Form.sent()
    if request.method == "POST":
        with form.refusing(LABELS):
            codes = await two_step.renew_recovery_codes(
                g.visit, form.read(TwoStepConfirmation), this_browser(), _throttle()
            )
            lead = "Your old recovery codes no longer work."
            return await render_template("two_step/codes.html", codes=codes, lead=lead)
    elif g.visit.user.totp_secret is None:
        return see_other("/security")
    return await render_page("two_step/renew.html", form=form)


async def let_in(opened: NewSession | PendingTwoFactor, target: str = "/home") -> ResponseReturnValue:
    if not isinstance(opened, PendingTwoFactor):
        return await start_session(see_other(target), opened)
    response = see_other(f"/sign-in/code?next={quote(target, safe='')}")
    set_cookie(response, COOKIE, two_step.store_pending(opened), max_age=int(two_step.PENDING.total_seconds()))
    return response


@blueprint.route("/sign-in/code", methods=FORM)
@public
async def check_code() -> ResponseReturnValue:
    pending = await two_step.load_pending(read_cookie(COOKIE))
    if request.method != "POST":
        if pending is None:
            return see_other("/sign-in")
        target = local_path(request.args.get("next", "/home"))
        return await render_account_page("two_step/code.html", form=Form({"next": target}))
    form = await Form.sent()
    target = local_path(form.values.get("next", "/home"))
    if pending is None:
        words = account_words().plain("account.timed_out")
        return redirect(f"/sign-in?next={quote(target, safe='')}", words, "info")
    with form.refusing(LABELS):
        opened, codes_left = await two_step.finish_sign_in(
            pending, form.values.get("code", ""), this_browser(), _throttle()
        )
        if codes_left is not None:
            flash(f"You used a recovery code. {codes_left} left.", "warn")
        response = await start_session(see_other(target), opened)
        drop_cookie(response, COOKIE)
        return response
    return await render_account_page("two_step/code.html", form=form)


def _throttle() -> SignInThrottle:
    throttle: SignInThrottle = current_app.extensions["sign_in_throttle"]
    return throttle


def qr_code(text: str) -> Markup:
    """An SVG of `text`, black on white in every theme, because some cameras cannot read inverted codes."""
    image = segno.make(text, error="m", micro=False)
    svg = image.svg_inline(border=QUIET_ZONE, dark="#000", light="#fff", omitsize=True, svgclass="qr-code")
    return Markup(svg)  # noqa: S704 - the SVG does not contain the text
