"""How many connections an account has at once: as many as it is set to, also when that changes while it sends."""

from collections.abc import AsyncIterator

import pytest

from tests.api.conftest import Api, make_api
from tests.apps import app_of
from tests.factories import account_on, make_run, want_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from webapp.config import Settings
from webapp.models import Account, MailLog, Organization
from webapp.models.mail_log import SENT

PATIENCE = 60.0  # seconds
SOON = 10.0
MAILS = 120  # so few that no connection ends because it has carried its hundred


@pytest.fixture
async def rival_api(settings: Settings, rival: Organization) -> Api:
    return await make_api(app_of(settings), rival)


@pytest.fixture
async def other() -> AsyncIterator[SmtpServer]:
    async with SmtpServer() as server:
        yield server


async def start(org: Organization, account: Account) -> None:
    """Creates a run, which begins as soon as there is a worker."""
    run, _ = await make_run(org, [account], MAILS)
    await want_mail(org, run)


async def has_received(server: SmtpServer, count: int) -> bool:
    return len(server.messages) >= count


async def has_open(server: SmtpServer, connections: int) -> bool:
    return server.open_connections == connections


async def are_all_sent(org: Organization) -> bool:
    return await MailLog.of(org).exclude(status=SENT).count() == 0


async def test_another_number_is_obeyed_while_a_campaign_goes_on_and_is_nobody_elses(
    api: Api,
    rival_api: Api,
    acme: Organization,
    rival: Organization,
    settings: Settings,
    smtp_server: SmtpServer,
    other: SmtpServer,
) -> None:
    smtp_server.delay("DOT", 0.2)
    account = await account_on(smtp_server, acme)
    path = f"/v1/accounts/{account.id}"
    await start(acme, account)
    other.delay("DOT", 0.2)
    await start(rival, await account_on(other, rival))
    async with working(settings):
        await eventually(lambda: has_received(smtp_server, 10), PATIENCE)
        assert (await rival_api.patch(path, {"concurrency": 100}))[0] == 404
        assert smtp_server.most_connections <= 4
        assert (await api.patch(path, {"concurrency": 8}))[0] == 200
        await eventually(lambda: has_open(smtp_server, 8), SOON)
        assert (await api.patch(path, {"concurrency": 2}))[0] == 200
        await eventually(lambda: has_open(smtp_server, 2), SOON)
        assert smtp_server.most_connections == 8
        smtp_server.most_connections = 0
        assert len(smtp_server.messages) < MAILS - 10  # there is still something to obey with
        for server in (smtp_server, other):
            server.heal()
        await eventually(lambda: are_all_sent(acme), PATIENCE)
        assert max(smtp_server.most_connections, smtp_server.open_connections) <= 2
        await eventually(lambda: are_all_sent(rival), PATIENCE)
        assert other.most_connections == 4
    assert len(smtp_server.messages) == len(set(smtp_server.recipients())) == MAILS
