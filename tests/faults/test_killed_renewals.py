"""Workers want a new token at the same time, or die with one that they have not saved."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.factories import make_account
from tests.fakes.google_server import CLIENT_ID, CLIENT_SECRET, GoogleServer
from tests.fakes.smtp_server import HOST, SmtpServer
from tests.fakes.worker import eventually
from tests.faults.support.fleet import Fleet, with_lease
from tests.faults.support.invariants import check_invariants
from tests.faults.support.world import queue_mails, until, until_sent
from tests.locks import end_what_waits, held
from webapp import db
from webapp.config import Settings
from webapp.domain.accounts.credentials import open_secret
from webapp.models import Account, Organization
from webapp.models.mail_log import PENDING, SENT

USER = "ada@acme.example"
MAILS = 20
PATIENCE = 60.0  # seconds
pytestmark = pytest.mark.timeout(180)


@pytest.fixture
async def tokens() -> AsyncIterator[GoogleServer]:
    async with GoogleServer(rotates=True) as tokens:
        yield tokens


@pytest.fixture
async def smtp(tokens: GoogleServer) -> AsyncIterator[SmtpServer]:
    async with SmtpServer(users={}, auth=("XOAUTH2",), user_of=tokens.user_of) as smtp:
        yield smtp


@pytest.fixture
def fleet(settings: Settings, tokens: GoogleServer) -> Fleet:
    return Fleet(with_lease(settings, 2), **client_of(tokens))


def client_of(tokens: GoogleServer) -> dict[str, str]:
    """The environment of a worker that takes this server for Microsoft."""
    microsoft = {"CLIENT_ID": CLIENT_ID, "CLIENT_SECRET": CLIENT_SECRET, "TOKEN_URL": tokens.microsoft.token_url}
    return {f"PENNYPOST_MICROSOFT_{name}": value for name, value in microsoft.items()}


async def die_before_the_save(fleet: Fleet, account: Account, tokens: GoogleServer, settings: Settings) -> None:
    """Kills the workers between the token endpoint's answer and the save of the new tokens, and starts another."""
    refresh_token = open_secret(account, "oauth_refresh_token")
    tokens.hold("token")
    await until(lambda: tokens.requests["token"], PATIENCE)
    async with held(f"SELECT id FROM accounts WHERE id = $1 {db.dialect().lock('FOR UPDATE')}", account.id):
        tokens.release()
        await until(lambda: tokens.has_rotated(refresh_token), PATIENCE)
        await asyncio.sleep(1)  # the answer has arrived by then, and its save waits for us
        await fleet.kill_all()
        if not settings.is_sqlite:
            await end_what_waits()  # a server that has begun a statement ends it although its client is dead
    assert open_secret(await Account.get(id=account.id), "oauth_refresh_token") == refresh_token
    await fleet.add()


async def expired(org: Organization, smtp: SmtpServer, tokens: GoogleServer) -> Account:
    """A connected account whose access token has expired, with email that waits."""
    account = await make_account(
        org,
        tokens=tokens.sign_in(USER),
        smtp_host=HOST,
        smtp_port=smtp.port,
        smtp_auth="oauth2",
        smtp_username=USER,
        oauth_provider="microsoft",
    )
    tokens.expire()
    await queue_mails(org, account, MAILS)
    return account


async def test_workers_renew_a_sign_in_once_between_them(
    acme: Organization, settings: Settings, tokens: GoogleServer, smtp: SmtpServer
) -> None:
    account = await expired(acme, smtp, tokens)
    tokens.hold("token")
    async with Fleet(settings, 3, **client_of(tokens)) as fleet:
        await until(lambda: tokens.requests["token"], PATIENCE)
        await asyncio.sleep(3)  # the others want a token by then
        tokens.release()
        await until_sent(acme, PATIENCE)
        await fleet.end()
    assert await check_invariants(acme, smtp, rows=MAILS) == {SENT: MAILS}
    assert tokens.requests["token"] == 1
    assert (await Account.get(id=account.id)).last_error is None


async def test_a_sign_in_survives_the_loss_of_a_new_refresh_token_and_so_does_all_email(
    acme: Organization, settings: Settings, tokens: GoogleServer, smtp: SmtpServer, fleet: Fleet
) -> None:
    tokens.forgives = True  # learn.microsoft.com/entra/identity-platform/refresh-tokens
    account = await expired(acme, smtp, tokens)
    async with fleet:
        await die_before_the_save(fleet, account, tokens, settings)
        await until_sent(acme, PATIENCE)
        await fleet.end()
    assert await check_invariants(acme, smtp, rows=MAILS) == {SENT: MAILS}
    assert tokens.requests["token"] == 2
    assert not tokens.has_rotated(open_secret(await Account.get(id=account.id), "oauth_refresh_token"))


async def test_a_provider_that_ends_the_old_refresh_token_needs_a_person_and_the_email_waits(
    acme: Organization, settings: Settings, tokens: GoogleServer, smtp: SmtpServer, fleet: Fleet
) -> None:
    account = await expired(acme, smtp, tokens)
    async with fleet:
        await die_before_the_save(fleet, account, tokens, settings)
        await eventually(Account.filter(id=account.id, status="error").exists, PATIENCE)
        await fleet.end()
    assert (await Account.get(id=account.id)).last_error == (
        "Microsoft access for this account has ended (invalid_grant: Token has been expired or revoked.): reconnect it"
    )
    assert await check_invariants(acme, smtp, rows=MAILS) == {PENDING: MAILS}
