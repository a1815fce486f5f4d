"""Sign-in, sign-out, and the browser's colour theme."""

from quart import Blueprint, ResponseReturnValue, current_app, request

from webapp.domain.auth import sessions
from webapp.domain.auth.owners import is_claimed
from webapp.domain.auth.sign_up import is_open
from webapp.http.auth.cookies import set_cookie
from webapp.http.auth.permissions import public
from webapp.http.auth.session import came_from, current_visit, local_path, stop_session, this_browser
from webapp.http.forms import FORM, Form, see_other
from webapp.pages.auth.two_step import let_in
from webapp.pages.auth.words import render_account_page

blueprint = Blueprint("sign_in", __name__)
YEAR_SECONDS = 365 * 24 * 3600
THEMES = ("light", "dark", "system")


@blueprint.route("/sign-in", methods=FORM)
@public
async def sign_in() -> ResponseReturnValue:
    form = await Form.sent({"next": request.args.get("next", "/home")})
    target = form.values["next"] = local_path(form.values.get("next", "/home"))
    if request.method == "POST":
        email, password = form.values.get("email", ""), form.values.get("password", "")
        with form.refusing():
            throttle = current_app.extensions["sign_in_throttle"]
            return await let_in(await sessions.sign_in(email, password, this_browser(), throttle), target)
    elif await current_visit() is not None:
        return see_other(target)
    return await render_account_page(
        "sign_in/show.html", form=form, is_claimed=form.errors or await is_claimed(), may_sign_up=is_open()
    )


@blueprint.post("/sign-out")
@public
async def sign_out() -> ResponseReturnValue:
    target = (await request.form).get("next", "/sign-in")
    return await stop_session(see_other(local_path(target)))


@blueprint.post("/theme")
@public
async def theme() -> ResponseReturnValue:
    wanted = (await request.form).get("theme", "system")
    response = see_other(came_from("/home"))
    set_cookie(response, "theme", wanted if wanted in THEMES else "system", max_age=YEAR_SECONDS)
    return response
