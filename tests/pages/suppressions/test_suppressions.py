"""The page of suppressions: search, one more, one or several less, a file out; and where else it is told."""

from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import pytest

from tests.factories import (
    account_on,
    make_account,
    make_campaign,
    make_contact,
    make_mail,
    make_segment,
    make_suppression,
    make_template,
)
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all
from tests.pages.conftest import Page, Visitor
from tests.support.pictures import multipart
from webapp.config import Settings
from webapp.domain.suppressions.suppressions import add
from webapp.models import AuditEntry, Organization, Suppression

LIST = "/suppressions"


async def emails_on(visitor: Visitor, path: str = LIST) -> list[str]:
    page = await visitor.get(path)
    assert page.status == 200
    return [name.get_text() for name in page.soup.select(".row-name")]


async def tick(visitor: Visitor, action: str, *entries: Suppression, **fields: str) -> Page:
    ids = [str(entry.id) for entry in entries]
    return await visitor.send_form(f"{LIST}/ticked/{action}", suppression_id=ids, **fields)


async def test_an_address_is_added_and_removed(owner: Visitor, acme: Organization) -> None:
    for typed, note in (
        ("Ada@Example.org", "Ada@example.org suppressed."),
        ("ada@example.org", "Ada@example.org is already suppressed."),
        ("*@Example.com", "*@example.com suppressed."),
    ):
        page = await owner.submit(await owner.get(f"{LIST}/new"), email=typed)
        assert (page.path, page.notes) == (LIST, [note])
    assert await emails_on(owner) == ["*@example.com", "Ada@example.org"]
    entry = await Suppression.of(acme).get(email_key="ada@example.org")
    place = f"{LIST}/{entry.id}/remove"
    page = await owner.get(place)
    assert page.title == "Remove Ada@example.org from the suppression list?"
    assert "This address will get new email again." in page.text

    page = await owner.submit(page, place)
    assert page.notes == ["Ada@example.org removed from the suppression list."]
    assert await emails_on(owner) == ["*@example.com"]


async def test_the_list_is_searched(owner: Visitor, acme: Organization, rival: Organization) -> None:
    for email in ("ada@example.org", "bob@example.org", "*@xn--bcher-kva.example"):
        await make_suppression(acme, email)
    await make_suppression(rival, "adam@example.org")
    assert await emails_on(owner, f"{LIST}?q=ADA") == ["ada@example.org"]
    assert await emails_on(owner, f"{LIST}?q={quote('bücher.example')}") == ["*@bücher.example"]
    page = await owner.get(f"{LIST}?q=adam")
    assert "No suppressed address or domain matches your search." in page.text


async def test_those_that_are_ticked_are_removed_once_that_is_confirmed(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    one, two, kept = [await make_suppression(acme, f"{name}@example.org") for name in ("one", "two", "kept")]
    theirs = await make_suppression(rival, "theirs@example.org")
    listed = await owner.get(f"{LIST}?q=example")
    back = listed.form(f"{LIST}/ticked/ask-remove").select_one("[name=back]")
    asked = await tick(owner, "ask-remove", one, two, theirs, back=str(back["value"]))
    assert asked.title == "Remove 2 suppressions?"
    assert "These addresses will get new email again." in asked.text
    page = await tick(owner, "remove", one, two, theirs, back=str(back["value"]))
    assert (page.path, page.notes) == (f"{LIST}?q=example", ["2 suppressions removed."])
    assert [entry.id for entry in await Suppression.of(acme)] == [kept.id]
    assert await Suppression.of(rival).count() == 1
    page = await owner.submit(await owner.get(LIST), f"{LIST}/ticked/ask-remove")
    assert page.notes == ["Select at least one address."]


async def test_the_list_leaves_as_a_file(owner: Visitor, viewer: Visitor, acme: Organization) -> None:
    (row_id,) = await make_mail(acme, await make_account(acme))
    await make_suppression(acme, "=cmd@example.org", reason="complaint", mail_log_id=row_id)
    await make_suppression(acme, "ada@example.org")
    text = (await owner.get(f"{LIST}/export.csv")).data.decode()
    assert text.startswith('\ufeff"email","reason","created_at","mail_log_id"\r\n"ada@example.org","bounce",')
    assert '"\'=cmd@example.org","complaint","2' in text
    assert str(row_id) in text
    assert "cmd" not in (await viewer.get(f"{LIST}/export.csv?q=ada")).data.decode()
    entries = await AuditEntry.of(acme).order_by("id")
    assert [entry.target for entry in entries] == ["suppressions"] * 2
    assert [entry.details for entry in entries] == [{}, {"email": "ada"}]


async def test_a_contacts_page_says_that_it_is_suppressed(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    contact, other = await make_contact(acme, "Ada@example.org"), await make_contact(acme, "bob@example.com")
    await make_suppression(rival, "ada@example.org")
    assert "Suppressed" not in (await owner.get(f"/contacts/{contact.id}")).text
    await make_suppression(acme, "ada@example.org", reason="complaint")
    await make_suppression(acme, "*@example.com", reason="manual")
    page = await owner.get(f"/contacts/{contact.id}")
    assert "Reported as spam. Gets no email." in page.text
    (link,) = page.soup.select('a[href^="/suppressions?q="]')
    assert await emails_on(owner, link["href"]) == ["ada@example.org"]
    page = await owner.get(f"/contacts/{other.id}")
    assert "Added manually, everyone at example.com. Gets no email." in page.text


@pytest.mark.parametrize("entry", ["ADA@example.org", "*@example.org"])
@pytest.mark.parametrize(
    ("fields", "badge", "otherwise"),
    [
        ({}, "Suppressed", "Subscribed"),
        ({"paused_until": datetime(2100, 1, 1, tzinfo=UTC)}, "Suppressed", "Paused"),
        ({"bounced_at": datetime(2026, 1, 1, tzinfo=UTC)}, "Bounced", "Bounced"),
        ({"status": "unsubscribed"}, "Unsubscribed", "Unsubscribed"),
    ],
)
async def test_lists_and_the_contacts_page_have_suppressed_for_subscribed(
    owner: Visitor,
    acme: Organization,
    rival: Organization,
    entry: str,
    fields: dict[str, Any],
    badge: str,
    otherwise: str,
) -> None:
    ada = await make_contact(acme, "Ada@example.org", **fields)
    bob = await make_contact(acme, "bob@example.com", **fields)
    await make_suppression(acme, entry)
    await make_suppression(rival, "bob@example.com")
    segment = await make_segment(acme, ada, bob)
    for path in ("/contacts", f"/segments/{segment.id}"):
        badges = [tag.text for tag in (await owner.get(path)).soup.select("table .badge")]
        assert badges == [otherwise, badge]
    for contact, words in ((ada, badge), (bob, otherwise)):
        assert (await owner.get(f"/contacts/{contact.id}")).soup.select_one(".facts .badge").text == words


async def test_a_review_warns_of_suppressed_members_and_counts_them_out(owner: Visitor, acme: Organization) -> None:
    await make_account(acme)
    members = [await make_contact(acme, f"c{number}@example.org") for number in range(3)]
    segment, template = await make_segment(acme, *members), await make_template(acme)
    campaign = await make_campaign(acme, segment=segment, template=template)
    review = f"/campaigns/{campaign.id}/review"
    assert "suppressed" not in (await owner.get(review)).text
    await add(acme, ["c0@example.org"], "bounce")
    page = await owner.get(review)
    assert "1 member is suppressed and gets nothing." in page.text
    assert "Excluded: 1 suppressed." in page.text
    assert "Send to 2 contacts" in page.text
    page = await owner.submit(await owner.get(f"/campaigns/{campaign.id}/send"), f"/campaigns/{campaign.id}/send")
    assert "Sending “News” to 2 contacts." in page.notes
    assert "1 member skipped, as its address is suppressed ." in page.text


async def test_an_address_that_does_not_exist_is_listed_after_a_campaign(
    owner: Visitor, rival_owner: Visitor, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    smtp_server.refuse("gone@example.org", "550 5.1.1 no such user")
    await account_on(smtp_server, acme)
    segment = await make_segment(acme, await make_contact(acme, "gone@example.org"), await make_contact(acme))
    campaign = await make_campaign(acme, segment=segment, template=await make_template(acme))
    await owner.submit(await owner.get(f"/campaigns/{campaign.id}/send"), f"/campaigns/{campaign.id}/send")
    await deliver_all(settings)
    page = await owner.get(LIST)
    assert [row[1] for row in page.rows] == ["gone@example.org Bounced · View email to gone@example.org"]
    row = await owner.get(page.soup.select_one("td a[href^='/mail-logs/']")["href"])
    assert "550 5.1.1 no such user" in row.text
    assert await emails_on(rival_owner) == []


PATH = "/suppressions/import"


async def upload(visitor: Visitor, data: bytes, name: str = "list.csv") -> Page:
    token = (await visitor.get(PATH)).token
    return await visitor.post(PATH, **multipart((name, data), fields={"csrf_token": token}))


async def test_a_file_is_reported_line_by_line(owner: Visitor, acme: Organization, rival: Organization) -> None:
    await make_suppression(acme, "known@example.org")
    good, soft = "ada@example.org,Spam complaint\n*@example.com,\nknown@example.org,\n", "bob@example.org,Soft bounce\n"
    page = await upload(owner, f"email,reason\n{good}<b>nonsense,\n\n{soft}".encode())
    assert (page.status, page.title) == (200, "Suppressions imported")
    assert "2 Added 1 Already there 1 Invalid 1 Soft bounces, left out" in page.text
    ((line, reason, text),) = page.rows
    assert (line, text) == ("5", "<b>nonsense")
    assert reason.startswith("Not an email address")
    assert (await Suppression.of(acme).get(email_key="ada@example.org")).reason == "complaint"
    assert (await Suppression.of(acme).count(), await Suppression.of(rival).count()) == (3, 0)


@pytest.mark.parametrize(
    ("data", "name", "error"),
    [(b"name\nAda\n", "list.csv", "The file has no email column."), (b"ada@example.org", "", "Select a file.")],
)
async def test_what_cannot_be_read_is_said_at_the_field(owner: Visitor, data: bytes, name: str, error: str) -> None:
    page = await upload(owner, data, name)
    assert page.status == 422
    assert (page.error_at("file") or "").startswith(error)
    assert await Suppression.all().count() == 0
