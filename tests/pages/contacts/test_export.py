"""Files of contacts: their segments and dates, and what an import makes of them."""

from csv import DictReader
from datetime import UTC, datetime
from io import StringIO

from tests.factories import make_contact, make_segment
from tests.pages.conftest import Visitor
from tests.pages.contacts.test_imports import check, confirm, counts, upload
from webapp.models import Contact, Organization, Segment


async def test_an_export_says_segments_and_dates_which_an_import_leaves_out(
    owner: Visitor, rival_owner: Visitor, acme: Organization, rival: Organization
) -> None:
    at = datetime(2026, 5, 1, 12, 30, tzinfo=UTC)
    ada = await make_contact(acme, "ada@example.org", bounced_at=at, custom_fields={"segments": "own", "town": "Rome"})
    await make_contact(acme, "bob@example.org", status="unsubscribed", unsubscribed_at=at)
    await make_segment(acme, ada, name="=Silver")
    await make_segment(acme, ada, name="Gold")
    await make_segment(rival, name="Theirs")
    data = (await owner.get("/contacts/export.csv")).data
    rows = {row["email"]: row for row in DictReader(StringIO(data.decode("utf-8-sig")))}
    assert rows["ada@example.org"]["segments"] == "'=Silver; Gold"
    assert rows["ada@example.org"]["bounced_at"] == rows["bob@example.org"]["unsubscribed_at"] == "2026-05-01T12:30:00Z"
    assert rows["ada@example.org"]["added_at"] == ada.created_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    assert (rows["ada@example.org"]["custom:segments"], rows["bob@example.org"]["segments"]) == ("own", "")
    for visitor, found in ((owner, [0, 0, 2, 0]), (rival_owner, [2, 0, 0, 0])):
        page = await upload(visitor, data)
        chosen = {tag["name"]: tag.select_one("[selected]")["value"] for tag in page.soup.select("td select")}
        assert [chosen[f"column-{number}"] for number in (5, 6, 8)] == ["", "", ""]
        page = await check(visitor, page)
        assert counts(page) == found
    await confirm(rival_owner, page)
    copied = {one.email: one for one in await Contact.of(rival)}
    assert (copied["ada@example.org"].status, copied["bob@example.org"].status) == ("subscribed", "unsubscribed")
    assert copied["ada@example.org"].custom_fields == {"segments": "own", "town": "Rome"}
    assert await Segment.of(rival).count() == 1
