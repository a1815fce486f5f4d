"""What people ask for on the page of their preferences: all that is stored of them, or its erasure.

Both need a link that is mailed to them, because anyone may have the link of a forwarded email.
"""

from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import UUID

from webapp import clock, crypto, db
from webapp.domain.audit.audit import AuditAction, record
from webapp.domain.contacts.contacts import lock_contact
from webapp.domain.link_signing import ReaderLink, ReaderPath, ids_in
from webapp.domain.personal_data.archive import zip_of
from webapp.domain.personal_data.erase import erase_contact
from webapp.domain.personal_data.export import parts_of
from webapp.domain.reader_mail.letter import Letter
from webapp.domain.reader_mail.queue import ReaderMailQueue, words_for
from webapp.domain.throttle import Script, SharedThrottle
from webapp.errors import NotFound
from webapp.models import AuditEntry, Contact, ReaderMail
from webapp.models.base.row import id_lower_bound, time_of_id
from webapp.models.suppression import address_digest

LIFE = timedelta(hours=24)
HASH_BITS = 64
MAILS_AN_HOUR = 3  # per contact


class DataThrottle(SharedThrottle):
    def __init__(self, script: Script) -> None:
        super().__init__(script, "personal-data", MAILS_AN_HOUR, 3600)


async def ask_by_mail(contact: Contact, path: ReaderPath, throttle: SharedThrottle, language: str | None) -> None:
    """Mails the link to download or erase; silently not, if the contact got its emails."""
    if not await throttle.consume(str(contact.id)):
        queue = data_queue if path is ReaderPath.DATA else erase_queue
        await queue.add(contact.org, contact.email, language=language, subject_id=contact.id)


def link_id(contact: Contact, mail_id: UUID) -> UUID:
    """The second id of a link: the mail's, ended by a hash of the address, because the contact's may change."""
    address_hash = crypto.digest(f"{mail_id.int >> HASH_BITS} {address_digest(contact.org_id, contact.email_key)}")
    return UUID(int=mail_id.int >> HASH_BITS << HASH_BITS | int(address_hash[: HASH_BITS // 4], 16))


async def find_person(path: ReaderPath, token: str) -> Contact:
    """The contact of a mailed link, with its organization. Raises NotFound if the link is invalid, used or too old."""
    contact_id, mail_id = ids_in(path, token)
    contact = await Contact.across_orgs().filter(id=contact_id).select_related("org").first()
    if contact is None or mail_id != link_id(contact, mail_id) or clock.now() - time_of_id(mail_id) > LIFE:
        raise NotFound
    downloads = AuditEntry.of(contact.org).filter(id__gte=id_lower_bound(time_of_id(mail_id)), target_id=mail_id)
    if await downloads.exists():
        raise NotFound
    return contact


async def download(token: str) -> AsyncIterator[bytes]:
    """A zip of all that is stored, once. Raises NotFound."""
    contact = await find_person(ReaderPath.DATA, token)
    _, mail_id = ids_in(ReaderPath.DATA, token)
    async with db.write_transaction():
        await lock_contact(contact.org, contact.id)
        await find_person(ReaderPath.DATA, token)  # again, now that no other request can use the link
        await record(contact.org, AuditAction.EXPORTED, mail_id, f"contact {contact.id}")
    return zip_of(contact, parts_of(contact.org, contact))


async def erase_by_link(token: str) -> None:
    """Mails the organization's admins, too. Raises NotFound."""
    contact = await find_person(ReaderPath.ERASE, token)
    await erase_contact(contact.org, contact, is_by_person=True)


def _queue(path: ReaderPath) -> ReaderMailQueue:
    async def write(mail: ReaderMail) -> Letter | None:
        contact = await Contact.of(mail.org).get_or_none(id=mail.subject_id, email_key=mail.email_key)
        if contact is None:
            return None
        t, sender, account_id = await words_for(mail.org, mail.language or contact.language)
        return Letter(
            subject=t.plain(f"{path}.subject", sender=sender),
            before=t.plain(f"{path}.mail", sender=sender, email=contact.email),
            label=t.plain(f"{path}.button"),
            after=t.plain("data.mail_after"),
            link=ReaderLink(path, contact.id, link_id(contact, mail.id)),
            language=t.language,
            account_id=account_id,
        )

    return ReaderMailQueue(path, write)


data_queue, erase_queue = _queue(ReaderPath.DATA), _queue(ReaderPath.ERASE)
