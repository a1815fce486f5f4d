"""Idempotency keys: the answer of a request is kept with what it did, for the same request sent again."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from webapp import clock, db
from webapp.errors import IdempotencyConflict, IdempotencyInProgress
from webapp.models import IdempotencyKey, Organization
from webapp.models.queries import idempotency_keys
from webapp.models.queries.idempotency_keys import Claim, KeyLocked

KEPT = timedelta(hours=24)


@dataclass(frozen=True)
class KeyUse:
    """A request with a key: where it goes, and the SHA-256 of its body in hexadecimal."""

    org: Organization
    endpoint: str
    key: str
    body_hash: str


class Answer(NamedTuple):
    """What was answered, byte for byte."""

    status: int
    body: bytes


async def find_answer(use: KeyUse) -> Answer | None:
    """The answer that is kept for the key; None for a new one. Raises IdempotencyConflict for another body."""
    found = await IdempotencyKey.of(use.org).get_or_none(
        endpoint=use.endpoint, key=use.key, created_at__gte=_kept_since(clock.now())
    )
    if found is None:
        return None
    if found.body_hash != use.body_hash:
        raise IdempotencyConflict("the Idempotency-Key was used for another request within the last 24 hours")
    return Answer(found.status, bytes(found.body))


async def answer_once(use: KeyUse, work: Callable[[], Awaitable[Answer]], wait_seconds: float) -> tuple[Answer, bool]:
    """Do the work and keep its answer in one transaction; or give the kept one, and True, where it is done already.

    What the work raises undoes all of it, the key too. Raises IdempotencyConflict, and IdempotencyInProgress when
    another process takes over `wait_seconds` for the same key.
    """
    async with db.write_transaction():
        if not await _claim(use, wait_seconds):
            found = await find_answer(use)
            if found is None:  # it has just become too old to be kept
                raise in_progress()
            return found, True
        answer = await work()
        row = IdempotencyKey.of(use.org).filter(endpoint=use.endpoint, key=use.key)
        await row.update(status=answer.status, body=answer.body)
    return answer, False


async def _claim(use: KeyUse, wait_seconds: float) -> bool:
    claim, now = Claim(use.org.id, use.endpoint, use.key, use.body_hash), clock.now()
    try:
        return await idempotency_keys.claim_key(claim, now, _kept_since(now), wait_seconds)
    except KeyLocked:
        raise in_progress() from None


def in_progress() -> IdempotencyInProgress:
    """The refusal of a request whose key is being used by another one."""
    return IdempotencyInProgress("a request with the same Idempotency-Key is still under way")


async def forget_old_keys() -> None:
    """Remove the keys that are kept no longer."""
    await idempotency_keys.forget_keys(_kept_since(clock.now()))


def _kept_since(now: datetime) -> datetime:
    return now - KEPT
