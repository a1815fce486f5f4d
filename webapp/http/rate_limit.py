"""Limits the rate and the monthly number of API requests, through Redis; without Redis the rate is not limited."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from quart import Quart, Request, Response, current_app, g

from webapp import clock
from webapp.batcher import Batcher
from webapp.config import Settings
from webapp.domain.api_requests.counter import CACHE_SECONDS, RequestCounter
from webapp.domain.plans.limits import exceeded
from webapp.domain.plans.plans import Plan, plan_named
from webapp.domain.throttle import SCRIPT
from webapp.errors import RateLimitExceeded
from webapp.http.hooks import current_values, hooks_of
from webapp.http.memory import remember
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

    def refusal(self) -> RateLimitExceeded:
        plan = self.plan
        wait = math.ceil((1 - self.tokens) / plan.requests_per_second)
        message = f"the {plan.name} plan allows {plan.requests_per_second} requests per second, {plan.burst} at once"
        return RateLimitExceeded(message, max(wait, 1))


def register(app: Quart) -> None:
    remember(app, "rate_limit", lambda: _Limiter(app.config["PENNYPOST"]), write_seconds=WRITE_SECONDS)
    remember(app, "tries", lambda: RedisScript(app.config["PENNYPOST"], SCRIPT, "each process counts tries by itself"))
    hooks_of(app).after.append(_add_headers)

    @app.after_serving
    async def close() -> None:
        await app.extensions["rate_limit"].script.close()
        await app.extensions["tries"].close()


async def admit(org: Organization) -> None:
    """Counts a request. Raises RateLimitExceeded at too high a rate, then PlanLimitExceeded above the month's limit."""
    plan = plan_named(org.plan)
    values = current_values()
    values.bucket = Bucket(plan, plan.burst)  # for the response's headers if the next line fails
    limiter: _Limiter = current_app.extensions["rate_limit"]
    values.bucket = bucket = await limiter.buckets.ask(org.id, (org, plan))
    if not bucket.has_token:
        raise bucket.refusal()
    if plan.api_requests_per_month is not None and bucket.earlier >= plan.api_requests_per_month:
        raise exceeded(plan, Metric.API_REQUESTS, bucket.earlier)


def _add_headers(_: Request, response: Response) -> None:
    bucket: Bucket | None = g.get("bucket")
    if bucket is not None:
        response.headers.extend(bucket.headers)  # nothing else sets them, and `update` takes three times as long


class _Limiter:
    def __init__(self, settings: Settings) -> None:
        self.script = RedisScript(settings, CONSUME, "no rate is limited")
        self._counter = RequestCounter()
        self.write = self._counter.write
        self.buckets: Batcher[UUID, tuple[Organization, Plan], Bucket] = Batcher(self._consume, limit=1_000)

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
