"""Consent: who left and who came back, written to a log beside the database, and read from it after a restore."""

import json
import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from webapp import clock
from webapp.db import consent_log
from webapp.models import Contact
from webapp.models.contact import ContactStatus

log = logging.getLogger(__name__)


async def record(contacts: Iterable[Contact], *, are_deleted: bool = False) -> bool:
    """Write down the status of contacts that has changed; whether the log has it.

    Who leaves is recorded before that is committed, who comes back afterwards: whatever breaks off in between means
    less mail.
    """
    return await consent_log.append([_line(contact, is_deleted=are_deleted) for contact in contacts])


def _line(contact: Contact, *, is_deleted: bool) -> str:
    said = {
        "at": clock.now().isoformat(),
        "org": str(contact.org_id),
        "contact": str(contact.id),
        "email": contact.email,
        "status": str(contact.status),
    }
    return json.dumps(said | ({"deleted": True} if is_deleted else {}), ensure_ascii=False)


class LastWord(NamedTuple):
    """The last that the log has of an address or of a contact."""

    at: datetime
    email: str
    has_left: bool
    is_deleted: bool


@dataclass
class LastWords:
    """Those of one organization, by the keys of addresses and by the ids of contacts."""

    by_key: dict[str, LastWord] = field(default_factory=dict)
    by_id: dict[UUID, LastWord] = field(default_factory=dict)


async def last_words() -> dict[UUID, LastWords]:
    """What the log says, by organization. Lines that are none are passed over. Raises ConfigError."""
    found: dict[UUID, LastWords] = {}

    def take(line: str) -> None:
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

    await consent_log.visit(take)
    return found


def _later(known: LastWord | None, word: LastWord) -> LastWord:
    """The later of the two by its own time: a line may have waited to be written."""
    return known if known is not None and known.at > word.at else word
