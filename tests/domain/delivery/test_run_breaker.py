"""A run that is refused again and again is halted, with the reason, and goes on when it is resumed."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from tests.api.conftest import Api, make_api
from tests.apps import app_of
from tests.factories import account_on, make_account, make_campaign, make_contact, make_run, make_segment, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.faults.support.world import all_are, count
from webapp import clock
from webapp.config import Settings
from webapp.domain.campaigns import stop
from webapp.domain.delivery.outcome_writer import save_outcomes
from webapp.domain.delivery.run_breaker import FailureWindow, failure_signature
from webapp.models import Account, Campaign, CampaignRun, Contact, MailLog, Organization
from webapp.models.mail_log import FAILED, HALTED, PENDING, SENT
from webapp.models.outbox import claims
from webapp.models.outbox.runs import count_rows
from webapp.models.outbox.settlements import Settlement

PATIENCE = 40.0  # seconds
SPAM = "550 5.7.1 spam"
MEMBERS = 150


@pytest.mark.parametrize(
    ("one", "other", "are_alike"),
    [
        ("550 5.7.1 <a@x.example> spam", "550 5.7.1 <b@x.example>: blocked", True),
        ("550 5.7.1 spam", "550 5.7.26 spam", False),
        ("550 Message rejected (id 17)", "550 Message rejected (id 18)", True),
        ("550 Message rejected", "550 Mailbox unknown", False),
    ],
)
def test_two_refusals_are_alike(one: str, other: str, *, are_alike: bool) -> None:
    assert (failure_signature(one) == failure_signature(other)) is are_alike


def halt_reason(outcomes: Sequence[str | None]) -> tuple[int, str] | None:
    """The number of outcomes after which a run is halted, and the reason; None is a mail that was sent."""
    window = FailureWindow()
    for number, words in enumerate(outcomes, start=1):
        if words is None:
            window.record_sent()
        elif reason := window.record_refusal(words):
            return number, reason
    return None


def test_twenty_alike_in_a_row_are_enough_and_nineteen_are_not() -> None:
    number, reason = halt_reason([None] * 5 + [SPAM] * 25)
    assert number == 25
    assert reason.startswith("the last 20 emails were rejected with the same error (550 5.7.1 spam). ")
    assert halt_reason([*[SPAM] * 19, None] * 2) is None
    assert halt_reason([*[SPAM] * 19, "550 5.1.1 nobody", *[SPAM] * 19]) is None


def test_thirty_of_the_last_hundred_are_enough_and_29_are_not() -> None:
    def mixed(refused: int) -> list[str | None]:
        return [f"550 5.1.{number % 2} nobody" if number < refused else None for number in range(100)]

    kinds = [f"550 5.1.{number} nobody" for number in (1, 2)]
    assert halt_reason(mixed(29) * 3) is None
    number, reason = halt_reason([*[None] * 70, *kinds * 15])
    assert number == 100
    assert reason.startswith("30 of the last 100 emails were rejected. Latest error: 550 5.1.2 nobody. ")
    assert halt_reason([*kinds * 30, None]) is None  # too few to judge by
    assert halt_reason([*kinds * 14, *[None] * 72, *kinds * 14]) is None  # the first ones are past


async def outcome_of(number: int, org: Organization, account: Account, words: str | None) -> None:
    """Claims so many rows, and saves this outcome for them."""
    rows = await claims.claim(account.id, messages=number, lease_seconds=60)
    assert len(rows) == number
    sent, code = words is None, None if words is None else int(words[:3])
    await save_outcomes([Settlement(row, SENT if sent else FAILED, error=words, code=code) for row in rows])


@pytest.fixture
async def run(acme: Organization, account: Account) -> CampaignRun:
    """A run of 150 rows that is sending, of a scheduled campaign; the contacts of its last 50 rows exist."""
    campaign = await make_campaign(acme, status="sending", next_run_at=clock.now() + timedelta(days=1))
    made, ids = await make_run(acme, [account], 150)
    await CampaignRun.of(acme).filter(id=made.id).update(campaign_id=campaign.id)
    await MailLog.of(acme).update(campaign_id=campaign.id)
    for row_id in ids[-50:]:
        await MailLog.of(acme).filter(id=row_id).update(contact_id=(await make_contact(acme)).id)
    return await CampaignRun.of(acme).get(id=made.id)


async def has_halted(run: CampaignRun) -> bool:
    return (await CampaignRun.across_orgs().get(id=run.id)).status == "halted"


async def test_the_run_is_halted_as_a_stop_does_and_its_window_is_empty_when_it_goes_on(
    acme: Organization, account: Account, run: CampaignRun
) -> None:
    await outcome_of(19, acme, account, SPAM)
    assert not await has_halted(run)
    await outcome_of(1, acme, account, SPAM)
    assert await has_halted(run)
    campaign = await Campaign.get(id=run.campaign_id)
    assert (campaign.status, campaign.next_run_at) == ("halted", None)
    assert "with the same error (550 5.7.1 spam)" in (campaign.halted_reason or "")
    assert await count_rows([run.id]) == {run.id: {FAILED: 20, HALTED: 130}}
    await stop.resume_campaign(acme, campaign)
    assert (await Campaign.get(id=run.campaign_id)).halted_reason is None
    await outcome_of(19, acme, account, SPAM)
    assert not await has_halted(run)
    await outcome_of(1, acme, account, None)
    await outcome_of(19, acme, account, SPAM)
    assert not await has_halted(run)


async def test_temporary_refusals_and_failures_of_ours_are_no_refusals(
    acme: Organization, account: Account, run: CampaignRun
) -> None:
    rows = await claims.claim(account.id, messages=150, lease_seconds=60)
    await save_outcomes([Settlement(row, PENDING, error="450 later", code=450) for row in rows[:50]])
    given_up = "451 later (gave up after 24 hours)"
    await save_outcomes([Settlement(row, FAILED, error=given_up, code=451, attempted=True) for row in rows[50:100]])
    await save_outcomes([Settlement(row, FAILED, error="no such address") for row in rows[100:]])
    assert not await has_halted(run)


async def test_another_run_and_a_strangers_are_judged_by_themselves(
    acme: Organization, rival: Organization, account: Account, run: CampaignRun
) -> None:
    theirs = await make_account(rival)
    campaign = await make_campaign(rival, status="sending")
    other, _ = await make_run(rival, [theirs], 50)
    await CampaignRun.of(rival).filter(id=other.id).update(campaign_id=campaign.id)
    await MailLog.of(rival).update(campaign_id=campaign.id)
    await outcome_of(10, acme, account, SPAM)
    await outcome_of(19, rival, theirs, SPAM)
    await outcome_of(10, acme, account, SPAM)
    assert (await has_halted(run), await has_halted(other)) == (True, False)


async def start(settings: Settings, org: Organization, members: Sequence[Contact], **template: str) -> tuple[Api, str]:
    """A program of the organization, and the path of its campaign, which is sent to the members."""
    segment, content = await make_segment(org, *members), await make_template(org, **template)
    path = f"/v1/campaigns/{(await make_campaign(org, segment=segment, template=content)).id}"
    api = await make_api(app_of(settings), org)
    assert (await api.post(f"{path}/send", {}))[0] == 200
    return api, path


async def has_status(api: Api, path: str, status: str) -> bool:
    return bool((await api.get(path))[1]["data"]["status"] == status)


async def test_a_campaign_that_every_server_refuses_is_halted_and_sends_the_rest_when_it_is_resumed(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    await account_on(smtp_server, acme, concurrency=2)
    smtp_server.delay("RCPT", 0.05)  # workers see a halt within a second
    members = [await make_contact(acme, f"c{number}@example.org") for number in range(MEMBERS)]
    for member in members:
        smtp_server.refuse(member.email, f"554 5.7.1 <{member.email}>: blocked, see https://block.example")
    api, path = await start(settings, acme, members)
    async with working(settings):
        await eventually(lambda: has_status(api, path, "halted"), PATIENCE)
        await eventually(lambda: all_are(acme, FAILED, HALTED), PATIENCE)
    reason = (await api.get(path))[1]["data"]["halted_reason"]
    assert "the last 20 emails were rejected with the same error (554 5.7.1 <" in reason
    failed = await count(acme, FAILED)
    assert 20 <= failed < MEMBERS / 2
    smtp_server.heal()
    assert (await api.post(f"{path}/resume"))[0] == 200
    async with working(settings):
        await eventually(lambda: has_status(api, path, "sent"), PATIENCE)
    assert len(set(smtp_server.recipients())) == len(smtp_server.messages) == MEMBERS - failed


async def test_content_that_nobodys_mail_can_be_made_of_ends_its_run_with_the_reason(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    endless = "{% for a in (1..1000) %}{% for b in (1..1000) %}x{% endfor %}{% endfor %}"
    for org in (acme, rival):
        await account_on(smtp_server, org)
    api, path = await start(settings, acme, [await make_contact(acme) for _ in range(20)], body=f"<p>{endless}</p>")
    theirs = await start(settings, rival, [await make_contact(rival) for _ in range(20)])
    async with working(settings):
        await eventually(lambda: has_status(api, path, "halted"), PATIENCE)
        await eventually(lambda: has_status(*theirs, "sent"), PATIENCE)
        await eventually(lambda: all_are(acme, HALTED), PATIENCE)
    reason = (await api.get(path))[1]["data"]["halted_reason"]
    assert reason.startswith("the content has an error at line 1, column 4: takes too long to render. Fix the template")
    assert len(smtp_server.messages) == 20


async def test_a_mail_that_only_its_contact_makes_too_long_fails_alone(
    acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    await account_on(smtp_server, acme)
    members = [await make_contact(acme, custom_fields={"bio": "x" * length}) for length in (10, 16_000, 10)]
    body = "<p>{% for a in (1..500) %}{{ bio }}{% endfor %}</p>"
    api, path = await start(settings, acme, members, body=body)
    async with working(settings):
        await eventually(lambda: has_status(api, path, "sent"), PATIENCE)
    failed = await MailLog.of(acme).get(status=FAILED)
    assert failed.contact_id == members[1].id
    assert (failed.error or "").startswith("has an error at line 1")
    assert len(smtp_server.messages) == 2
