"""The one way a JSON body comes in: its type, its size, its time, its syntax, its fields."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, TypeVar

from quart import ResponseReturnValue, current_app, request
from quart_schema import document_request

from webapp.domain.inputs import Input, read_input
from webapp.errors import PayloadTooLarge, RequestTimeout, UnsupportedMediaType, ValidationError
from webapp.http.strict_json import parse_json

BODY_BYTES = 1024 * 1024
SEND_BYTES = 40 * 1024 * 1024
LARGE_BYTES = 128 * 1024  # beyond this, parsing in the loop would be felt by other requests

View = Callable[..., Awaitable[ResponseReturnValue]]
AnInput = TypeVar("AnInput", bound=Input)


def json_body(model: type[Input], *, max_bytes: int = BODY_BYTES) -> Callable[[View], View]:
    """Hand the view the body as `data`, a `model`. Stands below the guards: they answer first."""

    def decorate(view: View) -> View:
        @wraps(view)
        async def with_body(*args: Any, **kwargs: Any) -> ResponseReturnValue:
            return await view(*args, **kwargs, data=await read_json(model, max_bytes=max_bytes))

        documented: View = document_request(model)(with_body)
        return documented

    return decorate


async def read_json(model: type[AnInput], *, max_bytes: int = BODY_BYTES) -> AnInput:
    """The body of this request as `model`.

    Raises UnsupportedMediaType, PayloadTooLarge, RequestTimeout, or ValidationError with every fault in words.
    """
    if _has_body() or request.content_type:
        _check_content_type()
    raw = await _read(max_bytes)
    if not raw and not request.content_type:
        return read_input(model, {}, strict=True)
    _check_content_type()
    if len(raw) > LARGE_BYTES:
        return await asyncio.to_thread(_parse, raw, model)
    return _parse(raw, model)


def _check_content_type() -> None:
    """Raise UnsupportedMediaType unless it is application/json, in UTF-8."""
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    if request.mimetype != "application/json" or charset not in ("utf-8", "utf8"):
        raise UnsupportedMediaType("the body must be application/json")


def _has_body() -> bool:
    """Whether the headers promise a body; without one a request needs no content type."""
    return bool(request.content_length) or "Transfer-Encoding" in request.headers


async def _read(max_bytes: int) -> bytes:
    """The body's bytes; one that is too large is let go at the first byte too many."""
    too_large = PayloadTooLarge(f"the body is larger than {max_bytes // 1024 // 1024} MiB")
    if (request.content_length or 0) > max_bytes:
        raise too_large
    raw = bytearray()
    try:
        async with asyncio.timeout(current_app.config["BODY_TIMEOUT"]):
            async for piece in request.body:
                raw += piece
                if len(raw) > max_bytes:
                    raise too_large
    except TimeoutError:
        raise RequestTimeout("the body took too long to arrive") from None
    return bytes(raw)


def _parse(raw: bytes, model: type[AnInput]) -> AnInput:
    try:
        value = parse_json(raw)
    except ValueError as error:
        raise ValidationError.of("body", str(error)) from None
    return read_input(model, value, strict=True)
