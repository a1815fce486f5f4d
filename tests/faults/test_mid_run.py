"""F20 and F37: a scheduler dies in the act, and what a campaign is made of changes while it is sent."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from tests.api.conftest import make_api
from tests.audiences import make_audience
from tests.factories import account_on, make_campaign, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.faults.fleet import Fleet
from tests.faults.invariants import check_invariants, duplicates
from tests.faults.world import all_are, until_received
from tests.messages import parsed
from webapp import clock, db
from webapp.app import create_app
from webapp.config import Settings
from webapp.models import Campaign, CampaignRun, Contact, MailLog, Organization
from webapp.models.mail_log import HALTED, SENT

PATIENCE = 60.0  # seconds
pytestmark = pytest.mark.timeout(180)


@asynccontextmanager
async def table_locked(table: str) -> AsyncIterator[None]:
    """For the life of this block nobody can write a table."""
    is_held, is_over = asyncio.Event(), asyncio.Event()

    async def hold() -> None:
        async with db.write_transaction():
            await db.connection().execute_script(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")
            is_held.set()
            await is_over.wait()

    task = asyncio.create_task(hold())
    await is_held.wait()
    try:
        yield
    finally:
        is_over.set()
        await task


async def somebody_waits_for(table: str) -> bool:
    rows = await db.fetch("SELECT pid FROM pg_locks WHERE relation = $1::text::regclass AND NOT granted", table)
    return bool(rows)


@pytest.mark.postgres
async def test_f20_a_scheduler_that_dies_between_the_schedule_and_the_run_leaves_neither_half_done(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    await account_on(smtp_server, acme)
    segment, _ = await make_audience(acme, 3)
    due = clock.now() - timedelta(seconds=5)
    campaign = await make_campaign(
        acme, segment=segment, template=await make_template(acme), status="scheduled", anchor_at=due, next_run_at=due,
        schedule_type="recurring", recurrence_interval=1, recurrence_unit="day",
    )  # fmt: skip
    async with Fleet(settings) as fleet:
        async with table_locked("campaign_runs"):
            await eventually(lambda: somebody_waits_for("campaign_runs"), PATIENCE)
            await fleet.kill_all()
        assert await CampaignRun.of(acme).count() == 0
        assert (await Campaign.of(acme).get(id=campaign.id)).next_run_at == due
        for _ in range(2):
            await fleet.add()
        await eventually(lambda: has_run(acme), PATIENCE)
        await fleet.end()
    assert await CampaignRun.of(acme).count() == 1
    assert (await Campaign.of(acme).get(id=campaign.id)).next_run_at == due + timedelta(days=1)
    assert await check_invariants(acme, smtp_server, rows=3) == {SENT: 3}
    assert duplicates(smtp_server) == 0


async def has_run(org: Organization) -> bool:
    return await CampaignRun.of(org).filter(status="completed").exists()


async def test_f37_what_changes_in_the_middle_of_a_run_changes_nobodys_mail_but_theirs_who_left(
    acme: Organization, settings: Settings
) -> None:
    contacts = 120
    segment, _ = await make_audience(acme, contacts)
    template = await make_template(acme, subject="Hello", body="<p>As it was</p>")
    campaign = await make_campaign(acme, segment=segment, template=template)
    api = await make_api(create_app(settings), acme)
    *_, left, deleted = await Contact.of(acme).order_by("id")  # who are the last to get theirs
    async with SmtpServer() as server, SmtpServer() as other:
        for one in (server, other):
            one.delay("DOT", 0.1)
        await account_on(server, acme, concurrency=2)
        gone = await account_on(other, acme, concurrency=2)
        async with working(settings):
            assert (await api.post(f"/v1/campaigns/{campaign.id}/send", {}))[0] == 200
            await until_received(other, 5, PATIENCE)
            assert (await api.patch(f"/v1/contacts/{left.id}", {"status": "unsubscribed"}))[0] == 200
            assert (await api.delete(f"/v1/contacts/{deleted.id}"))[0] == 200
            assert (await api.patch(f"/v1/templates/{template.id}", {"body": "<p>As it is now</p>"}))[0] == 200
            assert (await api.delete(f"/v1/accounts/{gone.id}"))[0] == 200
            deleted_at = len(other.messages)
            await eventually(lambda: all_are(acme, SENT, HALTED), PATIENCE)
        assert len(other.messages) - deleted_at <= 30  # until the worker looks again; its half would be 50 and more
        assert await check_invariants(acme, server, other, rows=contacts, highest_limit=500) == {
            SENT: contacts - 2,
            HALTED: 2,
        }
        assert duplicates(server, other) == 0
        messages = [*server.messages, *other.messages]
    assert not {left.email, deleted.email} & {mail.recipients[0] for mail in messages}
    bodies = {parsed(mail.content).get_body(("html",)).get_content() for mail in messages}  # type: ignore[union-attr]  # they have one
    assert all("As it was" in body for body in bodies)
    errors = {row.error for row in await MailLog.of(acme).filter(status=HALTED)}
    assert errors == {
        "the contact unsubscribed before the mail was sent",
        "the contact was deleted before the mail was sent",
    }
