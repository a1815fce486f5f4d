"""Tests an account's login, because a person asked or settings depend on it."""

import asyncio

from webapp.domain.accounts import oauth_tokens
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

CHECK_SECONDS = 10.0  # for a test that nobody waits for
CHECKS_A_MINUTE = 10  # per organization, so that login tests are useless for port scans
# They accept any sender, but bounces go to the address that signed in.
REPLACING = ("smtp.gmail.com", "smtp.googlemail.com")


async def check_login(org: Organization, account: Account, checks: SharedThrottle) -> str | None:
    """Signs in, saves the result and returns the failure, if any; commits. Raises RateLimitExceeded."""
    if account.provider_type != ProviderType.SMTP and not oauth_tokens.has_client(account):
        return f"{account.provider_type.title()} sign-in isn't set up on this server"  # although its token may be valid
    wait = await checks.consume(str(org.id))
    if wait:
        raise RateLimitExceeded(f"Up to {CHECKS_A_MINUTE} login tests per minute. Try again in {wait} seconds.", wait)
    address = await _tagged_address(account) if account.bounce_verp else None
    failure = await (check_credentials(account) if address is None else _offer(account, address))
    if failure is not None:
        await record_outcomes(account, [failure])
    else:
        await account_health.mark_healthy(account, ends_throttling=True)
    await account.refresh_from_db()
    return failure.text if failure else None


async def check_return_path(account: Account, *, again: bool = False, seconds: float = CHECK_SECONDS) -> None:
    """Tests if the server accepts tagged return paths, unless known; commits.

    A server that takes longer than `seconds` is not asked again until a person tests the login.
    """
    is_known = account.bounce_verp_works is not None and not again
    if not account.bounce_verp or is_known or is_degraded(account):  # degraded by a failed sign-in
        return
    address = await _tagged_address(account)
    failure = None
    try:
        async with asyncio.timeout(seconds):
            failure = None if address is None else await _offer(account, address)
    except TimeoutError:
        await account.save_verp_test(works=False, error="the server did not answer in time")
    if failure is not None:
        await record_outcomes(account, [failure])


async def _tagged_address(account: Account) -> str | None:
    """A From address with an unused tag; None if bounces would not return, which is saved; commits."""
    reason = "the account has no From address"
    if account.smtp_host in REPLACING:
        reason = f"{account.smtp_host} puts the account's own address in place of a return path"
    elif account.from_email is not None:
        try:
            return tagged(account.from_email, make_tag(account.org_id, account.id))
        except ValueError as error:
            reason = str(error)
    await account.save_verp_test(works=False, error=reason)
    return None


async def _offer(account: Account, address: str) -> TryLater | None:
    """Signs in and saves if the server accepts the address; returns why sign-in failed; commits."""
    refusal = await check_sender(account, address)
    if isinstance(refusal, TryLater) and refusal.phase not in (Phase.MAIL, Phase.RCPT):
        return refusal
    error = refusal.text if isinstance(refusal, Refused | TryLater) else None
    await account.save_verp_test(works=error is None, error=error)
    return None
