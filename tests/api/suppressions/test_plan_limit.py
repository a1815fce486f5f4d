"""/v1/suppressions: the plan bounds what people add, and nothing that bounces and complaints add."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.api.conftest import Api
from tests.factories import make_contact
from tests.plans import use_plans
from webapp.config import Settings
from webapp.domain.auth.owners import set_plan
from webapp.domain.plans.plans import plan_named
from webapp.domain.suppressions import suppressions
from webapp.domain.suppressions.csv_import import import_suppressions
from webapp.models import Contact, Organization, Suppression

MAXIMUM = 5
PATH = "/v1/suppressions"


@pytest.fixture
async def nearly_full(acme: Organization, settings: Settings) -> Organization:
    """An organization that may add three more."""
    use_plans(settings, {"free": {"max_suppressions": MAXIMUM}})
    await set_plan(acme, "free")
    await suppressions.add(acme, ["gone0@example.org", "gone1@example.org"], "import")
    return acme


@pytest.mark.parametrize(("max_contacts", "maximum"), [(1_000, 10_000), (25_000, 100_000), (None, None)])
def test_a_plan_has_room_for_four_entries_a_contact(
    settings: Settings, max_contacts: int | None, maximum: int | None
) -> None:
    use_plans(settings, {"free": {"max_contacts": max_contacts}})
    assert plan_named("free").max_suppressions == maximum


async def test_people_add_as_many_as_the_plan_has_left(api: Api, rival_api: Api, nearly_full: Organization) -> None:
    adding = [api.post(PATH, {"email": f"new{number}@example.org"}) for number in range(8)]
    assert sorted(status for status, _ in await asyncio.gather(*adding)) == [201] * 3 + [403] * 5
    status, answer = await api.post(PATH, {"email": "one@example.org"})
    assert (status, answer["error"], answer["limit"]) == (403, "PlanLimitExceeded", "max_suppressions")
    assert (answer["max"], answer["current"]) == (MAXIMUM, MAXIMUM)
    assert (await api.post(f"{PATH}/batch", {"add": ["one@example.org"]}))[0] == 403
    assert (await api.post(PATH, {"email": "gone1@example.org"}))[0] == 200
    assert (await rival_api.post(PATH, {"email": "one@example.org"}))[0] == 201
    assert (await api.delete(f"{PATH}/gone1@example.org"))[0] == 200
    assert (await api.post(PATH, {"email": "one@example.org"}))[0] == 201
    assert await Suppression.of(nearly_full).count() == MAXIMUM


async def test_bounces_and_complaints_are_added_beyond_the_plan(api: Api, nearly_full: Organization) -> None:
    bounced = [f"bounced{number}@example.org" for number in range(5)]
    assert len((await suppressions.add(nearly_full, bounced, "bounce")).new) == 5
    assert (await api.post(PATH, {"email": "one@example.org"}))[1]["current"] == MAXIMUM + 2


async def test_an_address_that_is_tried_again_counts_no_more(api: Api, nearly_full: Organization) -> None:
    contact = await make_contact(nearly_full, "back@example.org")
    await Contact.filter(id=contact.id).update(bounced_at=contact.created_at)
    await suppressions.add(nearly_full, [contact.email], "bounce")
    assert (await api.patch(f"/v1/contacts/{contact.id}", {"status": "subscribed"}))[0] == 200
    statuses = [(await api.post(PATH, {"email": f"new{number}@example.org"}))[0] for number in range(4)]
    assert statuses == [201, 201, 201, 403]


async def test_a_file_is_imported_as_far_as_the_plan_allows(nearly_full: Organization) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"gone1@example.org\n" + b"".join(b"new%d@example.org\n" % number for number in range(7))

    report = await import_suppressions(nearly_full, "list.csv", pieces())
    assert (report.added, report.existing, report.refused) == (3, 1, 4)
    assert "allows 5 suppressions" in report.refusal
