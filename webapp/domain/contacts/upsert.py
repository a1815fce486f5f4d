"""Upserts many contacts; rows of files change choices only towards less mail or tracking, programs as they ask."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from operator import attrgetter
from typing import Any
from uuid import UUID

from tortoise.exceptions import IntegrityError

from webapp import clock, db
from webapp.addresses import email_key
from webapp.domain.contacts.consents import Choices, choices_of, record_choices
from webapp.domain.contacts.contacts import OVERTAKEN, add_members, check_segments, forget_bounces
from webapp.domain.contacts.fields import (
    CHOICE_NAMES,
    apply_fields,
    new_contact,
    restraints,
    snapshot,
    without_loosening,
)
from webapp.domain.contacts.inputs import NewContact, check_custom_fields
from webapp.domain.csv_writer import as_text
from webapp.domain.event_log import record_changes, record_contacts
from webapp.domain.plans import limits
from webapp.domain.suppressions.tombstones import refusal
from webapp.errors import ApiError, Conflict, PlanLimitExceeded, ValidationError
from webapp.models import Contact, Organization, Tombstone
from webapp.models.contact import ConsentKind
from webapp.models.event import EventType
from webapp.models.usage import Metric

TRIES = 3  # because others may create or delete contacts between read and write


class RowStatus(StrEnum):
    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REFUSED = "refused"


@dataclass(frozen=True)
class RowResult:
    status: RowStatus
    contact: Contact | None = None
    before: Mapping[str, Any] | None = None
    repeated: frozenset[str] = frozenset()  # choices that the contact had already made
    has_joined: bool = False
    reason: str | None = None
    error: ApiError | None = None  # of a program's row


async def upsert_batch(
    org: Organization,
    rows: Sequence[NewContact],
    segment_id: UUID | None = None,
    *,
    overwrites: bool = True,
    kind: ConsentKind = ConsentKind.IMPORT,
) -> list[RowResult]:
    """One transaction, results in order; refuses rows beyond the limit. Raises NotFound (segment gone), Conflict."""
    return await _tried(lambda: ContactBatch(org, overwrites=overwrites, kind=kind).upsert(rows, segment_id))


async def upsert_contact(org: Organization, row: NewContact) -> tuple[Contact, bool]:
    """The contact, and True if it is new. Raises ValidationError, NotFound (segment), PlanLimitExceeded, Conflict."""
    row.changes_to({})  # reports contradictions before unknown segments
    await check_segments(org, row.segments or ())
    (result,) = await _tried(lambda: RequestedBatch(org, kind=ConsentKind.API).upsert([row]))
    if result.contact is None:
        raise result.error or Conflict(OVERTAKEN)
    return result.contact, result.status is RowStatus.CREATED


async def upsert_contacts(org: Organization, rows: Sequence[NewContact | ApiError]) -> list[RowResult]:
    """One transaction; results in order, a bad row's with its error. Raises NotFound (a segment), Conflict."""
    good = [row for row in rows if isinstance(row, NewContact)]
    await check_segments(org, (segment_id for row in good for segment_id in row.segments or ()))
    results = iter(await _tried(lambda: RequestedBatch(org, kind=ConsentKind.API).upsert(good)) if good else [])
    return [RowResult(RowStatus.REFUSED, error=row) if isinstance(row, ApiError) else next(results) for row in rows]


async def _tried(upsert: Callable[[], Awaitable[list[RowResult]]]) -> list[RowResult]:
    for _ in range(TRIES):
        with suppress(IntegrityError, _OvertakenError):
            async with db.write_transaction():
                return await upsert()
    raise Conflict(OVERTAKEN)


class _OvertakenError(Exception):
    pass


class ContactBatch:
    """The work of one transaction; locks the plan's counter before the contacts, so that two never deadlock."""

    def __init__(self, org: Organization, *, overwrites: bool = True, kind: ConsentKind = ConsentKind.IMPORT) -> None:
        self._org, self._overwrites, self._kind = org, overwrites, kind
        self._contacts: dict[str, Contact] = {}
        self._made: list[Contact] = []
        self._changed: dict[UUID, tuple[Contact, str]] = {}  # with their former status
        self._chosen: dict[UUID, tuple[Contact, Choices | None]] = {}  # with their former choices, if not new
        self._erased: dict[str, str] = {}  # the words against erased addresses
        self._free = 0
        self._refusal: PlanLimitExceeded | None = None

    async def upsert(self, rows: Sequence[NewContact], segment_id: UUID | None = None) -> list[RowResult]:
        await self._org.locked_plan()
        keys = {email_key(row.email) for row in rows}
        known = {contact.email_key: contact.id for contact in await Contact.with_keys(self._org, keys)}
        self._erased = await Tombstone.words_against(self._org.id, keys - known.keys())
        wanted = len(keys) - len(known) - len(self._erased)
        try:
            await limits.consume(self._org, Metric.CONTACTS, wanted)
            self._free = wanted
        except PlanLimitExceeded as refusal:
            self._refuse_beyond(refusal)
            await limits.consume(self._org, Metric.CONTACTS, self._free)
        held = await Contact.lock_many(self._org, known.values())
        self._contacts = {contact.email_key: contact for contact in held}
        if self._contacts.keys() != known.keys():
            raise _OvertakenError
        results = [self._upsert(row) for row in rows]
        # In address order, because two imports of the same people would deadlock.
        await Contact.insert_many(sorted(self._made, key=attrgetter("email_key")))
        created = {contact.id for contact in self._made}
        changed = [change for contact_id, change in self._changed.items() if contact_id not in created]
        await Contact.save_fields(contact for contact, _ in changed)
        await record_choices(self._chosen.values(), self._kind)
        await record_contacts(EventType.CONTACT_CREATED, self._made)
        await record_changes(changed)
        return results if segment_id is None else await self._join(results, segment_id)

    async def dry_run(self, rows: Sequence[NewContact], earlier: Mapping[str, Contact], made: int) -> list[RowResult]:
        """`earlier` are contacts as earlier batches would leave them; `made` of them are new."""
        keys = {email_key(row.email) for row in rows}
        known = await Contact.with_keys(self._org, keys)
        for contact in known:
            if contact.email_key in earlier:
                earlier[contact.email_key].bounced_at = contact.bounced_at  # which rows never change
        self._contacts = {contact.email_key: contact for contact in known} | dict(earlier)
        self._erased = await Tombstone.words_against(self._org.id, keys - self._contacts.keys())
        try:
            await limits.check(self._org, Metric.CONTACTS, made + len(rows))
            self._free = len(rows)
        except PlanLimitExceeded as refusal:
            self._refuse_beyond(refusal, made)
        return [self._upsert(row) for row in rows]

    def _refuse_beyond(self, refusal: PlanLimitExceeded, made: int = 0) -> None:
        self._free = max((refusal.maximum or 0) - (refusal.current or 0) - made, 0)
        self._refusal = refusal

    def _upsert(self, row: NewContact) -> RowResult:
        contact = self._contacts.get(email_key(row.email))
        if contact is None:
            return self._make(row)
        changes = changes_to(contact, row)
        choices = {name: value for name, value in changes.items() if name in CHOICE_NAMES}
        if not self._overwrites:
            changes = choices
        try:
            check_custom_fields(changes.get("custom_fields", {}))
        except ValueError as error:
            if not choices:
                return RowResult(RowStatus.REFUSED, reason=f"custom_fields {error}, including existing fields")
            changes = choices
        before = snapshot(contact, changes)
        if changes:
            self._changed.setdefault(contact.id, (contact, contact.status))
        if choices:
            self._chosen.setdefault(contact.id, (contact, choices_of(contact)))
        apply_fields(contact, changes)
        repeated = frozenset(restraints(row.given()).keys() - choices.keys())
        return RowResult(RowStatus.CHANGED if changes else RowStatus.UNCHANGED, contact, before, repeated)

    def _make(self, row: NewContact) -> RowResult:
        if words := self._erased.get(email_key(row.email)):
            error = refusal(words)
            return RowResult(RowStatus.REFUSED, reason=str(error), error=error)
        if len(self._made) >= self._free:
            reason = self._refusal.words if self._refusal else None
            return RowResult(RowStatus.REFUSED, reason=reason, error=self._refusal)
        contact = new_contact(self._org, row.changes_to({}))
        self._contacts[contact.email_key] = contact
        self._made.append(contact)
        self._chosen[contact.id] = (contact, None)
        return RowResult(RowStatus.CREATED, contact)

    async def _join(self, results: list[RowResult], segment_id: UUID) -> list[RowResult]:
        ids = {result.contact.id for result in results if result.contact is not None}
        new = await add_members(self._org, segment_id, ids)
        for number, result in enumerate(results):
            if result.contact is not None and result.contact.id in new:
                new.discard(result.contact.id)
                results[number] = replace(result, has_joined=True)
        return results


class RequestedBatch(ContactBatch):
    """Takes aliases and segments too, and may subscribe contacts again."""

    async def upsert(self, rows: Sequence[NewContact], segment_id: UUID | None = None) -> list[RowResult]:
        self._tried_again: list[Contact] = []
        results = await super().upsert(rows, segment_id)
        if self._tried_again:
            again = Contact.of(self._org).filter(id__in=[contact.id for contact in self._tried_again])
            await again.update(bounced_at=None)
            await forget_bounces(self._org, self._tried_again)
        if repeated := [result.contact.id for result in results if result.contact is not None and result.repeated]:
            await Contact.confirm_choices(self._org, repeated)
        numbers: dict[UUID, list[int]] = {}
        for number, (row, result) in enumerate(zip(rows, results, strict=True)):
            for wanted in row.segments or () if result.contact is not None else ():
                numbers.setdefault(wanted, []).append(number)
        for wanted in sorted(numbers):
            joined = await self._join([results[number] for number in numbers[wanted]], wanted)
            for number, result in zip(numbers[wanted], joined, strict=True):
                results[number] = result
        return results

    def _upsert(self, row: NewContact) -> RowResult:
        contact = self._contacts.get(email_key(row.email))
        if contact is None:
            return self._make(row)
        try:
            changes = requested_changes(contact, row)
        except ValidationError as error:
            return RowResult(RowStatus.REFUSED, error=error)
        repeated = frozenset(restraints(row.changes_to({})).keys() - changes.keys())
        if not changes:
            return RowResult(RowStatus.UNCHANGED, contact, repeated=repeated)
        self._changed.setdefault(contact.id, (contact, contact.status))
        has_bounced = contact.bounced_at is not None
        if changes.keys() & CHOICE_NAMES:
            self._chosen.setdefault(contact.id, (contact, choices_of(contact)))
            contact.chosen_at = clock.now()
        apply_fields(contact, changes)
        if has_bounced and contact.bounced_at is None:
            self._tried_again.append(contact)
        return RowResult(RowStatus.CHANGED, contact, repeated=repeated)


def requested_changes(contact: Contact, row: NewContact) -> dict[str, Any]:
    """What a program's row changes; custom fields are merged. Raises ValidationError if they are too many."""
    values = row.changes_to(contact.custom_fields)
    del values["email"]
    if "custom_fields" in values:
        try:
            values["custom_fields"] = check_custom_fields(contact.custom_fields | (values["custom_fields"] or {}))
        except ValueError as error:
            raise ValidationError.at("custom_fields", f"{error}, including the other custom fields") from None
    return {name: value for name, value in values.items() if value != getattr(contact, name)}


def changes_to(contact: Contact, row: NewContact) -> dict[str, Any]:
    values = row.given()
    del values["email"]
    custom = values.get("custom_fields")
    if custom is not None:
        known = {name: as_text(value).strip() for name, value in contact.custom_fields.items()}
        # A number that became text in a cell is not a change.
        others = {name: value for name, value in custom.items() if known.get(name) != as_text(value)}
        values["custom_fields"] = contact.custom_fields | others
    values = without_loosening(contact, values)
    return {name: value for name, value in values.items() if value is not None and value != getattr(contact, name)}
