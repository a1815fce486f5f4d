"""Idempotency keys: stores a response together with its effects, for when the request is repeated."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import NamedTuple

from webapp import clock, db
from webapp.errors import Conflict, IdempotencyConflict, IdempotencyInProgress
from webapp.models import IdempotencyKey
from webapp.models.api_request import KeyedRequest, claim_key

RETENTION = timedelta(hours=24)
ABANDONED = timedelta(minutes=5)  # then the process that began an act must have died
ACT_SECONDS = 60.0  # that a second request waits for the first
PAUSE = 0.1
FORGOTTEN_AT_ONCE = 1_000
DONE = 200
OTHER_REQUEST = (
    "the Idempotency-Key was used for another request within the last 24 hours: "
    "send the same body to get its answer, or a new key for a new request"
)


class RecordedResponse(NamedTuple):
    status: int
    body: bytes


async def find_response(request: KeyedRequest) -> RecordedResponse | None:
    """The stored response for the key. Raises IdempotencyConflict if the body differs."""
    stored = await IdempotencyKey.of(request.org).get_or_none(
        endpoint=request.endpoint, key=request.key, created_at__gte=clock.now() - RETENTION
    )
    if stored is None:
        return None
    if stored.body_hash != request.body_hash:
        raise IdempotencyConflict(OTHER_REQUEST)
    return RecordedResponse(stored.status, bytes(stored.body))


async def respond_once(
    request: KeyedRequest, work: Callable[[], Awaitable[RecordedResponse]], wait_seconds: float
) -> tuple[RecordedResponse, bool]:
    """The response of `work`, or the stored one and True. Raises IdempotencyConflict, IdempotencyInProgress."""
    async with db.write_transaction():
        now = clock.now()
        if not await claim_key(request, now, now - RETENTION, wait_seconds):
            stored = await find_response(request)
            if stored is None:  # it expired just now
                raise IdempotencyInProgress
            return stored, True
        response = await work()
        row = IdempotencyKey.of(request.org).filter(endpoint=request.endpoint, key=request.key)
        await row.update(status=response.status, body=response.body)
    return response, False


async def act_once(request: KeyedRequest, act: Callable[[], Awaitable[str]], wait_seconds: float = ACT_SECONDS) -> str:
    """The result of `act` or of the earlier one, which is awaited; commits. Raises Conflict.

    Unlike `respond_once`, it holds no transaction, so `act` may use the network.
    """
    deadline = clock.elapsed() + wait_seconds
    while not await _claim_act(request):
        stored = await find_response(request)
        if stored is not None and stored.status:
            return stored.body.decode()
        if clock.elapsed() >= deadline:
            raise Conflict("this was submitted before, and is still in progress: check the result before a new try")
        await asyncio.sleep(PAUSE)
    row = IdempotencyKey.of(request.org).filter(endpoint=request.endpoint, key=request.key)
    try:
        result = await act()
    except Exception:
        await row.delete()  # so that a corrected request may be sent
        raise
    await row.update(status=DONE, body=result.encode())
    return result


async def _claim_act(request: KeyedRequest) -> bool:
    now = clock.now()
    try:
        async with db.write_transaction():
            return await claim_key(request, now, now - RETENTION, PAUSE, now - ABANDONED)
    except IdempotencyInProgress:
        return False


async def forget_old_keys() -> None:
    old = IdempotencyKey.across_orgs().filter(created_at__lt=clock.now() - RETENTION)
    while keys := await old.order_by("created_at").only("id").limit(FORGOTTEN_AT_ONCE):
        await old.filter(id__in=[key.id for key in keys]).delete()  # unless a request has claimed it again
