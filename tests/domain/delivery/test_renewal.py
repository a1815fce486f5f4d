"""Sign-ins of accounts that send nothing are renewed every week."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from tests.factories import make_account
from tests.fakes.google_server import GoogleServer, google_for
from webapp import clock
from webapp.config import Settings
from webapp.domain.accounts.credentials import open_secret, seal_secret
from webapp.domain.delivery.renewal import renew_due
from webapp.domain.instance import suspension
from webapp.models import Account, Organization

USER = "ada@acme.example"
WEEK, HOUR, MINUTE = timedelta(days=7), timedelta(hours=1), timedelta(minutes=1)


@pytest.fixture
async def tokens(settings: Settings) -> AsyncIterator[GoogleServer]:
    async with google_for(settings, rotates=True) as tokens:
        yield tokens


async def connected(org: Organization, tokens: GoogleServer, **fields: Any) -> Account:
    """An account that was connected with Microsoft more than a week ago."""
    about = {"smtp_auth": "oauth2", "oauth_provider": "microsoft", "smtp_username": USER}
    about["oauth_renew_at"] = clock.now() - MINUTE
    return await make_account(org, tokens=tokens.sign_in(USER), **(about | fields))


async def test_a_sign_in_is_renewed_once_a_week_whatever_the_account_is_doing(
    acme: Organization, rival: Organization, tokens: GoogleServer
) -> None:
    idle, paused = await connected(acme, tokens), await connected(rival, tokens, status="paused")
    unknown = await connected(rival, tokens, oauth_renew_at=None)
    used = await connected(acme, tokens, oauth_renew_at=clock.now() + MINUTE)
    await make_account(acme, password="secret", oauth_renew_at=clock.now() - MINUTE)
    await asyncio.gather(renew_due(), renew_due())
    await renew_due()
    assert tokens.requests["token"] == 3
    for account in (idle, paused, unknown):
        found = await Account.get(id=account.id)
        assert open_secret(found, "oauth_refresh_token") in tokens.secrets
        assert open_secret(found, "oauth_refresh_token") != open_secret(account, "oauth_refresh_token")
        assert timedelta(0) < clock.now() + WEEK - found.oauth_renew_at < MINUTE
        assert (found.status, found.last_error, found.updated_at) == (account.status, None, account.updated_at)
    assert (await Account.get(id=used.id)).is_like(used)


async def test_googles_sign_ins_are_renewed_too(acme: Organization, tokens: GoogleServer) -> None:
    account = await make_account(acme, provider_type="google", smtp_host=None, smtp_port=None)
    sealed = zip(("google_access_token", "google_refresh_token"), tokens.sign_in(USER), strict=True)
    await Account.filter(id=account.id).update(**{name: seal_secret(account, name, plain) for name, plain in sealed})
    await renew_due()
    found = await Account.get(id=account.id)
    assert open_secret(found, "google_refresh_token") in tokens.secrets
    assert found.google_token_expires_at > clock.now()


async def test_an_ended_sign_in_is_found_before_there_is_email_to_send(
    acme: Organization, rival: Organization, tokens: GoogleServer
) -> None:
    account = await connected(acme, tokens)
    tokens.revoke()
    theirs = await connected(rival, tokens)
    await renew_due()
    found = await Account.get(id=account.id)
    assert found.status == "error"
    assert found.last_error == (
        "Microsoft access for this account has ended (invalid_grant: Token has been expired or revoked.): reconnect it"
    )
    assert found.oauth_renew_at > clock.now() + WEEK - MINUTE
    assert (await Account.get(id=theirs.id)).status == "active"


async def test_a_provider_that_is_away_is_asked_again_after_an_hour(acme: Organization, tokens: GoogleServer) -> None:
    account = await connected(acme, tokens)
    tokens.fail("token", 503, times=1)
    await renew_due()
    await renew_due()
    found = await Account.get(id=account.id)
    assert (found.status, found.last_error, tokens.requests["token"]) == ("active", None, 1)
    assert timedelta(0) < clock.now() + HOUR - found.oauth_renew_at < MINUTE


async def test_a_restored_copy_renews_nothing(acme: Organization, tokens: GoogleServer) -> None:
    await connected(acme, tokens)
    await suspension.suspend_sending("a copy was restored")
    await renew_due()
    assert tokens.requests["token"] == 0
