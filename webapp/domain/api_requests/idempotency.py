"""Idempotency keys: a response is stored with what the request did, for the same request sent again."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

from webapp import clock, db
from webapp.errors import IdempotencyConflict, IdempotencyInProgress
from webapp.models import IdempotencyKey, Organization, idempotency_key
from webapp.models.idempotency_key import Claim, KeyLocked

RETENTION = timedelta(hours=24)


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
    """The stored response of the key. Raises IdempotencyConflict for another body."""
    found = await IdempotencyKey.of(request.org).get_or_none(
        endpoint=request.endpoint, key=request.key, created_at__gte=clock.now() - RETENTION
    )
    if found is None:
        return None
    if found.body_hash != request.body_hash:
        raise IdempotencyConflict("the Idempotency-Key was used for another request within the last 24 hours")
    return RecordedResponse(found.status, bytes(found.body))


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
            found = await find_response(request)
            if found is None:  # it expired just now
                raise in_progress()
            return found, True
        response = await work()
        row = IdempotencyKey.of(request.org).filter(endpoint=request.endpoint, key=request.key)
        await row.update(status=response.status, body=response.body)
    return response, False


def in_progress() -> IdempotencyInProgress:
    return IdempotencyInProgress("a request with the same Idempotency-Key is still in progress")


async def forget_old_keys() -> None:
    await idempotency_key.forget_keys(clock.now() - RETENTION)
