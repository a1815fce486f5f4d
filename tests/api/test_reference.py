"""/reference, the page made from the OpenAPI document."""

import pytest
from bs4 import BeautifulSoup

from tests.api.conftest import Api
from webapp.config import Settings


@pytest.fixture
async def page(nobody: Api) -> BeautifulSoup:
    response = await nobody.send("GET", "/reference", headers={"Accept": "text/html"})
    assert response.status_code == 200
    return BeautifulSoup(await response.get_data(), "html.parser")


async def test_every_operation_is_told_with_a_sample_for_this_instance(
    page: BeautifulSoup, nobody: Api, settings: Settings
) -> None:
    _, described = await nobody.get("/openapi.json")
    operations = [
        (method.upper(), path, operation)
        for path, of_path in described["paths"].items()
        for method, operation in of_path.items()
    ]
    assert len(page.find_all("article")) == len(operations)
    for method, path, operation in operations:
        article = page.find(id=operation["operationId"])
        assert article is not None
        assert article.h3.get_text(" ", strip=True) == f"{method} {path}"
        sample = article.find(id=f"curl-{operation['operationId']}").get_text()
        assert f"{settings.base_url}{path}" in sample
        assert ("$PENNYPOST_API_KEY" in sample) == (path != "/v1")
        for status in operation["responses"]:
            assert status in article.get_text()


async def test_the_fields_of_a_body_have_types_and_words(page: BeautifulSoup) -> None:
    rows = {
        row.td.get_text(" ", strip=True): row.get_text(" ", strip=True)
        for row in page.find(id="emails_create").find_all("tr")[1:]
    }
    assert set(rows) >= {"from required", "to required", "subject required", "html", "tags[].name required"}
    assert "string or array of strings" in rows["to required"]
    assert "attachments[].content required" in rows
    assert "template" not in " ".join(rows)


async def test_no_script_or_style_stands_in_the_page(page: BeautifulSoup) -> None:
    assert not page.find_all("style")
    assert all(script.get("src") for script in page.find_all("script"))
    assert not page.find_all(style=True)
