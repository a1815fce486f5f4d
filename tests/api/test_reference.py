"""/reference, the page made from the OpenAPI document."""

import ast
import json
import re
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag

from tests.api.conftest import Api
from webapp.config import Settings


@pytest.fixture
async def page(nobody: Api) -> BeautifulSoup:
    response = await nobody.send("GET", "/reference", headers={"Accept": "text/html"})
    assert response.status_code == 200
    return BeautifulSoup(await response.get_data(), "html.parser")


@pytest.fixture
async def operations(nobody: Api) -> list[tuple[str, str, dict[str, Any]]]:
    """Method, path and description of everything that is documented."""
    _, described = await nobody.get("/openapi.json")
    return [
        (method.upper(), path, operation)
        for path, of_path in described["paths"].items()
        for method, operation in of_path.items()
    ]


def sample(page: BeautifulSoup, language: str, operation: dict[str, Any]) -> str:
    found = page.find(id=f"{language}-{operation['operationId']}")
    assert isinstance(found, Tag)
    return found.get_text()


def example_of(operation: dict[str, Any]) -> Any:
    """The body of the samples, where there is one."""
    return operation["requestBody"]["content"]["application/json"]["example"] if "requestBody" in operation else None


async def test_every_operation_is_told_with_samples_for_this_instance(
    page: BeautifulSoup, operations: list[tuple[str, str, dict[str, Any]]], settings: Settings
) -> None:
    assert len(page.find_all("article")) == len(operations)
    for method, path, operation in operations:
        article = page.find(id=operation["operationId"])
        assert isinstance(article, Tag)
        assert article.h3.get_text(" ", strip=True) == f"{method} {path}"
        for language in ("curl", "python", "node"):
            text = sample(page, language, operation)
            assert re.search(
                re.escape(settings.base_url) + re.sub(r"\{\w+\}", r"[0-9a-f-]{36}", path) + r"[\s\"]?", text
            )
            assert ("PENNYPOST_API_KEY" in text) == (path != "/v1")
        for status in operation["responses"]:
            assert status in article.get_text()


async def test_the_python_samples_are_python_and_send_the_documented_example(
    page: BeautifulSoup, operations: list[tuple[str, str, dict[str, Any]]]
) -> None:
    for method, _, operation in operations:
        tree = ast.parse(sample(page, "python", operation))
        (call,) = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and len(node.keywords) > 0]
        assert ast.unparse(call.func) == f"requests.{method.lower()}"
        sent = next((ast.literal_eval(one.value) for one in call.keywords if one.arg == "json"), None)
        assert sent == example_of(operation)


async def test_the_other_samples_send_the_documented_example_as_json(
    page: BeautifulSoup, operations: list[tuple[str, str, dict[str, Any]]]
) -> None:
    bodies = {"curl": r"-d '(.+)'$", "node": r"JSON\.stringify\((.+)\),$"}
    for _, _, operation in operations:
        for language, pattern in bodies.items():
            found = re.search(pattern, sample(page, language, operation), re.DOTALL | re.MULTILINE)
            sent = json.loads(found[1].replace("'\\''", "'")) if found else None
            assert sent == example_of(operation)


async def test_the_language_of_the_samples_is_chosen_without_a_script(nobody: Api) -> None:
    for query, chosen in (("", "curl"), ("?language=node", "node"), ("?language=cobol", "curl")):
        response = await nobody.send("GET", f"/reference{query}", headers={"Accept": "text/html"})
        page = BeautifulSoup(await response.get_data(), "html.parser")
        for tabs in page.find_all("fieldset"):
            inputs = tabs.find_all("input", type="radio")
            assert len({one["name"] for one in inputs}) == 1
            assert [one["id"].partition("-")[0] for one in inputs] == ["curl", "python", "node"]
            assert [one["id"].partition("-")[0] for one in inputs if one.has_attr("checked")] == [chosen]
            assert [label["for"] for label in tabs.find_all("label")] == [one["id"] for one in inputs]


async def test_the_fields_of_a_body_have_types_and_words(page: BeautifulSoup) -> None:
    rows = {
        row.td.get_text(" ", strip=True): row.get_text(" ", strip=True)
        for row in page.find(id="emails_create").find_all("tr")
        if row.td is not None
    }
    assert set(rows) >= {"from required", "to required", "html", "template.id required", "tags[].name required"}
    assert "string or array of strings" in rows["to required"]
    assert "attachments[].content required" in rows


async def test_what_is_left_out_of_a_change_has_no_default(
    page: BeautifulSoup, operations: list[tuple[str, str, dict[str, Any]]]
) -> None:
    changed = [page.find(id=operation["operationId"]) for method, _, operation in operations if method == "PATCH"]
    assert len(changed) >= 4
    for article in changed:
        assert isinstance(article, Tag)
        assert "Default:" not in article.get_text()


async def test_every_error_says_when_it_comes(page: BeautifulSoup) -> None:
    rows = [[cell.get_text(" ", strip=True) for cell in row.select("td")] for row in page.select("#errors tbody tr")]
    when = {(int(status), name): text for status, name, text in rows}
    assert len(when) == len(rows) >= 15
    assert (
        when[401, "Unauthorized"]
        == "The API key is missing, invalid, expired or revoked; the response does not say which."
    )
    assert when[404, "Not found"] == "The path does not exist, or the resource does not exist in the organization."


async def test_every_part_is_named_above_and_a_stranger_may_sign_in(page: BeautifulSoup) -> None:
    parts = {link["href"].removeprefix("#") for link in page.select("nav[aria-label='Reference sections'] a")}
    assert parts == {section["id"] for section in page.select("main > section")}
    assert page.select_one("main a[href='/sign-in']")


async def test_no_script_or_style_stands_in_the_page(page: BeautifulSoup) -> None:
    assert not page.find_all("style")
    assert all(script.get("src") for script in page.find_all("script"))
    assert not page.find_all(style=True)
