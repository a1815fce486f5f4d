"""Addresses that an organization sends nothing to: those of many recipients, and a condition on contacts."""

from collections.abc import Iterable
from uuid import UUID

from webapp import db
from webapp.addresses import email_key
from webapp.models.suppression import EVERYONE, Suppression, domain_key

SUPPRESSED = "suppressed: "  # begins the error of a row


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
    """A condition on an organization by the SQL of its id."""
    return f"EXISTS (SELECT 1 FROM suppressions s WHERE s.org_id = {org_id})"


def is_suppressed(org_id: str) -> str:
    """A condition on a contact `c` by the SQL of its organization's id: its address or its domain is suppressed.

    Where the id is a parameter, an organization without entries costs one look-up for all its contacts.
    """
    domain = f"'{EVERYONE}@' || {db.dialect().domain('c.email_key')}"
    return f"({has_suppressions(org_id)} AND ({_has_entry('c.email_key')} OR {_has_entry(domain)}))"


def _has_entry(key: str) -> str:
    """The index of both columns alone has the order asked for, whatever PostgreSQL expects of the table."""
    return f"""(SELECT s.id FROM suppressions s WHERE s.org_id = c.org_id AND s.email_key BETWEEN {key} AND {key}
               ORDER BY s.email_key LIMIT 1) IS NOT NULL"""
