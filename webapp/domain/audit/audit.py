"""The audit log: changes of keys, accounts, members, the plan, campaigns, contacts, their fields, and suppressions."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple, Self
from uuid import UUID

from webapp import clock, crypto, db
from webapp.domain.pagination import Cursor, CursorPage, fetch_cursor_page, having_text
from webapp.logs import hide_secrets
from webapp.models import Account, ApiKey, AuditEntry, Campaign, CampaignRun, ContactImport, Organization, User
from webapp.models.base.row import id_lower_bound
from webapp.models.campaign_run import RunTrigger
from webapp.models.people import EMAIL_LENGTH

LONGEST_NAME, LONGEST_DETAIL = EMAIL_LENGTH, 500  # characters
MOST_DETAILS = 50
ALIKE_WITHIN = timedelta(hours=1)
MOST_ALIKE = 20  # separate entries per hour about reading one thing with different filters
INSTANT = "%Y-%m-%d %H:%M UTC"


class AuditAction(StrEnum):
    """The part before the dot is the kind of its target, whose name follows the `words`."""

    words: str

    KEY_ISSUED = "key.issued", "Created API key"
    KEY_REVOKED = "key.revoked", "Revoked API key"
    ACCOUNT_ADDED = "account.added", "Added account"
    ACCOUNT_CHANGED = "account.changed", "Changed account"
    ACCOUNT_DELETED = "account.deleted", "Deleted account"
    MEMBER_INVITED = "member.invited", "Invited"
    INVITATION_REVOKED = "member.invitation_revoked", "Revoked invitation for"
    MEMBER_JOINED = "member.joined", "Joined the team:"
    MEMBER_CHANGED = "member.changed", "Changed team member"
    MEMBER_REMOVED = "member.removed", "Removed team member"
    MEMBER_RENAMED = "member.renamed", "Changed the name of"
    PLAN_CHANGED = "plan.changed", "Changed plan of"
    ORGANIZATION_CHANGED = "organization.changed", "Changed organization"
    BRAND_CHANGED = "organization.brand_changed", "Changed the brand of"
    EXPORTED = "data.exported", "Exported"
    SHEET_FOLLOWED = "segment.sheet_followed", "Connected a Google Sheet to segment"
    SHEET_LEFT = "segment.sheet_left", "Disconnected the Google Sheet from segment"
    CAMPAIGN_SENT = "campaign.sent", "Sent campaign"
    CAMPAIGN_RETRIED = "campaign.retried", "Retried failed emails of campaign"
    CAMPAIGN_SCHEDULED = "campaign.scheduled", "Scheduled campaign"
    CAMPAIGN_UNSCHEDULED = "campaign.unscheduled", "Removed the schedule of campaign"
    CAMPAIGN_STOPPED = "campaign.stopped", "Paused campaign"
    CAMPAIGN_RESUMED = "campaign.resumed", "Resumed campaign"
    CAMPAIGN_GIVEN_UP = "campaign.given_up", "Canceled unsent emails of campaign"
    CAMPAIGN_DELETED = "campaign.deleted", "Deleted campaign"
    CONTACTS_IMPORTED = "contacts.imported", "Imported contacts from"
    IMPORT_UNDONE = "contacts.import_undone", "Undid the import of"
    CONTACTS_ADDED = "contacts.added_to_segment", "Added contacts to segment"
    CONTACTS_UNSUBSCRIBED = "contacts.unsubscribed", "Unsubscribed"
    CONTACTS_DELETED = "contacts.deleted", "Deleted"
    CONTACTS_CHANGE_STOPPED = "contacts.change_stopped", "Stopped changing"
    CONTACT_ERASED = "contacts.erased", "Erased"
    FIELD_ADDED = "contacts.field_added", "Added contact field"
    FIELD_CHANGED = "contacts.field_changed", "Changed contact field"
    FIELD_DELETED = "contacts.field_deleted", "Deleted contact field"
    FORM_ADDED = "form.added", "Created form"
    FORM_CHANGED = "form.changed", "Changed form"
    FORM_DELETED = "form.deleted", "Deleted form"
    TOPIC_ADDED = "topic.added", "Created topic"
    TOPIC_CHANGED = "topic.changed", "Changed topic"
    TOPIC_DELETED = "topic.deleted", "Deleted topic"
    SUPPRESSIONS_ADDED = "suppressions.added", "Suppressed"
    SUPPRESSIONS_REMOVED = "suppressions.removed", "Removed from the suppression list:"
    MEDIA_ADDED = "media.added", "Uploaded file"
    MEDIA_DELETED = "media.deleted", "Deleted file"
    WEBHOOK_ADDED = "webhook.added", "Created webhook"
    WEBHOOK_CHANGED = "webhook.changed", "Changed webhook"
    WEBHOOK_ROTATED = "webhook.rotated", "Rotated the signing secret of webhook"
    WEBHOOK_DELETED = "webhook.deleted", "Deleted webhook"

    def __new__(cls, value: str, words: str) -> Self:
        action = str.__new__(cls, value)
        action._value_, action.words = value, words
        return action


STARTS = (AuditAction.CAMPAIGN_SENT, AuditAction.CAMPAIGN_RETRIED)
STARTED_WITHIN = timedelta(minutes=1)  # between an entry and the run that it started


class Actor(NamedTuple):
    id: UUID | None  # None for the operator
    name: str
    address: str


OPERATOR = Actor(None, "the operator", "")
_acting: ContextVar[Actor] = ContextVar("acting", default=OPERATOR)


def act_as(who: User | ApiKey | None, address: str) -> None:
    """Sets the actor of the current task and of tasks it starts; None is a visitor, the default is the operator."""
    name = "a visitor"
    if who is not None:
        name = f"{who.name} (key {who.prefix}…)" if isinstance(who, ApiKey) else who.name_and_email
    actor = Actor(None if who is None else who.id, name, address)
    _acting.set(actor)  # a task that works for several people must therefore record nothing


@asynccontextmanager
async def acting_for(org: Organization, action: AuditAction, target_id: UUID) -> AsyncIterator[None]:
    """Names the actor of the target's latest entry with this action in new entries: a worker finishes their work."""
    entry = await AuditEntry.of(org).filter(target_id=target_id, action=action).order_by("-id").first()
    actor = _acting.get() if entry is None else Actor(entry.actor_id, entry.actor, entry.address)
    token = _acting.set(actor)
    try:
        yield
    finally:
        _acting.reset(token)


def actor_name() -> str:
    return _plain(_acting.get().name, LONGEST_NAME)


async def record(org: Organization, action: AuditAction, target_id: UUID | None, target: str, **details: Any) -> None:
    """Records an action in its transaction. Details are values, [old, new] or filters, and no secrets."""
    await _entry(org.id, action, target_id, target, details).save()


async def record_export(org: Organization, target: str, **asked: Any) -> None:
    """Counts an actor's equal exports within an hour in one entry, and after MOST_ALIKE all others too."""
    since = clock.now() - ALIKE_WITHIN
    entry = _entry(org.id, AuditAction.EXPORTED, None, target, asked)
    entry.alike = _alike(entry, entry.details, entry.address)
    others = AuditEntry.of(org).filter(
        id__gte=id_lower_bound(since), actor=entry.actor, action=entry.action, target=entry.target
    )
    if await others.exclude(alike=entry.alike).count() >= MOST_ALIKE:
        entry.details = {"filters": "many others"}
        entry.alike = _alike(entry, entry.details)
    await entry.count(since)


def _alike(entry: AuditEntry, *distinction: Any) -> str:
    same = [str(entry.actor_id), entry.actor, entry.action, entry.target, *distinction]
    return crypto.digest(json.dumps(same, sort_keys=True))


async def record_on(row: Account | ApiKey | Campaign | ContactImport, action: AuditAction, **details: Any) -> None:
    name = row.title if isinstance(row, Campaign) else row.file_name if isinstance(row, ContactImport) else row.name
    await _entry(row.org_id, action, row.id, name, details).save()


async def starter_of(org: Organization, run: CampaignRun) -> str | None:
    """Who sent or retried the campaign to create this run; None for a schedule or a deleted entry."""
    if run.trigger == RunTrigger.SCHEDULE:
        return None
    starts = AuditEntry.of(org).filter(target_id=run.campaign_id, action__in=STARTS)
    until = id_lower_bound(run.created_at + STARTED_WITHIN)
    entry = await starts.filter(id__gt=run.id, id__lt=until).order_by("id").first()  # from the same transaction
    return entry.actor if entry else None


def _entry(
    org_id: UUID, action: AuditAction, target_id: UUID | None, target: str, details: Mapping[str, Any]
) -> AuditEntry:
    actor = _acting.get()
    return AuditEntry(
        org_id=org_id,
        actor_id=actor.id,
        actor=_plain(actor.name, LONGEST_NAME),
        action=action,
        target_id=target_id,
        target=_plain(target, LONGEST_NAME),
        details={name: _detail(value) for name, value in list(details.items())[:MOST_DETAILS]},
        address=_plain(actor.address, 64),
    )


def _detail(value: Any) -> Any:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime(INSTANT)
    if isinstance(value, dict):  # a contact filter
        return {_plain(str(name), LONGEST_NAME): _detail(item) for name, item in list(value.items())[:MOST_DETAILS]}
    if isinstance(value, list | tuple):
        return [_detail(item) for item in value[:MOST_DETAILS]]
    return _plain(str(value), LONGEST_DETAIL)


def _plain(text: str, longest: int) -> str:
    """One printable line without secrets in URLs, because others could forge lines or reverse text."""
    text = text[: 4 * longest]
    if "://" in text:
        text = hide_secrets(text)
    shown = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(shown.split())[:longest]


async def list_entries(
    org: Organization,
    cursor: Cursor,
    *,
    since: datetime | None,
    until: datetime | None,
    who: str | None,
    what: str | None,
) -> CursorPage[AuditEntry]:
    """`who` is part of the actor's name, `until` is exclusive, `what` is an action or the part before its dot."""
    rows = AuditEntry.of(org)
    if since is not None:
        rows = rows.filter(id__gte=id_lower_bound(since))
    if until is not None:
        rows = rows.filter(id__lt=id_lower_bound(until))
    if who is not None:
        rows = having_text(rows, who, "actor")
    if what is not None:
        rows = rows.filter(action=what) if "." in what else rows.filter(action__startswith=f"{what}.")
    async with db.searching(org.id):
        return await fetch_cursor_page(rows, cursor)


def instant_of(value: Any) -> datetime | None:
    try:
        return datetime.strptime(str(value), INSTANT).replace(tzinfo=UTC)
    except ValueError:
        return None
