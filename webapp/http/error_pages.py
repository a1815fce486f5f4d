"""Renders every error: JSON for programs, a page for people."""

import errno
import logging
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from quart import Quart, Response, current_app, g, render_template, request
from werkzeug.exceptions import HTTPException

from webapp import errors
from webapp.db.errors import is_away, is_outage, report_away
from webapp.errors import ApiError
from webapp.http.auth.session import current_visit
from webapp.http.paths import API_PATHS, is_under
from webapp.json_encoder import encode

log = logging.getLogger(__name__)

Shape = Callable[[ApiError], tuple[int, Mapping[str, Any]]]  # the status and the body of an error

SHAPES = "ERROR_SHAPES"  # by path
JSON_PATHS = (*API_PATHS, "/openapi.json", "/healthz", "/readyz")

KNOWN: dict[int, ApiError] = {
    400: errors.ValidationError("the request could not be read"),
    404: errors.NotFound(),
    408: errors.RequestTimeout("the request body took too long to arrive"),
    413: errors.PayloadTooLarge("the request body is too large"),
    415: errors.UnsupportedMediaType(errors.SEND_JSON),
    500: errors.InternalServerError("something went wrong on our side"),
    503: errors.ServiceUnavailable("the service is temporarily unavailable; try again in a moment"),
}
IN_FRAME = (403, 404)  # the error page shows the navigation if a user is signed in
TEMPORARY = (429, 500, 503)  # the error page offers to try again


def use_shape(app: Quart, path: str, shape: Shape) -> None:
    """Errors of this path and those below it have another shape than the API's."""
    app.config.setdefault(SHAPES, {})[path] = shape


def register(app: Quart) -> None:
    app.register_error_handler(ApiError, _render)
    app.register_error_handler(HTTPException, _refuse_http)
    app.register_error_handler(Exception, _fail)


async def _refuse_http(error: HTTPException) -> Response | HTTPException:
    status = error.code or 500
    if status < HTTPStatus.BAD_REQUEST:
        return error
    headers = {name: value for name, value in error.get_headers() if name in ("Allow", "Retry-After")}
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        return await _render(errors.MethodNotAllowed(_other_methods(headers.get("Allow", ""))), headers)
    if status in KNOWN or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return await _render(KNOWN.get(status, KNOWN[500]), headers)
    phrase = HTTPStatus(status).phrase if status in list(HTTPStatus) else "Bad Request"
    kind = type("HttpError", (ApiError,), {"status": status, "name": phrase.title().replace(" ", "")})
    return await _render(kind(phrase), headers)


def _other_methods(allowed: str) -> str:
    usable = sorted({method.strip() for method in allowed.split(",")} - {"", "HEAD", "OPTIONS"})
    instead = f": use {' or '.join(usable)}" if usable else ""
    return f"{request.method} is not allowed here{instead}"


async def _fail(error: Exception) -> Response:
    if isinstance(error, UnicodeDecodeError):
        return await _render(errors.ValidationError("the request is not valid UTF-8"))
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:  # the path of a static file
        return await _render(errors.NotFound())
    if isinstance(error, errors.KeyMissing):
        log.error("%s %s failed: %s", request.method, request.path, error)
        return await _render(KNOWN[503])
    if is_outage(error):
        if is_away(error):
            report_away(error)
        else:
            log.error("the database cannot do this just now: %s", error or type(error).__name__)
        return await _render(KNOWN[503], {"Retry-After": "1"})
    log.error("%s %s failed", request.method, request.path, exc_info=error)
    return await _render(KNOWN[500])


async def _render(error: ApiError, headers: Mapping[str, str] | None = None) -> Response:
    if wants_json():
        shapes: dict[str, Shape] = current_app.config.get(SHAPES, {})
        shape = next((shape for path, shape in shapes.items() if is_under(request.path, [path])), _shape)
        status, body = shape(error)
        response = Response(encode(body), status, content_type="application/json")
    else:
        response = await _page(error)
    response.headers.update({**error.headers(), **(headers or {})})
    return response


def _shape(error: ApiError) -> tuple[int, Mapping[str, Any]]:
    return error.status, body_of(error)


def wants_json() -> bool:
    if is_under(request.path, JSON_PATHS):
        return True
    if request.path == "/":
        return not prefers_html()
    kinds = ["text/html", "application/json"]
    if request.mimetype == "application/json":  # a script that accepts anything
        kinds.reverse()
    return request.accept_mimetypes.best_match(kinds, kinds[0]) == "application/json"


def prefers_html() -> bool:
    accepted = request.accept_mimetypes
    return accepted.quality("text/html") > accepted.quality("application/json")


def body_of(error: ApiError) -> dict[str, Any]:
    body = {"error": error.name} | ({"message": error.message} if error.message else {})
    return body | dict(error.extra())


async def _page(error: ApiError) -> Response:
    phrase = HTTPStatus(error.status).phrase
    try:
        visit = await current_visit() if error.status in IN_FRAME else None  # unknown paths are not authenticated yet
        text = await render_template(
            "errors/error.html",
            layout="public.html" if visit is None else "base.html",
            status=error.status,
            title="Page not found" if error.message is None else phrase,
            message=error.message,
            site=error.site if isinstance(error, errors.WrongAddress) else None,
            request_id=g.get("request_id"),
            again=request.full_path.rstrip("?") if request.method == "GET" and error.status in TEMPORARY else None,
        )
    except Exception:  # the page may fail for the same reason as the request
        log.exception("the error page cannot be rendered")
        return Response(f"{error.status} {phrase}\n{error.message or ''}\n", error.status, content_type="text/plain")
    return Response(text, error.status, content_type="text/html; charset=utf-8")
