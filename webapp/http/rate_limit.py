"""The rate limit and the month's allowance of API requests, shared through Redis; without it no rate is limited."""

import math
from dataclasses import dataclass

from quart import Quart, Response, current_app, g

from webapp import clock
from webapp.domain.api_requests.counter import CACHE_SECONDS, RequestCounter
from webapp.domain.plans.limits import exceeded
from webapp.domain.plans.plans import Plan, plan_named
from webapp.errors import RateLimitExceeded
from webapp.http.background_tasks import every
from webapp.models import Organization
from webapp.models.usage import Metric, month_of
from webapp.redis.script import RedisScript

WRITE_SECONDS = 1.0
FRESH_SECONDS = 1.0  # the age of the other processes' counts at most while Redis is away

# Consumes a token of the bucket KEYS[1] (ARGV: tokens a second, bucket size) and adds one to the count KEYS[2], which
# is at least the caller's (ARGV[3]): a wiped Redis continues from there. Returns 1 for a token, the tokens left, and
# the count. Both keys expire: a bucket when it is full again, a count a day after its last request.
CONSUME = """
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local rate, burst, known = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = burst
if bucket[1] then
  tokens = math.min(burst, bucket[1] + math.max(now - bucket[2], 0) * rate)
end
local taken = 0
if tokens >= 1 then
  taken, tokens = 1, tokens - 1
end
redis.call('HSET', KEYS[1], 'tokens', string.format('%.17g', tokens), 'at', string.format('%.6f', now))
redis.call('EXPIRE', KEYS[1], math.ceil(burst / rate) + 1)
local used = math.max(tonumber(redis.call('GET', KEYS[2]) or 0), known) + 1
redis.call('SET', KEYS[2], string.format('%.0f', used), 'EX', 86400)
return {taken, string.format('%.6f', tokens), used}
"""


@dataclass(frozen=True)
class Bucket:
    plan: Plan
    tokens: float

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
    limiter = app.extensions["rate_limit"] = _Limiter(
        RedisScript(app.config["PENNYPOST"], CONSUME, "no rate is limited")
    )
    every(app, WRITE_SECONDS, limiter.counter.write)
    app.after_request(_add_headers)
    app.after_serving(limiter.script.close)


async def admit(org: Organization) -> None:
    """Counts a request. Raises RateLimitExceeded at too high a rate, then PlanLimitExceeded above the month's limit."""
    plan = plan_named(org.plan)
    g.bucket = Bucket(plan, plan.burst)  # for the headers of the answer if the next line fails
    limiter: _Limiter = current_app.extensions["rate_limit"]
    g.bucket, has_token, used = await limiter.consume(org, plan)
    if not has_token:
        raise g.bucket.refusal()
    if plan.api_requests_per_month is not None and used >= plan.api_requests_per_month:
        raise exceeded(plan, Metric.API_REQUESTS, used)


async def _add_headers(response: Response) -> Response:
    bucket: Bucket | None = g.get("bucket")
    if bucket is not None:
        response.headers.update(bucket.headers)
    return response


class _Limiter:
    def __init__(self, script: RedisScript) -> None:
        self.script = script
        self.counter = RequestCounter()

    async def consume(self, org: Organization, plan: Plan) -> tuple[Bucket, bool, int]:
        """The bucket, True if there was a token, and the number of earlier requests in the month."""
        month = month_of(clock.now())
        keys = f"pennypost:bucket:{org.id}", f"pennypost:requests:{org.id}:{month}"
        known = await self._known(org, plan, month)
        reply = await self.script.run(keys, plan.requests_per_second, plan.burst, known)
        if reply is None:
            reply = True, plan.burst, await self._known(org, plan, month) + 1
        self.counter.record(org, month)
        has_token, tokens, used = reply
        return Bucket(plan, float(tokens)), bool(has_token), used - 1

    async def _known(self, org: Organization, plan: Plan, month: str) -> int:
        if plan.api_requests_per_month is None:
            return 0
        return await self.counter.used(org, month, FRESH_SECONDS if self.script.is_away else CACHE_SECONDS)
