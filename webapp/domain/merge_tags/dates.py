"""Reads dates like Liquid and writes them like Ruby's strftime; values without an offset keep their wall-clock time."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from dateutil import parser

from webapp import clock

NOW = ("now", "today")
DATE_LENGTH, PATTERN_LENGTH = 64, 200  # characters
SECONDS = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,9})?", re.ASCII)  # since 1970
DAY_FIRST = re.compile(r"(?<![0-9/.-])[0-9]{1,2}([/.-])[0-9]{1,2}\1[0-9]{2,4}\b", re.ASCII)
NAMED = re.compile(r"[0-9]{1,2}[:/.-]|[0-9]{4}|[A-Za-z]{3}")  # which every date has, but few names
PART = re.compile(r"%(?:([-0^#_]?)([A-Za-z%+])|(:z)|([369]N)|.|$)", re.DOTALL)
PLAIN = frozenset("aAbBcCdDeFgGhHIjklmMnpPrRStTuUVwWxXyY")  # datetime.strftime writes these like Ruby

_zone: ContextVar[str] = ContextVar("zone", default="UTC")
_instant: ContextVar[datetime | None] = ContextVar("instant", default=None)


def render_in(zone: str) -> None:
    _zone.set(zone)


@contextmanager
def rendering_at(instant: datetime) -> Iterator[None]:
    token = _instant.set(instant)
    try:
        yield
    finally:
        _instant.reset(token)


def read_date(text: str) -> datetime | None:
    text, zone = text.strip(), ZoneInfo(_zone.get())
    if text.lower() in NOW:
        return (_instant.get() or clock.now()).astimezone(zone)
    if not text or len(text) > DATE_LENGTH:
        return None
    try:
        if SECONDS.fullmatch(text):
            return datetime.fromtimestamp(float(text), UTC).astimezone(zone)
        try:
            parsed = datetime.fromisoformat(text)
        except ValueError:
            parsed = _parse(text, zone)
    except (ValueError, ArithmeticError, OSError, TypeError, AttributeError, IndexError):
        return None
    return parsed if parsed.tzinfo is not None else parsed.replace(tzinfo=zone)


def _parse(text: str, zone: tzinfo) -> datetime:
    """Reads a human date, day before month; missing parts come from today, or are the first of a month."""
    if not NAMED.search(text):
        raise ValueError("a date has no such parts")
    today = datetime.now(zone).replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    first, other = (today.replace(month=month, day=1) for month in (today.month, today.month % 12 + 1))
    is_day_first = DAY_FIRST.search(text) is not None

    def offset_zone(_: str | None, seconds: int | None) -> tzinfo | None:
        return None if seconds is None else timezone(timedelta(seconds=seconds))  # a name alone has no offset

    def parsed(default: datetime) -> datetime:
        parsed: datetime = parser.parse(text, default=default, dayfirst=is_day_first, tzinfos=offset_zone)
        return parsed

    names_month = parsed(first).month == parsed(other).month
    return parsed(first if names_month else today)


def pattern_fault(pattern: str) -> str | None:
    if len(pattern) > PATTERN_LENGTH:
        return f"a date format has at most {PATTERN_LENGTH} characters"
    unknown = next((part[0] for part in PART.finditer(pattern) if not (part[3] or part[4] or part[2] in KNOWN)), None)
    return None if unknown is None else f"unknown date format {unknown!r}; use codes such as %Y, %m, %d, %B, %H, %M"


def write_date(at: datetime, pattern: str) -> str:
    return PART.sub(lambda part: _written(at, part), pattern)


def _written(at: datetime, part: re.Match[str]) -> str:
    flag, letter = part[1], part[2]
    if part[3]:
        return f"{at:%z}"[:3] + ":" + f"{at:%z}"[3:5]
    if part[4]:
        return f"{at.microsecond * 1000:09}"[: int(part[4][0])]
    if letter not in OURS:
        return at.strftime(f"%{flag}{letter}")
    text = OURS[letter](at)
    return text.upper() if flag == "^" else text


def _name(at: datetime) -> str:
    name = at.tzname() or ""
    return name if name.isalpha() else ""


OURS: Mapping[str, Callable[[datetime], str]] = {
    "%": lambda _: "%",
    "+": lambda at: " ".join(filter(None, (f"{at:%a %b %e %H:%M:%S}", _name(at), f"{at:%Y}"))),
    "L": lambda at: f"{at.microsecond // 1000:03}",
    "N": lambda at: f"{at.microsecond * 1000:09}",
    "s": lambda at: str(int(at.timestamp() // 1)),
    "v": lambda at: f"{at:%e-%b-%Y}".upper(),
    "z": lambda at: f"{at:%z}"[:5],
    "Z": _name,
}
KNOWN = PLAIN | OURS.keys()
