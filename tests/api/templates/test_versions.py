"""The versions of a template: made by changes, pruned, looked at and restored."""

import asyncio

from tests.api.conftest import Api
from tests.api.templates.test_kinds import LETTER, MJML, letter, make
from tests.factories import make_template, make_version
from webapp.models import Organization, TemplateVersion

OUTLINE = ["id", "subject", "kind", "saved_at"]


async def test_a_change_of_subject_or_content_makes_a_version(api: Api) -> None:
    made = await make(api, {"name": "x", "subject": "one", "body": "<p>a</p>"})
    path = f"/v1/templates/{made['id']}"
    assert (await api.get(f"{path}/versions"))[1]["meta"]["total"] == 0
    for change in ({"name": "y"}, {"subject": "one"}, {"body": "<p>a</p>", "kind": "html"}, {}):
        await api.patch(path, change)
    assert (await api.get(f"{path}/versions"))[1]["meta"]["total"] == 0
    saved_at = (await api.get(path))[1]["data"]["updated_at"]
    await api.patch(path, {"subject": "two"})
    await api.patch(path, {"kind": "blocks", "blocks": LETTER})
    listed = (await api.get(f"{path}/versions"))[1]["data"]
    assert [(one["subject"], one["kind"]) for one in listed] == [("two", "html"), ("one", "html")]
    assert list(listed[0]) == OUTLINE
    assert listed[1]["saved_at"] == saved_at
    status, answer = await api.get(f"{path}/versions/{listed[1]['id']}")
    assert (status, answer["data"]) == (200, listed[1] | {"body": "<p>a</p>", "blocks": None, "mjml": None})


async def test_every_kind_comes_back_as_it_was(api: Api) -> None:
    made = await make(api, letter(*LETTER))
    path, first = f"/v1/templates/{made['id']}", made
    changes = (
        {"kind": "mjml", "mjml": MJML},
        {"kind": "text", "body": "<b>a</b>"},
        {"kind": "html", "body": "<p>a</p>"},
    )
    states = [first, *[(await api.patch(path, change | {"subject": "s"}))[1]["data"] for change in changes]]
    ids = [one["id"] for one in (await api.get(f"{path}/versions"))[1]["data"]][::-1]
    for version_id, state in zip(ids, states, strict=False):
        status, answer = await api.post(f"{path}/versions/{version_id}/restore")
        assert status == 200, answer
        assert {**answer["data"], "updated_at": ""} == {**state, "updated_at": ""}
    assert (await api.get(f"{path}/versions"))[1]["meta"]["total"] == 6
    newest = (await api.get(f"{path}/versions"))[1]["data"][0]
    assert newest["kind"] == "mjml"  # what it had before the last of them


async def test_the_last_twenty_are_kept_also_of_changes_at_once(api: Api) -> None:
    made = await make(api, {"name": "x", "subject": "0"})
    path = f"/v1/templates/{made['id']}"
    for number in range(1, 20):
        await api.patch(path, {"subject": str(number)})
    await asyncio.gather(*(api.patch(path, {"subject": str(number)}) for number in range(20, 25)))
    listed = (await api.get(f"{path}/versions"))[1]
    assert listed["meta"]["total"] == 20
    assert "0" not in [one["subject"] for one in listed["data"]]
    assert await TemplateVersion.filter(template_id=made["id"]).count() == 20


async def test_versions_belong_to_their_template_and_go_with_it(
    api: Api, rival_api: Api, viewer_api: Api, acme: Organization
) -> None:
    template, other = await make_template(acme), await make_template(acme)
    version = await make_version(template)
    absent = (404, {"error": "Not found"})
    for path in (f"/v1/templates/{other.id}/versions/{version.id}", f"/v1/templates/{template.id}/versions/none"):
        assert await api.get(path) == absent
        assert await api.post(f"{path}/restore") == absent
    path = f"/v1/templates/{template.id}/versions"
    assert await rival_api.get(path) == await rival_api.get(f"{path}/{version.id}") == absent
    assert await rival_api.post(f"{path}/{version.id}/restore") == absent
    assert (await viewer_api.get(f"{path}/{version.id}"))[0] == 200
    assert (await viewer_api.post(f"{path}/{version.id}/restore"))[0] == 403
    assert (await api.delete(f"/v1/templates/{template.id}"))[0] == 200
    assert await TemplateVersion.all().count() == 0
