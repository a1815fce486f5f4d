"""The form of a campaign's schedule."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from quart import g

from webapp.domain.campaigns.inputs import CampaignChanges
from webapp.domain.campaigns.scheduling import AUTOMATIC
from webapp.domain.inputs import read_input
from webapp.domain.plans.plans import plan_named
from webapp.errors import ValidationError
from webapp.http.forms import Form

KINDS = {
    "manual": ("Send now", "Goes out as soon as you confirm the review."),
    "scheduled_once": ("Schedule", "Goes out once, at the time you choose."),
    "recurring": ("Recurring", "Goes out on a repeating schedule, to everyone in the segment at that time."),
    "recurring_new_contacts": (
        "Automatically to new members",
        (
            "Goes out once to each contact who joins the segment from now on. "
            "In a dynamic segment, everyone who matches now gets it too."
        ),
    ),
}
UNITS = ("day", "week", "month")
# The fields of each kind of schedule; others are ignored.
SCHEDULE_FIELDS = {
    "scheduled_once": ("scheduled_at",),
    "recurring": ("scheduled_at", "recurrence_interval", "recurrence_unit"),
    "recurring_new_contacts": ("members_interval", "members_unit"),
}
INTERVALS = ("recurrence_interval", "members_interval")
OF_MEMBERS = {"members_interval": "recurrence_interval", "members_unit": "recurrence_unit"}


async def schedule_options(_: object, form: Form) -> dict[str, Any]:
    plan = plan_named(g.caller.org.plan)
    return {"kinds": KINDS, "units": _units(form), "plan": plan, "barred": () if plan.allow_automation else AUTOMATIC}


def _units(form: Form) -> dict[str, list[tuple[str, str]]]:
    """The options beside each number of the form, singular for 1."""
    plural = {name: "" if str(form.values.get(name, "")) == "1" else "s" for name in INTERVALS}
    return {name: [(unit, unit + ending) for unit in UNITS] for name, ending in plural.items()}


def typed_schedule(form: Form, timezone: str) -> CampaignChanges:
    """Reads the form; times are on the wall clock of the IANA zone. Raises ValidationError."""
    kind = form.values["schedule_type"]
    values = {OF_MEMBERS.get(name, name): form.values.get(name) for name in SCHEDULE_FIELDS.get(kind, ())}
    if values.get("recurrence_interval") is None and kind == "recurring_new_contacts":
        values["recurrence_unit"] = None  # a unit needs a number
    if typed := values.get("scheduled_at"):
        values["scheduled_at"] = _instant(typed, timezone)
    empty = dict.fromkeys(("scheduled_at", "recurrence_interval", "recurrence_unit"))
    try:
        return read_input(CampaignChanges, {"schedule_type": kind, **empty, **values}, strict=False)
    except ValidationError as refusal:
        shown = {field: name for name, field in OF_MEMBERS.items() if name in SCHEDULE_FIELDS.get(kind, ())}
        raise refusal.renamed(lambda field: shown.get(field, field)) from None


def _instant(typed: str, timezone: str) -> datetime:
    try:
        return datetime.fromisoformat(typed.strip()[:40]).replace(tzinfo=ZoneInfo(timezone))
    except ValueError:
        raise ValidationError.of("scheduled_at", "Enter a date and time, like 2026-11-20 09:30.") from None
