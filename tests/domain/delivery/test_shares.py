"""An organization's messages at servers that hang leave others half of a process's connections."""

import asyncio

from jobs.worker import send
from tests.factories import account_on, make_mail
from tests.fakes.smtp_server import SmtpServer
from tests.faults.support.world import until, until_sent
from webapp.config import Settings
from webapp.domain.delivery.dispatcher import Dispatcher
from webapp.models import Organization
from webapp.sending.smtp.connect import Dialer, Timeouts
from webapp.sending.smtp.pool import SmtpPool

SOCKETS = 4


async def test_messages_that_hang_leave_connections_for_another_organization(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    async with SmtpServer() as hanging:
        hanging.hang("GREETING")
        for _ in range(SOCKETS):
            await make_mail(acme, await account_on(hanging, acme))
        dispatcher = Dispatcher(SmtpPool(Dialer(Timeouts(connect=600))), settings.lease_seconds, SOCKETS)
        stop = asyncio.Event()
        sender = asyncio.create_task(send(dispatcher, stop, 0.2))
        await until(lambda: hanging.open_connections == SOCKETS // 2)
        await make_mail(rival, await account_on(smtp_server, rival))
        dispatcher.wake()
        await until_sent(rival)
        assert hanging.most_connections == SOCKETS // 2
        stop.set()
        await sender
