"""Erases a person from imports, sign-ups, waiting mail to readers, and the suppression list."""

import re
from uuid import UUID, uuid5

from webapp.domain.personal_data.person import Person
from webapp.domain.plans import limits
from webapp.models import (
    ContactImport,
    ImportChange,
    ImportChunk,
    ImportRefusal,
    PendingSignUp,
    ReaderMail,
    Suppression,
)
from webapp.models.queries.rows_naming import next_chunk, refusals_naming
from webapp.models.suppression import ERASED_VALUE
from webapp.models.usage import Metric

REFUSALS_AT_ONCE = 200


async def erase_sign_ups(person: Person) -> None:
    """Deletes sign-ups and what is to be mailed. Call it in a transaction; later ones are of someone who comes back."""
    here = {"email_key": person.key, "id__lte": person.until}
    await PendingSignUp.of(person.org).filter(**here).delete()
    # Not what a worker is writing, which locks it before the contact; erase_mails reaches that email.
    waiting = ReaderMail.of(person.org).filter(**here).select_for_update(skip_locked=True)
    await ReaderMail.of(person.org).filter(id__in=[mail.id for mail in await waiting]).delete()


async def erase_entries(person: Person) -> None:
    """Deletes other rows that are about the address alone. Call it in a transaction."""
    await limits.release(person.org, Metric.SUPPRESSIONS, 0)  # locks the counter first, as removing entries does
    entries = [row for row in await Suppression.with_keys(person.org.id, [person.key]) if row.id <= person.until]
    await Suppression.delete_among([entry.id for entry in entries])
    await limits.release(person.org, Metric.SUPPRESSIONS, len(entries))
    await ImportChange.filter(contact_id=person.contact_id).delete()
    for row in await ContactImport.of(person.org).only("id"):  # dry runs number contacts by their addresses
        await ImportChange.filter(contact_import_id=row.id, contact_id=uuid5(row.id, person.key)).delete()


async def erase_refusals(person: Person) -> bool:
    """Empties the next refused rows that have the address; True if there may be more."""
    ids = await refusals_naming(person.org.id, person.forms, person.until, REFUSALS_AT_ONCE)
    for row in await ImportRefusal.filter(id__in=ids):
        cells = [ERASED_VALUE if cell else "" for cell in row.cells]
        await ImportRefusal.filter(id=row.id).update(cells=cells, reason=ERASED_VALUE)
    return len(ids) == REFUSALS_AT_ONCE


async def erase_chunk(person: Person, after: UUID) -> UUID | None:
    """Masks the address in the next piece of an uploaded file; its id, or None after the last one."""
    chunk_id = await next_chunk(person.org.id, after, person.until)
    if chunk_id is None:
        return None
    chunk = await ImportChunk.get(id=chunk_id).select_related("contact_import")
    following = await ImportChunk.get_or_none(contact_import_id=chunk.contact_import_id, number=chunk.number + 1)
    data, rest = bytes(chunk.data), b"" if following is None else bytes(following.data)
    masked = _masked(person, data + rest, chunk.contact_import.encoding)
    for piece, new in ((chunk, masked[: len(data)]), (following, masked[len(data) :])):
        if piece is not None and new != bytes(piece.data):
            await ImportChunk.filter(id=piece.id).update(data=new)
    return chunk.id


def _masked(person: Person, data: bytes, encoding: str) -> bytes:
    """Keeps the length, because the position of an import counts bytes."""
    step = len("x".encode(encoding.removesuffix("-sig")).lstrip(b"\xff\xfe")) or 1
    text = data.decode("latin-1")
    for form in person.forms:
        needle = form.encode(encoding, "replace").decode("latin-1")
        text = _replaced(text, needle, step)
    return text.encode("latin-1")


def _replaced(text: str, needle: str, step: int) -> str:
    mask = ("x" + "\0" * (step - 1)) * (len(needle) // step)
    return re.sub(re.escape(needle), lambda _: mask, text, flags=re.IGNORECASE) if needle else text
