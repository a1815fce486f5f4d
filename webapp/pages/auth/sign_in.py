"""Sign-in, sign-out, and the browser's colour theme."""

from quart import Blueprint, ResponseReturnValue, current_app, render_template, request

from webapp.domain.auth import sessions
from webapp.domain.auth.owners import is_claimed
from webapp.http.auth.cookies import set_cookie
from webapp.http.auth.permissions import public
from webapp.http.auth.session import came_from, current_visit, local_path, stop_session, this_browser
from webapp.http.forms import FORM, Form, render_page, see_other
from webapp.pages.auth.two_step import let_in

blueprint = Blueprint("sign_in", __name__)
YEAR_SECONDS = 365 * 24 * 3600
THEMES = ("light", "dark", "system")


@blueprint.route("/sign-in", methods=FORM)
@public
async def sign_in() -> ResponseReturnValue:
    if request.method != "POST":
        target = local_path(request.args.get("next", "/home"))
        if await current_visit() is not None:
            return see_other(target)
        return await render_template("sign_in/show.html", form=Form({"next": target}), is_claimed=await is_claimed())
    form = await Form.sent()
    email, password = form.values.get("email", ""), form.values.get("password", "")
    with form.refusing():
        opened = await sessions.sign_in(email, password, this_browser(), current_app.extensions["sign_in_throttle"])
        return await let_in(opened, local_path(form.values.get("next", "/home")))
    return await render_page("sign_in/show.html", form=form, is_claimed=True)


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
