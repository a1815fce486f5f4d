"""Serves the library at /m/<hash>/<name> to readers of emails, without a session, cached for a year; PDFs to save."""

from http import HTTPStatus

from quart import Blueprint, Response, ResponseReturnValue, request

from webapp.domain.media import media as library
from webapp.domain.media.files import read_file
from webapp.http.auth.permissions import public
from webapp.http.downloads import saved_as
from webapp.http.security_headers import CACHE_SECONDS

blueprint = Blueprint("pictures", __name__, url_prefix="/m")
SEND_SECONDS = 300  # for slow networks
HEADERS = {
    "Cache-Control": f"public, max-age={CACHE_SECONDS}, immutable",
    "Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "cross-origin",  # so that webmail can show it
}


@blueprint.get("/<hash_>/<name>")
@public
async def show(hash_: str, name: str) -> ResponseReturnValue:
    media = await library.find_served(hash_, name)
    if media.hash in request.if_none_match:
        response = Response(b"", HTTPStatus.NOT_MODIFIED, HEADERS)
    else:
        body = await read_file(media.hash) if request.method == "GET" else b""
        response = Response(body, HTTPStatus.OK, HEADERS, mimetype=media.type)
        if media.is_pdf:  # the policy, which keeps scripts from this origin, also stops browsers' viewers
            response.headers["Content-Disposition"] = saved_as(media.name)["Content-Disposition"]
        response.content_length, response.timeout = media.bytes, SEND_SECONDS
    response.set_etag(media.hash)
    return response
