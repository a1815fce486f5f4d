"""The pace of an account as callers write it: its window, its ramp, and the faults of both."""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, NotRequired
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, ConfigDict, Field, WithJsonSchema
from typing_extensions import TypedDict

from webapp.domain.inputs import Integer, Timezone
from webapp.errors import FieldError, InvalidValue
from webapp.models import Account
from webapp.models.outbox.allowance import DayRules
from webapp.models.outbox.send_window import DAYS, END_OF_DAY
from webapp.models.queries.provider_slowdowns import Slowdown

HIGHEST_DAILY_LIMIT = 1_000_000_000
HIGHEST_PER_MINUTE = 100_000
HIGHEST_PER_HOUR = 60 * HIGHEST_PER_MINUTE
LONGEST_GAP = 3_600  # seconds
LARGEST_STEP = 1_000  # percent

DAY_NAMES = dict(zip(DAYS, ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"), strict=True))

Day = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
TIME_OF_DAY = "([01][0-9]|2[0-3]):[0-5][0-9]"


def _time_of_day(text: str) -> str:
    if re.fullmatch(TIME_OF_DAY, text) is None:
        raise InvalidValue.example("time of day", "08:30")
    return text


def _end_of_day(text: str) -> str:
    return text if text == END_OF_DAY else _time_of_day(text)


TimeOfDay = Annotated[
    str, AfterValidator(_time_of_day), WithJsonSchema({"type": "string", "pattern": f"^{TIME_OF_DAY}$"})
]
EndOfDay = Annotated[
    str, AfterValidator(_end_of_day), WithJsonSchema({"type": "string", "pattern": f"^({TIME_OF_DAY}|{END_OF_DAY})$"})
]

# Not a class, because `from` is a keyword.
SendWindow = TypedDict(
    "SendWindow",
    {
        "days": Annotated[list[Day], Field(min_length=1, max_length=len(DAYS), description="The days it opens on.")],
        "from": Annotated[TimeOfDay, Field(description="When it opens, as `HH:MM`.", examples=["08:00"])],
        "to": Annotated[
            EndOfDay,
            Field(description="When it closes; on the next day if that is not after `from`.", examples=["18:00"]),
        ],
        "timezone": NotRequired[
            Annotated[Timezone, Field(description="An IANA name; the organization's time zone by default.")]
        ],
        "includes_transactional": NotRequired[
            Annotated[bool, Field(description="Hold transactional emails too; by default only campaigns are held.")]
        ],
    },
)
SendWindow.__doc__ = "The days and hours in which an account sends."
SendWindow.__pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[attr-defined]  # pydantic reads it


class Ramp(TypedDict):
    """A limit of a day that grows by `step_percent` after each day without an account error and with few refusals."""

    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]  # pydantic reads it

    start: Annotated[Integer, Field(ge=1, le=HIGHEST_DAILY_LIMIT, description="Recipients on the first day.")]
    step_percent: Annotated[Integer, Field(ge=1, le=LARGEST_STEP, description="Growth after a clean day.")]
    until: Annotated[Integer, Field(ge=1, le=HIGHEST_DAILY_LIMIT, description="The limit it stops at.")]


def _window(window: dict[str, Any]) -> dict[str, Any]:
    if window["from"] == window["to"]:
        raise ValueError("must be longer than zero minutes: `from` and `to` are the same")
    return {**window, "days": sorted(set(window["days"]), key=DAYS.index)}


def _ramp(ramp: dict[str, int]) -> dict[str, int]:
    if ramp["until"] < ramp["start"]:
        raise ValueError("must not fall: `until` is less than `start`")
    return ramp


WindowInput = Annotated[SendWindow, AfterValidator(_window)]
RampInput = Annotated[Ramp, AfterValidator(_ramp)]


def with_timezone(values: Mapping[str, Any], timezone: str) -> dict[str, Any]:
    """The values with a window that names a time zone and says what it holds."""
    window = values.get("send_window")
    if window is None:
        return dict(values)
    return {**values, "send_window": {"timezone": timezone, "includes_transactional": False, **window}}


def pace_faults(account: Account) -> Iterator[FieldError]:
    reserve, ramp = account.reserve_for_transactional or 0, account.ramp
    if reserve >= account.daily_mail_limit:
        yield FieldError.at("reserve_for_transactional", "must be less than daily_mail_limit")
    elif ramp is not None and reserve >= ramp["start"]:
        yield FieldError.at("reserve_for_transactional", "must be less than the ramp's start")


def window_text(window: Mapping[str, Any]) -> str:
    days = ", ".join(day.capitalize() for day in window["days"])
    every = "every day" if len(window["days"]) == len(DAYS) else days
    also = ", transactional email too" if window.get("includes_transactional") else ""
    return f"{every} from {window['from']} to {window['to']}, {window['timezone']}{also}"


def ramp_text(ramp: Mapping[str, int]) -> str:
    return f"from {ramp['start']:,} a day by {ramp['step_percent']}% to {ramp['until']:,}"


def pace_text(account: Account) -> str:
    """A sentence without its subject, the account; empty without a pace."""
    rates = [
        f"{most:,} email{'' if most == 1 else 's'} per {period}"
        for most, period in ((account.max_per_minute, "minute"), (account.max_per_hour, "hour"))
        if most is not None
    ]
    parts = [f"sends at most {' and '.join(rates)}"] if rates else []
    if gap := account.min_gap_seconds:
        parts.append(f"leaves at least {gap:,} second{'' if gap == 1 else 's'} between two emails")
    return f"{', and '.join(parts)}." if parts else ""


def pace_sentences(account: Account, rules: DayRules) -> list[str]:
    """How fast, when and how much it sends, without its daily limit."""
    sentences = [pace_text(account).capitalize()] if pace_text(account) else []
    if account.send_window is not None:
        sentences.append(f"Sends campaigns {window_text(account.send_window)}.")
    if account.ramp is not None:
        sentences.append(f"Sends up to {rules.limit:,} today: its ramp grows {ramp_text(account.ramp)}.")
    if rules.reserve:
        sentences.append(f"Reserves {rules.reserve:,} emails of each day for transactional email.")
    return sentences


def slowdown_text(account: Account, slowdown: Slowdown, timezone: str) -> str:
    provider = "Another provider" if slowdown.provider == "others" else slowdown.provider.capitalize()
    at = slowdown.asked_at.astimezone(ZoneInfo(timezone))
    return f"{provider} asked {account.name} to slow down at {at:%H:%M}; now {slowdown.per_minute:,} a minute"
