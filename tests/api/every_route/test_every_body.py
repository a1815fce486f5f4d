"""Every route that takes a body refuses a bad one with a status and a sentence that says what is wrong."""

import asyncio
import json
import re
from typing import Any

import pytest
from quart import Quart
from quart_schema.validation import QUART_SCHEMA_REQUEST_ATTRIBUTE

from tests.api.conftest import Api
from tests.api.every_route.test_matrix import PATHS, bare
from tests.api.mails import MAIL
from tests.factories import make_account, make_one_of_each
from webapp.models import Account, Organization

MIB = 1024 * 1024
ACCOUNT = {"name": "Main", "provider_type": "smtp", "smtp_host": "127.0.0.1", "smtp_port": 25}
# Each route with a body that it takes; "$name" is an id.
OTHERS: dict[str, dict[str, Any]] = {
    "POST /accounts": ACCOUNT,
    "POST /segments": {"name": "Readers"},
    "POST /contacts": {"email": "ada@example.org"},
    "POST /contacts/upsert": {"email": "ada@example.org"},
    "POST /contacts/batch": {"contacts": [{"email": "ada@example.org"}]},
    "POST /forms": {"name": "Newsletter"},
    "POST /topics": {"name": "Product news", "default_subscription": "opt_in"},
    "POST /templates": {"name": "Welcome"},
    "PATCH /brand": {"width": 640},
    "POST /campaigns": {"title": "News", "segment_id": "$segment_id"},
    "POST /webhooks": {"url": "https://example.com/hooks", "events": ["*"]},
    "POST /suppressions": {"email": "new@example.org"},
    "POST /suppressions/batch": {"add": ["new@example.org"]},
    **{route: body for route, body in PATHS.items() if body},
}
# Where ignoring a field could send the wrong mail.
SENDS: dict[str, dict[str, Any]] = {
    "POST /emails": MAIL,
    "POST /emails/batch": {"emails": [MAIL]},
    "POST /campaigns/<campaign_id>/send": {"send_now": True},
    "POST /compose": {
        "account_key": "$account_key",
        "subject": "Hello",
        "body": "Hello",
        "recipients": {"emails": ["ada@example.org"]},
    },
}
BODIES = OTHERS | SENDS
UPLOAD = "POST /media"  # of a form with a file: tests/api/media


@pytest.fixture
async def ids(acme: Organization) -> dict[str, str]:
    """One of everything, with a member for the campaign's segment."""
    return await make_one_of_each(acme, await make_account(acme))


def place(route: str, ids: dict[str, str]) -> tuple[str, str]:
    """Method and path on the older address, which has every route."""
    method, path = re.sub(r"<(\w+)>", lambda found: ids[found[1]], route).split()
    return method, f"/api/v1{path}"


def body_of(route: str, ids: dict[str, str]) -> dict[str, Any]:
    """The body that the route takes, with ids in it."""
    return {
        name: ids[value[1:]] if isinstance(value, str) and value.startswith("$") else value
        for name, value in BODIES[route].items()
    }


async def send(api: Api, where: tuple[str, str], body: bytes, kind: str = "application/json") -> tuple[int, Any]:
    return await api.answer(*where, data=body, headers={"Content-Type": kind})


def test_every_route_with_a_body_is_here(app: Quart) -> None:
    found = {
        f"{method} {bare(rule.rule).removeprefix('/api/v1')}"
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/v1/")
        and hasattr(app.view_functions[rule.endpoint], QUART_SCHEMA_REQUEST_ATTRIBUTE)
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert found == {*BODIES, UPLOAD}


@pytest.mark.parametrize("route", OTHERS)
async def test_an_unknown_field_is_ignored(api: Api, ids: dict[str, str], route: str) -> None:
    status, answer = await api.answer(*place(route, ids), json=body_of(route, ids) | {"x_unknown": {"a": [1]}})
    assert status in (200, 201, 202), answer
    assert answer.pop("warnings") == ["x_unknown is not a known field and was ignored"]
    assert "x_unknown" not in json.dumps(answer)


@pytest.mark.parametrize(
    ("field", "nearest"),
    [
        ("firstName", "first_name"),
        ("frist_name", "first_name"),
        ("customFields", "custom_fields"),
        ("STATUS", "status"),
    ],
)
async def test_a_warning_names_the_nearest_field(api: Api, field: str, nearest: str) -> None:
    body = {"email": "ada@example.org", field: "Ada"}
    status, answer = await api.post("/v1/contacts", body)
    assert (status, answer["warnings"]) == (
        201,
        [f"{field} is not a known field and was ignored: did you mean {nearest}?"],
    )


async def test_20_fields_are_named_at_most(api: Api) -> None:
    unknown = {f"{'x' * 5_000}{number}": 1 for number in range(150)}
    status, answer = await api.post("/v1/segments", {"name": "Readers"} | unknown)
    assert (status, len(answer["warnings"])) == (201, 20)
    assert max(map(len, answer["warnings"])) < 300


async def test_a_created_resource_has_a_location(api: Api, ids: dict[str, str]) -> None:
    for route in OTHERS:
        method, path = place(route, ids)
        response = await api.send(method, path, json=body_of(route, ids) | {"email": "grace@example.org"})
        if response.status_code == 201:
            location = response.headers["Location"]
            assert location == f"{path}/{(await response.get_json())['data']['id']}"
            assert (await api.get(location))[0] == 200
        else:
            assert "Location" not in response.headers


async def test_an_unknown_field_of_a_send_is_refused(api: Api, ids: dict[str, str]) -> None:
    for route in SENDS:
        status, answer = await api.answer(*place(route, ids), json=body_of(route, ids) | {"x_unknown": 1})
        assert (status, answer["error"]) == (400, "ValidationError"), route
        assert "x_unknown is not a known field" in [fault["message"] for fault in answer["details"]], route


async def test_what_is_not_json_is_refused(api: Api, ids: dict[str, str]) -> None:
    for route in BODIES:
        where = place(route, ids)
        for raw in (b"{", b'{"x":' * 33 + b"1" + b"}" * 33):  # others: MALFORMED
            status, answer = await send(api, where, raw)
            assert (status, answer["error"], answer["details"][0]["field"]) == (400, "ValidationError", "body"), route
        status, answer = await send(api, where, json.dumps(body_of(route, ids)).encode(), "text/json")
        assert (status, answer["error"]) == (415, "UnsupportedMediaType"), route


async def test_a_body_of_a_mib_is_taken_and_one_byte_more_is_not(api: Api, ids: dict[str, str]) -> None:
    for route in OTHERS:
        raw = json.dumps(body_of(route, ids)).encode()
        status, answer = await send(api, place(route, ids), raw.ljust(MIB + 1))
        assert (status, answer["error"]) == (413, "PayloadTooLarge"), route
        assert (await send(api, place(route, ids), raw.ljust(MIB)))[0] in (200, 201, 202), route


async def test_a_send_may_have_40_mib_and_not_a_byte_more(api: Api, ids: dict[str, str]) -> None:
    for route in SENDS:
        raw = json.dumps(body_of(route, ids)).encode()
        status, answer = await send(api, place(route, ids), raw.ljust(40 * MIB + 1))
        assert (status, answer["error"]) == (413, "PayloadTooLarge"), route
        most = 40 if route == "POST /emails" else 2  # which is enough to see that it is none of the others
        assert (await send(api, place(route, ids), raw.ljust(most * MIB)))[0] in (200, 503)  # compose: nothing serves


async def test_a_body_of_32_levels_is_taken(api: Api) -> None:
    deep = b'{"name": "Readers", "x_unknown": ' + b"[" * 31 + b"]" * 31 + b"}"
    assert (await api.post_raw("/v1/segments", deep))[0] == 201
    assert (await api.post_raw("/v1/segments", deep.replace(b"[]", b"[[]]")))[0] == 400


def test_a_body_has_60_seconds_to_arrive(app: Quart) -> None:
    assert app.config["BODY_TIMEOUT"] == 60  # which tests of the refusal shorten


MALFORMED = {
    "nothing": b"",
    "no JSON": b"{name: 1}",
    "two values": b"{} {}",
    "invalid UTF-8": b'{"name": "\xff"}',
    "UTF-16": '{"name": "x"}'.encode("utf-16"),
    "NaN": b'{"daily_mail_limit": NaN}',
    "a number beyond floats": b'{"daily_mail_limit": 1e999}',
    "an escaped NUL": b'{"name": "a\\u0000"}',
    "a lone surrogate in a key": b'{"\\uDFFF": 1}',
    "33 levels": b'{"name": ' + b"[" * 32 + b"]" * 32 + b"}",
    "200,000 levels and no end": b"[" * 200_000,
    "300,000 arrays": b'{"name": [' + b"[]," * 300_000 + b"[]]}",
    "a key twice": b'{"name": "a", "name": "b"}',
    "a 5,000-digit number": b'{"daily_mail_limit": ' + b"9" * 5_000 + b"}",
    "a string": b'"name"',
    "an array": b"[]",
}


async def test_what_is_no_json_object_is_refused(api: Api) -> None:
    for name, body in MALFORMED.items():
        status, answer = await api.post_raw("/v1/accounts", body)
        assert (status, answer["error"]) == (400, "ValidationError"), name
        assert answer["details"][0]["field"] == "body", name
        assert answer["message"] == answer["details"][0]["message"]
    assert await Account.all().count() == 0


async def test_another_content_type_is_refused(api: Api) -> None:
    for kind in (None, "text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin-1"):
        status, answer = await api.post_raw("/v1/accounts", json.dumps(ACCOUNT).encode(), kind)
        assert (status, answer["error"]) == (415, "UnsupportedMediaType"), kind


async def test_a_post_without_a_body_needs_no_content_type(api: Api) -> None:
    status, answer = await api.answer("POST", "/v1/accounts")
    assert (status, answer["message"]) == (400, "name is required")


async def test_a_body_without_a_length_is_refused_at_the_first_byte_too_many(api: Api, app: Quart) -> None:
    headers = {"Authorization": f"Bearer {api.key}", "Content-Type": "application/json", "Transfer-Encoding": "chunked"}
    async with app.test_client().request("/v1/accounts", method="POST", headers=headers) as connection:
        for _ in range(17):
            await connection.send(b" " * (MIB // 16))
            await asyncio.sleep(0)
        assert b"PayloadTooLarge" in await asyncio.wait_for(connection.receive(), 30)
        assert connection.status_code == 413


async def test_a_body_that_never_ends_is_refused_in_time(api: Api, app: Quart) -> None:
    app.config["BODY_TIMEOUT"] = 0.2
    headers = {"Authorization": f"Bearer {api.key}", "Content-Type": "application/json", "Content-Length": "100"}
    async with app.test_client().request("/v1/accounts", method="POST", headers=headers) as connection:
        await connection.send(b"{")
        assert b"RequestTimeout" in await asyncio.wait_for(connection.receive(), 30)
        assert connection.status_code == 408


async def test_every_bad_field_is_listed(api: Api) -> None:
    status, answer = await api.post("/v1/accounts", {"provider_type": "fax", "daily_mail_limit": "5"})
    assert (status, answer["error"], answer["message"]) == (400, "ValidationError", "name is required")
    assert answer["details"] == [
        {"field": "name", "message": "name is required"},
        {"field": "provider_type", "message": "provider_type must be 'smtp', 'google' or 'microsoft'"},
        {"field": "daily_mail_limit", "message": "daily_mail_limit must be an integer"},
    ]
