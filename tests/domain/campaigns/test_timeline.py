"""The spans of a timeline: none is lost, they are few, and they begin where a clock on the wall says so."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from webapp.domain.campaigns.timeline import MINUTE, MOST_SPANS, QUARTER, spans_of


def slots(*times: datetime, seconds: int = MINUTE) -> list[tuple[int, str, int]]:
    return [(int(at.timestamp()) // seconds, "sent", 1) for at in times]


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "Asia/Kathmandu", "America/St_Johns"])
@pytest.mark.parametrize("days", [0.001, 1, 60, 4_000, 20_000])
def test_every_email_is_in_one_of_few_equal_spans(zone: str, days: float) -> None:
    chance, first = random.Random(days), datetime(2026, 3, 20, 13, 7, tzinfo=UTC)
    times = [first + timedelta(days=chance.uniform(0, days)) for _ in range(500)]
    seconds = MINUTE if days < 2 else QUARTER
    spans = spans_of(slots(*times, seconds=seconds), seconds, zone)
    assert sum(span.sent for span in spans) == 500
    assert spans[0].sent > 0 < spans[-1].sent
    assert len(spans) <= MOST_SPANS or days > 10_000  # half a century
    length = spans[0].length
    assert all(span == spans[0]._replace(start=spans[0].start + number * length, sent=span.sent)
               for number, span in enumerate(spans))  # fmt: skip
    if length >= timedelta(days=1):
        assert (spans[0].start.hour, spans[0].start.minute) == (0, 0)
    if length > timedelta(days=2):
        assert spans[0].start.weekday() == 0


def test_days_begin_at_midnight_on_the_wall() -> None:
    times = [datetime(2026, 7, 1, 21, 30, tzinfo=UTC) + timedelta(days=30 * number) for number in range(2)]
    spans = spans_of(slots(*times, seconds=QUARTER), QUARTER, "Europe/Berlin")
    assert (spans[0].length, spans[0].start) == (timedelta(days=1), datetime.fromisoformat("2026-07-01"))
    assert len(spans) == 31
    spans = spans_of(slots(*times, seconds=QUARTER), QUARTER, "Europe/Kyiv")
    assert spans[0].start == datetime.fromisoformat("2026-07-02")
