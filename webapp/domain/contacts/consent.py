"""The consent log: people's choices, appended outside of the database, to be applied after a restore."""

import json
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from webapp import clock, db
from webapp.addresses import email_key
from webapp.db import consent_log
from webapp.domain.contacts.fields import CHOICE_NAMES, restraints, snapshot
from webapp.models import ConsentLine, Contact
from webapp.models.contact import ContactStatus
from webapp.models.suppression import address_digest
from webapp.models.topic import Subscription

log = logging.getLogger(__name__)

WRITTEN_AT_ONCE = 1_000  # lines
BEHIND = timedelta(seconds=10)


async def record(
    contacts: Iterable[Contact], *, are_deleted: bool = False, topics: Mapping[UUID, Mapping[UUID, str]] | None = None
) -> None:
    """Records changed choices in the outer transaction; they are logged before the response, or later by a worker.

    `topics` are those that changed, with the subscriptions, by contact.
    """
    lines = []
    for contact in contacts:
        changed = (topics or {}).get(contact.id, {})
        line = {
            "at": clock.now().isoformat(),
            "org": str(contact.org_id),
            "contact": str(contact.id),
            "email": contact.email,
            "digest": address_digest(contact.org_id, contact.email_key),
            **snapshot(contact, CHOICE_NAMES),
            **({"deleted": True} if are_deleted else {}),
            **({"topics": {str(topic_id): value for topic_id, value in changed.items()}} if changed else {}),
        }
        lines.append(ConsentLine(contact_id=contact.id, text=json.dumps(line, ensure_ascii=False)))
    await _save(lines)


async def record_erased(org_id: UUID, contact_id: UUID, digest: str, *, is_erased: bool = True) -> None:
    """Records that an address was erased, or came back, without the address; forgets what was not logged yet."""
    await ConsentLine.filter(contact_id=contact_id).delete()
    ids = {"org": str(org_id), "contact": str(contact_id), "digest": digest}
    line = {"at": clock.now().isoformat(), **ids, "erased": is_erased}
    await _save([ConsentLine(contact_id=contact_id, text=json.dumps(line))])


async def record_barred(org_id: UUID, sign_up_id: UUID, address_hash: str, until: datetime) -> None:
    """Records in the outer transaction that forms leave an address alone, without the address."""
    line = {"at": clock.now().isoformat(), "org": str(org_id), "barred": address_hash, "until": until.isoformat()}
    await _save([ConsentLine(contact_id=sign_up_id, text=json.dumps(line))])


async def _save(lines: list[ConsentLine]) -> None:
    if lines:
        await ConsentLine.bulk_create(lines)
        db.await_after_commit(lambda: _write(lines))


async def has_written(contact_id: UUID) -> bool:
    """True once everything recorded of a contact is logged; retries waiting lines."""
    lines = await ConsentLine.filter(contact_id=contact_id).order_by("id")
    return not lines or await _write(lines)


async def write_waiting() -> None:
    while lines := await ConsentLine.all().order_by("id").limit(WRITTEN_AT_ONCE):
        if not await _write(lines):
            return


async def is_behind() -> bool:
    return await ConsentLine.filter(created_at__lt=clock.now() - BEHIND).exists()


async def _write(lines: Sequence[ConsentLine]) -> bool:
    if not await consent_log.append([line.text for line in lines]):
        return False
    async with db.write_transaction():
        await ConsentLine.delete_among([line.id for line in lines])
    return True


class LastWord(NamedTuple):
    """The last choices of an address or contact, with those about topics; lines of older versions lack some."""

    at: datetime
    contact_id: UUID
    digest: str
    email: str | None  # None once it is erased
    choices: dict[str, Any]
    topics: Mapping[UUID, str]
    is_deleted: bool
    is_erased: bool | None = None  # False when an erased address has come back

    @property
    def restraints(self) -> dict[str, Any]:
        """The choices that mean less mail or tracking than the defaults."""
        return restraints(self.choices)

    @property
    def left_topics(self) -> set[UUID]:
        return {topic_id for topic_id, subscription in self.topics.items() if subscription == Subscription.OPT_OUT}

    @property
    def is_less(self) -> bool:
        """True if a choice means less mail or tracking than the defaults."""
        return bool(self.restraints or self.left_topics)

    @property
    def has_left(self) -> bool:
        return "status" in self.restraints


class LastWords(NamedTuple):
    """`barred` has until when forms leave an address alone, by the hash of `BarredAddress`."""

    by_digest: dict[str, LastWord]
    by_id: dict[UUID, LastWord]
    barred: dict[str, datetime]


async def last_words() -> dict[UUID, LastWords]:
    """The last choices in the log by organization; skips damaged lines. Raises ConfigError."""
    by_org: dict[UUID, LastWords] = {}

    def add(line: str) -> None:
        try:
            values = json.loads(line)
            if "barred" in values:
                barred = by_org.setdefault(UUID(values["org"]), LastWords({}, {}, {})).barred
                barred[str(values["barred"])] = datetime.fromisoformat(values["until"])
                return
            org_id, word = _read(values)
        except (ValueError, KeyError, TypeError, AttributeError):
            log.warning("a line of the consent log is damaged")
            return
        words = by_org.setdefault(org_id, LastWords({}, {}, {}))
        words.by_digest[word.digest] = _merged(words.by_digest.get(word.digest), word)
        words.by_id[word.contact_id] = _merged(words.by_id.get(word.contact_id), word)

    await consent_log.visit(add)
    return by_org


def _read(line: dict[str, Any]) -> tuple[UUID, LastWord]:
    """Parses a line. Raises ValueError, KeyError, TypeError, AttributeError if it is damaged."""
    org_id, at, contact_id = UUID(line["org"]), datetime.fromisoformat(line["at"]), UUID(line["contact"])
    if "erased" in line:
        return org_id, LastWord(at, contact_id, line["digest"], None, {}, {}, False, bool(line["erased"]))
    choices = {name: line[name] for name in CHOICE_NAMES if name in line}
    choices["status"] = ContactStatus(line["status"])
    topics = {UUID(topic_id): str(value) for topic_id, value in line.get("topics", {}).items()}
    email = line.get("email")
    digest = str(line["digest"]) if email is None else address_digest(org_id, email_key(str(email)))
    return org_id, LastWord(at, contact_id, digest, email, choices, topics, bool(line.get("deleted")))


def without_address(line: str, is_erased: Callable[[UUID, str], bool]) -> str:
    """The line with the digest alone if its address is erased, as the function says of organization and digest."""
    try:
        values = json.loads(line)
        org_id, word = _read(values)
    except (ValueError, KeyError, TypeError, AttributeError):
        return line  # damaged, which is reported when it is read for a restore
    if word.email is None or not is_erased(org_id, word.digest):
        return line
    del values["email"]
    return json.dumps(values | {"digest": word.digest})


def _merged(known: LastWord | None, word: LastWord) -> LastWord:
    if known is None:
        return word
    earlier, later = (word, known) if known.at > word.at else (known, word)
    if later.is_erased is not None:
        return later
    topics = later.topics if earlier.is_deleted else {**earlier.topics, **later.topics}  # lines name changed ones only
    email = later.email or earlier.email
    return later._replace(email=email, choices=earlier.choices | later.choices, topics=topics)
