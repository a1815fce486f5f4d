"""Periodic work for all organizations within a time limit."""

import logging
import random
from collections.abc import Awaitable, Callable
from math import inf
from uuid import UUID

from webapp import clock
from webapp.backoff import Backoff
from webapp.models import Organization

log = logging.getLogger(__name__)

failures: Backoff[tuple[str, UUID]] = Backoff(log, "work for an organization", first=60.0, longest=3600.0)

Work = Callable[[Organization, float], Awaitable[bool]]  # takes a deadline by `clock.elapsed`; True when done


async def for_each_organization(work: Work, trouble: str, seconds: float = inf) -> bool:
    """True when all are done; an exception is logged as `trouble` and does not affect the others."""
    until, is_done = clock.elapsed() + seconds, True
    orgs = await Organization.all()
    random.shuffle(orgs)  # so that no organization is always last when time is short
    for org in orgs:
        if not failures.is_due((trouble, org.id)):
            is_done = False
            continue
        has_ended = False
        with failures.attempting((trouble, org.id), org=str(org.id), trouble=trouble):
            has_ended = clock.elapsed() < until and await work(org, until)
        is_done = is_done and has_ended
    return is_done
