"""A database that was restored from a backup: nothing in it is sent a second time.

What was sent after the backup was taken waits in it still. So the instance is held, and what may have been sent is
halted, until an operator has looked (`pennypost accept-restore`).
"""

from collections.abc import Mapping
from datetime import datetime
from itertools import islice

from tortoise.expressions import Q

from webapp import clock, db
from webapp.domain.auth import sessions
from webapp.domain.campaigns import stop
from webapp.domain.campaigns.scheduling import next_time
from webapp.domain.contacts import consent
from webapp.domain.contacts.bulk import unsubscribe_contacts
from webapp.domain.contacts.consent import LastWord
from webapp.domain.contacts.inputs import NewContact
from webapp.domain.contacts.upsert import Fate, take_in_batch
from webapp.domain.instance import hold as instance
from webapp.domain.instance import workers
from webapp.models import Campaign, Contact, Organization, outbox
from webapp.models import instance as kept
from webapp.models.campaign import CampaignStatus, ScheduleType
from webapp.models.contact import ContactStatus
from webapp.models.outbox import RestoreSummary

REASON = "the database was restored from a backup"
BACKUP = "backup of "  # an origin, with when it was taken
APPLIED_AT_ONCE = 500  # contacts


async def check_origin() -> None:
    """Take a database in that is a copy of another one, before anything is served from it.

    Of several processes that start at once one does, and the others wait for it.
    """
    async with db.write_transaction():
        if await is_unknown():
            await take_in()


async def mark_as_backup() -> None:
    """Say of a copy what it is: whoever starts a service on it, in whatever way it got there, takes it in first."""
    async with db.write_transaction():
        await kept.lock()
        await kept.record_origin(f"{BACKUP}{instant(clock.now())}")


async def is_unknown() -> bool:
    """Whether the database is a copy of another one, which nobody has taken in yet; a new one notes what it is."""
    here = await kept.database_identity()
    async with db.write_transaction():
        noted = await kept.lock()
        if noted is None:
            await kept.record_origin(here)
    return noted is not None and noted != here


async def take_in(*, send_waiting: bool = False, reason: str | None = None) -> str:
    """Hold the instance and halt what may have been sent, unless it is to be sent; the reason that all of it is given.

    All or nothing. No worker may live.
    """
    async with db.write_transaction():
        noted = await kept.lock() or ""
        reason = _reason_of(noted) if reason is None else f"{REASON}: {reason}"[: instance.REASON_LENGTH]
        await instance.hold_sending(reason)
        await _skip_missed(reason)
        if not send_waiting:
            await _halt_all(reason)
        await sessions.end_all_sessions()
        await workers.forget_all()
        await kept.record_origin(await kept.database_identity())
    return reason


def _reason_of(origin: str) -> str:
    """Why the instance is held, in words that no other restore has: what was halted for it is counted by them."""
    if origin.startswith(BACKUP):
        return f"{REASON} of {origin.removeprefix(BACKUP)}"
    return f"{REASON}, which was found at {instant(clock.now())}"


def instant(at: datetime) -> str:
    """A time as the operator reads it."""
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


async def _skip_missed(reason: str) -> None:
    """Let no schedule fire for a time that is past: what is for one time alone is halted."""
    missed = Q(status=CampaignStatus.SCHEDULED, next_run_at__lte=clock.now())
    for campaign in await Campaign.across_orgs().filter(missed).select_related("org").order_by("id"):
        await campaign.lock()
        if campaign.schedule_type == ScheduleType.SCHEDULED_ONCE:
            await stop.halt_campaign(campaign.org, campaign, reason)
        else:
            campaign.next_run_at = next_time(campaign.org, campaign, clock.now())
            campaign.schedule_note = f"{reason}: what was due before did not run"
            await campaign.save(update_fields=["next_run_at", "schedule_note", "updated_at"])


async def _halt_all(reason: str) -> None:
    """Halt the runs under way, whoever would be mailed as new, and the emails that wait."""
    await outbox.reclaim_all()
    newcomers = Q(schedule_type=ScheduleType.RECURRING_NEW_CONTACTS, next_run_at__isnull=False)  # some are new no more
    under_way = Q(status=CampaignStatus.SENDING)
    for campaign in await Campaign.across_orgs().filter(newcomers | under_way).select_related("org").order_by("id"):
        await campaign.lock()
        await stop.halt_campaign(campaign.org, campaign, reason)
    await outbox.halt_runs(reason)  # those whose campaign is gone
    await stop.finish_halts()
    while await outbox.halt_emails(reason):
        pass


async def apply_consent() -> int:
    """Unsubscribe whoever left since the backup, as the log beside the database has it; how many there were.

    Nobody is subscribed again. Who left and is not in the backup is added, unsubscribed, so that no later import mails
    them. Raises ConfigError where the log cannot be read.
    """
    applied = 0
    words = await consent.last_words()
    for org in await Organization.filter(id__in=list(words)):
        ids = [contact_id for contact_id, word in words[org.id].by_id.items() if word.has_left]
        for start in range(0, len(ids), APPLIED_AT_ONCE):
            applied += await unsubscribe_contacts(org, ids[start : start + APPLIED_AT_ONCE])
        left = {key: word for key, word in words[org.id].by_key.items() if word.has_left}
        for start in range(0, len(left), APPLIED_AT_ONCE):
            applied += await _unsubscribe_all(org, dict(islice(left.items(), start, start + APPLIED_AT_ONCE)))
    return applied


async def _unsubscribe_all(org: Organization, left: Mapping[str, LastWord]) -> int:
    """Unsubscribe the contacts with these addresses; who is missing is added, unless they were deleted."""
    known = {contact.email_key: contact for contact in await Contact.with_keys(org, list(left))}
    rows = [
        NewContact.model_construct({"email", "status"}, email=word.email, status="unsubscribed")  # was valid then
        for key, word in left.items()
        if (_gets_mail_since(known[key], word) if key in known else not word.is_deleted)
    ]
    return sum(one.fate is not Fate.REFUSED for one in await take_in_batch(org, rows)) if rows else 0


def _gets_mail_since(contact: Contact, word: LastWord) -> bool:
    """The contact was there when somebody with its address left, and was not made again by a person afterwards."""
    return contact.status == ContactStatus.SUBSCRIBED and contact.created_at <= word.at


async def standing() -> RestoreSummary | None:
    """What waits, and what was halted for the reason that the instance is held for; None where it is no restore."""
    hold = await instance.find_hold()
    return await outbox.summarize_restore(hold.reason) if hold is not None and hold.reason.startswith(REASON) else None
