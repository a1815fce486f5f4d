"""/v1/templates."""

import asyncio
from typing import Any

from tests.api.conftest import Api
from tests.factories import make_template
from webapp.models import Organization

WELCOME = {"name": "Welcome", "subject": "Hello {{ first_name }}", "body": "<p>{{ first_name }}, {{ city }}</p>"}
FIELDS = ["id", "name", "alias", "subject", "kind", "body", "blocks", "mjml", "variables", "created_at", "updated_at"]


async def make(api: Api, **fields: Any) -> dict[str, Any]:
    return await api.create("/v1/templates", WELCOME | fields)


async def test_a_template_is_made_with_its_variables(api: Api) -> None:
    made = await make(api)
    assert list(made) == FIELDS
    unset = {"blocks": None, "mjml": None}
    assert made.items() >= (WELCOME | unset | {"kind": "html", "variables": ["first_name", "city"]}).items()
    assert await api.get(f"/v1/templates/{made['id']}") == (200, {"data": made})


async def test_a_bad_field_is_named(api: Api) -> None:
    made = await make(api)
    bad: dict[str, list[Any]] = {
        "name": ["  ", None, "a\nb", "x" * 201],
        "subject": [None, "a\rb", "x" * 999],
        "body": [None, "x" * 500_001],
    }
    for field, value in ((field, value) for field, values in bad.items() for value in values):
        for status, body in (
            await api.post("/v1/templates", WELCOME | {field: value}),
            await api.patch(f"/v1/templates/{made['id']}", {field: value}),
        ):
            assert (status, body["error"], body["details"][0]["field"]) == (400, "ValidationError", field)
            assert body["message"].startswith(field)


async def test_a_template_that_does_not_parse_is_400_with_line_and_column(api: Api) -> None:
    made = await make(api)
    for field, text, message in (
        ("subject", "Hello {{ first_name", "subject has an error at line 1, column 7: unclosed tag; add }}"),
        ("body", "<p>\n  {% include 'x' %}", "body has an error at line 2, column 3: unexpected tag 'include'"),
    ):
        status, body = await api.post("/v1/templates", WELCOME | {field: text})
        assert (status, body["message"]) == (400, message)
        assert await api.patch(f"/v1/templates/{made['id']}", {field: text}) == (400, body)
    assert await api.get(f"/v1/templates/{made['id']}") == (200, {"data": made})
    _, answer = await api.post("/v1/templates", {"name": "x", "subject": "{{", "body": "{%"})
    assert [detail["field"] for detail in answer["details"]] == ["subject", "body"]


async def test_a_template_beyond_all_measure_is_refused_at_once(api: Api) -> None:
    loop = asyncio.get_running_loop()
    for body in ("{% if a %}" * 50_000, "{% raw %}" * 55_000, "{{" + " " * 499_000, "{{ [" * 125_000):
        start = loop.time()
        assert await api.refused("POST", "/v1/templates", {"name": "x", "body": body}) == "body"
        assert loop.time() - start < 10  # in the square of its length, one of these takes minutes
    assert (await api.post("/v1/templates", {"name": "x", "body": "{{ a }}" * 200_000}))[0] == 413


async def test_a_template_with_more_tags_than_can_be_parsed_at_once_is_refused(api: Api) -> None:
    body = "<p>" + ("{{ a" + " | append: b" * 70 + " }}") * 145
    status, answer = await api.post("/v1/templates", {"name": "x", "body": body})
    assert (status, answer["details"][0]["field"]) == (400, "body")
    assert "the tags have more than 5,000 words and symbols" in answer["message"]


async def test_a_change_of_the_name_parses_nothing(api: Api, acme: Organization) -> None:
    template = await make_template(acme, body="{{ kept from before", variables=["before"])
    status, answer = await api.patch(f"/v1/templates/{template.id}", {"name": "Other"})
    assert (status, answer["data"]["name"], answer["data"]["variables"]) == (200, "Other", ["before"])
    status, answer = await api.patch(f"/v1/templates/{template.id}", {"subject": "{{ a }}"})
    assert (status, answer["details"][0]["field"]) == (400, "body")


async def test_a_change_finds_the_variables_anew(api: Api) -> None:
    made = await make(api)
    status, body = await api.patch(f"/v1/templates/{made['id']}", {"body": "{{ last_name }}"})
    assert (status, body["data"]["subject"], body["data"]["variables"]) == (
        200,
        made["subject"],
        ["first_name", "last_name"],
    )


async def test_two_changes_at_once_both_stay(api: Api) -> None:
    made = await make(api)
    answers = await asyncio.gather(
        api.patch(f"/v1/templates/{made['id']}", {"subject": "{{ a }}"}),
        api.patch(f"/v1/templates/{made['id']}", {"body": "{{ b }}"}),
    )
    assert [status for status, _ in answers] == [200, 200]
    _, body = await api.get(f"/v1/templates/{made['id']}")
    assert [body["data"][name] for name in ("subject", "body", "variables")] == ["{{ a }}", "{{ b }}", ["a", "b"]]
