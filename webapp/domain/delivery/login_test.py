"""A login test of an account, because a person asked or settings wait for it."""

from webapp.config import settings
from webapp.domain.delivery.account_breaker import is_degraded, record_outcomes
from webapp.domain.delivery.providers import check_credentials, check_sender
from webapp.domain.delivery.return_path import make_tag
from webapp.domain.throttle import SharedThrottle
from webapp.errors import RateLimitExceeded
from webapp.models import Account, Organization
from webapp.models.account import ProviderType
from webapp.models.queries import account_health
from webapp.sending.outcomes import Phase, Refused, TryLater
from webapp.sending.return_path import tagged

CHECKS_A_MINUTE = 10  # for an organization: a login test must not become a port scanner
# Whatever sender they accept, bounces come back to the address that has signed in.
REPLACING = ("smtp.gmail.com", "smtp.googlemail.com")


async def check_login(org: Organization, account: Account, checks: SharedThrottle) -> str | None:
    """Signs in, saves the result, and returns the failure in words; commits. Raises RateLimitExceeded."""
    if account.provider_type == ProviderType.GOOGLE and not settings().google.has_client:
        return "Google sign-in isn't set up on this server"  # and its token may be a good one
    wait = await checks.consume(str(org.id))
    if wait:
        raise RateLimitExceeded(f"Up to {CHECKS_A_MINUTE} login tests per minute. Try again in {wait} seconds.", wait)
    failure = await (_check_tags(account) if account.bounce_verp else check_credentials(account))
    if failure is not None:
        await record_outcomes(account, [failure])
    else:
        await account_health.reset(account)
    await account.refresh_from_db()
    return failure.text if failure else None


async def check_return_path(account: Account, *, again: bool = False) -> None:
    """Asks the server whether it accepts tagged return paths, unless it was asked; commits."""
    is_known = account.bounce_verp_works is not None and not again
    if account.bounce_verp and not is_known and not is_degraded(account):  # which a failed sign-in makes it
        failure = await _check_tags(account)
        if failure is not None:
            await record_outcomes(account, [failure])


async def _check_tags(account: Account) -> TryLater | None:
    """Signs in, and saves whether the server accepts tagged return paths; returns why there was no sign-in; commits."""
    try:
        address = _tagged_address(account)
    except ValueError as error:
        await account.save_verp_test(str(error))
        return await check_credentials(account)
    refusal = await check_sender(account, address)
    if isinstance(refusal, TryLater) and refusal.phase not in (Phase.MAIL, Phase.RCPT):
        return refusal
    await account.save_verp_test(refusal.text if isinstance(refusal, Refused | TryLater) else None)
    return None


def _tagged_address(account: Account) -> str:
    """The From address with a tag that no email has. Raises ValueError where no tag comes back."""
    if account.from_email is None:
        raise ValueError("the account has no From address")
    if account.smtp_host in REPLACING:
        raise ValueError(f"{account.smtp_host} puts the account's own address in place of a return path")
    return tagged(account.from_email, make_tag(account.org_id, account.id))
