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
    until, is_done = clock.elapsed() + seconds, True
    orgs = await Organization.all()
    random.shuffle(orgs)  # when time is short, no organization is always last
    for org in orgs:
        try:
            is_done = clock.elapsed() < until and await work(org, until) and is_done
        except Exception:
            log.exception(trouble, extra={"org": str(org.id)})
            is_done = False
    return is_done
