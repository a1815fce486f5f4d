"""The consent log: who left and who came back, beside the database, to be read after a restore."""

import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from webapp import clock, db
from webapp.db import consent_log
from webapp.models import ConsentLine, Contact
from webapp.models.contact import ContactStatus

log = logging.getLogger(__name__)

WRITTEN_AT_ONCE = 1_000  # lines
BEHIND_SECONDS = 10


async def record(contacts: Iterable[Contact], *, are_deleted: bool = False) -> None:
    """Records changed statuses in the outer transaction; they reach the log before the answer, or later by a worker."""
    lines = []
    for contact in contacts:
        said = {
            "at": clock.now().isoformat(),
            "org": str(contact.org_id),
            "contact": str(contact.id),
            "email": contact.email,
            "status": str(contact.status),
            **({"deleted": True} if are_deleted else {}),
        }
        lines.append(ConsentLine(contact_id=contact.id, text=json.dumps(said, ensure_ascii=False)))
    if lines:
        await ConsentLine.bulk_create(lines)
        db.await_after_commit(lambda: _write(lines))


async def has_written(contact_id: UUID) -> bool:
    """True once the log holds all that was recorded of a contact; lines still waiting are tried again."""
    lines = await ConsentLine.filter(contact_id=contact_id).order_by("id")
    return not lines or await _write(lines)


async def write_waiting() -> None:
    while lines := await ConsentLine.all().order_by("id").limit(WRITTEN_AT_ONCE):
        if not await _write(lines):
            return


async def is_behind() -> bool:
    return await ConsentLine.is_any_older_than(BEHIND_SECONDS)


async def _write(lines: Sequence[ConsentLine]) -> bool:
    if not await consent_log.append([line.text for line in lines]):
        return False
    async with db.write_transaction():
        await ConsentLine.delete_among([line.id for line in lines])
    return True


class LastWord(NamedTuple):
    at: datetime
    email: str
    has_left: bool
    is_deleted: bool


@dataclass
class LastWords:
    by_key: dict[str, LastWord] = field(default_factory=dict)
    by_id: dict[UUID, LastWord] = field(default_factory=dict)


async def last_words() -> dict[UUID, LastWords]:
    """The last words in the log, by organization; damaged lines are skipped. Raises ConfigError."""
    found: dict[UUID, LastWords] = {}

    def add(line: str) -> None:
        try:
            said = json.loads(line)
            at, has_left = datetime.fromisoformat(said["at"]), said["status"] == ContactStatus.UNSUBSCRIBED
            word = LastWord(at, str(said["email"]), has_left, bool(said.get("deleted")))
            org_id, contact_id = UUID(said["org"]), UUID(said["contact"])
        except (ValueError, KeyError, TypeError, AttributeError):
            log.warning("a line of the consent log is damaged")
            return
        words = found.setdefault(org_id, LastWords())
        key = word.email.lower()
        words.by_key[key] = _later(words.by_key.get(key), word)
        words.by_id[contact_id] = _later(words.by_id.get(contact_id), word)

    await consent_log.visit(add)
    return found


def _later(known: LastWord | None, word: LastWord) -> LastWord:
    return known if known is not None and known.at > word.at else word
