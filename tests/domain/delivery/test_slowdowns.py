"""A recipients' provider that asks an account to slow down: only mail to it goes more slowly, and faster step by step."""

from datetime import timedelta

import pytest

from tests.api.conftest import make_api
from tests.apps import app_of
from tests.factories import account_on, make_account, make_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.faults.support.world import all_are
from webapp import clock
from webapp.config import Settings
from webapp.models import Account, MailLog, Organization, ProviderSlowdown
from webapp.models.mail_log import PENDING, SENT
from webapp.models.queries.account_health import HALVED_SECONDS
from webapp.models.queries.provider_slowdowns import list_slowdowns, slow_down, take_slot

PATIENCE = 40.0  # seconds


@pytest.mark.parametrize(
    ("reply", "attempts"), [("421 4.7.0 too many messages", 0), ("451 4.7.650 your messages are rate limited", 1)]
)
async def test_mail_to_one_provider_waits_while_other_mail_goes_on(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer, reply: str, attempts: int
) -> None:
    smtp_server.refuse("ann@outlook.com", reply)
    account = await account_on(smtp_server, acme, name="Shop", concurrency=1)
    stranger = await account_on(smtp_server, rival)
    (refused,) = await make_mail(acme, account, "ann@outlook.com")

    async def is_any_held() -> bool:
        waiting = MailLog.of(acme).filter(to_email__endswith="hotmail.com", status=PENDING)
        return await waiting.filter(next_attempt_at__gt=clock.now()).exists()

    async def are_others_sent() -> bool:
        return await MailLog.of(acme).filter(to_email__endswith="gmail.com", status=SENT).count() == 3

    async with working(settings):
        await eventually(ProviderSlowdown.of(acme).exists, PATIENCE)
        for number in range(10):
            await make_mail(acme, account, f"ann{number}@hotmail.com")
        for number in range(3):
            await make_mail(acme, account, f"ann{number}@gmail.com")
            await make_mail(rival, stranger, f"ann{number}@hotmail.com")
        await eventually(is_any_held, PATIENCE)
        await eventually(are_others_sent, PATIENCE)
        await eventually(lambda: all_are(rival, SENT), PATIENCE)
    mail = await MailLog.of(acme).get(id=refused)
    assert (mail.status, mail.attempts, mail.error) == (PENDING, attempts, reply)
    found = await Account.get(id=account.id)
    assert (found.status, found.throttles, found.rests) == ("active", 0, 0)
    (slowdown,) = await list_slowdowns(found)
    assert (slowdown.provider, slowdown.per_minute) == ("microsoft", 30)
    assert await list_slowdowns(await Account.get(id=stranger.id)) == []


async def pass_time(account: Account, seconds: float) -> None:
    """Lets time pass for the slow-downs of an account."""
    for row in await ProviderSlowdown.filter(account_id=account.id):
        for name in ("throttled_until", "next_message_at", "next_slot_at"):
            at = getattr(row, name)
            setattr(row, name, at and at - timedelta(seconds=seconds))
        await row.save()


async def test_each_request_halves_the_pace_and_each_quarter_of_an_hour_doubles_it(acme: Organization) -> None:
    account, other = await make_account(acme, max_per_minute=60), await make_account(acme)

    async def pace() -> list[int]:
        return [slowdown.per_minute for slowdown in await list_slowdowns(await Account.get(id=account.id))]

    for halved in (30, 15, 7):
        await slow_down(account, "google", "421 slow down")
        await slow_down(account, "google", "421 at the same time")
        assert await pace() == [halved]
        await pass_time(account, 11)
    for doubled in ([15], [30], []):
        await pass_time(account, HALVED_SECONDS)
        assert await pace() == doubled
    assert await take_slot(account.id, "google") == 0
    assert await list_slowdowns(await Account.get(id=other.id)) == []


async def test_no_minute_has_more_mail_to_the_provider_than_its_pace(acme: Organization) -> None:
    account = await make_account(acme, max_per_minute=60)
    await slow_down(account, "yahoo", "421 slow down")
    sent: list[float] = []
    now = 0.0
    while now < 300:
        while await take_slot(account.id, "yahoo") == 0:
            sent.append(now)
        assert await take_slot(account.id, "google") == 0
        await pass_time(account, 2.5)
        now += 2.5
    assert max(sum(first <= at < first + 60 for at in sent) for first in sent) <= 30
    assert len(sent) > 100


async def test_messages_beyond_a_step_wait_for_its_end_and_no_longer(acme: Organization) -> None:
    account = await make_account(acme, max_per_minute=60)
    for _ in range(3):
        await slow_down(account, "google", "421 slow down")
        await pass_time(account, 11)
    waits = [await take_slot(account.id, "google") for _ in range(200)]
    assert waits[0] == 0
    assert waits[-50:] == pytest.approx([HALVED_SECONDS - 11] * 50, abs=20)
    await pass_time(account, HALVED_SECONDS)
    waits = [await take_slot(account.id, "google") for _ in range(5)]
    assert waits == pytest.approx([0, 8, 12, 16, 20], abs=3)  # 15 a minute


async def test_the_account_says_who_asked_it_to_slow_down(acme: Organization, settings: Settings) -> None:
    account = await make_account(acme, name="Shop", max_per_minute=60)
    await slow_down(account, "microsoft", "421 4.7.0 slow down")
    api = await make_api(app_of(settings), acme)
    _, answer = await api.get(f"/v1/accounts/{account.id}")
    (sentence,) = answer["data"]["slowdowns"]
    at = (await ProviderSlowdown.get(account_id=account.id)).asked_at
    assert sentence == f"Microsoft asked Shop to slow down at {at:%H:%M}; now 30 a minute"
