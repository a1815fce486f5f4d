"""Template filters: numbers, times and names in words."""

from datetime import UTC, date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

from quart import Quart

from webapp import clock
from webapp.addresses import readable
from webapp.domain.accounts.credentials import sign_in_finding
from webapp.domain.accounts.holds import hold_by_state
from webapp.domain.campaigns.run_report import reason_of
from webapp.domain.campaigns.stop import paused_because
from webapp.domain.from_checks.findings import in_words
from webapp.http.security_headers import own_pictures
from webapp.pages.shared.failures import advice_on, suppression_in_words

KIB = 1024
DAY = 24 * 3600
JUST_NOW = 10  # seconds
# Units of time: the number from which the next unit is used, the seconds, and the name.
STEPS = ((60, 1, "second"), (60, 60, "minute"), (24, 3600, "hour"), (60, DAY, "day"), (24, 30.4 * DAY, "month"))
# In this order, because browsers also name the browsers that they descend from.
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)
MAX_LENGTH = 60  # characters of an unknown browser


def register(app: Quart) -> None:
    app.jinja_env.globals |= {"now": clock.now, "own_pictures": own_pictures}
    times = (relative, lasting, exact, appointed, minute, clock_time, iso, longday, shortday)
    of_texts = (readable, sentence, explained, filesize, name_and_email, in_words)
    others = (number, counted, share, outcome, browser, sign_in_finding, hold_by_state)
    of_campaigns = (status_word, paused_because)
    app.jinja_env.filters.update(
        {function.__name__: function for function in (*times, *of_texts, *others, *of_campaigns)}, reason=reason_of
    )


def status_word(status: str, *, is_canceled: bool = False) -> str:
    """The word for the status of a campaign, run, account, email or recipient; `is_canceled`: nothing resumes it."""
    if status == "halted":
        return "Canceled" if is_canceled else "Paused"
    return {"completed": "Sent"}.get(status, status.capitalize())


def relative(at: datetime) -> str:
    seconds = (clock.now() - at).total_seconds()
    words = _in_words(abs(seconds))
    if not words:
        return "just now"
    return f"{words} ago" if seconds > 0 else f"in {words}"


def _in_words(seconds: float) -> str:
    if seconds < JUST_NOW:
        return ""
    amount, unit = round(seconds / (365 * DAY)), "year"
    for limit, size, name in STEPS:
        if round(seconds / size) < limit:
            amount, unit = round(seconds / size), name
            break
    return f"{amount} {unit}{'s' if amount > 1 else ''}"


def lasting(time: timedelta) -> str:
    return _in_words(time.total_seconds()) or "a few seconds"


def exact(at: datetime, timezone: str) -> str:
    return at.astimezone(_zone(timezone)).strftime("%a %-d %b %Y, %H:%M:%S %Z")


def appointed(at: datetime, timezone: str) -> str:
    return at.astimezone(_zone(timezone)).strftime("%A, %-d %B %Y, %H:%M %Z")


def minute(at: datetime, timezone: str) -> str:
    return at.astimezone(_zone(timezone)).strftime("%-d %b %Y, %H:%M")


def clock_time(at: datetime, timezone: str) -> str:
    """The time, with the date unless it is today."""
    local, now = at.astimezone(_zone(timezone)), clock.now().astimezone(_zone(timezone))
    return f"at {local:%H:%M}" if local.date() == now.date() else f"on {local:%-d %b} at {local:%H:%M}"


@cache
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def iso(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def longday(day: date) -> str:
    return day.strftime("%A, %-d %B %Y")


def shortday(day: date) -> str:
    return day.strftime("%-d %b")


def number(amount: int) -> str:
    return f"{amount:,}"


def counted(amount: int, noun: str) -> str:
    return f"{number(amount)} {noun}{'' if amount == 1 else 's'}"


def share(percent: int, part: int) -> str:
    return "<1%" if part and not percent else f"{number(percent)}%"


def outcome(status: int) -> str:
    return {2: "sent", 4: "paused", 5: "failed"}.get(status // 100, "")


def sentence(text: str) -> str:
    """With a capital letter, unless it begins with the name of a host."""
    text = suppression_in_words(text)
    return text if "." in text.partition(" ")[0] else text[:1].upper() + text[1:]


def ended(text: str) -> str:
    """With a full stop, unless it ends like a sentence."""
    return text if text.endswith((".", "?", "!")) else f"{text}."


def explained(reason: str) -> str:
    """Why something failed, followed by advice."""
    advice = advice_on(reason)
    return f"{ended(sentence(reason))} {advice}" if advice else sentence(reason)


def filesize(octets: int) -> str:
    if octets < KIB:
        return f"{octets} byte{'' if octets == 1 else 's'}"
    size, unit = (octets / KIB, "kB") if octets < KIB * KIB else (octets / KIB / KIB, "MB")
    return f"{f'{size:,.1f}'.removesuffix('.0')} {unit}"


def name_and_email(stored: str) -> tuple[str, str | None]:
    """The parts of a text by `User.name_and_email`; other texts are names without an address."""
    name, is_person, email = stored.rpartition(" <")
    return (name, email.removesuffix(">")) if is_person and email.endswith(">") else (stored, None)


def browser(user_agent: str) -> str:
    program = next((name for mark, name in BROWSERS if mark in user_agent), "")
    system = next((name for mark, name in SYSTEMS if mark in user_agent), "")
    return " on ".join(filter(None, (program, system))) or user_agent[:MAX_LENGTH] or "Unknown browser"
