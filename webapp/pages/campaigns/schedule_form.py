"""The form of a campaign's schedule."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from quart import g

from webapp.domain.campaigns.campaigns import CampaignChanges
from webapp.domain.inputs import read_input
from webapp.domain.plans.usage import plan_use
from webapp.errors import ValidationError
from webapp.http.forms import Form

KINDS = {
    "manual": ("Once, when you confirm", "It goes out as soon as you confirm the review."),
    "scheduled_once": ("Once, at a set time", "It goes out by itself at that time."),
    "recurring": ("Repeatedly", "On a repeating schedule, to everybody who is in the segment at that time."),
    "recurring_new_contacts": (
        "To each new member",
        "To everybody who joins the segment from now on, each of them once.",
    ),
}
AUTOMATIC = ("recurring", "recurring_new_contacts")
UNITS = [("day", "days"), ("week", "weeks"), ("month", "months")]
# The fields of each kind of schedule; others of the form are ignored.
SAID = {
    "scheduled_once": ("scheduled_at",),
    "recurring": ("scheduled_at", "recurrence_interval", "recurrence_unit"),
    "recurring_new_contacts": ("recurrence_interval", "recurrence_unit"),
}


async def schedule_options(*_: object) -> dict[str, Any]:
    plan = (await plan_use(g.caller.org)).plan
    return {"kinds": KINDS, "units": UNITS, "plan": plan, "barred": () if plan.allow_automation else AUTOMATIC}


def typed_schedule(form: Form, timezone: str) -> CampaignChanges:
    """Reads the form; times are on the wall clock of the IANA zone. Raises ValidationError."""
    kind = form.values["schedule_type"]
    said = {name: form.values.get(name) for name in SAID.get(kind, ())}
    if said.get("recurrence_interval") is None and kind == "recurring_new_contacts":
        said["recurrence_unit"] = None  # a unit needs a number
    if typed := said.get("scheduled_at"):
        said["scheduled_at"] = _instant(typed, timezone)
    nothing = dict.fromkeys(("scheduled_at", "recurrence_interval", "recurrence_unit"))
    return read_input(CampaignChanges, {"schedule_type": kind, **nothing, **said}, strict=False)


def _instant(typed: str, timezone: str) -> datetime:
    try:
        return datetime.fromisoformat(typed.strip()[:40]).replace(tzinfo=ZoneInfo(timezone))
    except ValueError:
        raise ValidationError.of("scheduled_at", "Give a day and a time, like 2026-11-20 09:30.") from None
