"""Periodic work for all organizations within a time limit."""

import logging
import random
from collections.abc import Awaitable, Callable
from math import inf

from webapp import clock
from webapp.models import Organization

log = logging.getLogger(__name__)

Work = Callable[[Organization, float], Awaitable[bool]]  # takes a deadline by `clock.elapsed`, returns True when done


async def for_each_organization(work: Work, trouble: str, seconds: float = inf) -> bool:
    """True when all is done; an exception is logged as `trouble`, and the next organization follows."""
    until = clock.elapsed() + seconds
    orgs = await Organization.all()
    random.shuffle(orgs)  # when time is short, no organization is always last
    return all([await _do_safely(work, trouble, org, until) for org in orgs])


async def _do_safely(work: Work, trouble: str, org: Organization, until: float) -> bool:
    try:
        return clock.elapsed() < until and await work(org, until)
    except Exception:
        log.exception(trouble, extra={"org": str(org.id)})
        return False
