"""Runs a request once for each `Idempotency-Key`."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import wraps
from hashlib import sha256
from time import monotonic
from typing import Any
from weakref import WeakValueDictionary

from quart import Response, ResponseReturnValue, current_app, g, request
from quart_schema.validation import QUART_SCHEMA_HEADERS_ATTRIBUTE

from webapp.domain.api_requests.idempotency import RecordedResponse, find_response, respond_once
from webapp.domain.inputs import Input
from webapp.domain.key_scope import current_scope
from webapp.errors import IdempotencyInProgress, ValidationError
from webapp.http.body.json_body import LARGE_BYTES, JsonBody
from webapp.http.paging import read_headers
from webapp.models.api_request import KeyedRequest

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
KEY = re.compile(r"(?! +$)[^\x00-\x1f\x7f]{1,256}")
WAIT_SECONDS = 5  # for another request with the same key

View = Callable[..., Awaitable[ResponseReturnValue]]
Locks = WeakValueDictionary[tuple[Any, ...], asyncio.Lock]  # drops a lock with its last user


def idempotent(view: View) -> View:
    """Runs a request with an `Idempotency-Key` once, in a transaction, so the view must not wait for the network."""
    body: JsonBody = view.json_body  # type: ignore[attr-defined]  # `json_body` must come right below
    header_model: type[Input] | None = getattr(view, QUART_SCHEMA_HEADERS_ATTRIBUTE, None)

    @wraps(view)
    async def once(*args: Any, **kwargs: Any) -> ResponseReturnValue:
        key = _read_key()
        if key is None:
            return await view(*args, **kwargs)
        headers = read_headers(header_model).model_dump(by_alias=True, exclude_defaults=True) if header_model else {}
        raw = await body.receive()
        digest = sha256(json.dumps(headers, sort_keys=True).encode() if headers else b"")
        if len(raw) > LARGE_BYTES:
            await asyncio.to_thread(digest.update, raw)
        else:
            digest.update(raw)
        digest.update(current_scope().fingerprint.encode())  # a key gets no answers outside its scope
        endpoint = request.path.removeprefix("/api").lower()  # the case of ids does not matter
        use = KeyedRequest(g.caller.org, endpoint, key, digest.hexdigest())
        until = monotonic() + current_app.config.get("IDEMPOTENCY_WAIT", WAIT_SECONDS)

        async def answer() -> RecordedResponse:
            response: Any = await current_app.make_response(await body.view(*args, **kwargs, data=data))
            return RecordedResponse(response.status_code, await response.get_data())

        async with _key_lock(use, until):
            recorded, is_known = await find_response(use), True
            if recorded is None:  # or else the body is not parsed, because it may not be valid any more
                data = await body.parse(raw, *args, **kwargs)  # before the transaction, which blocks others
                recorded, is_known = await respond_once(use, answer, until - monotonic())
        added = {REPLAYED: "true"} if is_known else {}
        return Response(recorded.body, recorded.status, added, content_type="application/json")

    once.idempotent = True  # type: ignore[attr-defined]  # for http/openapi
    return once


def _read_key() -> str | None:
    headers = request.headers.getlist(HEADER)
    if not headers:
        return None
    if len(headers) > 1 or not KEY.fullmatch(headers[0]):
        raise ValidationError.at(HEADER, "must be 1 to 256 characters without control characters")
    return headers[0]


@asynccontextmanager
async def _key_lock(use: KeyedRequest, until: float) -> AsyncIterator[None]:
    """Serializes this process's requests with the same key, so that waiting ones hold no connection."""
    locks: Locks = current_app.extensions.setdefault("idempotency", Locks())
    lock = locks.setdefault((use.org.id, use.endpoint, use.key), asyncio.Lock())
    try:
        async with asyncio.timeout(until - monotonic()):
            await lock.acquire()
    except TimeoutError:
        raise IdempotencyInProgress from None
    try:
        yield
    finally:
        lock.release()
