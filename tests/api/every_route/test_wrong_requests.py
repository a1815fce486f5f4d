"""Mistakes that newcomers make, and what the answer tells them to do."""

import json
from typing import Any

import pytest

from tests.api.conftest import NOT_FOUND, Api
from tests.api.mails import MAIL
from tests.factories import make_contact, make_template
from webapp.models import Account, Email, Organization

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def without(*names: str, **fields: Any) -> dict[str, Any]:
    return {name: value for name, value in MAIL.items() if name not in names} | fields


@pytest.mark.parametrize(
    ("method", "path", "words"),
    [
        ("GET", "/contacts?per_page=10", "per_page is not a query parameter here: did you mean page_size?"),
        ("GET", "/contacts?limit=10", "limit is not a query parameter here: did you mean page_size?"),
        ("GET", "/contacts?offset=10", "offset is not a query parameter here: did you mean page?"),
        ("GET", "/emails?starting_after=10", "starting_after is not a query parameter here: did you mean after?"),
        ("GET", "/emails?page=2", "page is not a query parameter here: use limit, after, before,"),
        ("GET", "/emails?limit=500", "limit must be less than or equal to 100"),
        ("GET", "/contacts?page=0", "page must be greater than or equal to 1"),
        ("GET", "/metrics?from=2026-12-01&to=2026-11-01", "to must be from 0 to 365 days after from"),
        ("PUT", "/contacts/ada@example.org", "PUT is not allowed here: use DELETE or GET or PATCH"),
        ("POST", "/usage", "POST is not allowed here: use GET"),
    ],
)
async def test_a_wrong_address_or_method_names_the_right_one(
    api: Api, acme: Organization, method: str, path: str, words: str
) -> None:
    await make_contact(acme, "ada@example.org")
    status, answer = await api.answer(method, f"/v1{path}")
    assert status in (400, 405)
    assert answer["message"].startswith(words)


@pytest.mark.parametrize(
    ("headers", "body", "status", "words"),
    [
        (FORM, b"email=ada@example.org", 415, "send the body as JSON, with the header Content-Type: application/json"),
        ({"Content-Type": "application/json"}, b" \n", 400, "the body is empty: send JSON, or no Content-Type"),
        ({"Content-Type": "application/json"}, b"{'email': 'a@x.example'}", 400, "the body is not valid JSON: "),
        ({"Content-Type": "application/json"}, b"[]", 400, "the body must be a JSON object"),
    ],
)
async def test_a_body_of_the_wrong_kind_is_told_the_right_one(
    api: Api, headers: dict[str, str], body: bytes, status: int, words: str
) -> None:
    answered, answer = await api.answer("POST", "/v1/contacts", headers=headers, data=body)
    assert (answered, answer["message"][: len(words)]) == (status, words)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (without("subject", subjcet="Hi"), "subjcet is not a known field: did you mean subject?"),
        (MAIL | {"replyTo": "a@x.example"}, "replyTo is not a known field: did you mean reply_to?"),
        (without("text", template_id="welcome"), "template_id is not a known field: did you mean template?"),
        (MAIL | {"to": {"email": "a@x.example"}}, "to must be an address or an array of addresses"),
        (MAIL | {"to": "a@x.example, b@x.example"}, "to.0 must be one address: send several as an array"),
        (MAIL | {"tags": ["order"]}, 'tags.0 must be an object like {"name": "kind", "value": "welcome"}'),
        (MAIL | {"tags": [{"name": "a b", "value": "x"}]}, "tags.0.name must have 1 to 256 letters, digits, _ and -"),
        (without("text", template="welcome"), 'template must be an object like {"id": "welcome"}'),
        (MAIL | {"headers": {"Bcc": "a@x.example"}}, "headers is not valid: the header Bcc may not be set here: use"),
        (MAIL | {"headers": {"Date": "now"}}, "headers is not valid: the header Date may not be set here: Pennypost"),
        (MAIL | {"scheduled_at": 1_790_000_000}, "scheduled_at must be a time like"),
        (MAIL | {"scheduled_at": "31 February 9am"}, "scheduled_at is not understood: use a time like"),
        (MAIL | {"scheduled_at": "yesterday"}, "scheduled_at must be in the future: yesterday is"),
        (
            MAIL | {"attachments": [{"filename": "a", "path": "https://x.example"}]},
            "attachments.0.path is not supported: send the file",
        ),
    ],
)
async def test_a_mistake_in_an_email_is_named_and_nothing_is_sent(
    api: Api, account: Account, body: dict[str, Any], words: str
) -> None:
    status, answer = await api.post("/v1/emails", body)
    assert status == 400
    assert any(fault["message"].startswith(words) for fault in answer["details"]), answer
    if "attachments" in body:
        assert answer["message"].startswith(words)
    assert await Email.all().count() == 0


async def test_an_unknown_type_of_event_is_told_all_types(api: Api) -> None:
    status, answer = await api.post("/v1/webhooks", {"url": "https://example.com/h", "events": ["email.received"]})
    assert (status, answer["details"][0]["field"]) == (400, "events")
    assert "; use * for all, or some of email.scheduled, " in answer["message"]


@pytest.mark.parametrize("path", ["/v1/contact", "/v1/contacts/", "/v1/contacts/123", "/v1/contacts/zoe@example.org"])
async def test_a_path_that_leads_nowhere_is_answered_as_the_contract_says(
    api: Api, rival: Organization, path: str
) -> None:
    await make_contact(rival, "zoe@example.org")
    assert await api.get(path) == (404, NOT_FOUND)


async def test_a_megabyte_of_variables_is_rendered_or_refused_by_size(api: Api, acme: Organization) -> None:
    template = await make_template(acme, body="<p>{{ name }}</p>", subject="Hi")
    path = f"/v1/templates/{template.id}/render"
    for size, expected in ((900_000, 200), (1024 * 1024, 413)):
        status, answer = await api.post(path, {"variables": {"name": "x" * size}})
        assert status == expected, answer.get("message")
    deep = json.loads('{"a":' * 30 + "1" + "}" * 30)
    many = {f"name{number}": deep for number in range(1_000)}
    assert (await api.post(path, {"variables": many | {"name": "Ada"}}))[0] == 200
