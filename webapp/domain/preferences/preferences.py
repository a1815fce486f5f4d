"""Shows and saves the choices of the person behind an unsubscribe link."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from webapp import clock
from webapp.domain.contacts import unsubscribe
from webapp.domain.contacts.fields import apply_fields
from webapp.domain.contacts.unsubscribe import SubscriptionStatus
from webapp.domain.link_signing import ids_in
from webapp.domain.preferences.one_click import topic_behind
from webapp.domain.throttle import Script, SharedThrottle, too_many_tries
from webapp.domain.topics.choices import Choice, change_choices, list_choices
from webapp.languages import LANGUAGES, best_language
from webapp.models import Contact, Organization, Topic
from webapp.models.contact import ConsentKind
from webapp.models.topic import Subscription, Visibility

CHANGES_AN_HOUR = 60  # per contact
PAUSES = (2, 4, 12)  # weeks
NO_PAUSE = 0
ON = "1"  # of a ticked box
OFF = ""
NOTHING, NO_TRACKING, LANGUAGE, PAUSE = "nothing", "no_tracking", "language", "pause"
TOPIC = "topic."  # before the id of a topic


@dataclass(frozen=True)
class Preferences:
    subscription: SubscriptionStatus
    values: Mapping[str, str]  # by the name of the form's field
    topics: Mapping[str, Topic] = field(default_factory=dict)  # by that name, too
    paused_until: date | None = None  # in the organization's time zone
    has_topic: bool = False  # the email of the link


class ChoicesThrottle(SharedThrottle):
    """Bounds what a link adds to the event log, the consents and the consent log; leaving has no bound."""

    def __init__(self, script: Script) -> None:
        super().__init__(script, "choices", CHANGES_AN_HOUR, 3600)


async def admit_change(token: str, throttle: SharedThrottle) -> None:
    """Raises NotFound if the link is invalid, RateLimitExceeded after too many changes of its contact."""
    contact_id, _ = ids_in(unsubscribe.PURPOSE, token)
    if wait := await throttle.consume(str(contact_id)):
        raise too_many_tries(wait)


async def find_preferences(token: str) -> Preferences:
    """Raises NotFound if the link is invalid."""
    subscription = await unsubscribe.find_subscription(token)
    contact, org = subscription.contact, subscription.org
    if contact is None or org is None:
        return Preferences(subscription, {})
    opened = await topic_behind(org, token)
    choices = await _shown_choices(org, contact, opened)
    values = {
        **{name: ON if choice.subscription == Subscription.OPT_IN else OFF for name, choice in choices.items()},
        NOTHING: OFF if subscription.is_subscribed else ON,
        NO_TRACKING: ON if contact.do_not_track else OFF,
        LANGUAGE: best_language([contact.language]) or "",
    }
    topics = {name: choice.topic for name, choice in choices.items()}
    return Preferences(subscription, values, topics, _last_day(contact, org), has_topic=opened is not None)


def _last_day(contact: Contact, org: Organization) -> date | None:
    until = contact.paused_until
    is_paused = until is not None and until > clock.now()
    return until.astimezone(ZoneInfo(org.timezone)).date() if until and is_paused else None


async def _shown_choices(org: Organization, contact: Contact, opened: UUID | None) -> dict[str, Choice]:
    """Public topics, and private ones that the contact has chosen about or that the link's email is about."""
    return {
        f"{TOPIC}{choice.topic.id}": choice
        for choice in await list_choices(org, contact)
        if choice.topic.visibility == Visibility.PUBLIC or choice.own or choice.topic.id == opened
    }


async def save_preferences(token: str, changed: Mapping[str, str]) -> None:
    """Saves only the fields that the person changed, so that what another tab saved meanwhile stays.

    Ignores unknown fields and values. Raises NotFound for an invalid link, Busy.
    """

    async def apply(contact: Contact, campaign_id: UUID) -> bool:
        await _apply_topics(contact, token, changed, campaign_id)
        values = _contact_fields(contact, changed)
        apply_fields(contact, values)
        return await _apply_status(contact, campaign_id, changed.get(NOTHING)) or bool(values)

    await unsubscribe.change(token, apply)


async def _apply_topics(contact: Contact, token: str, changed: Mapping[str, str], campaign_id: UUID) -> None:
    """Changes the choices of topics that the page shows."""
    if not any(name.startswith(TOPIC) for name in changed):
        return
    org = await Organization.get(id=contact.org_id)
    choices = await _shown_choices(org, contact, await topic_behind(org, token))
    changes = {
        choice.topic.id: Subscription.OPT_IN if changed[name] == ON else Subscription.OPT_OUT
        for name, choice in choices.items()
        if name in changed
    }
    if changes:
        await change_choices(org, contact, changes, ConsentKind.PERSON, campaign_id)


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
