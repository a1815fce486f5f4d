"""Every connection greets by the name of the instance: a worker's, a login test's, and those of its own mail."""

from dataclasses import replace

from tests.factories import account_on, make_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import working
from tests.faults.support.world import until_sent
from tests.support.instance_mail import SENDER
from webapp import config
from webapp.config import Settings
from webapp.config.mail import MailServer, MailSettings
from webapp.domain.auth import system_email
from webapp.domain.auth.system_email import SystemEmail
from webapp.domain.delivery.providers import check_credentials
from webapp.models import Organization
from webapp.sending.outcomes import Delivered


async def test_all_connections_greet_by_the_host_of_the_base_url(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    email = SystemEmail("ada@example.org", "Hello", "Before.", "https://post.acme.example/", "Press", "After.")
    mail = MailSettings(MailServer("127.0.0.1", smtp_server.port, "none"), SENDER)
    found = replace(settings, base_url="https://post.acme.example", mail=mail)
    config.configure(found)
    account, other = await account_on(smtp_server, acme), await account_on(smtp_server, rival)
    await make_mail(acme, account)
    await make_mail(rival, other)
    async with working(found):
        await until_sent(acme)
        await until_sent(rival)
    assert await check_credentials(account) is None
    assert isinstance(await system_email.send(email), Delivered)
    await system_email.check_server()
    greetings = [command.line for command in smtp_server.commands if command.verb == "EHLO"]
    assert (len(greetings), set(greetings)) == (5, {"EHLO post.acme.example"})
