"""A worker without a secret key leaves alone what it cannot decrypt, and no account is blamed for it."""

import asyncio
import base64
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from tests.factories import account_on, make_mail, make_webhook
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.faults.support.world import until_row
from webapp import clock, config, crypto
from webapp.config import Settings
from webapp.domain.instance import secret_rotation, workers
from webapp.models import Account, Event, MailLog, Organization, WebhookDelivery
from webapp.models.mail_log import PENDING, SENT
from webapp.models.queries import webhook_outbox

NEW = base64.b64decode(b"u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7s=")
HOLD_SECONDS = 1.5  # in which a worker that could decrypt the password would have sent


def with_keys(settings: Settings, *keys: bytes) -> Settings:
    found = replace(settings, secret_keys=keys)
    config.configure(found)
    return found


async def account_with_login(org: Organization, server: SmtpServer) -> Account:
    server.users = {"ann": "secret"}
    return await account_on(server, org, smtp_username="ann", password="secret")


async def is_in_trouble() -> bool:
    return bool(await workers.worker_troubles())


async def rotate(settings: Settings, *keys: bytes) -> None:
    """Encrypts everything with the first of the keys, as the command in a process of its own does."""
    with_keys(settings, *keys)
    await secret_rotation.rotate_secrets()
    config.configure(settings)


async def test_an_old_key_holds_the_worker_and_not_the_accounts(
    settings: Settings, acme: Organization, rival: Organization, smtp_server: SmtpServer
) -> None:
    (old,) = settings.secret_keys
    held = await account_with_login(acme, smtp_server)
    await rotate(settings, NEW, old)
    other = await account_with_login(rival, smtp_server)
    (held_row,), (sent_row,) = await make_mail(acme, held), await make_mail(rival, other)

    async with working(settings):
        await until_row(sent_row, SENT)  # another organization's, whose key is there
        await asyncio.sleep(HOLD_SECONDS)
        row = await MailLog.get(id=held_row)
        assert (row.status, row.attempts, row.crashes, row.error) == (PENDING, 0, 0, None)
        account = await Account.across_orgs().get(id=held.id)
        assert (account.status, account.last_error, account.rests) == ("active", None, 0)
        await eventually(is_in_trouble)
        (trouble,) = await workers.worker_troubles()
        assert "is not in PENNYPOST_SECRET_KEYS" in trouble

        await rotate(settings, old, NEW)  # back: the keys of this worker are right again
        await until_row(held_row, SENT)

        async def is_well() -> bool:
            return not await is_in_trouble()

        await eventually(is_well)


async def test_a_webhook_is_left_to_a_worker_with_its_key(settings: Settings, acme: Organization) -> None:
    (old,) = settings.secret_keys
    webhook = await make_webhook(acme)
    event = await Event.create(org=acme, type="contact.created", data={})
    await WebhookDelivery.create(
        org=acme, webhook=webhook, event_id=event.id, due_at=clock.now() - timedelta(seconds=1)
    )
    worker_id = workers.new_worker_id()

    async def due() -> list[UUID]:
        return [due.id for due in await webhook_outbox.due_webhooks(worker_id, crypto.key_ids(), most_each=1)]

    assert await due() == [webhook.id]
    await rotate(settings, NEW, old)
    assert await due() == []
    with_keys(settings, old, NEW)
    assert await due() == [webhook.id]
