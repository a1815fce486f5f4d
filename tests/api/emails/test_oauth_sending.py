"""SMTP accounts that sign in by OAuth, from the request to the server and back."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.api.mails import send
from tests.factories import account_on
from tests.fakes.google_server import CLIENT_ID, CLIENT_SECRET, GoogleServer, google_for
from tests.fakes.smtp_server import HOST, SmtpServer
from tests.fakes.worker import eventually, working
from tests.faults.support.world import queue_mails, until
from webapp import clock
from webapp.config import Settings
from webapp.models import Account, MailLog, Organization
from webapp.models.mail_log import PENDING, SENT

USER = "ada@acme.example"
SCOPE = "https://outlook.office365.com/.default"


@pytest.fixture
async def tokens(settings: Settings, caplog: pytest.LogCaptureFixture) -> AsyncIterator[GoogleServer]:
    """The token endpoint; no token and no client secret gets into a log or unsealed into the database."""
    async with google_for(settings, rotates=True) as tokens:
        yield tokens
        texts = [caplog.text, *(str(row) for row in await Account.all().values())]
        texts += [f"{row.error}" for row in await MailLog.all()]
        assert not any(secret in text for secret in tokens.secrets for text in texts)


@pytest.fixture
async def smtp(tokens: GoogleServer) -> AsyncIterator[SmtpServer]:
    async with SmtpServer(users={}, auth=("XOAUTH2",), user_of=tokens.user_of) as smtp:
        yield smtp


def account_fields(smtp: SmtpServer, tokens: GoogleServer, provider: str) -> dict[str, Any]:
    """`app` is a custom provider whose client signs in by itself."""
    own = {
        "oauth_token_url": tokens.settings.token_url,
        "oauth_client_id": CLIENT_ID,
        "oauth_client_secret": CLIENT_SECRET,
    }
    if provider == "app":
        tokens.app_mailbox = USER
        sign_in = own | {"oauth_provider": "custom", "oauth_grant": "client_credentials", "oauth_scope": SCOPE}
    else:
        names = ("oauth_access_token", "oauth_refresh_token")
        sign_in = dict(zip(names, tokens.sign_in(USER), strict=True)) | {"oauth_provider": provider}
        sign_in |= own if provider == "custom" else {}
    return {
        "name": "Mailbox",
        "provider_type": "smtp",
        "smtp_host": HOST,
        "smtp_port": smtp.port,
        "smtp_auth": "oauth2",
        "smtp_username": USER,
        **sign_in,
    }


async def are_sent(number: int) -> bool:
    return await MailLog.filter(status=SENT).count() == number


@pytest.mark.parametrize("provider", ["microsoft", "google", "custom"])
async def test_tokens_that_end_while_mail_goes_out_are_renewed_once_and_nothing_is_lost(
    api: Api, acme: Organization, tokens: GoogleServer, smtp: SmtpServer, settings: Settings, provider: str
) -> None:
    made = await api.create("/v1/accounts", account_fields(smtp, tokens, provider))
    smtp.close_after(10)
    await queue_mails(acme, await Account.get(id=made["id"]), 500)
    async with working(settings):
        await until(lambda: len(smtp.messages) > 5)
        tokens.expire()
        await eventually(lambda: are_sent(500))
    received = [address for message in smtp.messages for address in message.recipients]
    assert sorted(received) == sorted(f"reader{n}@example.org" for n in range(500))
    assert {message.user for message in smtp.messages} == {USER}
    assert tokens.requests["token"] == 1


async def test_a_slow_renewal_ends_no_lease_that_another_process_took_meanwhile(
    api: Api, acme: Organization, tokens: GoogleServer, smtp: SmtpServer, settings: Settings
) -> None:
    made = await api.create("/v1/accounts", account_fields(smtp, tokens, "microsoft"))
    await queue_mails(acme, await Account.get(id=made["id"]), 1)
    tokens.expire()
    tokens.hold("token")
    theirs = clock.now().replace(microsecond=0) + timedelta(hours=1)
    async with working(settings):
        await until(lambda: tokens.requests["token"])
        await Account.filter(id=made["id"]).update(lease_until=theirs)
        tokens.release()
        await eventually(lambda: are_sent(1))
    assert (await Account.get(id=made["id"])).lease_until == theirs


async def test_a_sign_in_that_has_ended_stops_the_account_in_words_and_its_mail_waits(
    api: Api, tokens: GoogleServer, smtp: SmtpServer, settings: Settings
) -> None:
    made = await api.create("/v1/accounts", account_fields(smtp, tokens, "microsoft"))
    await send(api, to=["reader@example.org"])
    tokens.expire()
    words = "AADSTS700082: The refresh token has expired due to inactivity."
    tokens.fail("token", 400, "invalid_grant", words, times=1)
    path = f"/v1/accounts/{made['id']}"
    async with working(settings):
        await eventually(lambda: Account.filter(id=made["id"], status="error").exists())
    shown = (await api.get(path))[1]["data"]
    assert shown["last_error"] == (
        "the sign-in was unused for 90 days and has expired: reconnect the account (AADSTS700082)"
    )
    assert [row.status for row in await MailLog.all()] == [PENDING]

    access, refresh = tokens.sign_in(USER)
    await api.patch(path, {"oauth_access_token": access, "oauth_refresh_token": refresh})
    async with working(settings):
        await eventually(lambda: are_sent(1))


async def test_a_mailbox_whose_smtp_is_off_is_not_asked_with_token_after_token(
    api: Api, tokens: GoogleServer, smtp: SmtpServer, settings: Settings
) -> None:
    smtp.reply("AUTH", "535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled")
    made = await api.create("/v1/accounts", account_fields(smtp, tokens, "microsoft"))
    await send(api, to=["reader@example.org"])
    async with working(settings):
        await eventually(lambda: Account.filter(id=made["id"], status="error").exists())
    error = (await api.get(f"/v1/accounts/{made['id']}"))[1]["data"]["last_error"]
    assert error.endswith(
        "SMTP AUTH is off for this mailbox: connect it by Microsoft Graph, or your Microsoft 365 administrator runs Set-CASMailbox MAILBOX "
        "-SmtpClientAuthenticationDisabled $false"
    )
    assert tokens.requests["token"] == 0


BASIC = "Basic authentication is not supported for Client Submission."
SWITCH_ON = "your Microsoft 365 administrator runs Set-CASMailbox MAILBOX -SmtpClientAuthenticationDisabled $false"


@pytest.mark.parametrize(
    ("reply", "advice"),
    [
        (f"550 5.7.30 {BASIC}", "passwords no longer work: connect with Microsoft"),
        (
            "535 5.7.139 Authentication unsuccessful, basic authentication is disabled.",
            f"SMTP AUTH is off for this mailbox, or passwords are: connect with Microsoft, or {SWITCH_ON}",
        ),
        (
            "535 5.7.3 Authentication unsuccessful",
            "the user name or password is wrong, or passwords no longer work here: connect with Microsoft",
        ),
    ],
)
async def test_a_password_that_microsoft_refuses_stops_the_account_with_what_to_do_and_its_mail_waits(
    api: Api, acme: Organization, settings: Settings, reply: str, advice: str
) -> None:
    async with SmtpServer(users={USER: "secret"}) as smtp:
        smtp.reply("AUTH", reply)
        made = await account_on(smtp, acme, smtp_username=USER, password="secret")
        await send(api, to=["reader@example.org"])
        async with working(settings):
            await eventually(lambda: Account.filter(id=made.id, status="error").exists())
    assert (await api.get(f"/v1/accounts/{made.id}"))[1]["data"]["last_error"].endswith(
        f"{reply.removesuffix('.')}: {advice}"
    )
    assert [row.status for row in await MailLog.all()] == [PENDING]


async def test_a_client_signs_in_by_itself_as_often_as_its_token_expires(
    api: Api, acme: Organization, tokens: GoogleServer, smtp: SmtpServer, settings: Settings
) -> None:
    made = await api.create("/v1/accounts", account_fields(smtp, tokens, "app"))
    smtp.close_after(10)
    await queue_mails(acme, await Account.get(id=made["id"]), 100)
    async with working(settings):
        await until(lambda: len(smtp.messages) > 5)
        tokens.expire()
        await eventually(lambda: are_sent(100))
    assert len({address for message in smtp.messages for address in message.recipients}) == 100
    assert tokens.requests["token"] == 2
    account = await Account.get(id=made["id"])
    assert (account.oauth_refresh_token, account.oauth_renew_at) == (None, None)


async def test_a_client_that_lost_its_rights_stops_the_account_in_words_and_its_mail_waits(
    api: Api, tokens: GoogleServer, smtp: SmtpServer, settings: Settings
) -> None:
    made = await api.create("/v1/accounts", account_fields(smtp, tokens, "app"))
    await send(api, to=["reader@example.org"])
    tokens.fail("token", 401, "invalid_client", "The client secret is wrong.", times=1)
    path = f"/v1/accounts/{made['id']}"
    async with working(settings):
        await eventually(lambda: Account.filter(id=made["id"], status="error").exists())
    assert (await api.get(path))[1]["data"]["last_error"] == (
        f"{HOST} rejected the OAuth client (invalid_client: The client secret is wrong.): "
        "check the client ID and secret of this account"
    )
    assert [row.status for row in await MailLog.all()] == [PENDING]
    await api.patch(path, {"oauth_client_secret": CLIENT_SECRET})
    async with working(settings):
        await eventually(lambda: are_sent(1))
