"""Values of filters that an older version saved are saved again in the background."""

from math import inf
from uuid import UUID

import pytest

from webapp.domain.contacts.fields import new_contact
from webapp.domain.contacts.filter_refresh import AT_ONCE, refresh_filters
from webapp.models import Contact, Organization

HIGHEST = UUID(int=2**128 - 1)
OLDER = {"custom_fields.since": "20.11.2026"}  # without the day
COUNT = AT_ONCE + 10


@pytest.mark.parametrize(("seconds", "refreshed"), [(inf, COUNT), (0.0, 0)])
async def test_filters_of_an_older_version_are_refreshed(
    acme: Organization, rival: Organization, seconds: float, refreshed: int
) -> None:
    for org, count in ((acme, COUNT), (rival, 1)):
        fields = {"last_name": "Müller", "custom_fields": {"since": "20.11.2026"}}
        await Contact.insert_many([new_contact(org, {"email": f"{n}@example.org", **fields}) for n in range(count)])
        await Contact.of(org).update(filter_values=OLDER, search_text="müller")
    before = {row.id: row.updated_at for row in await Contact.of(acme)}
    await Organization.filter(id=acme.id).update(filters_stale_below=HIGHEST)
    assert await refresh_filters(seconds) is (refreshed > 0)
    rows = await Contact.of(acme)
    assert sum(row.filter_values.get("@custom_fields.since") == "2026-11-20" for row in rows) == refreshed
    assert sum("muller" in row.search_text.split("\n") for row in rows) == refreshed
    assert {row.id: row.updated_at for row in rows} == before
    assert (await Contact.of(rival).get()).filter_values == OLDER
    await acme.refresh_from_db()
    assert acme.filters_stale_below == (None if refreshed else HIGHEST)
