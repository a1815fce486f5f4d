"""Aliases of templates, which programs use in place of ids, and rendering."""

import asyncio

import pytest

from tests.api.conftest import NOT_FOUND, Api
from tests.factories import make_account, make_segment, make_template
from webapp.models import Email, Organization, Template

WELCOME = {
    "name": "Welcome",
    "alias": "welcome",
    "subject": "Hi {{ name }}",
    "body": "<p>Hi {{ name }}, {{ shop.city }}</p>",
}
VALUES = {"name": "Ada & Bob", "shop": {"city": "London"}}


async def test_an_alias_works_wherever_an_id_does(api: Api, acme: Organization) -> None:
    account, segment = await make_account(acme), await make_segment(acme)
    made = await api.create("/v1/templates", WELCOME)
    assert made["alias"] == "welcome"
    assert (
        await api.get("/v1/templates/welcome") == await api.get(f"/v1/templates/{made['id']}") == (200, {"data": made})
    )
    mail = {"from": "hello@acme.example", "to": "ada@example.org", "account_key": account.account_key}
    template = {"id": "welcome", "variables": VALUES}
    assert (await api.post("/v1/emails", mail | {"template": template}))[0] == 200
    assert (await api.post("/v1/emails/batch", [mail | {"template": template}]))[0] == 200
    assert {str(email.template_id) for email in await Email.all()} == {made["id"]}
    campaign = {"title": "News", "segment_id": str(segment.id), "template_id": "welcome"}
    created = await api.create("/v1/campaigns", campaign)
    assert created["template_id"] == made["id"]
    changed = await api.patch(f"/v1/campaigns/{created['id']}", {"template_id": "welcome"})
    assert changed[1]["data"]["template_id"] == made["id"]
    assert (await api.patch("/v1/templates/welcome", {"alias": "hello", "name": "Hello"}))[1]["data"][
        "alias"
    ] == "hello"
    assert await api.get("/v1/templates/welcome") == (404, NOT_FOUND)
    assert (await api.get("/v1/templates/hello/versions"))[0] == 200
    assert (await api.patch("/v1/templates/hello", {"alias": None}))[1]["data"]["alias"] is None
    assert (await api.delete(f"/v1/templates/{made['id']}"))[0] == 200


@pytest.mark.parametrize(
    "alias",
    ["", "A", "-a", "a b", "a/b", "%41", "\u00e9", "x" * 64, "019a9f6e-5c1a-7cc3-9d6e-0f6f5f3b2a10", 1, "a\n"],
)
async def test_a_bad_alias_is_refused(api: Api, alias: object) -> None:
    assert await api.refused("POST", "/v1/templates", WELCOME | {"alias": alias}) == "alias"


async def test_an_alias_is_unique_in_its_organization(api: Api, rival_api: Api, acme: Organization) -> None:
    answers = await asyncio.gather(*[api.post("/v1/templates", WELCOME) for _ in range(4)])
    assert sorted(status for status, _ in answers) == [201, 400, 400, 400]
    assert {body["message"] for status, body in answers if status == 400} == {"alias is the alias of another template"}
    other = await make_template(acme)
    assert await api.refused("PATCH", f"/v1/templates/{other.id}", {"alias": "welcome"}) == "alias"
    assert (await Template.get(id=other.id)).alias is None
    assert await rival_api.get("/v1/templates/welcome") == (404, NOT_FOUND)
    assert (await rival_api.post("/v1/templates/welcome/render", {}))[0] == 404
    assert (await rival_api.create("/v1/templates", WELCOME))["alias"] == "welcome"


async def test_a_template_is_rendered_as_it_would_be_sent(api: Api, viewer_api: Api) -> None:
    await api.create("/v1/templates", WELCOME)
    status, body = await viewer_api.post("/v1/templates/welcome/render", {"variables": VALUES})
    assert (status, body["data"]) == (
        200,
        {
            "subject": "Hi Ada & Bob",
            "html": "<p>Hi Ada &amp; Bob, London</p>",
            "text": "Hi Ada & Bob, London",
            "missing": [],
        },
    )
    status, body = await viewer_api.post("/v1/templates/welcome/render", {})
    assert (status, body["data"]["subject"], body["data"]["missing"]) == (200, "Hi", ["name", "shop"])


async def test_a_render_is_bounded(api: Api) -> None:
    loop = "{% for a in items %}{% for b in items %}{% for c in items %}{{ text }}{% endfor %}{% endfor %}{% endfor %}"
    await api.create("/v1/templates", WELCOME | {"body": f"<p>{loop}</p>"})
    path = "/v1/templates/welcome/render"
    assert (await api.post(path, {"variables": {"name": "x" * 1024 * 1024}}))[0] == 413
    variables = {"name": "Ada", "items": list(range(1_000)), "text": "x" * 1_000}
    assert await api.refused("POST", path, {"variables": variables}) == "template"
