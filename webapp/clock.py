"""The application's clock, which tests can freeze; leases and due times use the database's clock."""

import time as time_module
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

CLOCK = getattr(time_module, "CLOCK_BOOTTIME", time_module.CLOCK_MONOTONIC)


def now() -> datetime:
    return datetime.now(UTC)


def timestamp(at: datetime) -> str:
    """The instant as the API writes it: UTC, to the millisecond (RFC 3339)."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def elapsed() -> float:
    """Seconds on a clock that never jumps and, on Linux, also runs while the machine sleeps."""
    return time_module.clock_gettime(CLOCK)


def today(timezone: str, at: datetime | None = None) -> date:
    return (at or now()).astimezone(ZoneInfo(timezone)).date()


def start_of_day(day: date, timezone: str) -> datetime:
    """The first instant of `day` in UTC, also where a clock change skips midnight."""
    return datetime.combine(day, time(), ZoneInfo(timezone)).astimezone(UTC)


def next_day(timezone: str, at: datetime | None = None) -> datetime:
    return start_of_day(today(timezone, at) + timedelta(days=1), timezone)
