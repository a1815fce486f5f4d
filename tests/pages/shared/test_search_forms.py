"""The searches of logs: the main field is at hand, the others are folded until they are used."""

import pytest

from tests.factories import make_account, make_mail
from tests.pages.conftest import Page, Visitor
from tests.pages.organization.test_api_requests import make_request
from webapp.models import Organization

MAIN = {"/emails": "to", "/mail-logs": "to", "/requests": "path", "/audit": "who"}
OTHER = {"/emails": "tag=kind", "/mail-logs": "tag=kind", "/requests": "method=GET", "/audit": "what=key"}


def fields(page: Page, part: str) -> set[str]:
    return {field["name"] for field in page.soup.select(f".search {part} :is(input, select)")}


@pytest.mark.parametrize("path", MAIN)
async def test_the_main_field_is_not_folded(
    owner: Visitor, rival_owner: Visitor, acme: Organization, path: str
) -> None:
    await make_mail(acme, await make_account(acme), "ann@example.org")
    await make_request(acme, path="/v1/ann")
    main = MAIN[path]
    page = await owner.get(f"{path}?{main}=ann")
    assert fields(page, "> .search-main") == {main}
    assert page.soup.select_one(f"#f-{main}")["value"] == "ann"
    assert {"since", "until"} < fields(page, "> details")
    assert not page.soup.select(".search > details[open]")
    assert (await owner.get(f"{path}?{OTHER[path]}")).soup.select(".search > details[open]")
    wrong = await owner.get(f"{path}?since=yesterday&{main}=ann")
    assert (wrong.status, wrong.error_at("since")) == (400, "Enter a date like 2026-11-20.")
    assert wrong.soup.select(".search > details[open]")
    assert wrong.soup.select_one(f"#f-{main}")["value"] == "ann"
    assert "ann@example.org" not in (await rival_owner.get(f"{path}?{main}=ann")).text


async def test_a_status_stays_with_the_search(owner: Visitor, acme: Organization) -> None:
    await make_mail(acme, await make_account(acme), "ann@example.org")
    await make_request(acme)
    page = await owner.get("/mail-logs?status=failed&to=ann")
    assert page.soup.select_one(".search input[type=hidden]")["value"] == "failed"
    page = await owner.get("/requests?status=2xx")
    assert [field["value"] for field in page.soup.select(".search [name=status]")] == ["2xx"]
    assert not page.soup.select(".search > details[open]")
