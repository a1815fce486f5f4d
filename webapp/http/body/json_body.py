"""Reads JSON bodies and checks their type, size, time, syntax and fields."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, cast

from quart import ResponseReturnValue, current_app, g
from quart_schema import document_request

from webapp.domain.inputs import ignored_fields, is_strict, read_input
from webapp.errors import SEND_JSON, PayloadTooLarge, RequestTimeout, UnsupportedMediaType, ValidationError
from webapp.http.body.admission import MIDDLE_BYTES, BoundedRequest, body_admission
from webapp.http.body.strict_json import parse_json
from webapp.http.hooks import current_request
from webapp.http.request_log import record_request_body

BODY_BYTES = 1024 * 1024
SEND_BYTES = 40 * 1024 * 1024
LARGE_BYTES = 128 * 1024  # of a response; encoding more in the loop would delay other requests
INLINE_BYTES = 8 * 1024  # of a body; in the worst case, only addresses, it takes 20 ms to check

View = Callable[..., Awaitable[ResponseReturnValue]]
Read = Callable[[Any], Any]
Ignored = Callable[[Any], list[str]]  # a sentence for each field of a body that is ignored
Find = Callable[..., Awaitable[Any]]  # takes the organization, the body, and the view's arguments


def json_body(
    model: type[Any],
    *,
    max_bytes: int = BODY_BYTES,
    inline_bytes: int = INLINE_BYTES,
    read: Read | None = None,
    find: Find | None = None,
    ignored: Ignored | None = None,
) -> Callable[[View], View]:
    """Passes the body to the view as `data`: a `model`, or what `read` and `find` make of it; goes below `guarded`."""

    def decorate(view: View) -> View:
        reads = read or partial(read_input, model, strict=True)
        names_ignored = ignored or (None if is_strict(model) else partial(ignored_fields, model))
        body = JsonBody(names_ignored, max_bytes, inline_bytes, reads, find, view)

        @wraps(view)
        async def with_body(*args: Any, **kwargs: Any) -> ResponseReturnValue:
            return await view(*args, **kwargs, data=await body.parse(await body.receive(), *args, **kwargs))

        with_body.json_body = body  # type: ignore[attr-defined]  # for `idempotent`
        documented: View = document_request(model)(with_body)
        return documented

    return decorate


@dataclass(frozen=True)
class JsonBody:
    ignored: Ignored | None  # None: unknown fields are refused
    max_bytes: int
    inline_bytes: int
    read: Read
    find: Find | None
    view: View

    async def receive(self) -> bytearray:
        """The body's bytes, `{}` for none. Raises UnsupportedMediaType, PayloadTooLarge, RequestTimeout."""
        request = cast("BoundedRequest", current_request())
        charset = request.mimetype_params.get("charset", "utf-8").lower()
        is_json = request.mimetype == "application/json" and charset in ("utf-8", "utf8")
        is_announced = request.content_length or "Transfer-Encoding" in request.headers or request.content_type
        if is_announced and not is_json:
            raise UnsupportedMediaType(SEND_JSON)
        raw = await read_at_most(self.max_bytes)
        record_request_body(raw)
        if not raw and not request.content_type:  # an empty body needs no type
            return bytearray(b"{}")
        if not is_json:
            raise UnsupportedMediaType(SEND_JSON)
        return raw

    async def parse(self, raw: bytearray, *args: Any, **kwargs: Any) -> Any:
        """The parsed body; empties `raw`. Raises ValidationError with all faults, and what `find` raises.

        Sets `g.warnings` for the fields that are ignored.
        """
        if len(raw) <= self.inline_bytes:
            data, warnings = self._parse(raw)
        else:  # in a thread; large bodies one at a time
            async with body_admission(current_app).parsing if len(raw) > MIDDLE_BYTES else nullcontext():
                data, warnings = await asyncio.to_thread(self._parse, raw)
        if warnings:
            g.warnings = warnings
        return data if self.find is None else await self.find(g.caller.org, data, *args, **kwargs)

    def _parse(self, raw: bytearray) -> tuple[Any, list[str]]:
        try:
            value = parse_json(raw)
        except ValueError as error:
            raise ValidationError.of("body", str(error)) from None
        return self.read(value), self.ignored(value) if self.ignored else []


async def read_at_most(max_bytes: int) -> bytearray:
    """The bytes of the body. Raises PayloadTooLarge, RequestTimeout."""
    request, kib = cast("BoundedRequest", current_request()), 1024
    size = f"{max_bytes // kib // kib} MiB" if max_bytes >= kib * kib else f"{max_bytes // kib} KiB"
    too_large = PayloadTooLarge(f"the request body is larger than {size}")
    if (request.content_length or 0) > max_bytes:
        raise too_large
    raw = bytearray()
    try:
        async with asyncio.timeout(None if request.body.is_whole else current_app.config["BODY_TIMEOUT"]):
            async for piece in request.body:
                raw += piece
                if len(raw) > max_bytes:
                    raise too_large
    except TimeoutError:
        raise RequestTimeout("the request body took too long to arrive") from None
    return raw
