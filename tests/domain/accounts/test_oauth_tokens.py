"""Tokens of Google accounts when several want them at once, here and in other processes."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from uuid_utils.compat import uuid7

from tests.factories import make_account
from tests.fakes.google_server import GoogleServer, google_for
from tests.faults.support.world import until
from webapp import clock
from webapp.config import Settings
from webapp.domain.accounts.credentials import open_secret, seal_secret
from webapp.domain.accounts.oauth_tokens import access_token, save_tokens
from webapp.domain.instance.secret_rotation import check_secrets
from webapp.errors import ConfigError
from webapp.models import Account, Organization
from webapp.sending.http_client import HttpClient
from webapp.sending.oauth import Tokens


@pytest.fixture
async def google(settings: Settings) -> AsyncIterator[GoogleServer]:
    async with google_for(settings, rotates=True) as google:
        yield google


@pytest.fixture
async def http() -> AsyncIterator[HttpClient]:
    http = HttpClient()
    yield http
    await http.aclose()


async def signed_in(org: Organization, google: GoogleServer) -> Account:
    account = await make_account(org, provider_type="google", smtp_host=None, smtp_port=None)
    await store(account, *google.sign_in("ada@gmail.example"))
    return await Account.get(id=account.id)


async def store(account: Account, access: str, refresh: str) -> None:
    tokens = {"google_access_token": access, "google_refresh_token": refresh}
    sealed = {column: seal_secret(account, column, plain) for column, plain in tokens.items()}
    await Account.filter(id=account.id).update(**sealed, google_token_expires_at=None)


async def test_accounts_do_not_wait_for_each_other(
    acme: Organization, rival: Organization, google: GoogleServer, http: HttpClient
) -> None:
    mine, theirs = await signed_in(acme, google), await signed_in(rival, google)
    google.hang("token", times=1)
    waiting = asyncio.create_task(access_token(mine, http, await access_token(mine, http)))
    await until(lambda: google.requests["token"])
    assert await access_token(theirs, http, await access_token(theirs, http)) in google.secrets
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)


async def test_what_a_person_changes_meanwhile_stays(
    acme: Organization, google: GoogleServer, http: HttpClient
) -> None:
    account = await signed_in(acme, google)
    await store(account, "another", "sign-in")
    await save_tokens(account, Tokens("late", "later", 3600))
    found = await Account.get(id=account.id)
    assert open_secret(found, "google_access_token") == "another"
    assert open_secret(found, "google_refresh_token") == "sign-in"
    assert found.google_token_expires_at is None


async def test_a_sign_in_that_was_sealed_anew_meanwhile_is_the_same(
    acme: Organization, rival: Organization, google: GoogleServer, http: HttpClient
) -> None:
    account, other = await signed_in(acme, google), await signed_in(rival, google)
    await store(account, "another", open_secret(account, "google_refresh_token") or "")
    changed_at = (await Account.get(id=account.id)).updated_at
    await save_tokens(account, Tokens("late", "later", 3600))
    found = await Account.get(id=account.id)
    assert found.google_refresh_token != account.google_refresh_token
    assert open_secret(found, "google_access_token") == "late"
    assert open_secret(found, "google_refresh_token") == "later"
    assert found.google_token_expires_at is not None
    assert found.updated_at == changed_at
    assert (await Account.get(id=other.id)).google_access_token == other.google_access_token


async def test_a_token_of_unknown_end_is_good_and_one_near_its_end_is_not(
    acme: Organization, google: GoogleServer, http: HttpClient
) -> None:
    account = await signed_in(acme, google)
    first = await access_token(account, http)
    for seconds, is_same in ((3600, True), (70, True), (50, False)):
        await Account.filter(id=account.id).update(google_token_expires_at=clock.now() + timedelta(seconds=seconds))
        assert (await access_token(await Account.get(id=account.id), http) == first) is is_same


async def test_a_token_of_another_account_is_named_before_anything_is_served(
    acme: Organization, google: GoogleServer
) -> None:
    account = await signed_in(acme, google)
    assert await check_secrets() == 2
    other = await make_account(acme, id=uuid7(), google_access_token=account.google_access_token)
    secret = f"{acme.id}:{other.id}:google_access_token"
    with pytest.raises(ConfigError, match=f"the stored secret of {secret} cannot be decrypted"):
        await check_secrets()
