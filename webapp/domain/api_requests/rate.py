"""Limits the rate and the monthly number of requests, through Redis; without Redis the rate is not limited."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from webapp import clock
from webapp.batcher import Batcher
from webapp.config import Settings
from webapp.domain.api_requests.counter import CACHE_SECONDS, RequestCounter
from webapp.domain.plans.limits import exceeded
from webapp.domain.plans.plans import Plan
from webapp.errors import RateLimitExceeded
from webapp.models import Organization
from webapp.models.usage import Metric, month_of
from webapp.redis.script import RedisScript

WRITE_SECONDS = 1.0
FRESH_SECONDS = 1.0  # the maximum age of other processes' counts while Redis is away

# Consumes tokens of the bucket KEYS[1] (ARGV[1] tokens a second, ARGV[2] at most) for ARGV[4] requests, and adds these
# to the count KEYS[2], or to ARGV[3] if that is higher, as after Redis lost its data. Returns the tokens consumed, the
# tokens left, and the count. A bucket expires when it is full again, a count a day after its last request.
CONSUME = """
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local rate, burst, known, requests = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = burst
if bucket[1] then
  tokens = math.min(burst, bucket[1] + math.max(now - bucket[2], 0) * rate)
end
local taken = math.min(math.floor(tokens), requests)
tokens = tokens - taken
redis.call('HSET', KEYS[1], 'tokens', string.format('%.17g', tokens), 'at', string.format('%.6f', now))
redis.call('EXPIRE', KEYS[1], math.ceil(burst / rate) + 1)
local used = math.max(tonumber(redis.call('GET', KEYS[2]) or 0), known) + requests
redis.call('SET', KEYS[2], string.format('%.0f', used), 'EX', 86400)
return {taken, string.format('%.6f', tokens), used}
"""


@dataclass(frozen=True)
class Bucket:
    plan: Plan
    tokens: float
    has_token: bool = True  # for this request
    earlier: int = 0  # requests in the month

    @property
    def headers(self) -> dict[str, str]:
        missing = self.plan.burst - self.tokens
        return {
            "RateLimit-Limit": str(self.plan.burst),
            "RateLimit-Remaining": str(int(self.tokens)),
            "RateLimit-Reset": str(math.ceil(missing / self.plan.requests_per_second)),
        }

    def check(self) -> None:
        """Raises RateLimitExceeded at too high a rate, then PlanLimitExceeded above the month's limit."""
        if not self.has_token:
            raise self.refusal()
        if self.plan.api_requests_per_month is not None and self.earlier >= self.plan.api_requests_per_month:
            raise exceeded(self.plan, Metric.API_REQUESTS, self.earlier)

    def refusal(self) -> RateLimitExceeded:
        plan = self.plan
        wait = math.ceil((1 - self.tokens) / plan.requests_per_second)
        message = f"the {plan.name} plan allows {plan.requests_per_second} requests per second, {plan.burst} at once"
        return RateLimitExceeded(message, max(wait, 1))


class RateLimiter:
    def __init__(self, settings: Settings) -> None:
        self.script = RedisScript(settings, CONSUME, "no rate is limited")
        self._counter = RequestCounter()
        self.write = self._counter.write
        self._buckets: Batcher[UUID, tuple[Organization, Plan], Bucket] = Batcher(self._consume, limit=1_000)

    async def consume(self, org: Organization, plan: Plan) -> Bucket:
        """Counts a request; `check` says if it may go on."""
        return await self._buckets.ask(org.id, (org, plan))

    async def _consume(self, _: UUID, asking: Sequence[tuple[Organization, Plan]]) -> list[Bucket]:
        org, plan = asking[-1]
        month = month_of(clock.now())
        keys = f"bucket:{org.id}", f"requests:{org.id}:{month}"
        known = await self._known(org, plan, month)
        reply = await self.script.run(keys, plan.requests_per_second, plan.burst, known, len(asking))
        if reply is None:
            reply = len(asking), plan.burst, await self._known(org, plan, month) + len(asking)
        self._counter.record(org, month, len(asking))
        taken, tokens, used = reply
        earlier = used - len(asking)
        return [
            Bucket(plan, float(tokens) + max(taken - number - 1, 0), number < taken, earlier + number)
            for number in range(len(asking))
        ]

    async def _known(self, org: Organization, plan: Plan, month: str) -> int:
        if plan.api_requests_per_month is None:
            return 0
        return await self._counter.used(org, month, FRESH_SECONDS if self.script.is_away else CACHE_SECONDS)
