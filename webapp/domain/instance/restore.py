"""A database that was restored from a backup sends nothing twice.

It still holds as waiting what was sent since the backup. So sending is suspended, and what may have been sent is
halted, until an operator accepts the restore (`pennypost accept-restore`).
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
from webapp.domain.contacts.upsert import RowStatus, upsert_batch
from webapp.domain.instance import suspension, workers
from webapp.models import Campaign, Contact, Organization, instance
from webapp.models.campaign import CampaignStatus, ScheduleType
from webapp.models.contact import ContactStatus
from webapp.models.outbox import leases, restore
from webapp.models.outbox.restore import RestoreSummary

REASON = "the database was restored from a backup"
BACKUP = "backup of "  # an origin; the time of the backup follows
APPLIED_AT_ONCE = 500  # contacts


async def check_database_identity() -> None:
    """Quarantines a copy before anything is served from it; of several processes, one does and the others wait."""
    async with db.write_transaction():
        if await is_unrecognized_copy():
            await quarantine()


async def mark_as_backup() -> None:
    """Marks a copy, so that it is quarantined wherever it is started."""
    async with db.write_transaction():
        await instance.lock()
        await instance.record_origin(f"{BACKUP}{instant(clock.now())}")


async def is_unrecognized_copy() -> bool:
    """True for a copy that was not quarantined yet; a new database records its identity. Locks the instance."""
    here = await instance.database_identity()
    async with db.write_transaction():
        known = await instance.lock()
        if known is None:
            await instance.record_origin(here)
    return known is not None and known != here


async def quarantine(*, send_waiting: bool = False, reason: str | None = None) -> str:
    """Suspends sending and halts what may have been sent, or only suspends, with `send_waiting`; returns the reason.

    Runs in one transaction that locks the instance; no worker may be alive.
    """
    async with db.write_transaction():
        known = await instance.lock() or ""
        reason = _reason_of(known) if reason is None else f"{REASON}: {reason}"[: suspension.REASON_LENGTH]
        await suspension.suspend_sending(reason)
        await _skip_missed(reason)
        if not send_waiting:
            await _halt_all(reason)
        await sessions.end_all_sessions()
        await workers.forget_all_workers()
        await instance.record_origin(await instance.database_identity())
    return reason


def _reason_of(origin: str) -> str:
    """A reason that no other restore has: what was halted for it is counted by it."""
    if origin.startswith(BACKUP):
        return f"{REASON} of {origin.removeprefix(BACKUP)}"
    return f"{REASON}, which was found at {instant(clock.now())}"


def instant(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


async def _skip_missed(reason: str) -> None:
    """Skips the past runs of schedules; a single run is halted."""
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
    await leases.reclaim_all()
    newcomers = Q(
        schedule_type=ScheduleType.RECURRING_NEW_CONTACTS, next_run_at__isnull=False
    )  # some may have got their mail since the backup
    sending = Q(status=CampaignStatus.SENDING)
    for campaign in await Campaign.across_orgs().filter(newcomers | sending).select_related("org").order_by("id"):
        await campaign.lock()
        await stop.halt_campaign(campaign.org, campaign, reason)
    await restore.halt_runs(reason)  # runs of deleted campaigns
    await stop.finish_halts()
    while await restore.halt_emails(reason):
        pass


async def apply_consent() -> int:
    """Unsubscribes those who left since the backup, by the consent log; returns their number. Raises ConfigError.

    Nobody is subscribed again; those who are not in the backup are added, unsubscribed, so that no later import
    mails them.
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
    """Adds those who are missing, unless they were deleted."""
    known = {contact.email_key: contact for contact in await Contact.with_keys(org, list(left))}
    rows = [
        NewContact.model_construct({"email", "status"}, email=word.email, status="unsubscribed")  # was valid then
        for key, word in left.items()
        if (_gets_mail_since(known[key], word) if key in known else not word.is_deleted)
    ]
    return sum(one.status is not RowStatus.REFUSED for one in await upsert_batch(org, rows)) if rows else 0


def _gets_mail_since(contact: Contact, word: LastWord) -> bool:
    """False for a contact who was made again by a person after leaving."""
    return contact.status == ContactStatus.SUBSCRIBED and contact.created_at <= word.at


async def summarize_restore() -> RestoreSummary | None:
    """The waiting and the halted mail of a restore; None while there is none."""
    found = await suspension.find_suspension()
    return (
        await restore.summarize_restore(found.reason) if found is not None and found.reason.startswith(REASON) else None
    )
