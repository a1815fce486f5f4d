"""The test inbox: the emails sent through the sandbox account."""

import asyncio
from uuid import UUID

from quart import Blueprint, ResponseReturnValue, g, render_template, request

from webapp.domain.contacts.unsubscribe import hide_links
from webapp.domain.emails.send_test import SentTest
from webapp.domain.roles import Action
from webapp.domain.sandbox import sandbox
from webapp.domain.sandbox.links import links_of
from webapp.domain.sandbox.message_view import parse, render
from webapp.errors import NotFound
from webapp.http.auth.permissions import guarded
from webapp.http.downloads import download
from webapp.http.flashes import Link
from webapp.http.forms import FORM, redirect, render_dialog
from webapp.http.paging import query
from webapp.models import SandboxMail
from webapp.pages.mail.frame import mail_frame
from webapp.pages.mail.views import VIEWS
from webapp.pages.shared.search import ListSearch

blueprint = Blueprint("sandbox", __name__, url_prefix="/sandbox")


def inbox_link(sent: SentTest) -> Link | None:
    return Link("/sandbox", "Open the test inbox") if sent.is_in_sandbox else None


@blueprint.get("", defaults={"template": "sandbox/index.html"})
@blueprint.get("/list", defaults={"template": "sandbox/_list.html"})  # polled by the open page
@guarded(Action.READ)
@query(ListSearch)
async def index(template: str, query_args: ListSearch) -> ResponseReturnValue:
    listed = await sandbox.received_mails(g.caller.org, query_args.wanted, query_args.q)
    for mail in listed.rows:
        mail.subject, mail.from_header = hide_links(mail.subject), hide_links(mail.from_header or mail.mail_from)
    return await render_template(template, listed=listed, asked=query_args)


@blueprint.route("/empty", methods=FORM)
@guarded(Action.SANDBOX)
async def empty() -> ResponseReturnValue:
    if request.method != "POST":
        return await render_dialog("sandbox/empty.html", count=await sandbox.count_received(g.caller.org))
    count = await sandbox.clear(g.caller.org)
    if count == 0:
        return redirect("/sandbox", "The test inbox is already empty.")
    return redirect("/sandbox", f"{count:,} {'email' if count == 1 else 'emails'} deleted.")


@blueprint.get("/<uuid:mail_id>")
@guarded(Action.READ)
async def show(mail_id: UUID) -> ResponseReturnValue:
    mail = await _received_mail(mail_id)
    opened = await asyncio.to_thread(parse, mail.data)
    wanted = request.args.get("view", "")
    view = wanted if wanted in VIEWS else "rendered" if opened.html is not None else "text"
    headers = {name.lower(): value for name, value in reversed(opened.headers)}
    links = await asyncio.to_thread(links_of, opened.html) if opened.html and view == "rendered" else []
    context = {"links": links, "mail": mail, "opened": opened, "headers": headers, "view": view, "views": VIEWS}
    return await render_template("sandbox/show.html", has_images="images" in request.args, **context)


@blueprint.get("/<uuid:mail_id>/rendered")
@guarded(Action.READ)
async def rendered(mail_id: UUID) -> ResponseReturnValue:
    mail = await _received_mail(mail_id)
    images = "images" in request.args
    return mail_frame(await asyncio.to_thread(render, mail.data), images=images, pixel=images)


@blueprint.get("/<uuid:mail_id>/attachments/<int:number>")
@guarded(Action.READ)
async def attachment(mail_id: UUID, number: int) -> ResponseReturnValue:
    mail = await _received_mail(mail_id)
    for file in (await asyncio.to_thread(parse, mail.data)).attachments:
        if file.position == number:
            return download(file.data, file.filename)
    raise NotFound


@blueprint.get("/<uuid:mail_id>/raw.eml")
@guarded(Action.READ)
async def raw(mail_id: UUID) -> ResponseReturnValue:
    mail = await _received_mail(mail_id)
    return download(mail.data, f"{mail.id}.eml")


async def _received_mail(mail_id: UUID) -> SandboxMail:
    mail = await sandbox.received_mail(g.caller.org, mail_id)
    mail.subject = hide_links(mail.subject)
    await sandbox.hide_links_unless(mail, shows_links=g.caller.sees_links)
    return mail
