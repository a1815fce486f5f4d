"""Serves the links and the pixel of tracked emails, without cookies; links only lead to URLs in the database."""

import base64

from quart import Blueprint, Quart, Response, current_app, request
from werkzeug.urls import iri_to_uri

from webapp.domain.tracking.hits import HitLog, Visitor
from webapp.errors import NotFound
from webapp.http.auth.permissions import public
from webapp.http.client_ip import client_address
from webapp.http.memory import remember

blueprint = Blueprint("tracking", __name__)
WRITE_SECONDS = 1.0
PIXEL = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==")  # 43 bytes, transparent
HEADERS = {"Cache-Control": "no-store, private", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow"}
PREFETCH_HEADERS = ("Purpose", "Sec-Purpose", "X-Purpose", "X-Moz")
PREFETCH_PURPOSES = ("prefetch", "prerender", "preview")


def register(app: Quart) -> None:
    remember(app, "hits", HitLog, write_seconds=WRITE_SECONDS)


def _hits() -> HitLog:
    hits: HitLog = current_app.extensions["hits"]
    return hits


def _visitor() -> Visitor:
    purposes = " ".join(request.headers.get(name, "") for name in PREFETCH_HEADERS).lower()
    return Visitor(
        client_address(),
        request.headers.get("User-Agent", ""),
        is_head=request.method == "HEAD",
        is_prefetch=any(word in purposes for word in PREFETCH_PURPOSES),
    )


@blueprint.get("/t/<token>")
@public
async def follow(token: str) -> Response:
    url = await _hits().follow(token, _visitor())
    return Response("", 302, HEADERS | {"Location": iri_to_uri(url)}, mimetype="text/plain")


@blueprint.get("/o/<token>")
@public
async def show(token: str) -> Response:
    _hits().open(token, _visitor())
    return Response(PIXEL, 200, HEADERS, mimetype="image/gif")


@blueprint.errorhandler(NotFound)
async def refuse(_: NotFound) -> Response:
    return Response("This link doesn't work.\n", 404, HEADERS, mimetype="text/plain")
