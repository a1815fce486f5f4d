"""Suppressed addresses: reasons against recipients, and conditions on contacts."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from webapp import db
from webapp.addresses import email_key
from webapp.db.dialects import Values
from webapp.models.reader_mail import ReaderPath
from webapp.models.suppression import ERASED, EVERYONE, Suppression, SuppressionReason, Tombstone, domain_key

READER_LINK = "reader_link"  # the variable of a row whose email has its reader's link, with the link's path
SUPPRESSED = "suppressed: "  # the prefix of a row's error
BOUNCED = f"{SUPPRESSED}{SuppressionReason.BOUNCE} "
FEW = 20_000  # entries that may be looked up for each count of an audience
IS_DOMAIN = f"s.email_key LIKE '{EVERYONE}@%'"  # the entry `s` suppresses a whole domain


async def reasons_against(org_id: UUID, emails: Collection[str]) -> dict[str, str]:
    """The row errors for those of these addresses that are suppressed or erased."""
    keys = {email: email_key(email) for email in emails}
    erased = await Tombstone.words_against(org_id, set(keys.values()))
    suppressed = await suppressions_against(org_id, emails)
    return suppressed | {email: erased[key] for email, key in keys.items() if key in erased}


def reason_for(variables: Mapping[str, Any], reason: str | None) -> str | None:
    """The reason against a row, which readers do not know for what they asked for.

    An erased address may be asked to confirm a sign-up. A suppressed one gets the links to its data and preferences,
    as the law gives everybody that right, unless it bounced.
    """
    path = variables.get(READER_LINK)
    if path is None or reason is None:
        return reason
    is_to_erased, is_to_confirm = reason.startswith(ERASED), path == ReaderPath.CONFIRM
    return None if is_to_erased is is_to_confirm and not reason.startswith(BOUNCED) else reason


async def suppressions_against(org_id: UUID, emails: Collection[str]) -> dict[str, str]:
    """The row errors for those of these addresses that are suppressed."""
    keys = {email: email_key(email) for email in emails}
    asked = {*keys.values(), *map(domain_key, keys.values())}
    suppressions = {entry.email_key: entry for entry in await Suppression.with_keys(org_id, asked)}
    entries = {email: suppressions.get(key) or suppressions.get(domain_key(key)) for email, key in keys.items()}
    return {email: f"{SUPPRESSED}{entry.words}" for email, entry in entries.items() if entry is not None}


def refuses_addresses(org_id: str) -> str:
    """A condition on the organization (SQL of its ID): it has suppressions or erased addresses."""
    erased = f"(SELECT t.id FROM tombstones t WHERE t.org_id = {org_id} ORDER BY t.digest LIMIT 1) IS NOT NULL"
    return f"({has_suppressions(org_id)} OR {erased})"


def has_suppressions(org_id: str) -> str:
    """A condition on the organization (SQL of its ID).

    Not EXISTS: PostgreSQL would read the whole table if it believes that most entries belong to one organization.
    """
    return f"(SELECT s.id FROM suppressions s WHERE s.org_id = {org_id} ORDER BY s.email_key LIMIT 1) IS NOT NULL"


def is_suppressed(org_id: str) -> str:
    """A condition on the contact `c`: its address or domain is suppressed; `org_id` is SQL.

    If that is a parameter, an organization without entries costs one lookup for all its contacts.
    """
    domain = f"'{EVERYONE}@' || {db.dialect().domain('c.email_key')}"
    return f"(({has_suppressions(org_id)}) AND ({_has_entry('c.email_key')} OR {_has_entry(domain)}))"


async def is_suppressed_now(org_id: UUID, values: Values, *, are_ids: bool) -> str:
    """Like `is_suppressed` for many contacts `c` with few lookups; reads only their ids if `are_ids`."""
    entries, _ = await count_entries(org_id, FEW)
    if not entries:
        return "false"
    org = values.name(org_id)
    if entries > FEW:
        return of_contact(org, is_suppressed(org)) if are_ids else is_suppressed(org)
    domain = f"SELECT substr(s.email_key, 3) FROM suppressions s WHERE s.org_id = {org} AND {IS_DOMAIN}"
    key = f"SELECT s.email_key FROM suppressions s WHERE s.org_id = {org} LIMIT {2 * FEW}"  # makes PostgreSQL hash them
    suppressed = f"(c.email_key IN ({key}) OR {db.dialect().domain('c.email_key')} IN ({domain}))"
    return of_contact(org, suppressed) if are_ids else suppressed


async def are_few_suppressed(org_id: UUID) -> bool:
    """True if suppressed contacts may be listed for each count of an audience."""
    entries, domains = await count_entries(org_id, FEW)
    return entries <= FEW and (not domains or await count_at_domains(org_id, FEW) <= FEW)


def suppressed_contacts(org_id: str, contact: str = "c.id") -> str:
    """A query of `id`, which is SQL on each contact `c` whose address or domain is suppressed, and null for others."""
    address = f"SELECT {contact} FROM contacts c WHERE c.org_id = s.org_id AND c.email_key = s.email_key"
    return f"""SELECT ({address}) AS id FROM suppressions s WHERE s.org_id = {org_id}
        UNION SELECT {contact} {_at_domains(org_id)}"""


async def count_at_domains(org_id: UUID, limit: int) -> int:
    """The number of contacts at suppressed domains, at most `limit` + 1."""
    return int(
        await db.fetch_value(f"SELECT COUNT(*) FROM (SELECT 1 {_at_domains('$1')} LIMIT $2) k", org_id, limit + 1)
    )


def _at_domains(org_id: str) -> str:
    """FROM and WHERE of the contacts `c` at suppressed domains, by their index."""
    sql = db.dialect()
    at_domain = f"c.org_id = s.org_id AND {sql.domain('c.email_key')} = substr(s.email_key, 3)"
    contacts = sql.with_found("contacts", "c", at_domain)
    return f"FROM suppressions s {contacts} WHERE s.org_id = {org_id} AND {IS_DOMAIN}"


async def count_entries(org_id: UUID, limit: int) -> tuple[int, int]:
    """The numbers of an organization's entries, at most `limit` + 1, and of domains among them."""
    is_domain = f"CASE WHEN {IS_DOMAIN} THEN 1 ELSE 0 END AS is_domain"
    few = f"SELECT {is_domain} FROM suppressions s WHERE s.org_id = $1 ORDER BY s.email_key LIMIT $2"
    query = f"SELECT COUNT(*) AS entries, COALESCE(SUM(k.is_domain), 0) AS domains FROM ({few}) k"
    (row,) = await db.fetch(query, org_id, limit + 1)
    return int(row["entries"]), int(row["domains"])


def of_contact(org_id: str, condition: str) -> str:
    """Turns a condition on a contact's columns into one on `c`, of which only the ID is known."""
    contact = f"SELECT c.id FROM contacts c WHERE c.org_id = {org_id} AND ({condition})"
    return f"EXISTS (SELECT 1 FROM ({contact}) k WHERE k.id = c.id)"


def _has_entry(key: str) -> str:
    """Asks for an order that only the index of both columns has, so that PostgreSQL uses it."""
    return f"""(SELECT s.id FROM suppressions s WHERE s.org_id = c.org_id AND s.email_key BETWEEN {key} AND {key}
               ORDER BY s.email_key LIMIT 1) IS NOT NULL"""
