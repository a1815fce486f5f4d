"""Files of suppressions: what a person sees of them."""

import pytest

from tests.pages.conftest import Page, Visitor
from tests.support.pictures import multipart
from webapp.models import Organization, Suppression

PATH = "/suppressions/import"


async def upload(visitor: Visitor, data: bytes, name: str = "list.csv") -> Page:
    token = (await visitor.get(PATH)).token
    return await visitor.post(PATH, **multipart((name, data), fields={"csrf_token": token}))


async def test_a_file_is_reported_line_by_line(owner: Visitor, acme: Organization, rival: Organization) -> None:
    await Suppression.create(org=acme, email="known@example.org", email_key="known@example.org", reason="bounce")
    page = await upload(owner, b"email\nada@example.org\nknown@example.org\n<b>nonsense\n\n*@example.com\n")
    assert (page.status, page.title) == (200, "Suppressions imported")
    assert "2 Added 1 Already there 1 Invalid" in page.text
    ((line, reason, text),) = page.rows
    assert (line, text) == ("4", "<b>nonsense")
    assert reason.startswith("Not an email address")
    assert await Suppression.of(acme).count() == 3
    assert await Suppression.of(rival).count() == 0


async def test_reasons_are_kept_and_soft_bounces_left_out(owner: Visitor, acme: Organization) -> None:
    data = b"Address,Reason\nAda <ada@example.org>,Spam complaint\nbob@example.org;,Soft bounce\na*@example.org,\n"
    page = await upload(owner, data, "list.csv")
    assert "1 Added 0 Already there 1 Invalid 1 Soft bounces, left out" in page.text
    (row,) = page.rows
    assert (row[0], row[1]) == (
        "4",
        "Must be an email address, or *@ and a domain, like *@example.com; no other patterns",
    )
    (entry,) = await Suppression.of(acme)
    assert (entry.email, entry.reason) == ("ada@example.org", "complaint")


@pytest.mark.parametrize(
    ("data", "name", "error"),
    [
        (b"name\nAda\n", "list.csv", "The file has no email column."),
        (b"PK\x03\x04", "list.xlsx", "This looks like an Excel or ZIP file."),
        (b"ada@example.org", "", "Select a file."),
    ],
)
async def test_what_cannot_be_read_is_said_at_the_field(owner: Visitor, data: bytes, name: str, error: str) -> None:
    page = await upload(owner, data, name)
    assert page.status == 422
    assert (page.error_at("file") or "").startswith(error)
    assert await Suppression.all().count() == 0
