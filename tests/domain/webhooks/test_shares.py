"""Webhooks of one organization leave the mail and the webhooks of all others their share of a worker."""

import pytest
from uuid_utils.compat import uuid7

from tests.api.conftest import Api
from tests.factories import account_on, make_mail, make_webhook
from tests.fakes.endpoint import Endpoint, Reply
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import working
from tests.faults.support.world import until, until_received
from tests.figures import Figures
from tests.locks import held
from webapp import clock, crypto, db
from webapp.config import Settings
from webapp.domain.webhooks import log
from webapp.domain.webhooks.deliver import AT_ONCE, MOST_SERVED
from webapp.models import Organization, Webhook
from webapp.models.event import EventType
from webapp.models.queries.event_log import NewEvent, record_events
from webapp.sending.webhook import new_secret

WEBHOOKS, EVENTS, MAILS = 600, 4, 5


async def make_many(org: Organization, url: str) -> None:
    """As many webhooks as there are in the attack, each with some events that are due."""
    rows = [Webhook(id=uuid7(), org_id=org.id, url=url, events=["*"]) for _ in range(WEBHOOKS)]
    for row in rows:
        row.secret = crypto.seal(new_secret(), row.binding("secret"))
    await Webhook.bulk_create(rows, batch_size=200)
    async with db.write_transaction():
        await record_events([NewEvent(org.id, EventType.CONTACT_UPDATED, {"email": "ada@example.org"})] * EVENTS)


@pytest.mark.timeout(120)
async def test_600_webhooks_at_an_endpoint_that_takes_15_seconds_delay_no_other_organization(
    acme: Organization, rival: Organization, settings: Settings, api: Api, smtp_server: SmtpServer, figures: Figures
) -> None:
    account = await account_on(smtp_server, rival)
    async with Endpoint(lambda _: Reply(seconds=15)) as slow, Endpoint() as quick:
        await make_many(acme, slow.url)
        theirs = await make_webhook(rival, quick.url, events=["webhook.test"])
        async with working(settings, grace=0.5):
            await until(lambda: slow.in_flight == MOST_SERVED // 2 * AT_ONCE)
            took = []
            for number in range(1, MAILS + 1):
                began = clock.elapsed()
                await make_mail(rival, account)
                await log.send_test(theirs)
                await until_received(smtp_server, number)
                took.append(clock.elapsed() - began)
                await until(lambda: len(quick.received) >= number)  # noqa: B023 - it is waited for
                assert (await api.get("/readyz"))[1]["parts"]["worker"] == "ok"
            lag = clock.elapsed() - began
        assert slow.in_flight == MOST_SERVED // 2 * AT_ONCE
    figures("seconds until the mail of another organization leaves, of the slowest", max(took), below=2)
    figures("seconds until the webhook of another organization is posted to", lag, below=3)


@pytest.mark.timeout(60)
async def test_a_webhook_whose_row_is_locked_delays_no_other_organization(
    acme: Organization, rival: Organization, settings: Settings
) -> None:
    if settings.is_sqlite:
        return  # it has one writer and no locks of rows
    async with Endpoint() as quick, working(settings, grace=0.5):
        ours, theirs = [await make_webhook(org, quick.url, events=["webhook.test"]) for org in (acme, rival)]
        async with held("SELECT id FROM webhooks WHERE id = $1 FOR NO KEY UPDATE", ours.id):
            for webhook in (ours, theirs):
                await log.send_test(webhook)
            await until(lambda: len(quick.received) == 1)
        await until(lambda: len(quick.received) == 2)
