"""A restored backup sends nothing twice: sending is suspended and doubtful mail halted until an operator accepts."""

from collections.abc import Mapping
from datetime import datetime
from itertools import islice
from typing import Any
from uuid import UUID

from tortoise.expressions import Q

from webapp import clock, db
from webapp.addresses import email_key
from webapp.domain.auth import sessions
from webapp.domain.campaigns import stop
from webapp.domain.campaigns.recurrence import next_run
from webapp.domain.contacts import consent
from webapp.domain.contacts.consent import LastWord
from webapp.domain.contacts.contacts import restrain_contacts
from webapp.domain.contacts.inputs import NewContact
from webapp.domain.contacts.upsert import RowStatus, upsert_batch
from webapp.domain.instance import suspension
from webapp.domain.topics.choices import leave_topics
from webapp.models import Campaign, Contact, Instance, Organization, WorkerHeartbeat, instance, notification
from webapp.models.campaign import CampaignStatus, ScheduleType
from webapp.models.contact import ConsentKind
from webapp.models.outbox import leases, restore, runs
from webapp.models.outbox.restore import RestoreSummary

REASON = "the database was restored from a backup"
FILE = "file"  # the origin of a SQLite file that is not a copy
BACKUP = "backup of "  # an origin, followed by the time of the backup
APPLIED_AT_ONCE = 500  # contacts


async def check_database_identity() -> None:
    """Quarantines a copy before it is served; if several processes start, one does and the others wait."""
    async with db.write_transaction():
        if await is_unrecognized_copy():
            await quarantine()


async def mark_as_backup() -> None:
    """Marks a copy for quarantine; locks the instance."""
    async with db.write_transaction():
        await _record_origin(await instance.lock(), f"{BACKUP}{instant(clock.now())}")


async def is_unrecognized_copy() -> bool:
    """True for a copy not yet quarantined; new databases record their identity. Locks the instance."""
    here = await _database_identity()
    async with db.write_transaction():
        row = await instance.lock()
        if row.origin is None:
            await _record_origin(row, here)
    return row.origin != here


async def is_copy() -> bool:
    """True for a copy that will be quarantined at the next start; reads only."""
    row = await Instance.get_or_none(id=instance.INSTANCE_ID, origin__isnull=False)
    return row is not None and row.origin != await _database_identity()


async def _database_identity() -> str:
    """Changes when `pg_restore` fills another database; FILE on SQLite, where `pennypost backup` marks copies."""
    if db.dialect().has_one_writer:
        return FILE
    rows = await db.fetch(
        """SELECT (SELECT system_identifier FROM pg_control_system())::text AS server,
           (SELECT oid FROM pg_database WHERE datname = current_database())::text AS database,
           'mail_logs'::regclass::oid::text AS tables"""
    )
    return "{server}/{database}/{tables}".format(**rows[0])


async def _record_origin(row: Instance, origin: str) -> None:
    row.origin = origin
    await row.save(update_fields=["origin"])


async def quarantine(*, send_waiting: bool = False, reason: str | None = None) -> str:
    """Suspends sending and, unless `send_waiting`, halts doubtful mail; locks the instance."""
    async with db.write_transaction():
        row = await instance.lock()
        origin = row.origin or ""
        if reason is not None:
            reason = f"{REASON}: {reason}"[: suspension.REASON_LENGTH]
        # Each restore has its own reason, by which halted mail is counted.
        elif origin.startswith(BACKUP):
            reason = f"{REASON} of {origin.removeprefix(BACKUP)}"
        else:
            reason = f"{REASON}, which was found at {instant(clock.now())}"
        await suspension.suspend_sending(reason)
        if not send_waiting:
            await notification.forget_all()  # members may have been emailed already
        await _skip_missed(reason)
        if not send_waiting:
            await _halt_all(reason)
        await sessions.end_all_sessions()
        await WorkerHeartbeat.all().delete()  # workers of the original
        await _record_origin(row, await _database_identity())
    return reason


def instant(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


async def _skip_missed(reason: str) -> None:
    missed = Q(status=CampaignStatus.SCHEDULED, next_run_at__lte=clock.now())
    for campaign in await Campaign.across_orgs().filter(missed).select_related("org").order_by("id"):
        await campaign.lock()
        if campaign.schedule_type == ScheduleType.SCHEDULED_ONCE:
            await stop.halt_campaign(campaign.org, campaign, reason)
        else:
            campaign.next_run_at = next_run(campaign, campaign.org.timezone, clock.now())
            campaign.schedule_note = f"{reason}: runs that were due before were skipped"
            await campaign.save(update_fields=["next_run_at", "schedule_note", "updated_at"])


async def _halt_all(reason: str) -> None:
    await leases.reclaim_all()
    newcomers = Q(
        schedule_type=ScheduleType.RECURRING_NEW_CONTACTS, next_run_at__isnull=False
    )  # some may have received it since the backup
    sending = Q(status=CampaignStatus.SENDING)
    for campaign in await Campaign.across_orgs().filter(newcomers | sending).select_related("org").order_by("id"):
        await campaign.lock()
        await stop.halt_campaign(campaign.org, campaign, reason)
    await runs.halt_runs(reason)  # runs of deleted campaigns
    await stop.finish_halts()
    await restore.halt_emails(reason)


async def apply_consent() -> int:
    """Applies people's choices since the backup and adds missing contacts; counts both. Raises ConfigError."""
    applied = 0  # only towards less mail and tracking, which later imports do not loosen
    words = await consent.last_words()
    for org in await Organization.filter(id__in=list(words)):
        by_id = {contact_id: word for contact_id, word in words[org.id].by_id.items() if word.is_less}
        for start in range(0, len(by_id), APPLIED_AT_ONCE):
            applied += await _restrain(org, dict(islice(by_id.items(), start, start + APPLIED_AT_ONCE)))
        # Without those whose address `pennypost forget` has removed, and who were erased or came back since.
        by_key = {
            email_key(word.email): word for word in words[org.id].by_digest.values() if word.is_less and word.email
        }
        for start in range(0, len(by_key), APPLIED_AT_ONCE):
            applied += await _restrain_by_address(org, dict(islice(by_key.items(), start, start + APPLIED_AT_ONCE)))
    return applied


async def _restrain(org: Organization, words: Mapping[UUID, LastWord]) -> int:
    choices = {contact_id: word.restraints for contact_id, word in words.items() if word.restraints}
    topics = {contact_id: word.left_topics for contact_id, word in words.items() if word.left_topics}
    restrained = await restrain_contacts(org, choices) if choices else 0
    return restrained + (await leave_topics(org, topics) if topics else 0)


async def _restrain_by_address(org: Organization, words: Mapping[str, LastWord]) -> int:
    known = {contact.email_key: contact for contact in await Contact.with_keys(org, list(words))}
    ids = [word.contact_id for key, word in words.items() if key not in known]
    moved = set(await Contact.of(org).filter(id__in=ids).values_list("id", flat=True))  # contacts with another address
    # Contacts that were created again after the choice stay.
    applied = [
        word
        for key, word in words.items()
        if (known[key].created_at <= word.at if key in known else _is_to_add(word, is_moved=word.contact_id in moved))
    ]
    if not applied:
        return 0
    rows: list[dict[str, Any]] = [
        {"email": word.email, **word.restraints} for word in applied
    ]  # the addresses were valid then
    inputs = [NewContact.model_construct(set(fields), **fields) for fields in rows]
    results = await upsert_batch(org, inputs, kind=ConsentKind.API)
    done = (RowStatus.CREATED, RowStatus.CHANGED)
    pairs = [(result.contact, word.left_topics) for result, word in zip(results, applied, strict=True)]
    left = await leave_topics(org, {contact.id: topics for contact, topics in pairs if contact is not None and topics})
    return sum(result.status in done for result in results) + left


def _is_to_add(word: LastWord, *, is_moved: bool) -> bool:
    """False for deleted contacts, and for those known under a new address who would get mail at the old one too."""
    return not word.is_deleted and (word.has_left or not is_moved)


async def summarize_restore() -> RestoreSummary | None:
    suspended = await suspension.find_suspension()
    reason = suspended.held_reason if suspended else None
    return await restore.summarize_restore(reason) if reason and reason.startswith(REASON) else None
