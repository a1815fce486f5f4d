"""The hosted page of a sign-up form, to which forms and scripts of other sites post as well.

The answer is the same for every address. Other sites may post if the form lists their origin.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from quart import Blueprint, Response, current_app, g, request, url_for

from webapp.config import settings
from webapp.domain.forms import proof, sign_up
from webapp.domain.forms.fields import asked_fields
from webapp.domain.forms.floods import SignUpThrottle, new_stamp, seconds_since, wide_network
from webapp.domain.forms.inputs import HONEYPOT, PROOF, STAMP
from webapp.domain.forms.sign_up import Visit
from webapp.domain.templates.brand import find_brand
from webapp.domain.topics.topics import all_topics
from webapp.errors import ApiError, Forbidden, NotFound, UnsupportedMediaType, ValidationError
from webapp.http.auth.permissions import public
from webapp.http.body.json_body import read_at_most
from webapp.http.body.strict_json import parse_json
from webapp.http.client_ip import client_address
from webapp.http.error_pages import body_of
from webapp.http.forms import see_other
from webapp.json_encoder import encode
from webapp.languages import best_language
from webapp.models import SignUpForm
from webapp.pages.shared.reader_page import page_language, render_notice, render_reader_page

blueprint = Blueprint("public_forms", __name__, url_prefix="/f")

BODY_BYTES = 16 * 1024
MOST_FIELDS = 200
FORM_TYPE, JSON_TYPE = "application/x-www-form-urlencoded", "application/json"
PREFLIGHT_SECONDS = 600
WORDS = {"email_address": "preferences_link.wrong"}  # of errors, by their codes
MISSING = ("is required", "must be ticked")


@blueprint.get("/<key>")
@public
async def show(key: str) -> Response:
    return await _hosted(await sign_up.find_public_form(key))


@blueprint.post("/<key>")
@public
async def submit(key: str) -> Response:
    form = await sign_up.find_public_form(key)
    _check_origin(form)
    if not await sign_up.is_open(form.org, form):
        return await _closed(form)
    body = await _read_body()
    if proof.is_needed(form) and not _is_json() and seconds_since(form, body.get(STAMP, "")) is None:
        return await form_page(form, body, note="form.again")  # from another site, which has no proof of work
    try:
        await sign_up.sign_up(form.org, form, body, await _visit(form), _throttle())
    except ValidationError as refusal:
        if _is_json():
            raise
        return await form_page(form, body, _errors(refusal), status=400)
    if _is_json():
        return Response(encode({"ok": True}), 202, content_type=JSON_TYPE)
    if form.redirect_after_submit:
        return see_other(form.redirect_after_submit)
    words = ("preferences_link.sent_title", "form.sent") if form.double_opt_in else ("form.done_title", "form.done")
    return await _notice(form, *words)


@blueprint.route("/<key>", methods=["OPTIONS"], provide_automatic_options=False)
@public
async def preflight(key: str) -> Response:
    _check_origin(await sign_up.find_public_form(key))
    return Response("", 204)


@blueprint.after_request
async def share(response: Response) -> Response:
    """Lets scripts of the form's origins read the response."""
    response.headers.add("Vary", "Origin")
    origin = g.get("form_origin")
    if origin is not None:
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Allow-Methods"] = "POST, OPTIONS"
        response.headers["Access-Control-Allow-Headers"] = "Content-Type"
        response.headers["Access-Control-Max-Age"] = str(PREFLIGHT_SECONDS)
    return response


@blueprint.errorhandler(NotFound)
async def refuse(error: NotFound) -> Response:
    if _is_json():
        return _json_error(error)
    return await render_notice("", "notice.link_title", "notice.link_preferences")


@blueprint.errorhandler(Forbidden)
async def refuse_site(error: Forbidden) -> Response:
    """Visitors of a site that may not have the form can sign up on its page."""
    if _is_json() or request.method == "OPTIONS":
        return _json_error(error)
    form = await sign_up.find_public_form(str((request.view_args or {})["key"]))
    return await _hosted(form, status=error.status, note="form.elsewhere")


def _json_error(error: ApiError) -> Response:
    return Response(encode(body_of(error)), error.status, content_type=JSON_TYPE)


def _check_origin(form: SignUpForm) -> None:
    """Raises Forbidden for a page of another origin than ours and those that the form lists."""
    origin = request.headers.get("Origin")
    if origin is None:
        return
    if origin in form.allowed_origins:
        g.form_origin = origin
    elif origin == "null" or origin.partition("://")[2] not in (request.host, urlsplit(settings().base_url).netloc):
        raise Forbidden("this form does not accept sign-ups from this site")


def _is_json() -> bool:
    return request.mimetype == JSON_TYPE


async def _read_body() -> Mapping[str, Any]:
    """The fields; a form's topics are a list. Raises PayloadTooLarge, UnsupportedMediaType, ValidationError."""
    raw = await read_at_most(BODY_BYTES)
    if _is_json():
        try:
            body = parse_json(raw)
        except ValueError as error:
            raise ValidationError.of("body", str(error)) from None
        if not isinstance(body, dict):
            raise ValidationError.of("body", "the body must be an object")
        return body
    if request.mimetype != FORM_TYPE:
        raise UnsupportedMediaType(f"send the form as {FORM_TYPE} or {JSON_TYPE}")
    try:
        fields = parse_qsl(raw.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError as error:
        raise ValidationError.of("body", f"the form could not be read: {error}") from None
    topics = [value for name, value in fields if name == "topics"]
    return dict(fields) | ({"topics": [topic for topic in topics if topic]} if topics else {})


async def _visit(form: SignUpForm) -> Visit:
    asked = best_language([request.args.get("l")])
    own = form.language if best_language([form.language]) else None
    return Visit(
        network=wide_network(client_address()),
        page_url=_page_url(request.headers.get("Referer") or request.headers.get("Origin") or ""),
        language=asked or own or page_language() or (await find_brand(form.org)).language,
    )


def _page_url(url: str) -> str | None:
    """Without what may be secret in it."""
    try:
        page = urlsplit(url)
    except ValueError:
        return None
    host = page.netloc.rpartition("@")[2]
    return f"{page.scheme}://{host}{page.path}" if page.scheme in ("http", "https") and host else None


def _throttle() -> SignUpThrottle:
    throttle: SignUpThrottle = current_app.extensions["sign_up_throttle"]
    return throttle


def _errors(refusal: ValidationError) -> dict[str, str]:
    """The keys of sentences by the names of fields."""
    return {
        fault.field: "form.required" if fault.words in MISSING else WORDS.get(fault.code, "form.wrong")
        for fault in reversed(refusal.details)
    }


async def form_page(
    form: SignUpForm,
    typed: Mapping[str, Any] = {},
    errors: Mapping[str, str] = {},
    *,
    status: int = 200,
    note: str | None = None,
) -> Response:
    """The form with what was typed, the keys of sentences about its fields, and that of one about all of it."""
    has_proof = proof.is_needed(form)
    topics = [topic for topic in await all_topics(form.org) if str(topic.id) in form.topic_ids]
    return await _render(
        form, "forms/form.html", status=status, typed=typed, errors=errors, topics=topics, fields=asked_fields(form),
        stamp=new_stamp(form), stamp_name=STAMP, honeypot=HONEYPOT, note=note, has_script=has_proof, proof_name=PROOF,
        challenge=proof.new_challenge(form) if has_proof else None,
    )  # fmt: skip


async def _hosted(form: SignUpForm, **context: Any) -> Response:
    return await (form_page(form, **context) if await sign_up.is_open(form.org, form) else _closed(form))


async def _closed(form: SignUpForm) -> Response:
    if _is_json():
        raise NotFound
    return await _notice(form, "form.closed_title", "form.closed", status=404)


async def _notice(form: SignUpForm, heading: str, text: str, status: int = 200) -> Response:
    return await _render(form, "notice.html", status=status, heading=heading, text=text)


async def _render(form: SignUpForm, template: str, **context: Any) -> Response:
    return await render_reader_page(
        template,
        url_for("public_forms.show", key=form.key),
        form.org,
        language=form.language,
        form_target=form.redirect_after_submit,
        form=form,
        **context,
    )
