"""The suppression list; only `add` and `remove` change it."""

import unicodedata
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Annotated, Literal, NamedTuple
from uuid import UUID

from pydantic import AfterValidator, Field, WithJsonSchema
from tortoise.expressions import Q
from tortoise.queryset import QuerySet

from webapp import db
from webapp.addresses import email_key, normalize, shown, sought
from webapp.domain.audit.audit import AuditAction, record, record_export
from webapp.domain.csv_writer import csv_file
from webapp.domain.event_log import record_suppressions
from webapp.domain.inputs import Input, examples
from webapp.domain.pagination import Cursor, CursorPage, Listed, Page, check_cursor, fetch_cursor_page, fetch_page
from webapp.domain.plans import limits
from webapp.errors import Conflict, NotFound, ValidationError
from webapp.models import Organization, Suppression
from webapp.models.base.org_model import parse_id
from webapp.models.event import EventType
from webapp.models.queries.contacts.suppressed import reasons_against
from webapp.models.suppression import EVERYONE, domain_key
from webapp.models.usage import Metric

TRIES = 3  # because an entry may be removed between write and read
NAMED = 10  # per audit entry
EXPORTED = ("email", "reason", "created_at", "mail_log_id")  # the columns
EXPORTED_AT_ONCE = 1_000  # rows
AT_ONCE = 100  # entries per batch
Reason = Literal["bounce", "complaint", "manual", "import"]


def normalize_entry(text: str) -> str:
    """A normalized address, or `*@` and a domain. Raises ValueError."""
    local, _, domain = text.rpartition("@")
    pattern = unicodedata.normalize("NFKC", shown(local))  # also maps full-width asterisks
    if EVERYONE not in pattern:
        return normalize(text)
    if pattern.strip(EVERYONE):
        raise ValueError("must be an email address, or *@ and a domain, like *@example.com; no other patterns")
    return domain_key(normalize(f"x@{domain}"))


def _id_or_entry(text: str) -> str:
    with suppress(ValueError):
        return str(parse_id(text))
    return normalize_entry(text)


SCHEMA = WithJsonSchema({"type": "string", "examples": ["ada@example.org"]})
Entry = Annotated[str, AfterValidator(normalize_entry), SCHEMA]
IdOrEntry = Annotated[str, AfterValidator(_id_or_entry), SCHEMA]


class NewSuppression(Input):
    """An address or a domain that gets no email any more."""

    model_config = examples({"email": "ada@example.org", "reason": "complaint"})

    email: Entry = Field(description="The email address, or `*@example.com` for everyone at this domain.")
    reason: Reason = Field(default="manual", description="Why it is suppressed.")


class SuppressionChanges(Input):
    """Entries to add and to remove, 100 in all."""

    model_config = examples({"add": ["ada@example.org", "*@example.com"], "remove": ["bob@example.org"]})

    add: Annotated[list[Entry], Field(max_length=AT_ONCE)] = Field(
        default_factory=list, description="Email addresses and domains to add."
    )
    remove: Annotated[list[IdOrEntry], Field(max_length=AT_ONCE)] = Field(
        default_factory=list, description="Entries to remove, by address, domain or id. Unknown ones are ignored."
    )
    reason: Reason = Field(default="manual", description="The reason of those that are added.")

    def check(self) -> None:
        """Raises ValidationError for too many entries, or one that is both added and removed."""
        if len(self.add) + len(self.remove) > AT_ONCE:
            raise ValidationError.of("body", f"add and remove must have at most {AT_ONCE} entries in all")
        added = set(map(email_key, self.add))
        for index, entry in enumerate(self.remove):
            if email_key(entry) in added:
                raise ValidationError.at(f"remove.{index}", "is in add as well")


class Changed(NamedTuple):
    added: list[Suppression]
    existing: list[Suppression]
    removed: Sequence[Suppression] = ()


async def add(
    org: Organization,
    emails: Iterable[str],
    reason: str,
    mail_log_ids: Mapping[str, UUID] | None = None,
    *,
    is_bounded: bool = False,
) -> Changed:
    """Adds normalized addresses and domains; existing entries stay unchanged.

    `mail_log_ids` are the reasons' mail logs by address. Entries by people are `is_bounded` by the plan, bounces and
    complaints are not. Commits, or joins the surrounding transaction. Raises PlanLimitExceeded.
    """
    first: dict[str, str] = {}
    for email in emails:
        first.setdefault(email_key(email), email)
    sources = mail_log_ids or {}
    async with db.write_transaction():
        await limits.release(org, Metric.SUPPRESSIONS, 0)  # locks the counter before the entries, like removing
        new = await Suppression.insert_new(org.id, {email: sources.get(email) for email in first.values()}, reason)
        await limits.consume(org, Metric.SUPPRESSIONS, len(new), is_bounded=is_bounded and bool(new))
        by_key = {entry.email_key: entry for entry in await Suppression.with_keys(org.id, first)}
        entries = [by_key[key] for key in first if key in by_key]
        added = [entry for entry in entries if entry.email_key in new]
        await record_suppressions(EventType.SUPPRESSION_ADDED, added)
    return Changed(added, [entry for entry in entries if entry.email_key not in new])


async def remove(org: Organization, ids: Collection[UUID]) -> list[Suppression]:
    """Returns the removed entries, recorded in the audit log; commits, or joins the surrounding transaction."""
    async with db.write_transaction():
        await limits.release(org, Metric.SUPPRESSIONS, 0)  # locks the counter first
        held = await Suppression.of(org).filter(id__in=list(ids)).order_by("id").select_for_update()
        await Suppression.delete_among([entry.id for entry in held])
        await limits.release(org, Metric.SUPPRESSIONS, len(held))
        await record_suppressions(EventType.SUPPRESSION_REMOVED, held)
        await _record(org, AuditAction.SUPPRESSIONS_REMOVED, held)
    return held


async def add_one(org: Organization, data: NewSuppression) -> tuple[Suppression, bool]:
    """The entry, and True if it is new; recorded in the audit log.

    Raises PlanLimitExceeded, Conflict if it is removed repeatedly.
    """
    for _ in range(TRIES):
        async with db.write_transaction():
            changed = await add(org, [data.email], data.reason, is_bounded=True)
            await _record(org, AuditAction.SUPPRESSIONS_ADDED, changed.added, reason=data.reason)
        for entry in (*changed.added, *changed.existing):
            return entry, bool(changed.added)
    raise Conflict(f"{data.email} was just removed. Try again")


async def change(org: Organization, data: SuppressionChanges) -> Changed:
    """Adds and removes entries in one transaction, recorded in the audit log. Raises PlanLimitExceeded."""
    ids = [UUID(item) for item in data.remove if "@" not in item]
    keys = [email_key(item) for item in data.remove if "@" in item]
    async with db.write_transaction():
        changed = await add(org, data.add, data.reason, is_bounded=True)
        await _record(org, AuditAction.SUPPRESSIONS_ADDED, changed.added, reason=data.reason)
        named = await Suppression.with_keys(org.id, keys)
        removed = await remove(org, [*ids, *(entry.id for entry in named)])
    return changed._replace(removed=removed)


async def _record(org: Organization, action: AuditAction, entries: Sequence[Suppression], **details: str) -> None:
    if len(entries) == 1:
        await record(org, action, entries[0].id, entries[0].email, **details)
    elif entries:
        names = ", ".join(entry.email for entry in entries[:NAMED])
        more = f" and {len(entries) - NAMED:,} more" if len(entries) > NAMED else ""
        await record(org, action, None, f"{len(entries):,} addresses", addresses=f"{names}{more}", **details)


async def find_suppression(org: Organization, key: str | UUID) -> Suppression:
    """The entry with this id, address or domain. Raises NotFound."""
    if isinstance(key, UUID) or "@" not in key:
        return await Suppression.one_of(org, key)
    with suppress(ValueError):
        for entry in await Suppression.with_keys(org.id, [email_key(normalize_entry(key))]):
            return entry
    raise NotFound


async def entry_against(org: Organization, email: str) -> Suppression | None:
    """The entry that suppresses a normalized address: its own or its domain's."""
    key = email_key(email)
    entries = {entry.email_key: entry for entry in await Suppression.with_keys(org.id, [key, domain_key(key)])}
    return entries.get(key) or entries.get(domain_key(key))


async def check_not_suppressed(org: Organization, email: str) -> None:
    """Raises Conflict."""
    for reason in (await reasons_against(org.id, [email])).values():
        raise Conflict(f"{email} is {reason}")


async def count_existing(org: Organization, ids: Collection[UUID]) -> int:
    return await Suppression.of(org).filter(id__in=list(ids)).count()


async def list_suppressions(org: Organization, email: str | None, cursor: Cursor) -> CursorPage[Suppression]:
    """Entries with `email` in their address, newest first. Raises ValidationError for two cursors or an unknown one."""
    await check_cursor(Suppression.of(org), cursor, "a suppression")
    return await _search(org, email, cursor)


async def page_of_suppressions(org: Organization, email: str | None, page: Page) -> Listed[Suppression]:
    async with db.searching(org.id):
        return await fetch_page(_matching(org, email).order_by("-id"), page)


async def export_suppressions(org: Organization, email: str | None) -> AsyncIterator[bytes]:
    """Entries with `email` in their address, newest first, as CSV, which an import reads."""
    async with db.write_transaction():
        await record_export(org, "suppressions", **({"email": email} if email else {}))
    return csv_file(EXPORTED, partial(_search, org, email), _exported, part=EXPORTED_AT_ONCE)


async def _exported(entries: Iterable[Suppression]) -> Iterable[list[object]]:
    return [[getattr(entry, name) for name in EXPORTED] for entry in entries]


async def _search(org: Organization, email: str | None, cursor: Cursor) -> CursorPage[Suppression]:
    async with db.searching(org.id):
        return await fetch_cursor_page(_matching(org, email), cursor)


def _matching(org: Organization, email: str | None) -> QuerySet[Suppression]:
    rows = Suppression.of(org)
    if not email:
        return rows
    wanted = sought(email.strip())
    spellings = [wanted]
    with suppress(ValueError):  # non-ASCII domains are stored as A-labels
        local, at, domain = wanted.rpartition("@")
        spellings.append(f"{local}{at}{normalize(f'x@{domain}').partition('@')[2]}")
    return rows.filter(Q(*(Q(email_key__contains=spelling) for spelling in dict.fromkeys(spellings)), join_type="OR"))
