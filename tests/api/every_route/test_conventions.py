"""The conventions of the specification: what a create, a list, a look and a delete answer, for every resource."""

import pytest

from tests.api.conftest import Api
from tests.api.every_route.test_every_body import body_of
from tests.factories import make_segment
from webapp.models import Organization

REQUIRED = {
    "accounts": ["name", "provider_type"],  # and more by provider_type: test_accounts.py
    "segments": ["name"],
    "contacts": ["email"],
    "templates": ["name"],
    "campaigns": ["title", "segment_id"],
}


@pytest.mark.parametrize("noun", REQUIRED)
async def test_the_conventions_hold_for(api: Api, acme: Organization, noun: str) -> None:
    body = body_of(f"POST /{noun}", {"segment_id": str((await make_segment(acme)).id)})
    before = (await api.get(f"/v1/{noun}"))[1]["meta"]["total"]
    status, created = await api.post(f"/v1/{noun}", body)
    assert (status, set(created)) == (201, {"data"})
    place = f"/v1/{noun}/{created['data']['id']}"
    assert await api.get(place) == (200, created)
    status, listed = await api.get(f"/v1/{noun}?page=1&page_size=101")
    assert (status, set(listed)) == (200, {"data", "meta"})
    assert listed["meta"] == {"page": 1, "page_size": 100, "total": before + 1}
    assert created["data"] in listed["data"]
    assert await api.delete(place) == (200, {"ok": True})
    for method in ("GET", "DELETE"):
        answer = await api.send(method, place)
        assert (answer.status_code, await answer.get_data()) == (404, b'{"error":"Not found"}')


@pytest.mark.parametrize("noun", REQUIRED)
async def test_what_a_create_lacks_is_named_and_nothing_else_is_required_of(api: Api, noun: str) -> None:
    status, refused = await api.post(f"/v1/{noun}", {})
    assert (status, refused["error"]) == (400, "ValidationError")
    assert refused["message"] == f"{REQUIRED[noun][0]} is required"
    assert refused["details"] == [{"field": name, "message": f"{name} is required"} for name in REQUIRED[noun]]
