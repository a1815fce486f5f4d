"""Many contacts at once, as files and sheets bring them: made, or changed where the address is known.

What a row leaves out stays as it is, and custom fields are changed by their names. A row may unsubscribe a contact,
also where those that are known are to stay as they are, and never subscribes one again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any
from uuid import UUID

from tortoise.exceptions import IntegrityError

from webapp import db
from webapp.domain.contacts import consent
from webapp.domain.contacts.columns import as_text
from webapp.domain.contacts.contacts import add_members, apply_fields, email_key, new_contact, set_status
from webapp.domain.contacts.inputs import NewContact, check_custom_fields
from webapp.domain.plans import limits
from webapp.domain.plans.limits import Metric
from webapp.errors import Conflict, PlanLimitExceeded
from webapp.models import Contact, Organization
from webapp.models.contact import ContactStatus

CHANGEABLE = ("first_name", "last_name", "phone", "custom_fields", "status")
TRIES = 3  # somebody else may make or delete one of the contacts between the look at which are known and the write


class RowStatus(StrEnum):
    """What became of a row."""

    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REFUSED = "refused"


@dataclass(frozen=True)
class RowResult:
    """A row's fate. `before` is what the changed fields were; a refused row has no contact, but a `reason`."""

    status: RowStatus
    contact: Contact | None = None
    before: Mapping[str, Any] | None = None
    has_joined: bool = False
    reason: str | None = None


async def upsert_batch(
    org: Organization, rows: Sequence[NewContact], segment_id: UUID | None = None, *, overwrites: bool = True
) -> list[RowResult]:
    """Make or change the contacts of some hundred rows, and let them join the segment; the fate of each row in order.

    In one transaction. Of two rows with one address the later one changes what the earlier one brought. Rows beyond
    the plan's limit are refused. Raises NotFound when the segment is gone, Conflict in the rare case that others keep
    making and deleting the same contacts.
    """
    for _ in range(TRIES):
        try:
            async with db.write_transaction():
                return await _Batch(org, overwrites=overwrites).take_in(rows, segment_id)
        except (IntegrityError, _OvertakenError):
            continue
    raise Conflict("others change the same contacts at this moment: try again")


async def dry_run_batch(
    org: Organization,
    rows: Sequence[NewContact],
    rehearsed: Mapping[str, Contact],
    made: int,
    *,
    overwrites: bool = True,
) -> list[RowResult]:
    """What `upsert_batch` would do, without a segment; nothing is saved.

    `rehearsed` are the contacts as earlier batches would have left them, by the keys of their addresses; they would
    have `made` new ones.
    """
    return await _Batch(org, overwrites=overwrites).rehearse(rows, rehearsed, made)


class _OvertakenError(Exception):
    """Somebody made or deleted one of the contacts since it was looked for."""


class _Batch:
    """One transaction's work. Whoever counts contacts does so before holding any: two at once never wait in a ring."""

    def __init__(self, org: Organization, *, overwrites: bool) -> None:
        self._org, self._overwrites = org, overwrites
        self._contacts: dict[str, Contact] = {}
        self._made: list[Contact] = []
        self._changed: dict[UUID, Contact] = {}
        self._left: dict[UUID, Contact] = {}
        self._room, self._refusal = 0, ""

    async def take_in(self, rows: Sequence[NewContact], segment_id: UUID | None) -> list[RowResult]:
        await self._org.locked_plan()
        await self._hold_known({email_key(row.email) for row in rows})
        taken = [self._take(row) for row in rows]
        await Contact.bulk_create(self._made)
        await self._save_changed()
        await consent.record(self._left.values())
        return taken if segment_id is None else await self._join(taken, segment_id)

    async def rehearse(
        self, rows: Sequence[NewContact], rehearsed: Mapping[str, Contact], made: int
    ) -> list[RowResult]:
        keys = {email_key(row.email) for row in rows}
        known = await Contact.with_keys(self._org, keys)
        self._contacts = {contact.email_key: contact for contact in known} | dict(rehearsed)
        try:
            await limits.check(self._org, Metric.CONTACTS, made + len(rows))
            self._room = len(rows)
        except PlanLimitExceeded as refusal:
            self._room = max((refusal.maximum or 0) - (refusal.current or 0) - made, 0)
            self._refusal = str(refusal.message)
        return [self._take(row) for row in rows]

    async def _hold_known(self, keys: set[str]) -> None:
        known = {contact.email_key: contact.id for contact in await Contact.with_keys(self._org, keys)}
        await self._make_room(len(keys) - len(known))
        held = await Contact.lock_many(self._org, known.values())
        self._contacts = {contact.email_key: contact for contact in held}
        if self._contacts.keys() != known.keys():
            raise _OvertakenError

    async def _make_room(self, wanted: int) -> None:
        """Count the contacts that will be new, as many of them as the plan allows."""
        try:
            await limits.take(self._org, Metric.CONTACTS, wanted)
            self._room = wanted
        except PlanLimitExceeded as refusal:
            self._room = max((refusal.maximum or 0) - (refusal.current or 0), 0)
            self._refusal = str(refusal.message)
            await limits.take(self._org, Metric.CONTACTS, self._room)

    def _take(self, row: NewContact) -> RowResult:
        contact = self._contacts.get(email_key(row.email))
        if contact is None:
            return self._make(row)
        changes = changes_to(contact, row)
        leaves = {name: status for name, status in changes.items() if name == "status"}
        if not self._overwrites:
            changes = leaves
        try:
            check_custom_fields(changes.get("custom_fields", {}))
        except ValueError as error:
            if not leaves:
                return RowResult(RowStatus.REFUSED, reason=f"custom_fields {error}, with those that the contact has")
            changes = leaves
        before = {name: getattr(contact, name) for name in changes}
        apply_fields(contact, changes)
        if changes:
            self._changed[contact.id] = contact
        if "status" in changes:
            self._left[contact.id] = contact
        return RowResult(RowStatus.CHANGED if changes else RowStatus.UNCHANGED, contact, before)

    def _make(self, row: NewContact) -> RowResult:
        if len(self._made) >= self._room:
            return RowResult(RowStatus.REFUSED, reason=self._refusal)
        contact = new_contact(self._org, row.email, row)
        set_status(contact, ContactStatus(row.status))
        self._contacts[contact.email_key] = contact
        self._made.append(contact)
        if contact.status == ContactStatus.UNSUBSCRIBED:
            self._left[contact.id] = contact
        return RowResult(RowStatus.CREATED, contact)

    async def _save_changed(self) -> None:
        made = {contact.id for contact in self._made}
        changed = [contact for contact in self._changed.values() if contact.id not in made]
        await Contact.save_fields(changed)

    async def _join(self, taken: list[RowResult], segment_id: UUID) -> list[RowResult]:
        """The same fates, with who is new to the segment; of several rows of one contact the first tells it."""
        ids = {one.contact.id for one in taken if one.contact is not None}
        new = await add_members(self._org, segment_id, ids)
        return [self._marked_as_joined(one, new) for one in taken]

    def _marked_as_joined(self, one: RowResult, new: set[UUID]) -> RowResult:
        if one.contact is None or one.contact.id not in new:
            return one
        new.remove(one.contact.id)
        return replace(one, has_joined=True)


def changes_to(contact: Contact, row: NewContact) -> dict[str, Any]:
    """The fields of a known contact that the row has other values for."""
    given = row.given()
    custom = given.get("custom_fields")
    if custom is not None:
        others = {name: value for name, value in custom.items() if not _is_same(contact.custom_fields, name, value)}
        given["custom_fields"] = contact.custom_fields | others
    if given.get("status") == ContactStatus.SUBSCRIBED:
        del given["status"]
    return {
        name: given[name]
        for name in CHANGEABLE
        if given.get(name) is not None and given[name] != getattr(contact, name)
    }


def _is_same(fields: Mapping[str, Any], name: str, value: Any) -> bool:
    """Whether the field has the value, which may have been a number before it became text in a cell."""
    return name in fields and as_text(fields[name]).strip() == as_text(value)
