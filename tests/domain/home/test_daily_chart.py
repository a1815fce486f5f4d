"""The mail of each day: counted by workers, kept for good once nothing waits, and not forgotten by retention."""

from datetime import UTC, datetime, time, timedelta
from uuid import UUID

from tests.domain.instance.test_retention import make_rows
from tests.factories import copy_row
from webapp import clock
from webapp.domain.home.daily_chart import daily_counts, refresh_counts
from webapp.domain.instance import retention
from webapp.models import MailDay, MailLog, Organization
from webapp.models.mail_log import DEFERRED, FAILED, HALTED, PENDING, SENT
from webapp.models.outbox.day_statistics import DAYS, Outcomes


async def make_on(org: Organization, ago: int, *statuses: str) -> tuple[UUID, ...]:
    """Rows that were handed in at noon so many days ago, in UTC."""
    noon = datetime.combine(clock.now().date() - timedelta(days=ago), time(12), UTC)
    return await make_rows(org, clock.now() - noon, statuses)


async def make_many(org: Organization, ago: int, count: int) -> None:
    """More rows than a page counts, sent so many days ago."""
    (first,) = await make_on(org, ago, SENT)
    row = await MailLog.of(org).get(id=first)
    await copy_row(row, [UUID(int=first.int + number) for number in range(1, count)])


async def shown(org: Organization) -> dict[int, tuple[int, int]]:
    """Sent and failed by how many days ago, of the days that have any."""
    counts = await daily_counts(org, Outcomes())
    assert len(counts) == DAYS
    return {DAYS - 1 - at: (day.sent, day.failed) for at, day in enumerate(counts) if (day.sent, day.failed) != (0, 0)}


async def kept(org: Organization) -> dict[int, tuple[int, int, int]]:
    today = clock.today(org.timezone)
    rows = {(today - row.day).days: (row.sent, row.failed, row.waiting) for row in await MailDay.of(org)}
    return {ago: counts for ago, counts in rows.items() if any(counts)}


async def test_a_day_is_shown_the_same_before_and_after_it_is_kept(acme: Organization, rival: Organization) -> None:
    await make_on(acme, 1, SENT, SENT, FAILED, PENDING)
    await make_on(acme, 29, FAILED)
    await make_on(acme, 30, SENT)  # one day too old
    await make_on(rival, 1, SENT)
    wanted = {1: (2, 1), 29: (0, 1)}
    assert await shown(acme) == wanted
    assert await refresh_counts()
    assert await kept(acme) == {1: (2, 1, 1), 29: (0, 1, 0)}
    assert await shown(acme) == wanted
    assert await shown(rival) == {1: (1, 0)}
    assert await MailDay.of(rival).count() == DAYS


async def test_mail_that_goes_out_late_counts_on_the_day_it_was_handed_in(acme: Organization) -> None:
    deferred, halted, _ = await make_on(acme, 3, DEFERRED, HALTED, SENT)
    await refresh_counts()
    assert await shown(acme) == {3: (1, 0)}
    await MailLog.of(acme).filter(id=deferred).update(status=SENT, sent_at=clock.now())
    await refresh_counts()
    assert await kept(acme) == {3: (2, 0, 1)}
    await MailLog.of(acme).filter(id=halted).update(status=FAILED)
    await refresh_counts()
    assert await shown(acme) == {3: (2, 1)}


async def test_retention_takes_rows_and_no_count(free: Organization, rival: Organization) -> None:
    for org in (free, rival):
        await make_on(org, 10, SENT, SENT, FAILED)
        await make_on(org, 5, SENT, FAILED, DEFERRED)
        await make_on(org, 1, SENT)
        await make_on(org, 40, SENT)
    wanted = {10: (2, 1), 5: (1, 1), 1: (1, 0)}
    assert await retention.prune()
    assert await MailLog.of(free).count() == 2
    for _ in range(2):
        assert await shown(free) == await shown(rival) == wanted
        await refresh_counts()
    await MailLog.of(free).filter(status=DEFERRED).update(status=SENT, sent_at=clock.now() - timedelta(days=4))
    await refresh_counts()
    assert await retention.prune()
    await refresh_counts()
    assert await shown(free) == wanted | {5: (2, 1)}
    assert await shown(rival) == wanted


async def test_in_another_timezone_the_days_are_counted_anew(acme: Organization, rival: Organization) -> None:
    noon = datetime.combine(clock.now().date() - timedelta(days=4), time(12), UTC)
    for org in (acme, rival):
        await make_rows(org, clock.now() - noon - timedelta(hours=11), (SENT, SENT))  # at 23 o'clock in UTC
    await refresh_counts()
    assert await shown(acme) == {4: (2, 0)}
    acme.timezone = "Asia/Tokyo"
    await acme.save()
    before = await shown(acme)
    assert list(before.values()) == [(2, 0)]
    assert clock.today("Asia/Tokyo") - timedelta(days=min(before)) == noon.date() + timedelta(days=1)
    await refresh_counts()
    assert await shown(acme) == before
    assert await shown(rival) == {4: (2, 0)}
