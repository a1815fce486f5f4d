"""P4 for the pace of an account: workers that are killed never send more than it allows in any minute."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

import pytest

from tests.factories import account_on
from tests.fakes.smtp_server import SmtpServer
from tests.faults.support.fleet import Fleet, with_lease
from tests.faults.support.invariants import check_invariants
from tests.faults.support.world import queue_mails, until_received, until_sent
from tests.figures import Figures
from webapp.config import Settings
from webapp.models import Organization
from webapp.models.mail_log import SENT
from webapp.models.outbox.pace import MINUTE, SPREAD, Pace

PATIENCE = 120.0  # seconds
PER_MINUTE = 600
LONG = [pytest.mark.soak, pytest.mark.timeout(900)]
pytestmark = pytest.mark.timeout(180)


def fullest_minute(times: Sequence[float]) -> int:
    return max(bisect_left(times, began + MINUTE) - number for number, began in enumerate(times))


def seconds_ahead(times: Sequence[float], pace: Pace) -> float:
    """The most by which an email came before the pace and its burst allow it after an earlier one."""
    lags = [at - number * pace.seconds for number, at in enumerate(times)]
    ahead = max(latest - lag for latest, lag in zip(accumulate(lags, max), lags, strict=True))
    return ahead - (pace.burst - 1) * pace.seconds


@pytest.mark.parametrize(("mails", "kills"), [(160, 3), pytest.param(1_900, 12, marks=LONG)])
async def test_two_workers_that_are_killed_send_no_more_than_the_pace_in_any_minute(
    acme: Organization, rival: Organization, settings: Settings, figures: Figures, mails: int, kills: int
) -> None:
    pace = Pace.of(PER_MINUTE)
    async with SmtpServer() as server, SmtpServer() as other:
        account = await account_on(server, acme, concurrency=8, daily_mail_limit=5_000, max_per_minute=PER_MINUTE)
        await queue_mails(acme, account, mails)
        await queue_mails(rival, await account_on(other, rival), 20)
        async with Fleet(with_lease(settings, 2), 2) as fleet:
            for number in range(1, kills + 1):
                await until_received(server, number * mails // (kills + 1), PATIENCE)
                await fleet.kill_one()
            await until_sent(acme, PATIENCE)
            await until_sent(rival, PATIENCE)
            await fleet.end()
        assert await check_invariants(acme, server, rows=mails) == {SENT: mails}
    times = sorted(message.at for message in server.messages)
    figures("emails in the fullest minute", fullest_minute(times), at_most=PER_MINUTE)
    figures("seconds ahead of the pace", seconds_ahead(times, pace), at_most=SPREAD)
    figures(
        "seconds from the first to the last",
        times[-1] - times[0],
        at_least=(mails - pace.burst) * pace.seconds - SPREAD,
    )
