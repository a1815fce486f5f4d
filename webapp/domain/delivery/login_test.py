"""A login test of an account, because a person asked."""

from webapp.config import settings
from webapp.domain.delivery.account_breaker import record_outcomes
from webapp.domain.delivery.providers import check_credentials
from webapp.domain.throttle import SharedThrottle
from webapp.errors import RateLimitExceeded
from webapp.models import Account, Organization
from webapp.models.account import ProviderType
from webapp.models.queries import account_health

CHECKS_A_MINUTE = 10  # for an organization: a login test must not become a port scanner


async def check_login(org: Organization, account: Account, checks: SharedThrottle) -> str | None:
    """Signs in, saves the result, and returns the failure in words; commits. Raises RateLimitExceeded."""
    if account.provider_type == ProviderType.GOOGLE and not settings().google.has_client:
        return "Google sign-in isn't set up on this server"  # and its token may be a good one
    wait = await checks.consume(str(org.id))
    if wait:
        raise RateLimitExceeded(f"Up to {CHECKS_A_MINUTE} login tests per minute. Try again in {wait} seconds.", wait)
    failure = await check_credentials(account)
    if failure is not None:
        await record_outcomes(account, [failure])
    else:
        await account_health.reset(account)
    await account.refresh_from_db()
    return failure.text if failure else None
