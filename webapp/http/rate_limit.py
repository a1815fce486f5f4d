"""Limits the rate and the monthly number of API requests, and tells clients what is left."""

from quart import Quart, Request, Response, current_app, g

from webapp.domain.api_requests.rate import WRITE_SECONDS, Bucket, RateLimiter
from webapp.domain.forms.floods import SignUpThrottle
from webapp.domain.plans.plans import plan_named
from webapp.domain.throttle import SCRIPT
from webapp.http.hooks import current_values, hooks_of
from webapp.http.memory import remember
from webapp.models import Organization
from webapp.redis.script import RedisScript


def register(app: Quart) -> None:
    remember(app, "rate_limit", lambda: RateLimiter(app.config["PENNYPOST"]), write_seconds=WRITE_SECONDS)
    remember(app, "tries", lambda: RedisScript(app.config["PENNYPOST"], SCRIPT, "each process counts tries by itself"))
    remember(app, "sign_up_throttle", lambda: SignUpThrottle(app.extensions["tries"]))
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
    limiter: RateLimiter = current_app.extensions["rate_limit"]
    values.bucket = bucket = await limiter.consume(org, plan)
    bucket.check()


def _add_headers(_: Request, response: Response) -> None:
    bucket: Bucket | None = g.get("bucket")
    if bucket is not None:
        response.headers.extend(bucket.headers)  # nothing else sets them, and `update` takes three times as long
