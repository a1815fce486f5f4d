"""Mail logs on their pages."""

from uuid import UUID

import pytest

from tests.factories import make_account, make_mail
from tests.pages.conftest import Visitor
from webapp.models import Content, MailEvent, MailLog, Organization


@pytest.fixture
async def rows(acme: Organization) -> list[UUID]:
    account = await make_account(acme)
    ids = await make_mail(acme, account, "ann@example.org", "bob@example.org")
    await MailLog.of(acme).filter(id=ids[0]).update(status="failed", error="550 5.1.1 <b>no such user</b>")
    return ids


async def test_each_recipient_has_a_line(owner: Visitor, rows: list[UUID]) -> None:
    page = await owner.get("/mail-logs")
    assert [row[:4] for row in page.rows] == [
        ["bob@example.org", "Hello", "Main", "Pending"],
        ["ann@example.org 550 5.1.1 <b>no such user</b>", "Hello", "Main", "Failed"],
    ]


async def test_the_status_filters_and_stands_in_the_address(owner: Visitor, rows: list[UUID]) -> None:
    page = await owner.get("/mail-logs?status=failed")
    assert [row[3] for row in page.rows] == ["Failed"]
    assert page.soup.find(id="logs")["hx-get"] == "/mail-logs/list?status=failed"
    assert "Nothing like that" in (await owner.get("/mail-logs?status=halted")).text
    assert len((await owner.get("/mail-logs?status=nonsense")).rows) == 2


@pytest.mark.parametrize("number", ["0", "-1", "abc", "1e3", "%D9%A1%D9%A2"])
async def test_a_page_that_is_none_is_an_error_page(owner: Visitor, number: str) -> None:
    found = await owner.get(f"/mail-logs?page={number}")
    assert found.status == 400
    assert found.soup.select_one("main a.main-action")


async def test_a_page_behind_the_last_is_empty(owner: Visitor, rows: list[UUID]) -> None:
    assert (await owner.get(f"/mail-logs?page={10**23}")).status == 200


async def test_lists_have_pages(owner: Visitor, acme: Organization) -> None:
    account = await make_account(acme)
    for start in range(0, 60, 30):
        await make_mail(acme, account, *[f"r{number}@example.org" for number in range(start, start + 30)])
    first = await owner.get("/mail-logs")
    assert len(first.rows) == 50
    assert "1 to 50 of 60 rows" in first.text
    second = await owner.get(first.soup.select_one("a[rel=next]")["href"])
    assert len(second.rows) == 10
    assert second.soup.select_one("a[rel=prev]") is not None


async def test_a_row_tells_what_became_of_it(owner: Visitor, acme: Organization, rows: list[UUID]) -> None:
    await MailEvent.create(org=acme, mail_log_id=rows[0], from_status="sending", to_status="pending", cause="451 later")
    page = await owner.get(f"/mail-logs/{rows[0]}")
    assert page.title == "Hello"
    for words in ("Failed", "550 5.1.1 <b>no such user</b>", "ann@example.org", "451 later", str(rows[0])):
        assert words in page.text
    assert page.soup.select_one("iframe")["sandbox"] == []


async def test_the_mail_is_shown_harmless(owner: Visitor, acme: Organization, rows: list[UUID]) -> None:
    await Content.of(acme).update(html="<script>alert(1)</script><p>Hello</p>")
    response = (await owner.get(f"/mail-logs/{rows[0]}/rendered")).response
    assert response.headers["Content-Security-Policy"].startswith("sandbox; default-src 'none'; img-src data:;")
    assert response.headers["X-Frame-Options"] == "SAMEORIGIN"
