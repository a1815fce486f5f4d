"""Shows and saves the choices of the person behind an unsubscribe link."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from webapp import clock
from webapp.domain.contacts import unsubscribe
from webapp.domain.contacts.fields import apply_fields
from webapp.domain.contacts.unsubscribe import Subscription
from webapp.languages import LANGUAGES, best_language
from webapp.models import Contact

PAUSES = (2, 4, 12)  # weeks
NO_PAUSE = 0
ON = "1"  # of a ticked box
OFF = ""
NOTHING, NO_TRACKING, LANGUAGE, PAUSE = "nothing", "no_tracking", "language", "pause"


@dataclass(frozen=True)
class Preferences:
    subscription: Subscription
    values: Mapping[str, str]  # by the name of the form's field
    paused_until: date | None = None  # in the organization's time zone


async def find_preferences(token: str) -> Preferences:
    """Raises NotFound if the link is invalid."""
    return _preferences(await unsubscribe.find_subscription(token))


def _preferences(subscription: Subscription) -> Preferences:
    contact, org = subscription.contact, subscription.org
    if contact is None or org is None:
        return Preferences(subscription, {})
    values = {
        NOTHING: OFF if subscription.is_subscribed else ON,
        NO_TRACKING: ON if contact.do_not_track else OFF,
        LANGUAGE: best_language([contact.language]) or "",
    }
    until = contact.paused_until
    if until is None or until <= clock.now():
        return Preferences(subscription, values)
    return Preferences(subscription, values, until.astimezone(ZoneInfo(org.timezone)).date())


async def save_preferences(token: str, changed: Mapping[str, str]) -> Preferences:
    """Saves only the fields that the person changed, so that what another tab saved meanwhile stays.

    Ignores unknown fields and values. Raises NotFound for an invalid link, Busy.
    """

    async def apply(contact: Contact, campaign_id: UUID) -> bool:
        values = _contact_fields(contact, changed)
        apply_fields(contact, values)
        return await _apply_status(contact, campaign_id, changed.get(NOTHING)) or bool(values)

    return _preferences(await unsubscribe.change(token, apply))


def _contact_fields(contact: Contact, changed: Mapping[str, str]) -> dict[str, bool | str | datetime | None]:
    """The changed fields of the contact with their values."""
    values: dict[str, bool | str | datetime | None] = {}
    if NO_TRACKING in changed:
        values["do_not_track"] = changed[NO_TRACKING] == ON
    if changed.get(LANGUAGE) in ("", *LANGUAGES):
        values["language"] = changed[LANGUAGE] or None
    weeks = {str(weeks): weeks for weeks in (NO_PAUSE, *PAUSES)}.get(changed.get(PAUSE, ""))
    if weeks is not None:
        values["paused_until"] = clock.now() + timedelta(weeks=weeks) if weeks else None
    return {name: value for name, value in values.items() if getattr(contact, name) != value}


async def _apply_status(contact: Contact, campaign_id: UUID, nothing: str | None) -> bool:
    """Unsubscribes, or resubscribes if the link may undo that."""
    if nothing is None:
        return False
    return await (unsubscribe.leave if nothing == ON else unsubscribe.undo)(contact, campaign_id)
