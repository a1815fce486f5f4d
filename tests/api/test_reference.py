"""/reference, the pages made from the OpenAPI document."""

import ast
import json
import re
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag

from tests.api.conftest import Api
from webapp.config import Settings

Operations = list[tuple[str, str, dict[str, Any]]]
_read: dict[str, BeautifulSoup] = {}  # pages that are the same for every test


async def read(keyless: Api, path: str) -> BeautifulSoup:
    if path not in _read:
        response = await keyless.send("GET", path, headers={"Accept": "text/html"})
        assert response.status_code == 200, path
        _read[path] = BeautifulSoup(await response.get_data(), "html.parser")
    return _read[path]


@pytest.fixture
async def overview(keyless: Api) -> BeautifulSoup:
    return await read(keyless, "/reference")


@pytest.fixture
async def pages(keyless: Api, overview: BeautifulSoup) -> dict[str, BeautifulSoup]:
    """The pages of the nouns, by their paths."""
    links = [str(link["href"]) for link in overview.select(".reference-side > nav > ul > li > a")]
    return {path: await read(keyless, path) for path in links if path != "/reference"}


@pytest.fixture
def articles(pages: dict[str, BeautifulSoup]) -> dict[str, Tag]:
    """The text about each operation, by its id."""
    return {str(one["id"]): one for page in pages.values() for one in page.find_all("article")}


@pytest.fixture
async def operations(keyless: Api) -> Operations:
    """Method, path and description of everything that is documented."""
    paths = (await keyless._document())["paths"]
    return [
        (method.upper(), path, operation) for path, of_path in paths.items() for method, operation in of_path.items()
    ]


def sample(articles: dict[str, Tag], language: str, operation: dict[str, Any]) -> str:
    found = articles[operation["operationId"]].find(id=f"{language}-{operation['operationId']}")
    assert isinstance(found, Tag)
    return found.get_text()


def example_of(operation: dict[str, Any]) -> Any:
    """The body of the samples, where there is one."""
    content = operation.get("requestBody", {}).get("content", {})
    return content["application/json"]["example"] if "application/json" in content else None


# How the samples of an upload send the field beside its file.
UPLOADED = {"curl": "-F scale=true", "python": 'data={"scale": "true"},', "node": 'form.set("scale", "true");'}


async def test_every_operation_is_told_with_samples_for_this_instance_that_send_the_documented_example(
    articles: dict[str, Tag], operations: Operations, settings: Settings
) -> None:
    bodies = {"curl": r"-d '(.+)'$", "node": r"JSON\.stringify\((.+)\),$"}
    for method, path, operation in operations:
        article = articles[operation["operationId"]]
        assert article.h2
        assert " ".join(part.get_text() for part in article.h2.select("span, code")) == f"{method} {path}"
        assert [status for status in operation["responses"] if status not in article.get_text()] == [], path
        place = re.escape(settings.base_url) + re.sub(r"\{\w+\}", r"[0-9a-f-]{36}", path) + r"[\s\"]?"
        for language in ("curl", "python", "node"):
            text = sample(articles, language, operation)
            assert re.search(place, text)
            assert ("PENNYPOST_API_KEY" in text) == (path != "/v1")
            if "multipart/form-data" in operation.get("requestBody", {}).get("content", {}):
                assert "spring.png" in text
                assert UPLOADED[language] in text
        for language, pattern in bodies.items():
            found = re.search(pattern, sample(articles, language, operation), re.DOTALL | re.MULTILINE)
            assert (json.loads(found[1].replace("'\\''", "'")) if found else None) == example_of(operation)
        tree = ast.parse(sample(articles, "python", operation))
        (call,) = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and len(node.keywords) > 0]
        assert ast.unparse(call.func) == f"requests.{method.lower()}"
        sent = next((ast.literal_eval(one.value) for one in call.keywords if one.arg == "json"), None)
        assert sent == example_of(operation)


async def test_each_operation_is_on_the_page_of_its_noun_alone_and_every_link_leads_somewhere(
    overview: BeautifulSoup, pages: dict[str, BeautifulSoup], operations: Operations
) -> None:
    on_pages = [(path, article["id"]) for path, page in pages.items() for article in page.find_all("article")]
    assert on_pages == [
        (f"/reference/{operation['tags'][0].lower().replace(' ', '-')}", operation["operationId"])
        for _, _, operation in operations
    ]
    everywhere = pages | {"/reference": overview}
    ids = {path: [str(one["id"]) for one in page.find_all(id=True)] for path, page in everywhere.items()}
    assert {"keys", "languages", "lists", "limits", "older", "errors", "group-1"} <= set(ids["/reference"])
    assert {operation["operationId"] for _, _, operation in operations} <= set(ids["/reference"])  # of older links
    for path, page in everywhere.items():
        assert len(ids[path]) == len(set(ids[path])), path
        for link in page.select("a[href^='/reference'], a[href^='#']"):
            to, _, anchor = str(link["href"]).partition("#")
            assert not anchor or anchor in ids[to or path], link["href"]


async def test_no_script_or_style_stands_in_a_page(overview: BeautifulSoup, pages: dict[str, BeautifulSoup]) -> None:
    for page in (overview, *pages.values()):
        assert not page.find_all("style")
        assert all(script.get("src") for script in page.find_all("script"))
        assert not page.find_all(style=True)
