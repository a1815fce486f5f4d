"""The API while sending is suspended: mail is accepted and waits; a compose, which never waits, is refused."""

from tests.api.compose.test_compose import ask
from tests.api.conftest import Api
from tests.api.mails import send
from tests.factories import account_on, make_account
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import dispatching
from webapp.config import Settings
from webapp.domain.instance.suspension import resume_sending, suspend_sending
from webapp.models import Content, MailLog, Organization
from webapp.models.mail_log import PENDING


async def test_an_email_is_accepted_and_waits(api: Api, acme: Organization) -> None:
    await make_account(acme)
    await suspend_sending("restored")
    assert (await api.get(f"/v1/emails/{await send(api)}"))[1]["data"]["status"] == PENDING


async def test_a_compose_is_refused_and_keeps_nothing(
    api: Api, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    account = await account_on(smtp_server, acme)
    await suspend_sending("restored")
    status, body = await ask(api, account)
    assert (status, body["error"]) == (503, "ServiceUnavailable")
    assert body["message"] == "sending is on hold (restored): nothing was sent, try again later"
    assert await MailLog.all().count() + await Content.all().count() == 0
    assert smtp_server.messages == []
    await resume_sending()
    async with dispatching(settings):
        status, body = await ask(api, account)
    assert (status, body["sent"]) == (200, 1)
