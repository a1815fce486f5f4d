"""Emails members about the kinds of events that they chose: once per event, even if a worker is killed."""

from collections.abc import Collection, Mapping
from datetime import timedelta
from uuid import UUID

from webapp import clock, db
from webapp.domain.auth import system_email
from webapp.domain.auth.email_queue import EmailQueue
from webapp.domain.auth.system_email import SystemEmail
from webapp.domain.instance.suspension import find_suspension
from webapp.domain.notifications import emails
from webapp.domain.roles import Role
from webapp.models import Membership, Notification, Organization, User, notification
from webapp.models.notification import NotificationKind

GIVE_UP = timedelta(days=1)
# The default of owners and admins.
URGENT = tuple(kind for kind in NotificationKind if kind != NotificationKind.FINISHED)


def kinds_for(member: Membership) -> Collection[str]:
    if member.notify_about is not None:
        return member.notify_about
    return URGENT if Role(member.role).allows(Role.ADMIN) else ()


async def list_preferences(user: User) -> list[tuple[Organization, Collection[str]]]:
    """The kinds of emails that the person gets for each of their organizations."""
    members = await Membership.across_orgs().filter(user_id=user.id).select_related("org").order_by("org__name", "id")
    return [(member.org, kinds_for(member)) for member in members]


async def change_preferences(
    user: User, shown: Collection[UUID], chosen: Mapping[NotificationKind, Collection[UUID]]
) -> None:
    """Sets the `shown` organizations' preferences; `chosen` has the organizations by kind."""
    async with db.write_transaction():
        for member in await Membership.across_orgs().filter(user_id=user.id, org_id__in=list(shown)):
            member.notify_about = [kind for kind in NotificationKind if member.org_id in chosen[kind]]
            await member.save(update_fields=["notify_about"])


async def send_notifications() -> None:
    """Does nothing while the instance is suspended; events since then are mailed afterwards."""
    if await find_suspension() is not None:
        return
    for kind in notification.POLLED:
        if await notification.is_any_new(kind):
            await _add_emails(kind)
    await _queue.send(Notification.all().select_related("membership__org", "membership__user"))


async def _add_emails(kind: NotificationKind) -> None:
    """Marks new events and adds emails about them, unless no mail server is configured; commits."""
    async with db.write_transaction():
        news = await notification.claim_news(kind)
        if not news or not system_email.is_set_up():
            return
        members = await Membership.across_orgs().filter(org_id__in={event.org_id for event in news})
        rows = [
            Notification(membership_id=member.id, kind=kind, subject_id=event.subject_id, due_at=clock.now())
            for event in news
            for member in members
            if member.org_id == event.org_id and kind in kinds_for(member)
        ]
        await Notification.bulk_create(rows, ignore_conflicts=True)  # one pending email is enough


async def notify(org: Organization, kind: NotificationKind, subject_id: UUID) -> None:
    """Adds an email to the members who want it, unless one of this kind waits; in the caller's transaction."""
    if not system_email.is_set_up():
        return
    waiting = await Notification.filter(kind=kind, membership__org_id=org.id).values_list("membership_id", flat=True)
    rows = [
        Notification(membership_id=member.id, kind=kind, subject_id=subject_id, due_at=clock.now())
        for member in await Membership.of(org)
        if kind in kinds_for(member) and member.id not in waiting
    ]
    await Notification.bulk_create(rows)


async def _compose(row: Notification) -> SystemEmail | None:
    """None if the member no longer wants it, or its subject is outdated."""
    if row.kind not in kinds_for(row.membership):
        return None
    return await emails.WRITERS[NotificationKind(row.kind)](row.membership, row.subject_id)


_queue = EmailQueue("a notification", "due_at", GIVE_UP, _compose)


async def forget_old_notifications() -> int:
    """Deletes emails that could not be sent in time."""
    return await Notification.filter(created_at__lte=clock.now() - GIVE_UP).delete()
