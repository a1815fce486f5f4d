"""Records who joins and leaves dynamic segments while a webhook names these events.

The members are saved, first of all without events, and then compared with those who match the filter. Each difference
is saved together with its events, so that a worker that dies neither loses nor repeats one.
"""

from collections.abc import Awaitable, Callable, Collection
from datetime import UTC, datetime, timedelta
from math import inf
from typing import Any, NamedTuple
from uuid import UUID

from webapp import clock, db
from webapp.domain.event_log import record_members
from webapp.domain.for_each_organization import for_each_organization
from webapp.models import Contact, Organization, Segment, SegmentWatch, WatchedMember
from webapp.models.event import EventType
from webapp.models.queries.contacts.membership_changes import MembershipChanges
from webapp.models.queries.contacts.segment_filter import resolve_days
from webapp.models.queries.event_log import are_members_heard, organizations_hearing_members
from webapp.models.segment import SegmentKind

MOST_SEGMENTS = 50  # of an organization, the oldest
AT_ONCE = 1_000  # contacts
REST = 20  # times the seconds that comparing a segment took, before it is compared again
NEVER = datetime.min.replace(tzinfo=UTC)


async def compare_segments(seconds: float = inf) -> bool:
    """Compares for at most `seconds`; True when done."""
    if not (await organizations_hearing_members() or await SegmentWatch.is_any()):
        return True
    return await for_each_organization(_compare_all, "members of dynamic segments could not be compared", seconds)


async def _compare_all(org: Organization, until: float) -> bool:
    """The segment that was compared longest ago first."""
    watches = {watch.segment_id: watch for watch in await SegmentWatch.of(org)}
    segments = []
    if await are_members_heard(org.id):
        segments = await Segment.of(org).filter(kind=SegmentKind.DYNAMIC).order_by("id").limit(MOST_SEGMENTS)
    for segment_id in watches.keys() - {segment.id for segment in segments}:
        await _forget(org, segment_id, until)
    watched = [
        _Watched(org, segment, watches.get(segment.id) or await SegmentWatch.begin(segment)) for segment in segments
    ]
    for each in sorted(watched, key=lambda each: each.watch.compared_at or NEVER):
        if clock.elapsed() >= until:
            return False
        await each.work(until)
    return True


async def _forget(org: Organization, segment_id: UUID, until: float) -> None:
    """Deletes a watch after the members that were saved for it."""
    await db.in_batches(lambda: WatchedMember.delete_some(segment_id), until - clock.elapsed())
    if not await WatchedMember.of(org).filter(segment_id=segment_id).exists():
        await SegmentWatch.of(org).filter(segment_id=segment_id).delete()


Find = Callable[[int, Collection[UUID] | None], Awaitable[list[UUID]]]


class _Watched(NamedTuple):
    org: Organization
    segment: Segment
    watch: SegmentWatch

    async def work(self, until: float) -> None:
        """Saves members, or compares them if that is due; another call continues what took too long."""
        while self.watch.unsaved_below is not None:
            if clock.elapsed() >= until or not await self._save_some(self.watch.unsaved_below):
                return
        compared_at, rest = self.watch.compared_at, timedelta(seconds=REST * self.watch.seconds)
        if compared_at is not None and clock.now() - compared_at < rest:
            return
        began, changes = clock.elapsed(), self._changes()
        for kind, find in ((EventType.SEGMENT_JOINED, changes.joined), (EventType.SEGMENT_LEFT, changes.left)):
            while await self._record_some(kind, find):
                if clock.elapsed() >= until:
                    return
        await self._save(compared_at=clock.now(), seconds=clock.elapsed() - began)

    async def _save_some(self, below: UUID) -> bool:
        """Saves some who match now, without events, the newest contacts first; False if another worker does."""
        changes = self._changes()
        async with db.searching(self.org.id):
            ids = await changes.matching_below(below, AT_ONCE)
        async with db.write_transaction():
            members = await self._lock(ids)
            if members is None:
                return False
            await WatchedMember.add(self.org.id, self.segment.id, await changes.joined(AT_ONCE, members))
            await self._save(unsaved_below=ids[-1] if len(ids) == AT_ONCE else None)
        return True

    async def _record_some(self, kind: EventType, find: Find) -> bool:
        """Records some changes; True if there may be more."""
        async with db.searching(self.org.id):
            ids = await find(AT_ONCE, None)
        async with db.write_transaction():
            contacts = await self._lock(ids)
            if not contacts:
                return False
            changed = await find(AT_ONCE, contacts)  # as they are now
            if kind is EventType.SEGMENT_JOINED:
                await WatchedMember.add(self.org.id, self.segment.id, changed)
            else:
                await WatchedMember.remove(self.segment.id, changed)
            await record_members(kind, self.org, self.segment, changed)
        return len(ids) == AT_ONCE

    async def _lock(self, contact_ids: Collection[UUID]) -> list[UUID] | None:
        """Locks the contacts that exist, then the watch; None if that is gone or another worker went on with it."""
        contacts = await Contact.lock_many(self.org, contact_ids)
        current = await SegmentWatch.of(self.org).select_for_update().get_or_none(id=self.watch.id)
        is_ours = current is not None and current.unsaved_below == self.watch.unsaved_below
        return [contact.id for contact in contacts] if is_ours else None

    async def _save(self, **changes: Any) -> None:
        await self.watch.update_from_dict(changes).save(update_fields=list(changes))

    def _changes(self) -> MembershipChanges:
        filter_ = resolve_days(self.segment.member_filter or {}, self.org.timezone, clock.now())
        return MembershipChanges(self.org.id, self.segment.id, filter_)
