"""Bodies that are not what they should be: a status, a sentence, and nothing kept."""

import asyncio
import json
from typing import Any

import pytest
from quart import Quart

from tests.api.conftest import Api
from tests.api.every_route.test_every_body import ACCOUNT
from webapp.models import Account, Email, MailLog, Organization

MIB = 1024 * 1024


@pytest.fixture(autouse=True)
async def nothing_is_kept(acme: Organization) -> Any:
    yield
    assert await Account.all().count() == await Email.all().count() == await MailLog.all().count() == 0


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
        {"field": "provider_type", "message": "provider_type must be 'smtp' or 'google'"},
        {"field": "daily_mail_limit", "message": "daily_mail_limit must be an integer"},
    ]
