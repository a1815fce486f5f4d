"""Erases a contact: what names it ends at once, the rest in batches that go on after a crash."""

import logging
from collections.abc import Mapping
from datetime import timedelta
from uuid import UUID

from webapp import clock, db
from webapp.addresses import email_key
from webapp.db import consent_log
from webapp.domain.audit.audit import AuditAction, record
from webapp.domain.contacts import consent
from webapp.domain.contacts.consent import LastWord
from webapp.domain.contacts.contacts import lock_contact
from webapp.domain.contacts.deletion import delete_contacts
from webapp.domain.notifications.notifications import notify
from webapp.domain.personal_data.files import erase_chunk, erase_entries, erase_refusals, erase_sign_ups
from webapp.domain.personal_data.mails import Outcome, erase_mails
from webapp.domain.personal_data.person import Person
from webapp.domain.personal_data.sweeps import SWEEPS, sweep
from webapp.domain.plans import limits
from webapp.domain.rounds import Rounds
from webapp.models import Contact, MailLog, Organization, PendingSignUp, ReaderMail, Tombstone
from webapp.models.base.row import LAST_ID, id_lower_bound, time_of_id
from webapp.models.notification import NotificationKind
from webapp.models.suppression import address_digest
from webapp.models.usage import Metric

log = logging.getLogger(__name__)

AT_ONCE_SECONDS = 3.0  # in the request; workers do the rest
AGAIN = timedelta(seconds=5)  # for rows that were on their way into the database
BUSY = timedelta(seconds=2)
AFTER_FAULT = timedelta(minutes=10)
MAILS, REFUSALS, CHUNKS, FIRST_SWEEP = range(4)
STEPS = FIRST_SWEEP + len(SWEEPS)
PASSES = 2
FIRST = UUID(int=0)
ROWS_AT_ONCE = 1_000


async def erase_contact(org: Organization, contact: Contact, *, is_by_person: bool = False) -> None:
    """Deletes the contact and bars its address; erases elsewhere for AT_ONCE_SECONDS. Raises NotFound if it is gone."""
    async with db.write_transaction():
        await limits.release(org, Metric.CONTACTS, 0)  # locks the counter before the contact, like adding one
        held = await lock_contact(org, contact.id)
        digest = address_digest(org.id, held.email_key)
        # An earlier one belongs to a contact that came back by another way, like a restored backup.
        await Tombstone.of(org).filter(digest=digest).delete()
        job = await Tombstone.create(
            org_id=org.id, digest=digest, email=held.email, contact_id=held.id, next_at=clock.now()
        )
        await delete_contacts(org, [held.id], erases=True)
        person = Person(org, held.email, held.id)
        await erase_entries(person)
        await erase_sign_ups(person)
        await record(org, AuditAction.CONTACT_ERASED, held.id, f"contact {held.id}")
        if is_by_person:
            await notify(org, NotificationKind.ERASED, held.id)
    await db.in_batches(lambda: process_batch(job.id), AT_ONCE_SECONDS)


async def forget_tombstone(org: Organization, email: str) -> None:
    """Lets an address come back whose owner has confirmed a sign-up, in the caller's transaction."""
    async with db.write_transaction():
        digest = address_digest(org.id, email_key(email))
        for row in await Tombstone.of(org).filter(digest=digest).select_for_update():
            await consent.record_erased(org.id, row.id, digest, is_erased=False)
            if row.next_at is None:
                await row.delete()
            else:  # its data is still being erased
                row.digest = row.id.hex
                await row.save(update_fields=["digest"])


async def erase_restored() -> None:
    """Erases again who was erased since a restored backup. Raises ConfigError."""
    words = await consent.last_words()
    for org in await Organization.filter(id__in=list(words)):
        if erased := {digest: word for digest, word in words[org.id].by_digest.items() if word.is_erased}:
            await _erase_contacts_again(org, erased)
            await _erase_rest_again(org, erased)


async def _erase_contacts_again(org: Organization, erased: Mapping[str, LastWord]) -> None:
    """Also adds the missing tombstones."""
    last, contact_ids = FIRST, {word.contact_id for word in erased.values()}
    while part := await Contact.of(org).filter(id__gt=last).order_by("id").limit(ROWS_AT_ONCE):
        last = part[-1].id
        for contact in part:
            digest = address_digest(org.id, contact.email_key)
            if contact.id in contact_ids or (digest in erased and contact.created_at <= erased[digest].at):
                await erase_contact(org, contact)
    for digest, word in erased.items():
        known = Tombstone.of(org).filter(digest=digest)
        if not await known.exists():
            await Tombstone.create(org_id=org.id, digest=digest)
        await known.update(created_at=word.at)


async def _erase_rest_again(org: Organization, erased: Mapping[str, LastWord]) -> None:
    """Erases sign-ups and mail of addresses that were no contacts at the backup."""
    emails: dict[str, str] = {}
    for model, column in ((PendingSignUp, "email"), (ReaderMail, "email"), (MailLog, "to_email")):
        rows, last = model.of(org).order_by("id").limit(ROWS_AT_ONCE), FIRST
        while part := await rows.filter(id__gt=last).values_list("id", column):
            last = part[-1][0]
            for row_id, email in part:
                word = erased.get(address_digest(org.id, email_key(email)))
                if word is not None and time_of_id(row_id) <= word.at:
                    emails[word.digest] = email
    for digest, email in emails.items():
        await _erase_address(org, email, erased[digest])


async def _erase_address(org: Organization, email: str, word: LastWord) -> None:
    async with db.write_transaction():
        job = await Tombstone.of(org).select_for_update().get(digest=word.digest)
        if job.next_at is None:
            job.email, job.contact_id, job.step, job.last_id = email, word.contact_id, 0, None
            job.next_at = clock.now()
            await job.save(update_fields=["email", "contact_id", "step", "last_id", "next_at"])
        person = Person(org, email, word.contact_id, id_lower_bound(word.at))
        await erase_entries(person)
        await erase_sign_ups(person)
    while await process_batch(job.id):
        pass


async def forget_addresses() -> int:
    """Removes erased addresses from earlier lines of the consent log; counts these lines. Raises ConfigError."""
    erased = {(row.org_id, row.digest) for row in await Tombstone.across_orgs().only("org_id", "digest")}
    return await consent_log.rewrite(lambda line: consent.without_address(line, lambda *names: names in erased))


async def process_batch(job_id: UUID) -> bool:
    """One batch in one transaction; False if nothing is left or the rest has to wait."""
    async with db.write_transaction():
        due = {"id": job_id, "next_at__lte": clock.now()}
        job = await Tombstone.across_orgs().select_for_update(skip_locked=True).get_or_none(**due)
        if job is None or job.email is None or job.contact_id is None:
            return False
        org = await Organization.get(id=job.org_id)
        await _work(job, Person(org, job.email, job.contact_id, await _last_id(org, job.email)))
        await job.save(update_fields=["email", "contact_id", "step", "last_id", "next_at"])
    return job.next_at is not None and job.next_at <= clock.now()


async def _last_id(org: Organization, email: str) -> UUID:
    """After which rows belong to someone who signed up again or came back, since all earlier sign-ups are deleted."""
    here = {"email_key": email_key(email)}
    rows = (
        await PendingSignUp.of(org).filter(**here).order_by("created_at").first(),
        await Contact.of(org).get_or_none(**here),
    )
    return min((id_lower_bound(row.created_at) for row in rows if row is not None), default=LAST_ID)


async def _work(job: Tombstone, person: Person) -> None:
    step, is_last_pass = job.step % STEPS, job.step >= STEPS * (PASSES - 1)
    if step == MAILS:
        outcome = await erase_mails(person, job.words)
        if outcome is Outcome.MORE:
            return
        if outcome is Outcome.BUSY and is_last_pass:
            job.next_at = clock.now() + BUSY
            return
    elif step == REFUSALS:
        if await erase_refusals(person):
            return
    elif (last := await _next_rows(person, step, job.last_id or FIRST)) is not None:
        job.last_id = last
        return
    job.step, job.last_id = job.step + 1, None
    if job.step == STEPS * PASSES:
        await erase_entries(person)
        job.email = job.contact_id = job.next_at = None
    elif job.step % STEPS == 0:
        job.next_at = clock.now() + AGAIN


async def _next_rows(person: Person, step: int, after: UUID) -> UUID | None:
    return await (erase_chunk(person, after) if step == CHUNKS else sweep(person, SWEEPS[step - FIRST_SWEEP], after))


async def _put_off(job_id: UUID) -> None:
    await Tombstone.across_orgs().filter(id=job_id).update(next_at=clock.now() + AFTER_FAULT)


process_pending = Rounds(log, Tombstone.due, process_batch, _put_off).run
