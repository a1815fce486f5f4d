"""Erases a person from imports, sign-ups, waiting mail to readers, and the suppression list."""

import asyncio
import re
from uuid import UUID, uuid5

from webapp.domain.personal_data.person import AFTER, BEFORE, Person
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
SEPARATORS = ',;|\t"\r\n'


class _Mask(dict[int, str]):
    def __missing__(self, code: int) -> str:
        return chr(code) if chr(code) in SEPARATORS else "x" if code <= LARGEST_UNIT else "xx"


LARGEST_UNIT = 0xFFFF  # of UTF-16, in which larger characters take two
MASK = _Mask()


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
    """Masks the rows with the address in the next piece of an uploaded file; its id, or None after the last one."""
    chunk_id = await next_chunk(person.org.id, after, person.until)
    if chunk_id is None:
        return None
    chunk = await ImportChunk.get(id=chunk_id).select_related("contact_import")
    following = await ImportChunk.get_or_none(contact_import_id=chunk.contact_import_id, number=chunk.number + 1)
    data, rest = bytes(chunk.data), b"" if following is None else bytes(following.data)
    masked = await asyncio.to_thread(_masked, person, data + rest, chunk.contact_import.encoding)
    for piece, new in ((chunk, masked[: len(data)]), (following, masked[len(data) :])):
        if piece is not None and new != bytes(piece.data):
            await ImportChunk.filter(id=piece.id).update(data=new)
    return chunk.id


def _masked(person: Person, data: bytes, encoding: str) -> bytes:
    """Keeps the length, because the position of an import counts bytes, and what separates cells and rows."""
    is_wide = encoding.startswith("utf-16")
    whole = len(data) // 2 * 2 if is_wide else len(data)
    codec, errors = (encoding, "surrogatepass") if is_wide else ("latin-1", "strict")
    text = data[:whole].decode(codec, errors)
    for form in person.forms:
        text = _without_rows(text, form if is_wide else form.encode(encoding, "replace").decode("latin-1"))
    return text.encode(codec, errors) + data[whole:]


def _without_rows(text: str, address: str) -> str:
    pieces, end = list[str](), 0
    for match in re.finditer(f"{BEFORE}{re.escape(address)}{AFTER}", text, re.IGNORECASE):
        if match.start() >= end:
            start = max(end, text.rfind("\n", end, match.start()) + 1)
            after = text.find("\n", match.end())
            stop = len(text) if after < 0 else after
            pieces += [text[end:start], text[start:stop].translate(MASK)]
            end = stop
    return "".join([*pieces, text[end:]])
