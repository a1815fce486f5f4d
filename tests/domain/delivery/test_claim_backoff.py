"""Who gives nothing is asked later and later, and at once again when nobody waits for him."""

import asyncio
from uuid import uuid4

import pytest

from tests.factories import account_on, make_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.faults.support.world import all_are, queue_mails
from tests.locks import held
from tests.queries import count_queries
from webapp import clock
from webapp.config import Settings
from webapp.domain.delivery.dispatcher import FIRST_PAUSE, LONGEST_PAUSE, ClaimBackoff
from webapp.models import AccountUsage, Organization
from webapp.models.mail_log import SENT

MAILS = 60


class Elapsed:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def elapsed(monkeypatch: pytest.MonkeyPatch) -> Elapsed:
    elapsed = Elapsed()
    monkeypatch.setattr(clock, "elapsed", elapsed)
    return elapsed


@pytest.mark.usefixtures("elapsed")
def test_each_time_the_pause_is_twice_as_long_up_to_a_second() -> None:
    backoff, one, other = ClaimBackoff(), uuid4(), uuid4()
    pauses = []
    for _ in range(9):
        backoff.begin_round({one, other})
        backoff.record(one, found_work=False)
        pauses.append(backoff.seconds(60))
    assert pauses == pytest.approx([min(FIRST_PAUSE * 2**number, LONGEST_PAUSE) for number in range(9)])
    backoff.begin_round({one, other})
    assert backoff.seconds(60) == 60
    assert (backoff.is_due(other), backoff.is_due(one)) == (True, False)
    assert backoff.seconds(60) == pytest.approx(LONGEST_PAUSE)
    backoff.begin_round({one, other})
    backoff.record(one, found_work=True)
    assert backoff.is_due(one)
    assert backoff.seconds(60) == 60


def test_after_the_pause_it_may_be_asked_and_who_is_not_asked_keeps_nobody_awake(elapsed: Elapsed) -> None:
    backoff, one = ClaimBackoff(), uuid4()
    backoff.record(one, found_work=False)
    elapsed.seconds += FIRST_PAUSE
    assert backoff.seconds(60) == 0  # it has become time since it was asked
    backoff.begin_round({one})
    assert backoff.is_due(one)
    assert backoff.seconds(60) == 60  # there was no room for it
    backoff.record(one, found_work=False)
    backoff.begin_round(set())
    assert backoff.is_due(one)  # nothing of it was due, so nothing is known of it


def test_a_held_account_is_due_when_its_pause_ends(elapsed: Elapsed) -> None:
    backoff, account = ClaimBackoff(), uuid4()
    backoff.begin_round({account})
    backoff.hold(account, 3.0)
    assert backoff.seconds(60) == pytest.approx(3.0)
    elapsed.seconds += 3.0
    backoff.begin_round({account})
    assert backoff.is_due(account)


@pytest.mark.postgres
async def test_an_account_whose_day_is_locked_is_asked_now_and_then_and_sends_soon_after(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    account, theirs = await account_on(smtp_server, acme), await account_on(smtp_server, rival)
    await AccountUsage.create(account_id=account.id, day=clock.today("UTC"), used=0)
    await make_mail(acme, account)
    async with working(settings):
        async with held("SELECT id FROM account_usage WHERE account_id = $1 FOR UPDATE", account.id):
            with count_queries() as statements:
                await asyncio.sleep(2)
                began = clock.elapsed()
                await queue_mails(rival, theirs, MAILS)  # of which each that is sent wakes the worker
                await eventually(lambda: all_are(rival, SENT))
            seconds = 2 + clock.elapsed() - began
            assert {message.recipients[0] for message in smtp_server.messages} == {
                f"reader{number}@example.org" for number in range(MAILS)
            }
        tries = [one for one in statements if "ON CONFLICT (account_id, day) DO NOTHING" in one]
        assert 2 <= len(tries) <= 8 + seconds / LONGEST_PAUSE
        await eventually(lambda: all_are(acme, SENT), 2 * LONGEST_PAUSE)
