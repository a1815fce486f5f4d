"""The pages behind mailed links: to download all that is stored of a person, and to erase it.

Opening them changes nothing, because scanners follow links.
"""

from quart import Blueprint, Response, request

from webapp.domain.audit.audit import act_as
from webapp.domain.forms.floods import wide_network
from webapp.domain.link_signing import ReaderPath
from webapp.domain.personal_data.by_person import download, erase_by_link, find_person
from webapp.errors import NotFound
from webapp.http.auth.permissions import public
from webapp.http.client_ip import client_address
from webapp.http.downloads import LONGEST_SECONDS, stream
from webapp.http.forms import FORM
from webapp.pages.shared.reader_page import render_notice, render_reader_page

blueprint = Blueprint("reader_data", __name__)


@blueprint.route("/data/<token>", methods=FORM)
@public
async def data(token: str) -> Response:
    if request.method != "POST":
        return await _ask(ReaderPath.DATA, token)
    act_as(None, wide_network(client_address()))
    return stream(await download(token), "data.zip", "application/zip", LONGEST_SECONDS)


@blueprint.route("/erase/<token>", methods=FORM)
@public
async def erase(token: str) -> Response:
    if request.method != "POST":
        return await _ask(ReaderPath.ERASE, token)
    contact = await find_person(ReaderPath.ERASE, token)
    act_as(None, wide_network(client_address()))
    await erase_by_link(token)
    words = ("erase.done_title", "erase.done")
    return await render_notice(request.path, *words, status=200, org=contact.org, language=contact.language)


async def _ask(path: ReaderPath, token: str) -> Response:
    contact = await find_person(path, token)
    return await render_reader_page(
        "reader_data/ask.html", request.path, contact.org, language=contact.language, part=path, email=contact.email
    )


@blueprint.errorhandler(NotFound)
async def refuse(_: NotFound) -> Response:
    return await render_notice(request.path, "notice.link_title", "notice.link_data")
