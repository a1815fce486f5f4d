"""Conditions on a day that comes again every year, such as a birthday."""

from datetime import datetime

import pytest

from tests.domain.segments.test_filters import matching
from tests.factories import make_contact
from webapp.models import Organization

BIRTHDAYS = {
    "ann": "1990-02-28",
    "bob": "29.02.1988",
    "cy": "1.3.2027",
    "dee": "1985-03-31T08:00:00Z",
    "eve": "-02-28",
    "fay": 228,
    "gus": "",
}


@pytest.mark.parametrize(
    ("op", "now", "expected"),
    [
        ("anniversary_this_month", "2026-02-10T12:00:00Z", {"ann", "bob"}),
        ("anniversary_this_month", "2026-03-01T04:59:00Z", {"ann", "bob"}),  # in New York, the last of February
        ("anniversary_this_month", "2026-03-01T05:00:00Z", {"cy", "dee"}),
        ("anniversary_this_month", "2026-12-31T12:00:00Z", set()),
        ("anniversary_today", "2026-02-28T12:00:00Z", {"ann", "bob"}),
        ("anniversary_today", "2028-02-28T12:00:00Z", {"ann"}),
        ("anniversary_today", "2028-02-29T12:00:00Z", {"bob"}),
        ("anniversary_today", "2026-03-01T04:59:00Z", {"ann", "bob"}),
        ("anniversary_today", "2026-03-01T05:00:00Z", {"cy"}),
        ("anniversary_today", "2026-03-31T12:00:00Z", {"dee"}),
    ],
)
async def test_a_day_comes_again_every_year_in_the_time_zone_of_the_organization(
    acme: Organization, rival: Organization, op: str, now: str, expected: set[str]
) -> None:
    names = {}
    for name, day in BIRTHDAYS.items():
        names[(await make_contact(acme, f"{name}@example.org", custom_fields={"Birthday": day})).id] = name
        await make_contact(rival, f"{name}@example.org", custom_fields={"Birthday": day})
    tree, at = {"field": "custom_fields.birthday", "op": op}, datetime.fromisoformat(now)
    assert {names[contact_id] for contact_id in await matching(acme, tree, at)} == expected
    others = {names[contact_id] for contact_id in await matching(acme, {"not": tree}, at)}
    assert others == set(BIRTHDAYS) - expected
