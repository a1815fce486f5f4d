"""Buffers requests for the links and pixels of tracked emails in memory, and saves them in batches."""

import hashlib
import logging
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import clock
from webapp.db.errors import is_outage
from webapp.domain import link_signing
from webapp.domain.throttle import network_of
from webapp.domain.tracking.placeholders import CLICK, OPEN
from webapp.errors import NotFound
from webapp.logs import RateLimitedLogger
from webapp.models import TrackedLink
from webapp.models.instance import network_salt
from webapp.models.mail_log import AGENT_LENGTH, NETWORK_LENGTH
from webapp.models.queries.mail_hits import MOST_HITS, NewHit, save_hits

log = logging.getLogger(__name__)

BATCH = 1_000
BUFFER_SIZE = 50_000  # links of emails, with at most MOST_HITS each; more are lost during an outage
TARGETS = 10_000  # cached


@dataclass(frozen=True)
class Visitor:
    """The client; its address is saved only as a hash."""

    address: str
    agent: str
    is_head: bool = False
    is_prefetch: bool = False


@dataclass
class _WaitingHit:
    id: UUID
    at: datetime
    repeats: int = 0


class HitLog:
    def __init__(self, buffer_size: int = BUFFER_SIZE) -> None:
        self._buffer_size = buffer_size
        self._targets: OrderedDict[UUID, str] = OrderedDict()  # which never change
        # By mail log and link, or organization for the pixel, so that the hits of each are bounded.
        self._waiting: OrderedDict[tuple[UUID, UUID, str], dict[Visitor, _WaitingHit]] = OrderedDict()
        self._salt: tuple[datetime, str] | None = None
        self._warnings = RateLimitedLogger(log)

    async def follow(self, token: str, visitor: Visitor) -> str:
        """The target of a link, only ever from the database. Raises NotFound for an invalid token or deleted link."""
        row_id, link_id = link_signing.ids_in(CLICK, token)
        url = self._targets.get(link_id) or await self._find_target(link_id)
        self._record((row_id, link_id, CLICK), visitor)
        return url

    def open(self, token: str, visitor: Visitor) -> None:
        """Raises NotFound for an invalid token."""
        self._record((*link_signing.ids_in(OPEN, token), OPEN), visitor)

    async def _find_target(self, link_id: UUID) -> str:
        link = await TrackedLink.across_orgs().get_or_none(id=link_id)
        if link is None:
            raise NotFound
        self._targets[link_id] = link.url
        if len(self._targets) > TARGETS:
            self._targets.popitem(last=False)
        return link.url

    def _record(self, hit: tuple[UUID, UUID, str], visitor: Visitor) -> None:
        """Merges a hit with an equal waiting one, or with any beyond MOST_HITS of a link."""
        seen = self._waiting.get(hit)
        if seen is None:
            if len(self._waiting) >= self._buffer_size:
                self._warnings.warn("opens and clicks of %d links wait for the database", self._buffer_size)
                return
            seen = self._waiting[hit] = {}
        if visitor in seen:
            seen[visitor].repeats += 1
        elif len(seen) >= MOST_HITS:
            next(iter(seen.values())).repeats += 1
        else:
            seen[visitor] = _WaitingHit(uuid7(), clock.now())

    async def write(self) -> None:
        """Saves the hits. They wait during an outage; those that the database rejects are dropped and logged."""
        while self._waiting:
            batch = dict(islice(self._waiting.items(), BATCH // MOST_HITS))
            for hit in batch:
                del self._waiting[hit]
            try:
                await self._write(batch)
            except Exception as error:
                if not is_outage(error):
                    log.exception("opens and clicks are not saved")
                    continue
                self._warnings.warn("opens and clicks wait: %s", str(error) or type(error).__name__)
                for hit, seen in batch.items():
                    self._waiting[hit] = seen | self._waiting.get(hit, {})
                return

    async def _write(self, batch: dict[tuple[UUID, UUID, str], dict[Visitor, _WaitingHit]]) -> None:
        salt = await self._todays_salt()
        await save_hits(
            [
                NewHit(
                    id=hit.id,
                    created_at=hit.at,
                    mail_log_id=row_id,
                    link_id=other_id if kind == CLICK else None,
                    org_id=other_id if kind == OPEN else None,
                    agent=visitor.agent[:AGENT_LENGTH].replace("\0", ""),
                    network=_hashed(visitor.address, salt),
                    is_head=visitor.is_head,
                    is_prefetch=visitor.is_prefetch,
                    repeats=hit.repeats,
                )
                for (row_id, other_id, kind), seen in batch.items()
                for visitor, hit in seen.items()
            ]
        )

    async def _todays_salt(self) -> str:
        today = clock.now().replace(hour=0, minute=0, second=0, microsecond=0)
        if self._salt is None or self._salt[0] != today:
            self._salt = today, await network_salt(today.date())
        return self._salt[1]


def _hashed(address: str, salt: str) -> str:
    return hashlib.sha256(f"{salt} {network_of(address)}".encode()).hexdigest()[:NETWORK_LENGTH]
