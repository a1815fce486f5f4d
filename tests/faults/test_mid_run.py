"""F20 and F37: a scheduler dies in the act, and what a campaign is made of changes while it is sent."""

import time
from datetime import timedelta

import pytest

from tests.factories import account_on, make_campaign, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually
from tests.faults.support.fleet import Fleet
from tests.faults.support.invariants import check_invariants, duplicates
from tests.faults.support.web import api_of
from tests.faults.support.world import all_are, until_received
from tests.figures import Figures
from tests.locks import held, somebody_waits
from tests.support.audiences import make_audience
from tests.support.messages import parsed
from webapp import clock
from webapp.config import Settings
from webapp.models import Campaign, CampaignRun, Contact, MailLog, Organization
from webapp.models.mail_log import HALTED, SENT
from webapp.models.outbox.runs import REFRESH_SECONDS

PATIENCE = 60.0  # seconds
UNDER_WAY = 1.0  # seconds: what was past DATA, and what a busy machine takes to look
pytestmark = pytest.mark.timeout(180)


@pytest.mark.postgres
async def test_f20_a_scheduler_that_dies_between_the_schedule_and_the_run_leaves_neither_half_done(
    acme: Organization, settings: Settings, smtp_server: SmtpServer, figures: Figures
) -> None:
    await account_on(smtp_server, acme)
    segment, _ = await make_audience(acme, 3)
    due = clock.now() - timedelta(seconds=5)
    campaign = await make_campaign(
        acme, segment=segment, template=await make_template(acme), status="scheduled", anchor_at=due, next_run_at=due,
        schedule_type="recurring", recurrence_interval=1, recurrence_unit="day",
    )  # fmt: skip
    async with Fleet(settings) as fleet:
        async with held("LOCK TABLE campaign_runs IN SHARE ROW EXCLUSIVE MODE"):
            await eventually(somebody_waits, PATIENCE)
            await fleet.kill_all()
        assert await CampaignRun.of(acme).count() == 0
        assert (await Campaign.of(acme).get(id=campaign.id)).next_run_at == due
        for _ in range(2):
            await fleet.add()
        await eventually(CampaignRun.of(acme).filter(status="completed").exists, PATIENCE)
        await fleet.end()
    figures("runs", await CampaignRun.of(acme).count(), exactly=1)
    assert (await Campaign.of(acme).get(id=campaign.id)).next_run_at == due + timedelta(days=1)
    assert await check_invariants(acme, smtp_server, rows=3) == {SENT: 3}
    assert duplicates(smtp_server) == 0


async def test_f37_what_changes_in_the_middle_of_a_run_changes_nobodys_mail_but_theirs_who_left(
    acme: Organization, settings: Settings, figures: Figures
) -> None:
    contacts = 120
    segment, _ = await make_audience(acme, contacts)
    template = await make_template(acme, subject="Hello", body="<p>As it was</p>")
    campaign = await make_campaign(acme, segment=segment, template=template)
    *_, left, deleted = await Contact.of(acme).order_by("id")  # who are the last to get theirs
    async with SmtpServer() as server, SmtpServer() as other, api_of(settings, acme) as api:
        for one in (server, other):
            one.delay("DOT", 0.1)
        await account_on(server, acme, concurrency=2)
        gone = await account_on(other, acme, concurrency=2)
        assert (await api.post(f"/campaigns/{campaign.id}/send", json={})).is_success
        async with Fleet(settings) as fleet:
            await until_received(other, 5, PATIENCE)
            assert (await api.patch(f"/contacts/{left.id}", json={"status": "unsubscribed"})).is_success
            assert (await api.delete(f"/contacts/{deleted.id}")).is_success
            assert (await api.patch(f"/templates/{template.id}", json={"body": "<p>As it is now</p>"})).is_success
            assert (await api.delete(f"/accounts/{gone.id}")).is_success
            deleted_at = time.monotonic()
            await eventually(lambda: all_are(acme, SENT, HALTED), PATIENCE)
            await fleet.end()
        went_on = max(mail.at for mail in other.messages) - deleted_at
        figures("seconds that the deleted account went on", went_on, at_most=REFRESH_SECONDS + UNDER_WAY)
        counts = await check_invariants(acme, server, other, rows=contacts, highest_limit=500)
        assert counts == {SENT: contacts - 2, HALTED: 2}
        assert duplicates(server, other) == 0
        messages = [*server.messages, *other.messages]
    gone_all_the_same = [mail for mail in messages if mail.recipients[0] in (left.email, deleted.email)]
    figures("mails to those who left", len(gone_all_the_same), exactly=0)
    bodies = {parsed(mail.content).get_body(("html",)).get_content() for mail in messages}  # type: ignore[union-attr]  # they have one
    figures("mails of the changed template", sum("As it was" not in body for body in bodies), exactly=0)
    errors = {row.error for row in await MailLog.of(acme).filter(status=HALTED)}
    assert errors == {f"the contact {fate} before the email was sent" for fate in ("unsubscribed", "was deleted")}
