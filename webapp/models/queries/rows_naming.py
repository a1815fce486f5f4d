"""Finds rows that name a person: by texts in columns, and mail by its recipient."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from webapp import db
from webapp.db.dialects import Values
from webapp.models.mail_log import ADDRESS, NOT_SENDING, SENDING
from webapp.models.suppression import ERASED_VALUE


def has_text(columns: Iterable[str], texts: Sequence[str], values: Values) -> str:
    """A condition: one of the columns, which are text or JSON, has one of these texts, which are in lower case."""
    lowered = [f"lower(COALESCE(CAST({column} AS TEXT), ''))" for column in columns]
    return _any(db.dialect().contains(column, values.name(text)) for column in lowered for text in texts)


def has_bytes(column: str, parts: Iterable[bytes], values: Values) -> str:
    return _any(db.dialect().bytes_contain(column, values.name(part)) for part in parts)


def _any(conditions: Iterable[str]) -> str:
    return f"({' OR '.join(conditions)})"


async def end_of_part(table: str, org_id: UUID, after: UUID, limit: int) -> UUID | None:
    """The id of the last of the organization's `limit` rows next after this id; None if there are fewer."""
    nth = f"SELECT id FROM {table} WHERE org_id = $1 AND id > $2 ORDER BY id LIMIT 1 OFFSET $3"
    return next(iter(await db.fetch_ids(nth, org_id, after, limit - 1)), None)


async def rows_of_part(table: str, condition: str, values: Values, until: UUID) -> list[UUID]:
    """The rows of organization $1 after the id $2, to this id, that meet a condition."""
    part = f"org_id = $1 AND id > $2 AND id <= {values.name(until)}"
    return await db.fetch_ids(f"SELECT id FROM {table} WHERE {part} AND {condition}", *values)


async def refusals_naming(org_id: UUID, texts: Sequence[str], until: UUID, limit: int) -> list[UUID]:
    """Refused rows of the organization's imports, to this id."""
    values = Values([org_id, until])
    named = has_text(("r.cells", "r.reason"), texts, values)
    query = f"""SELECT r.id FROM contact_imports i JOIN import_refusals r ON r.contact_import_id = i.id
        WHERE i.org_id = $1 AND r.id <= $2 AND {named} LIMIT {limit}"""
    return await db.fetch_ids(query, *values)


async def mails_of_person(org_id: UUID, key: str, contact_id: UUID, after: UUID, limit: int) -> list[UUID]:
    """The next mail logs after this id, of the address, and of the contact's campaigns under a former address."""
    query = f"""SELECT id FROM (
        SELECT id FROM mail_logs WHERE org_id = $1 AND {ADDRESS} = $2 AND {NOT_SENDING}
        UNION SELECT m.id FROM (SELECT id FROM campaign_runs WHERE org_id = $1) r
        JOIN mail_logs m ON m.campaign_run_id = r.id AND m.contact_id = $3) found
        WHERE id > $4 ORDER BY id LIMIT $5"""
    return await db.fetch_ids(query, org_id, key, contact_id, after, limit)


async def mails_to_erase(org_id: UUID, key: str, contact_id: UUID, until: UUID, limit: int) -> list[UUID]:
    """Some of these mail logs that still name the person, to this id, except for those being sent."""
    of_address = f"""SELECT id FROM mail_logs
        WHERE org_id = $1 AND {ADDRESS} = $2 AND {NOT_SENDING} AND id <= $3 LIMIT $4"""
    of_contact = f"""SELECT m.id FROM (SELECT id FROM campaign_runs WHERE org_id = $1) r
        JOIN mail_logs m ON m.campaign_run_id = r.id AND m.contact_id = $2
        WHERE m.to_email <> '{ERASED_VALUE}' AND m.status <> '{SENDING}' LIMIT $3"""
    ids = await db.fetch_ids(of_address, org_id, key, until, limit)
    return ids or await db.fetch_ids(of_contact, org_id, contact_id, limit)


async def is_sending_to(org_id: UUID, key: str, until: UUID) -> bool:
    query = f"""SELECT id FROM mail_logs
        WHERE org_id = $1 AND status = '{SENDING}' AND {ADDRESS} = $2 AND id <= $3 LIMIT 1"""
    return bool(await db.fetch_ids(query, org_id, key, until))


async def next_chunk(org_id: UUID, after: UUID, until: UUID) -> UUID | None:
    """The piece of the organization's uploaded files next after this id, to another."""
    query = """SELECT c.id FROM import_chunks c JOIN contact_imports i ON i.id = c.contact_import_id
        WHERE i.org_id = $1 AND c.id > $2 AND c.id <= $3 ORDER BY c.id LIMIT 1"""
    return next(iter(await db.fetch_ids(query, org_id, after, until)), None)
