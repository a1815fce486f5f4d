"""Idempotency keys: stores a response together with its effects, for when the request is repeated."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

from webapp import clock, db
from webapp.errors import Conflict, IdempotencyConflict, IdempotencyInProgress
from webapp.models import IdempotencyKey, Organization, idempotency_key
from webapp.models.idempotency_key import Claim, KeyLocked

RETENTION = timedelta(hours=24)
ABANDONED = timedelta(minutes=5)  # then the process that began an act must have died
ACT_SECONDS = 60.0  # that a second request waits for the first
PAUSE = 0.1
DONE = 200


@dataclass(frozen=True)
class KeyedRequest:
    org: Organization
    endpoint: str
    key: str
    body_hash: str  # SHA-256 in hexadecimal


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
        raise IdempotencyConflict("the Idempotency-Key was used for another request within the last 24 hours")
    return RecordedResponse(stored.status, bytes(stored.body))


async def respond_once(
    request: KeyedRequest, work: Callable[[], Awaitable[RecordedResponse]], wait_seconds: float
) -> tuple[RecordedResponse, bool]:
    """The response of `work`, or the stored one and True. Raises IdempotencyConflict, IdempotencyInProgress."""
    claim = Claim(request.org.id, request.endpoint, request.key, request.body_hash)
    async with db.write_transaction():
        now = clock.now()
        try:
            is_first = await idempotency_key.claim_key(claim, now, now - RETENTION, wait_seconds)
        except KeyLocked:
            raise in_progress() from None
        if not is_first:
            stored = await find_response(request)
            if stored is None:  # it expired just now
                raise in_progress()
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
    claim, now = Claim(request.org.id, request.endpoint, request.key, request.body_hash), clock.now()
    try:
        async with db.write_transaction():
            return await idempotency_key.claim_key(claim, now, now - RETENTION, PAUSE, now - ABANDONED)
    except KeyLocked:
        return False


def in_progress() -> IdempotencyInProgress:
    return IdempotencyInProgress("a request with the same Idempotency-Key is still in progress")


async def forget_old_keys() -> None:
    await idempotency_key.forget_keys(clock.now() - RETENTION)
