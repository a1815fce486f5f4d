"""Creates organizations: by the one-time link of the first start, and by a link emailed after open sign-up."""

from quart import Blueprint, ResponseReturnValue, request

from webapp.domain.auth import one_time_links, owners, sessions
from webapp.domain.auth.one_time_links import Purpose
from webapp.domain.auth.owners import NewOrganization, NewOwner
from webapp.domain.auth.sign_up import check_links_work, check_open, sign_up
from webapp.errors import NotFound
from webapp.http.auth.permissions import public
from webapp.http.auth.session import this_browser
from webapp.http.flashes import flash
from webapp.http.forms import FORM, Form
from webapp.pages.auth.reset_password import ask_for_link
from webapp.pages.auth.two_step import let_in
from webapp.pages.auth.words import render_account_page

blueprint = Blueprint("sign_up", __name__)
ZONES = [(zone, zone.replace("_", " ")) for zone in owners.TIMEZONES]


@blueprint.route("/claim/<token>", methods=FORM)
@public
async def claim(token: str) -> ResponseReturnValue:
    form = await Form.sent({"timezone": "UTC"})
    try:
        with form.refusing():
            if request.method == "POST":
                user, org = await owners.claim_instance(token, form.read(NewOwner))
                flash(f"Welcome to Pennypost. {org.name} is ready.")
                return await let_in(await sessions.open_session(user, org, this_browser()))
            await owners.check_claim_link(token)
    except NotFound:
        return await render_account_page("claim/used.html", status=404)
    return await render_account_page("claim/show.html", form=form, timezones=ZONES)


@blueprint.route("/sign-up", methods=FORM)
@public
async def ask() -> ResponseReturnValue:
    check_open()
    return await ask_for_link(Purpose.SIGN_UP_REQUESTED, "sign_up")


@blueprint.get("/sign-up/sent")
@public
async def sent() -> ResponseReturnValue:
    check_open()
    return await render_account_page("sign_in/link_sent.html", kind="sign_up", path="/sign-up")


@blueprint.route("/sign-up/<token>", methods=FORM)
@public
async def create(token: str) -> ResponseReturnValue:
    """GET changes nothing, because programs open the links of an email before its reader does."""
    check_links_work()
    form = await Form.sent({"timezone": "UTC"})
    try:
        with form.refusing():
            email = await one_time_links.find_address(Purpose.SIGN_UP, token)
            if request.method == "POST":
                newcomer = form.read(NewOrganization)
                session = await sign_up(token, newcomer, this_browser())
                flash(f"Welcome to Pennypost. {newcomer.organization} is ready.")
                return await let_in(session)
    except NotFound:
        return await render_account_page("sign_in/link_void.html", status=404, kind="sign_up", path="/sign-up")
    return await render_account_page("sign_up/new.html", form=form, email=email, timezones=ZONES)
