"""Mails what happened to the members who want it: once for each event, even where a worker is killed in the midst."""

from datetime import timedelta

from webapp import clock, db
from webapp.domain.auth import system_email
from webapp.domain.auth.email_queue import AddressedEmail, EmailQueue
from webapp.domain.notifications import emails
from webapp.domain.notifications.preferences import kinds_for
from webapp.models import Membership, Notification, instance, notification
from webapp.models.notification import NotificationKind

GIVE_UP = timedelta(days=1)


async def send_notifications() -> None:
    """Does nothing while the instance is suspended; what happens then is mailed after it."""
    if await instance.find_suspension() is not None:
        return
    for kind in NotificationKind:
        if await notification.is_any_new(kind):
            await _add_emails(kind)
    await _queue.send(Notification.all().select_related("membership__org", "membership__user"))


async def _add_emails(kind: NotificationKind) -> None:
    """Marks the new events and adds the emails about them, none where the instance has no mail server; commits."""
    async with db.write_transaction():
        news = await notification.claim_news(kind)
        if not news or not system_email.is_set_up():
            return
        members = await Membership.across_orgs().filter(org_id__in={one.org_id for one in news})
        rows = [
            Notification(membership_id=member.id, kind=kind, subject_id=one.subject_id, due_at=clock.now())
            for one in news
            for member in members
            if member.org_id == one.org_id and kind in kinds_for(member)
        ]
        await Notification.bulk_create(rows, ignore_conflicts=True)  # one that still waits is enough


async def _compose(row: Notification) -> AddressedEmail | None:
    """Returns None once the member wants none any more, or what it is about has passed."""
    member = row.membership
    if row.kind not in kinds_for(member):
        return None
    email = await emails.WRITERS[NotificationKind(row.kind)](member, row.subject_id)
    return None if email is None else AddressedEmail(member.user.email, email)


_queue = EmailQueue("a notification", "due_at", GIVE_UP, _compose)


async def forget_old_notifications() -> int:
    """Deletes those that could never be mailed."""
    return await Notification.filter(created_at__lte=clock.now() - GIVE_UP).delete()
