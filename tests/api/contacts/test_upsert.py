"""/v1/contacts/upsert and /v1/contacts/batch."""

from typing import Any

import pytest

from tests.api.conftest import Api
from tests.factories import make_contact, make_segment
from tests.plans import use_plans
from tests.queries import count_queries
from webapp import clock
from webapp.config import Settings
from webapp.domain.auth.owners import set_plan
from webapp.models import Contact, Organization, SegmentContact, Suppression

ADA = {"email": "ada@example.org", "first_name": "Ada", "custom_fields": {"seats": 3}}


async def upsert(api: Api, **fields: Any) -> dict[str, Any]:
    status, body = await api.post("/v1/contacts/upsert", {"email": "ada@example.org"} | fields)
    assert status == 200, body
    contact: dict[str, Any] = body["data"]
    return contact


async def batch(api: Api, *rows: Any) -> list[str]:
    """The status of each row."""
    status, body = await api.post("/v1/contacts/batch", list(rows))
    assert (status, [row["index"] for row in body["data"]]) == (200, list(range(len(rows)))), body
    return [row["status"] for row in body["data"]]


async def test_a_contact_is_created_once_and_then_changed(api: Api, rival_api: Api) -> None:
    response = await api.send("POST", "/v1/contacts/upsert", json=ADA)
    made = (await api.get("/v1/contacts/ada@example.org"))[1]["data"]
    assert (response.status_code, response.headers["Location"]) == (201, f"/v1/contacts/{made['id']}")
    assert (await rival_api.post("/v1/contacts/upsert", ADA))[0] == 201
    changed = await upsert(api, email="ADA@example.org", last_name="King", properties={"vip": True})
    assert changed == made | {
        "last_name": "King",
        "custom_fields": {"seats": 3, "vip": True},
        "updated_at": changed["updated_at"],
    }
    assert await upsert(api, last_name="King", custom_fields={"seats": 3}) == changed
    assert (await upsert(api, last_name=None, custom_fields={}))["last_name"] is None
    assert (await rival_api.get("/v1/contacts/ada@example.org"))[1]["data"]["last_name"] is None


async def test_only_a_status_subscribes_again(api: Api, acme: Organization) -> None:
    contact = await make_contact(acme, "ada@example.org", status="unsubscribed", bounced_at=clock.now())
    await Suppression.create(org=acme, email=contact.email, email_key=contact.email_key, reason="bounce")
    kept = await upsert(api, first_name="Ada")
    assert (kept["status"], kept["bounced_at"] is None, await Suppression.all().count()) == ("unsubscribed", False, 1)
    subscribed = await upsert(api, unsubscribed=False)
    assert (subscribed["status"], subscribed["bounced_at"], await Suppression.all().count()) == ("subscribed", None, 0)
    assert (await api.get(f"/v1/contacts/{contact.id}"))[1]["data"] == subscribed
    await Contact.filter(id=contact.id).update(bounced_at=clock.now())
    assert (await upsert(api, status="subscribed"))["bounced_at"] is not None  # a repeated sync tries no address again


async def test_a_batch_tells_what_became_of_each_in_order(api: Api, acme: Organization, rival: Organization) -> None:
    await make_contact(rival, "ada@example.org", first_name="Augusta")
    segment = await make_segment(acme)
    rows: list[Any] = [
        ADA,
        {"email": "bob@example.org", "segments": [str(segment.id)]},
        {"email": "ADA@example.org", "last_name": "King", "segments": [str(segment.id)]},
        {"email": "nobody"},
        {"email": "cy@example.org", "status": "subscribed", "unsubscribed": True},
        7,
    ]
    _, body = await api.post("/v1/contacts/batch", {"contacts": rows})
    assert [row["status"] for row in body["data"]] == ["created", "created", "updated", "error", "error", "error"]
    assert [row.get("message", "")[:12] for row in body["data"][3:]] == ["email is not", "unsubscribed", "must be an o"]
    ids = {row.email: str(row.id) for row in await Contact.of(acme)}
    assert [row["id"] for row in body["data"]] == [ids["ada@example.org"], ids["bob@example.org"]] + [
        ids["ada@example.org"]
    ] + [None] * 3
    assert {str(member.contact_id) for member in await SegmentContact.all()} == set(ids.values())
    assert await batch(api, *rows[:3]) == ["unchanged"] * 3
    assert (await Contact.of(rival).get()).first_name == "Augusta"


@pytest.mark.parametrize("count", [0, 1_001])
async def test_a_batch_has_1_to_1_000_contacts(api: Api, count: int) -> None:
    rows = [{"email": f"c{number}@example.org"} for number in range(count)]
    assert await api.refused("POST", "/v1/contacts/batch", rows) == "contacts"
    assert await Contact.all().count() == 0


async def test_a_batch_needs_few_statements_and_a_repeated_one_writes_nothing(api: Api) -> None:
    rows = [
        {"email": f"c{number}@example.org", "first_name": "C", "properties": {"n": number}} for number in range(500)
    ]
    with count_queries() as statements:
        assert await batch(api, *rows) == ["created"] * 500
    assert len(statements) < 40
    before = await Contact.all().order_by("id").values()
    assert await batch(api, *rows) == ["unchanged"] * 500
    assert await Contact.all().order_by("id").values() == before


async def test_a_batch_names_the_fields_that_it_ignores_once(api: Api) -> None:
    rows = [{"email": f"c{number}@example.org", "firstName": "C"} for number in range(3)]
    _, body = await api.post("/v1/contacts/batch", rows)
    assert body["warnings"] == ["firstName is not a known field and was ignored: did you mean first_name?"]


async def test_a_batch_stops_at_the_plans_limit(api: Api, acme: Organization, settings: Settings) -> None:
    use_plans(settings, {"free": {"max_contacts": 2}})
    await set_plan(acme, "free")
    rows = [{"email": f"c{number}@example.org"} for number in range(3)]
    assert await batch(api, *rows) == ["created", "created", "error"]
    status, body = await api.post("/v1/contacts/upsert", rows[2])
    assert (status, body["limit"]) == (403, "max_contacts")
    assert await batch(api, *rows[:2]) == ["unchanged"] * 2
