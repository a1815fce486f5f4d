"""Saves the values that searches and filters compare again, after an upgrade that computes them differently.

The upgrade's migration sets `filters_stale_below` of all organizations to the highest ID.
"""

import asyncio
from math import inf

from webapp import clock, db
from webapp.domain.contacts.fields import search_text
from webapp.domain.for_each_organization import for_each_organization
from webapp.models import Contact, Organization
from webapp.models.queries.contacts.segment_filter import filter_values

AT_ONCE = 500


async def refresh_filters(seconds: float = inf) -> bool:
    """Newest contacts first, for at most `seconds`; True when done."""
    return await for_each_organization(_refresh, "values of filters could not be refreshed", seconds)


async def _refresh(org: Organization, until: float) -> bool:
    while org.filters_stale_below is not None:
        if clock.elapsed() >= until:
            return False
        await _refresh_batch(org)
    return True


async def _refresh_batch(org: Organization) -> None:
    contacts = await Contact.of(org).filter(id__lt=org.filters_stale_below).order_by("-id").limit(AT_ONCE)
    stale = await asyncio.to_thread(lambda: [row.id for row in contacts if _is_stale(row)])
    async with db.write_transaction():
        locked = await Contact.lock_many(org, stale)
        for contact in locked:
            contact.filter_values, contact.search_text = filter_values(contact), search_text(contact)
        await Contact.save_found_by(locked)
        org.filters_stale_below = contacts[-1].id if contacts else None
        await Organization.filter(id=org.id).update(filters_stale_below=org.filters_stale_below)


def _is_stale(contact: Contact) -> bool:
    return (contact.filter_values, contact.search_text) != (filter_values(contact), search_text(contact))
