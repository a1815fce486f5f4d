"""Addresses that an organization sends nothing to: those of many recipients, and a condition on contacts."""

from collections.abc import Iterable
from uuid import UUID

from webapp import db
from webapp.addresses import email_key
from webapp.db.dialects import Values
from webapp.models.suppression import EVERYONE, Suppression, domain_key

SUPPRESSED = "suppressed: "  # begins the error of a row
FEW = 1_000  # entries that a statement names


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


async def is_suppressed_now(org_id: UUID, values: Values) -> str:
    """As `is_suppressed`, for many contacts: few entries are part of the statement, which looks nothing up then."""
    query = "SELECT email_key FROM suppressions WHERE org_id = $1 ORDER BY email_key LIMIT $2"
    keys = [row["email_key"] for row in await db.fetch(query, org_id, FEW + 1)]
    if len(keys) > FEW:
        return is_suppressed(values.name(org_id))
    sql, of_domains = db.dialect(), f"{EVERYONE}@"
    domains = [key.removeprefix(of_domains) for key in keys if key.startswith(of_domains)]
    listed = (("c.email_key", keys), (sql.domain("c.email_key"), domains))
    return " OR ".join(sql.among_texts(text, values.name(texts)) for text, texts in listed if texts) or "false"


def _has_entry(key: str) -> str:
    """The index of both columns alone has the order asked for, whatever PostgreSQL expects of the table."""
    return f"""(SELECT s.id FROM suppressions s WHERE s.org_id = c.org_id AND s.email_key BETWEEN {key} AND {key}
               ORDER BY s.email_key LIMIT 1) IS NOT NULL"""
