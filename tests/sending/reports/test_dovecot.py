"""Reads mailboxes of a real IMAP server, and leaves them as they were."""

import datetime as dt
from collections.abc import AsyncIterator, Iterator
from typing import NamedTuple
from uuid import uuid4

import pytest

from tests.api.conftest import Api, api, app
from tests.domain.bounces.conftest import kinds_of, sent_mail
from tests.domain.bounces.test_effects import UNKNOWN
from tests.domain.from_checks.conftest import DOMAIN, configured, names
from tests.domain.from_checks.test_probes import HELLO, Probed
from tests.factories import account_on, make_account
from tests.fakes.dovecot import HOST, PASSWORD, Dovecot
from tests.fakes.google_server import GoogleServer, google_for
from tests.fakes.graph_api import GRAPH_SCOPE
from tests.fakes.imap_server import ImapServer
from tests.fakes.smtp_server import SmtpServer
from tests.sending.reports.samples import ANN, OURS, Right, mail
from tests.sending.reports.samples.others import NO_REPORTS
from tests.sending.reports.test_authentication import EIGHT_KINDS
from tests.sending.reports.test_parse import REPORTS, UNKNOWN_USER
from webapp import clock
from webapp.config import Settings
from webapp.domain.accounts.credentials import open_secret
from webapp.domain.bounces.reading import read_due
from webapp.models import Account, MailboxReading, MailLog, Organization
from webapp.models.base.org_model import AT_ONCE
from webapp.sending.host_policy import HostPolicy
from webapp.sending.reports.authentication import Judgement
from webapp.sending.reports.imap import MICROSOFT_SCOPE, check_imap, read_imap
from webapp.sending.reports.mailbox import ImapLogin, ImapSecurity
from webapp.sending.reports.parse import parse
from webapp.sending.smtp.connect import Dialer

__all__ = ["api", "app", "configured", "names"]

NOON = dt.datetime(2026, 10, 5, 12, tzinfo=dt.UTC)
LONG_AGO = dt.date(2026, 10, 1)
LETTER = mail(f"From: Ann <{ANN}>\nSubject: Hello\n\nHow are you?\n")
ADA, EVE = "ada@acme.example", "eve@rival.example"


@pytest.fixture(scope="module")
def dovecot() -> Iterator[Dovecot]:
    with Dovecot() as server:
        yield server


def login_to(dovecot: Dovecot, user: str, security: ImapSecurity = "none", **changes: str) -> ImapLogin:
    port = dovecot.tls_port if security == "tls" else dovecot.port
    return ImapLogin(
        HOST, port, user, changes.pop("password", PASSWORD), security, policy=HostPolicy(allow_private=True), **changes
    )


async def test_new_reports_are_read_once_and_nothing_is_changed(dovecot: Dovecot, dialer: Dialer) -> None:
    for message in (UNKNOWN_USER, LETTER, UNKNOWN_USER):
        dovecot.deliver("once", message, NOON)
    login, before = login_to(dovecot, "once"), dovecot.state("once")
    found = await read_imap(login, dialer, None, LONG_AGO, within=60)
    assert [one.content for one in found.messages] == [UNKNOWN_USER, UNKNOWN_USER]
    assert not found.has_more
    assert dovecot.state("once") == before
    assert before[0] == [r"(UID 1 FLAGS (\Recent))", r"(UID 2 FLAGS (\Recent))", r"(UID 3 FLAGS (\Recent))"]
    again = await read_imap(login, dialer, found.cursor, LONG_AGO, within=60)
    assert (again.messages, again.cursor) == ([], found.cursor)
    dovecot.deliver("once", UNKNOWN_USER, NOON - dt.timedelta(days=90))
    (late,) = (await read_imap(login, dialer, found.cursor, LONG_AGO, within=60)).messages
    assert late.id == found.cursor.replace(":3", ":4")


async def test_each_sample_is_found_and_read_rightly(dovecot: Dovecot, dialer: Dialer) -> None:
    for sample in REPORTS + NO_REPORTS:
        dovecot.deliver("samples", sample.message, NOON)
    found = await read_imap(login_to(dovecot, "samples"), dialer, None, LONG_AGO, within=60)
    verdicts = [[Right.of(verdict) for verdict in parse(message.content)] for message in found.messages]
    assert [one for one in verdicts if one] == [sample.verdicts for sample in REPORTS]


@pytest.mark.parametrize("security", ["tls", "starttls", "none"])
async def test_it_signs_in_by_each_kind_of_security(dovecot: Dovecot, dialer: Dialer, security: ImapSecurity) -> None:
    await check_imap(login_to(dovecot, "secure", security), dialer)


class Maildir(NamedTuple):
    dovecot: Dovecot
    user: str

    def add(self, message: bytes, _: dt.date) -> None:
        self.dovecot.deliver(self.user, message, clock.now())


@pytest.mark.parametrize(("fields", "forged", "expected"), EIGHT_KINDS.values(), ids=EIGHT_KINDS)
async def test_the_results_of_a_probe_are_read(
    api: Api,
    acme: Organization,
    configured: Settings,
    smtp_server: SmtpServer,
    dovecot: Dovecot,
    fields: str,
    forged: str,
    expected: Judgement,
) -> None:
    account, user = await account_on(smtp_server, acme, from_email=HELLO), f"{uuid4().hex}@{DOMAIN}"
    reading = {"host": HOST, "port": dovecot.port, "security": "none", "username": user, "password": PASSWORD}
    changes = {"bounce_reading": "mailbox"} | {f"bounce_imap_{name}": value for name, value in reading.items()}
    assert (await api.patch(f"/v1/accounts/{account.id}", changes))[0] == 200
    probed = Probed(api, account, configured, smtp_server, Maildir(dovecot, user))
    dovecot.deliver(user, LETTER, clock.now())
    await probed.send()
    assert (await probed.read())["probe"]["state"] == "pending"
    probed.arrive(fields, forged)
    found = await probed.read()
    assert (found["verdict"], found["probe"]["state"], found["probe"]["to"]) == (expected.value, "read", user)


class TestTokens:
    """Accounts that read their own mailbox by XOAUTH2, at a server that takes no passwords."""

    @pytest.fixture
    async def tokens(self, settings: Settings) -> AsyncIterator[GoogleServer]:
        async with google_for(settings, rotates=True) as tokens:
            yield tokens

    @pytest.fixture
    def dovecot(self, tokens: GoogleServer) -> Iterator[Dovecot]:
        with Dovecot(tokens.introspection_url) as server:
            yield server

    async def test_a_bounce_is_read_with_a_token_that_is_renewed_once(
        self, acme: Organization, rival: Organization, dovecot: Dovecot, tokens: GoogleServer
    ) -> None:
        account, theirs = await reader(acme, dovecot, tokens, ADA), await reader(rival, dovecot, tokens, EVE)
        (row,), (their_row,) = await sent_mail(acme, account), await sent_mail(rival, theirs)
        dovecot.deliver(ADA, UNKNOWN.replace(OURS.encode(), (row.message_id or "").encode()))
        tokens.expire()
        await read_due()
        assert await kinds_of(row) == ["bounced"]
        assert (await MailLog.get(id=their_row.id)).bounced_at is None
        states = {state.account_id: state for state in await MailboxReading.all()}
        assert [(states[one.id].messages, states[one.id].last_error) for one in (account, theirs)] == [
            (1, None),
            (0, None),
        ]
        assert tokens.requests["token"] == 2  # one for each account

    async def test_a_sign_in_that_has_ended_is_named_and_the_account_sends_as_before(
        self, acme: Organization, dovecot: Dovecot, tokens: GoogleServer
    ) -> None:
        account = await reader(acme, dovecot, tokens, ADA)
        tokens.revoke()
        assert await error_of(account) == (
            "Microsoft access for this account has ended (invalid_grant: Token has been expired or revoked.): "
            "reconnect it"
        )
        assert (await Account.get(id=account.id)).status == "active"

    async def test_a_sign_in_that_may_not_read_the_mailbox_is_named(
        self, acme: Organization, dovecot: Dovecot, tokens: GoogleServer
    ) -> None:
        account = await reader(acme, dovecot, tokens, EVE)
        await Account.filter(id=account.id).update(smtp_username=ADA)
        dovecot.deliver(ADA, UNKNOWN)
        assert await error_of(account) == (
            "the sign-in doesn't let Pennypost read this mailbox, reconnect the account "
            f"({HOST} rejected the login: [AUTHENTICATIONFAILED] Authentication failed.)"
        )
        assert tokens.requests["token"] == 1

    async def test_a_graph_account_reads_with_a_token_for_imap_and_keeps_its_own_to_send(
        self, acme: Organization, dovecot: Dovecot, tokens: GoogleServer
    ) -> None:
        access, refresh = tokens.sign_in(ADA, f"{GRAPH_SCOPE} {MICROSOFT_SCOPE}")
        account = await graph_reader(acme, dovecot, (access, refresh))
        (row,) = await sent_mail(acme, account)
        dovecot.deliver(ADA, UNKNOWN.replace(OURS.encode(), (row.message_id or "").encode()))
        assert await error_of(account) is None
        assert await kinds_of(row) == ["bounced"]
        stored = await Account.get(id=account.id)
        assert open_secret(stored, "oauth_access_token") == access
        renewed = open_secret(stored, "oauth_refresh_token")
        assert renewed != refresh
        assert renewed in tokens.secrets

    async def test_a_graph_account_that_may_only_send_says_what_is_missing(
        self, acme: Organization, dovecot: Dovecot, tokens: GoogleServer
    ) -> None:
        account = await graph_reader(acme, dovecot, tokens.sign_in(ADA, GRAPH_SCOPE))
        assert (await error_of(account) or "").startswith("consent is missing: reconnect the account")
        assert (await Account.get(id=account.id)).status == "active"

    async def test_a_server_without_tokens_gets_none(
        self, acme: Organization, tokens: GoogleServer, imap_server: ImapServer
    ) -> None:
        account = await reader(acme, imap_server, tokens, ADA)
        assert f"{HOST} does not support OAuth sign-in" in (await error_of(account) or "")
        assert not any(secret in line for secret in tokens.secrets for line in imap_server.lines)


async def reader(org: Organization, server: Dovecot | ImapServer, tokens: GoogleServer, user: str) -> Account:
    """An account that is connected with Microsoft and due to read its own mailbox."""
    account = await make_account(
        org,
        tokens=tokens.sign_in(user),
        smtp_username=user,
        smtp_auth="oauth2",
        oauth_provider="microsoft",
        bounce_reading="account",
        bounce_imap_host=HOST,
        bounce_imap_port=server.port,
        bounce_imap_security="none",
    )
    await MailboxReading.begin(account)
    return account


async def graph_reader(org: Organization, server: Dovecot, tokens: tuple[str, str]) -> Account:
    """A Graph account that is due to read its own mailbox."""
    smtp = dict.fromkeys(("smtp_host", "smtp_port", "smtp_security"))
    account = await make_account(
        org,
        tokens=tokens,
        provider_type="microsoft",
        microsoft_email=ADA,
        oauth_provider="microsoft",
        bounce_reading="account",
        bounce_imap_host=HOST,
        bounce_imap_port=server.port,
        bounce_imap_security="none",
        **smtp,
    )
    await MailboxReading.begin(account)
    return account


async def error_of(account: Account) -> str | None:
    await MailboxReading.filter(account_id=account.id).update(next_at=AT_ONCE)
    await read_due()
    return (await MailboxReading.get(account_id=account.id)).last_error
