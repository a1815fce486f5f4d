"""Addresses that an organization sends nothing to: those of many recipients, and a condition on contacts."""

from collections.abc import Iterable
from uuid import UUID

from webapp import db
from webapp.addresses import email_key
from webapp.db.dialects import Values
from webapp.models.suppression import EVERYONE, Suppression, domain_key

SUPPRESSED = "suppressed: "  # begins the error of a row
FEW = 20_000  # entries that are looked up whenever an audience is counted
IS_DOMAIN = f"s.email_key LIKE '{EVERYONE}@%'"  # an entry `s` is of a whole domain


async def reasons_against(org_id: UUID, emails: Iterable[str]) -> dict[str, str]:
    """The errors of rows to those of these addresses that get nothing; all are looked up by one statement."""
    keys = {email: email_key(email) for email in emails}
    asked = {*keys.values(), *map(domain_key, keys.values())}
    found = {one.email_key: one for one in await Suppression.with_keys(org_id, asked)}
    if not found:
        return {}
    entries = {email: found.get(key) or found.get(domain_key(key)) for email, key in keys.items()}
    return {email: f"{SUPPRESSED}{entry.words}" for email, entry in entries.items() if entry is not None}


def has_suppressions(org_id: str) -> str:
    """A condition on an organization by the SQL of its id, by an index however many entries others have.

    For EXISTS PostgreSQL would read the whole table where it believes that nearly all entries are of one organization.
    """
    return f"(SELECT s.id FROM suppressions s WHERE s.org_id = {org_id} ORDER BY s.email_key LIMIT 1) IS NOT NULL"


def is_suppressed(org_id: str) -> str:
    """A condition on a contact `c` by the SQL of its organization's id: its address or its domain is suppressed.

    Where the id is a parameter, an organization without entries costs one look-up for all its contacts.
    """
    domain = f"'{EVERYONE}@' || {db.dialect().domain('c.email_key')}"
    return f"(({has_suppressions(org_id)}) AND ({_has_entry('c.email_key')} OR {_has_entry(domain)}))"


async def is_suppressed_now(org_id: UUID, values: Values, *, are_ids: bool) -> str:
    """As `is_suppressed`, for many contacts `c`, of whom only the ids are read if `are_ids`: looks up few addresses."""
    entries, domains = await count_entries(org_id, FEW)
    if not entries:
        return "false"
    org = values.name(org_id)
    if entries > FEW:
        return of_contact(org, is_suppressed(org)) if are_ids else is_suppressed(org)
    conditions = []
    if domains < entries:
        contact = "SELECT c.id FROM contacts c WHERE c.org_id = s.org_id AND c.email_key = s.email_key"
        suppressed = f"SELECT ({contact}) FROM suppressions s WHERE s.org_id = {org}"
        conditions.append(f"c.id IN ({suppressed} LIMIT {2 * FEW})")  # which PostgreSQL hashes, as it expects no more
    if domains:
        listed = f"SELECT substr(s.email_key, 3) FROM suppressions s WHERE s.org_id = {org} AND {IS_DOMAIN}"
        of_domain = f"{db.dialect().domain('c.email_key')} IN ({listed})"
        conditions.append(of_contact(org, of_domain) if are_ids else of_domain)
    return " OR ".join(conditions)


async def count_entries(org_id: UUID, most: int) -> tuple[int, int]:
    """The numbers of an organization's entries, at most one above `most`, and of the domains among them."""
    is_domain = f"CASE WHEN {IS_DOMAIN} THEN 1 ELSE 0 END AS is_domain"
    few = f"SELECT {is_domain} FROM suppressions s WHERE s.org_id = $1 ORDER BY s.email_key LIMIT $2"
    query = f"SELECT COUNT(*) AS entries, COALESCE(SUM(k.is_domain), 0) AS domains FROM ({few}) k"
    (row,) = await db.fetch(query, org_id, most + 1)
    return int(row["entries"]), int(row["domains"])


def of_contact(org_id: str, condition: str) -> str:
    """A condition on a contact `c` of whom only the id is known, by one on its columns."""
    contact = f"SELECT c.id FROM contacts c WHERE c.org_id = {org_id} AND ({condition})"
    return f"EXISTS (SELECT 1 FROM ({contact}) k WHERE k.id = c.id)"


def _has_entry(key: str) -> str:
    """The index of both columns alone has the order asked for, whatever PostgreSQL expects of the table."""
    return f"""(SELECT s.id FROM suppressions s WHERE s.org_id = c.org_id AND s.email_key BETWEEN {key} AND {key}
               ORDER BY s.email_key LIMIT 1) IS NOT NULL"""
