"""How many connections an account has at once: as many as it is set to, also when that changes while it sends."""

from tests.api.conftest import Api
from tests.factories import account_on, make_run, want_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import working
from tests.faults.support.world import until, until_received, until_sent
from webapp.config import Settings
from webapp.models import Organization

PATIENCE = 60.0  # seconds
SOON = 10.0
MAILS = 120  # so few that no connection ends because it has carried its hundred


async def test_another_number_is_obeyed_while_a_campaign_goes_on_and_is_nobody_elses(
    api: Api, rival_api: Api, acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    async with SmtpServer() as other:
        account, theirs = await account_on(smtp_server, acme), await account_on(other, rival)
        for org, one, server in ((acme, account, smtp_server), (rival, theirs, other)):
            server.delay("DOT", 0.2)
            run, _ = await make_run(org, [one], MAILS)
            await want_mail(org, run)
        path = f"/v1/accounts/{account.id}"
        async with working(settings):
            await until_received(smtp_server, 10, PATIENCE)
            assert (await rival_api.patch(path, {"concurrency": 100}))[0] == 404
            assert smtp_server.most_connections <= 4
            for connections in (8, 2):
                assert (await api.patch(path, {"concurrency": connections}))[0] == 200
                await until(lambda: smtp_server.open_connections == connections, SOON)  # noqa: B023 - it is waited for
            assert smtp_server.most_connections == 8
            smtp_server.most_connections = 0
            assert len(smtp_server.messages) < MAILS - 10  # there is still something to obey with
            for server in (smtp_server, other):
                server.heal()
            await until_sent(acme, PATIENCE)
            assert max(smtp_server.most_connections, smtp_server.open_connections) <= 2
            await until_sent(rival, PATIENCE)
            assert other.most_connections == 4
    assert len(smtp_server.messages) == len(set(smtp_server.recipients())) == MAILS
