"""The rate limit and the monthly allowance of API requests.

One script in Redis takes a token of the organization's bucket and counts the request, for all processes. Without
Redis the rate is not limited, and the month's count is the database's with our own.
"""

import math
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from quart import Quart, Response, current_app, g

from webapp import clock
from webapp.domain.api_requests.counter import RequestCounter
from webapp.domain.plans.limits import Metric, exceeded, month_of
from webapp.domain.plans.plans import Plan, plan_named
from webapp.errors import RateLimitExceeded
from webapp.http.background_tasks import every
from webapp.models import Organization
from webapp.redis.script import RedisScript

WRITE_SECONDS = 1.0
FRESH_SECONDS = 1.0  # how old the other processes' counts may be while Redis does not tell them

# Takes a token of the bucket KEYS[1] (ARGV: tokens a second, room) and adds one to the count KEYS[2], which is at least
# what the caller knows (ARGV[3]): a wiped Redis goes on from there. Returns whether there was a token, the tokens left,
# and the count. Both keys go by themselves: a bucket when it is full again, a count a day after its last request.
TAKE = """
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
    """What is left of an organization's bucket of tokens, of which a request takes one."""

    plan: Plan
    tokens: float

    @property
    def headers(self) -> dict[str, str]:
        """What the response says about it."""
        missing = self.plan.burst - self.tokens
        return {
            "RateLimit-Limit": str(self.plan.burst),
            "RateLimit-Remaining": str(int(self.tokens)),
            "RateLimit-Reset": str(math.ceil(missing / self.plan.requests_per_second)),
        }

    def refusal(self) -> RateLimitExceeded:
        """What a request without a token is answered, with the seconds until there is one."""
        plan = self.plan
        wait = math.ceil((1 - self.tokens) / plan.requests_per_second)
        message = f"the plan {plan.name} allows {plan.requests_per_second} requests a second, and {plan.burst} at once"
        return RateLimitExceeded(message, max(wait, 1))


def register(app: Quart) -> None:
    """Give the app its limiter, and every response to a program with a key its headers."""
    limiter = app.extensions["rate_limit"] = _Limiter(RedisScript(app.config["PENNYPOST"], TAKE, "no rate is limited"))
    every(app, WRITE_SECONDS, limiter.counter.write)
    app.after_request(_add_headers)

    @app.while_serving
    async def close() -> AsyncGenerator[None, None]:
        yield
        await limiter.script.close()


async def admit(org: Organization) -> None:
    """Count this request of `org`.

    Raises RateLimitExceeded for one too many at once, then PlanLimitExceeded for one too many in the month.
    """
    plan = plan_named(org.plan)
    g.bucket = Bucket(plan, plan.burst)  # for the answer, should the next line fail
    limiter: _Limiter = current_app.extensions["rate_limit"]
    g.bucket, is_taken, used = await limiter.take(org, plan)
    if not is_taken:
        raise g.bucket.refusal()
    if plan.api_requests_per_month is not None and used >= plan.api_requests_per_month:
        raise exceeded(plan, Metric.API_REQUESTS, used)


async def _add_headers(response: Response) -> Response:
    bucket: Bucket | None = g.get("bucket")
    if bucket is not None:
        response.headers.update(bucket.headers)
    return response


class _Limiter:
    """Takes tokens for the requests of this process, and counts these."""

    def __init__(self, script: RedisScript) -> None:
        self.script = script
        self.counter = RequestCounter()

    async def take(self, org: Organization, plan: Plan) -> tuple[Bucket, bool, int]:
        """The bucket, whether there was a token for this request, and how many came before it in the month."""
        month = month_of(clock.now())
        keys = f"pennypost:bucket:{org.id}", f"pennypost:requests:{org.id}:{month}"
        known = await self._known(org, plan, month)
        reply = await self.script.run(keys, plan.requests_per_second, plan.burst, known)
        if reply is None:
            before = await self._known(org, plan, month)
            self.counter.record(org, month)
            return Bucket(plan, plan.burst), True, before
        self.counter.record(org, month)
        is_taken, tokens, used = reply
        return Bucket(plan, float(tokens)), bool(is_taken), used - 1

    async def _known(self, org: Organization, plan: Plan, month: str) -> int:
        """How many requests came before, as far as this process knows; no matter where the plan sets no limit."""
        if plan.api_requests_per_month is None:
            return 0
        if self.script.is_away:
            return await self.counter.used(org, month, FRESH_SECONDS)
        return await self.counter.used(org, month)
