"""Numbers and times in words, for the templates."""

from datetime import UTC, date, datetime
from functools import cache
from zoneinfo import ZoneInfo

from quart import Quart

from webapp import clock

KIB = 1024
STEPS = ((60, "second"), (60, "minute"), (24, "hour"), (30, "day"), (12, "month"))


def register(app: Quart) -> None:
    """Give the templates their filters."""
    app.jinja_env.filters.update(
        relative=relative, exact=exact, iso=iso, number=number, filesize=filesize, longday=longday
    )


def relative(at: datetime) -> str:
    """`3 minutes ago`, `in 2 days`, `just now`."""
    seconds = (clock.now() - at).total_seconds()
    amount, unit = _in_words(abs(seconds))
    if amount == 0:
        return "just now"
    words = f"{amount} {unit}{'s' if amount > 1 else ''}"
    return f"{words} ago" if seconds > 0 else f"in {words}"


def _in_words(seconds: float) -> tuple[int, str]:
    amount = seconds if seconds >= 10 else 0  # noqa: PLR2004 - below that nobody minds
    for size, unit in STEPS:
        if round(amount) < size:
            return round(amount), unit
        amount /= size
    return round(amount), "year"


def exact(at: datetime, timezone: str) -> str:
    """`Fri 20 Nov 2026, 17:05:31 CET`: the instant in an IANA zone."""
    return at.astimezone(_zone(timezone)).strftime("%a %-d %b %Y, %H:%M:%S %Z")


@cache
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def iso(at: datetime) -> str:
    """ISO 8601 in UTC."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def longday(day: date) -> str:
    """`Friday, 20 November 2026`."""
    return day.strftime("%A, %-d %B %Y")


def number(amount: int) -> str:
    """`12,345`."""
    return f"{amount:,}"


def filesize(octets: int) -> str:
    """`640 bytes`, `12.3 kB`, `4.0 MB`."""
    if octets < KIB:
        return f"{octets} byte{'' if octets == 1 else 's'}"
    size, unit = (octets / KIB, "kB") if octets < KIB * KIB else (octets / KIB / KIB, "MB")
    return f"{size:,.1f} {unit}"
