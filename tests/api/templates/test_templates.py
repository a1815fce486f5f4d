"""/v1/templates."""

import asyncio
import threading
from typing import Any
from uuid import uuid4

import pytest
from quart import Quart

from tests.api.conftest import Api, make_api
from tests.factories import make_campaign, make_template
from tests.queries import count_queries
from webapp.domain.roles import Role
from webapp.models import Campaign, Organization, Template

WELCOME = {"name": "Welcome", "subject": "Hello {{ first_name }}", "body": "<p>{{ first_name }}, {{ city }}</p>"}
FIELDS = ["id", "name", "subject", "kind", "body", "blocks", "mjml", "variables", "created_at", "updated_at"]


async def make(api: Api, **fields: Any) -> dict[str, Any]:
    status, body = await api.post("/v1/templates", WELCOME | fields)
    assert status == 201, body
    found: dict[str, Any] = body["data"]
    return found


async def test_a_template_is_made_with_its_variables(api: Api) -> None:
    made = await make(api)
    assert list(made) == FIELDS
    assert made == {
        **WELCOME,
        "id": made["id"],
        "kind": "html",
        "blocks": None,
        "mjml": None,
        "variables": ["first_name", "city"],
        "created_at": made["created_at"],
        "updated_at": made["updated_at"],
    }
    assert await api.get(f"/v1/templates/{made['id']}") == (200, {"data": made})


async def test_a_template_needs_a_name_alone(api: Api) -> None:
    status, body = await api.post("/v1/templates", {"name": " Empty "})
    assert status == 201
    made = {name: body["data"][name] for name in ("name", "subject", "body", "variables")}
    assert made == {"name": "Empty", "subject": "", "body": "", "variables": []}
    status, body = await api.post("/v1/templates", {"subject": "Hello"})
    assert (status, body["message"]) == (400, "name is required")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "  "}, "name"),
        ({"name": None}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"subject": None}, "subject"),
        ({"subject": 7}, "subject"),
        ({"subject": "a\rb"}, "subject"),
        ({"subject": "a\nb"}, "subject"),
        ({"subject": "x" * 999}, "subject"),
        ({"body": None}, "body"),
        ({"body": ["<p>"]}, "body"),
        ({"body": "x" * 500_001}, "body"),
    ],
)
async def test_a_bad_field_is_named(api: Api, change: dict[str, Any], field: str) -> None:
    for status, body in (
        await api.post("/v1/templates", WELCOME | change),
        await api.patch(f"/v1/templates/{(await make(api))['id']}", change),
    ):
        assert (status, body["error"], body["details"][0]["field"]) == (400, "ValidationError", field)
        assert body["message"].startswith(field)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"subject": "Hello {{ first_name"},
            "subject has an error at line 1, column 7: unclosed tag; add }}",
        ),
        (
            {"body": "<p>\n  {% if x %}\n  {% include 'other' %}"},
            "body has an error at line 3, column 3: unexpected tag 'include'",
        ),
        (
            {"body": "<p>{{ x | safe }}</p>"},
            "body has an error at line 1, column 11: unknown filter 'safe'",
        ),
    ],
)
async def test_a_template_that_does_not_parse_is_400_with_line_and_column(
    api: Api, change: dict[str, str], message: str
) -> None:
    status, body = await api.post("/v1/templates", WELCOME | change)
    assert (status, body["message"]) == (400, message)
    made = await make(api)
    assert await api.patch(f"/v1/templates/{made['id']}", change) == (400, body)
    assert await api.get(f"/v1/templates/{made['id']}") == (200, {"data": made})


async def test_a_template_beyond_all_measure_is_refused_at_once(api: Api) -> None:
    loop = asyncio.get_running_loop()
    for body in ("{% if a %}" * 50_000, "{{" * 250_000, "{% raw %}" * 55_000, "{{" + " " * 499_000, "{{ [" * 125_000):
        start = loop.time()
        status, answer = await api.post("/v1/templates", {"name": "x", "body": body})
        assert (status, answer["details"][0]["field"]) == (400, "body")
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


async def test_faults_of_subject_and_body_are_told_together(api: Api) -> None:
    status, answer = await api.post("/v1/templates", {"name": "x", "subject": "{{", "body": "{%"})
    assert (status, [detail["field"] for detail in answer["details"]]) == (400, ["subject", "body"])


async def test_a_large_template_leaves_the_loop_to_others(api: Api) -> None:
    """Its tags are parsed in threads of their own."""
    body = ("{{ a" + " | append: b" * 70 + " }}" + " " * 1_000) * 17
    made = await make(api, body=body)
    assert made["variables"] == ["first_name", "a", "b"]
    assert any(thread.name.startswith("render") for thread in threading.enumerate())


@pytest.mark.parametrize("field", ["name", "subject", "body"])
async def test_nul_is_refused(api: Api, field: str) -> None:
    assert (await api.post("/v1/templates", WELCOME | {field: "a\x00b"}))[0] == 400


async def test_unknown_fields_are_ignored(api: Api) -> None:
    made = await make(api, id=str(uuid4()), variables=["made", "up"], colour="red")
    assert made["variables"] == ["first_name", "city"]


async def test_a_change_leaves_what_is_not_given(api: Api) -> None:
    made = await make(api)
    status, body = await api.patch(f"/v1/templates/{made['id']}", {"name": "Other"})
    assert (status, body["data"]) == (200, made | {"name": "Other", "updated_at": body["data"]["updated_at"]})
    assert body["data"]["updated_at"] > made["updated_at"]
    status, body = await api.patch(f"/v1/templates/{made['id']}", {})
    assert (status, body["data"]["name"]) == (200, "Other")


async def test_a_change_finds_the_variables_anew(api: Api) -> None:
    made = await make(api)
    status, body = await api.patch(f"/v1/templates/{made['id']}", {"body": "{{ last_name }}"})
    assert (status, body["data"]["variables"]) == (200, ["first_name", "last_name"])
    status, body = await api.patch(f"/v1/templates/{made['id']}", {"subject": "", "body": ""})
    assert (status, body["data"]["variables"]) == (200, [])


async def test_two_changes_at_once_both_stay(api: Api) -> None:
    made = await make(api)
    answers = await asyncio.gather(
        api.patch(f"/v1/templates/{made['id']}", {"subject": "{{ a }}"}),
        api.patch(f"/v1/templates/{made['id']}", {"body": "{{ b }}"}),
    )
    assert [status for status, _ in answers] == [200, 200]
    _, body = await api.get(f"/v1/templates/{made['id']}")
    assert [body["data"][name] for name in ("subject", "body", "variables")] == ["{{ a }}", "{{ b }}", ["a", "b"]]


async def test_templates_are_listed_newest_first_in_pages(api: Api, acme: Organization, rival: Organization) -> None:
    made = [await make(api, name=f"T{number}") for number in range(3)]
    await make_template(rival)
    assert await api.get("/v1/templates") == (
        200,
        {"data": made[::-1], "meta": {"page": 1, "page_size": 50, "total": 3}},
    )
    assert await api.get("/v1/templates?page=2&page_size=2") == (
        200,
        {"data": made[:1], "meta": {"page": 2, "page_size": 2, "total": 3}},
    )
    assert (await api.get("/v1/templates?page=0"))[0] == 400
    assert (await api.get("/v1/templates?page_size=101"))[1]["meta"]["page_size"] == 100


async def test_a_list_takes_as_many_queries_whatever_its_length(api: Api, acme: Organization) -> None:
    async def queries() -> int:
        with count_queries() as found:
            await api.get("/v1/templates")
        return len(found)

    await make_template(acme)
    await queries()  # which reads the key
    few = await queries()
    for _ in range(5):
        await make_template(acme)
    assert await queries() == few


async def test_a_deleted_template_is_gone(api: Api) -> None:
    made = await make(api)
    assert await api.delete(f"/v1/templates/{made['id']}") == (200, {"ok": True})
    for method in ("GET", "PATCH", "DELETE"):
        kwargs = {"json": {}} if method == "PATCH" else {}
        assert await api.answer(method, f"/v1/templates/{made['id']}", **kwargs) == (404, {"error": "Not found"})


async def test_a_campaign_keeps_nothing_of_a_deleted_template(api: Api, acme: Organization) -> None:
    template, other = await make_template(acme), await make_template(acme)
    campaign = await make_campaign(acme, template=template)
    untouched = await make_campaign(acme, template=other)
    assert await api.delete(f"/v1/templates/{template.id}") == (200, {"ok": True})
    assert (await Campaign.get(id=campaign.id)).template_id is None
    assert (await Campaign.get(id=untouched.id)).template_id == other.id


async def test_another_organizations_template_is_absent(rival_api: Api, acme: Organization) -> None:
    template = await make_template(acme)
    for template_id in (template.id, uuid4(), "none", str(template.id).replace("-", "")):
        path = f"/v1/templates/{template_id}"
        assert await rival_api.get(path) == (404, {"error": "Not found"})
        assert await rival_api.patch(path, {"name": "Stolen"}) == (404, {"error": "Not found"})
        assert await rival_api.delete(path) == (404, {"error": "Not found"})
    assert (await rival_api.get("/v1/templates"))[1]["meta"]["total"] == 0
    assert (await Template.get(id=template.id)).name == "Welcome"


async def test_a_viewer_reads_and_an_editor_writes(
    app: Quart, acme: Organization, viewer_api: Api, sender_api: Api
) -> None:
    path = f"/v1/templates/{(await make_template(acme)).id}"
    for reader in (viewer_api, sender_api):
        assert (await reader.get("/v1/templates"))[0] == 200
        assert (await reader.get(path))[0] == 200
        for status, body in (
            await reader.post("/v1/templates", WELCOME),
            await reader.patch(path, {"name": "x"}),
            await reader.delete(path),
        ):
            assert (status, body["error"]) == (403, "Forbidden")
            assert "editor" in body["message"]
    editor = await make_api(app, acme, Role.EDITOR)
    assert (await editor.post("/v1/templates", WELCOME))[0] == 201
    assert (await editor.patch(path, {"name": "x"}))[0] == 200
    assert (await editor.delete(path))[0] == 200


async def test_max_templates_of_the_plan_is_kept(api: Api, acme: Organization, rival: Organization) -> None:
    acme.plan = "free"
    await acme.save()
    ids = [(await make(api))["id"] for _ in range(10)]
    status, body = await api.post("/v1/templates", WELCOME)
    assert (status, body["error"]) == (403, "PlanLimitExceeded")
    assert (body["limit"], body["max"], body["current"]) == ("max_templates", 10, 10)
    assert (await api.post("/v1/templates", {"subject": "{{"}))[0] == 400  # a bad body is told first
    assert (await api.patch(f"/v1/templates/{ids[0]}", {"name": "x"}))[0] == 200
    await api.delete(f"/v1/templates/{ids[0]}")
    await api.delete(f"/v1/templates/{ids[0]}")
    answers = await asyncio.gather(*(api.post("/v1/templates", WELCOME) for _ in range(3)))
    assert sorted(status for status, _ in answers) == [201, 403, 403]
    assert await Template.filter(org_id=acme.id).count() == 10


async def test_the_legacy_address_has_the_same_templates(api: Api) -> None:
    made = await make(api)
    assert await api.get(f"/api/v1/templates/{made['id']}") == (200, {"data": made})
