"""The page behind the unsubscribe link."""

from datetime import timedelta
from uuid import uuid4

import pytest
from quart import Quart

from tests.factories import make_contact
from tests.pages.conftest import Visitor
from webapp import clock, crypto
from webapp.domain.contacts.unsubscribe import PURPOSE, token_for
from webapp.models import Contact, Organization

ONE_CLICK = b"List-Unsubscribe=One-Click"


@pytest.fixture
async def contact(acme: Organization) -> Contact:
    return await make_contact(acme, "ann@example.org")


@pytest.fixture
def path(contact: Contact) -> str:
    return f"/unsubscribe/{token_for(contact.id, uuid4())}"


async def is_subscribed(contact: Contact) -> bool:
    await contact.refresh_from_db()
    assert (contact.status == "unsubscribed") == (contact.unsubscribed_at is not None)
    return contact.status == "subscribed"


async def test_opening_the_link_changes_nothing(stranger: Visitor, contact: Contact, path: str) -> None:
    for method in ("GET", "HEAD", "GET"):
        page = await stranger.send(method, path, follow=False)
        assert page.status == 200
    assert page.title == "Unsubscribe?"
    assert "ann@example.org is subscribed to Acme." in page.text
    assert page.soup.select_one(".brand").get_text(strip=True) == "Acme"  # whom they know
    assert "Pennypost" not in str(page.soup)
    assert await is_subscribed(contact)


async def test_the_button_unsubscribes_and_the_page_offers_an_undo(
    stranger: Visitor, contact: Contact, path: str
) -> None:
    page = await stranger.submit(await stranger.get(path))
    assert (page.status, page.title) == (200, "You're unsubscribed")
    assert "ann@example.org won't get any more newsletters from Acme." in page.text
    assert not await is_subscribed(contact)
    page = await stranger.submit(page)
    assert (page.status, page.title) == (200, "You're subscribed again")
    assert await is_subscribed(contact)
    page = await stranger.submit(page)
    assert page.title == "You're unsubscribed"


async def test_undo_works_for_an_hour(stranger: Visitor, contact: Contact, path: str) -> None:
    for minutes, is_back in ((59, True), (61, False)):
        await stranger.post(path)
        await Contact.filter(id=contact.id).update(unsubscribed_at=clock.now() - timedelta(minutes=minutes))
        page = await stranger.get(path)
        assert bool(page.soup.select(f'form[action="{path}/undo"]')) == is_back
        page = await stranger.post(f"{path}/undo")
        assert (page.status, await is_subscribed(contact)) == ((200, True) if is_back else (409, False))
    assert page.title == "You're unsubscribed"
    assert "You can resubscribe for an hour" in page.text
    assert "Ask Acme" in page.text


async def test_only_the_link_that_unsubscribed_undoes_it(stranger: Visitor, contact: Contact, path: str) -> None:
    other = f"/unsubscribe/{token_for(contact.id, uuid4())}"
    await stranger.post(path)
    for page in (await stranger.get(other), await stranger.post(other)):
        assert (page.title, page.soup.select("form[action$='/undo']")) == ("You're unsubscribed", [])
    assert (await stranger.post(f"{other}/undo")).status == 409
    assert not await is_subscribed(contact)
    page = await stranger.post(f"{path}/undo")
    assert (page.status, page.title) == (200, "You're subscribed again")
    assert (await stranger.post(f"{other}/undo")).status == 200  # which has nothing to undo
    await stranger.post(other)
    assert (await stranger.post(f"{path}/undo")).status == 409
    assert not await is_subscribed(contact)


async def test_no_link_undoes_what_the_organization_did(
    stranger: Visitor, owner: Visitor, contact: Contact, path: str
) -> None:
    place = f"/contacts/{contact.id}"
    await owner.submit(await owner.get(place), f"{place}/unsubscribe")
    assert not await is_subscribed(contact)
    at = contact.unsubscribed_at
    for _ in range(2):
        assert (await stranger.post(path)).soup.select("form[action$='/undo']") == []
        assert (await stranger.post(f"{path}/undo")).status == 409
    assert not await is_subscribed(contact)
    assert contact.unsubscribed_at == at


async def test_undo_forgets_no_bounce(stranger: Visitor, contact: Contact, path: str) -> None:
    await Contact.filter(id=contact.id).update(bounced_at=clock.now())
    await stranger.post(path)
    await stranger.post(f"{path}/undo")
    assert await is_subscribed(contact)
    assert contact.bounced_at is not None


async def test_a_mail_program_unsubscribes_with_one_click_and_no_cookie(
    app: Quart, contact: Contact, path: str
) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": "null", "Sec-Fetch-Site": "cross-site"}
    for _ in range(2):  # the same again changes nothing
        answer = await app.test_client().post(path, data=ONE_CLICK, headers=form)
        assert answer.status_code == 200  # a redirect is against RFC 8058, 3.1
        assert not await is_subscribed(contact)
    unsubscribed_at = contact.unsubscribed_at
    multipart = await app.test_client().post(path, form={"List-Unsubscribe": "One-Click"})
    bare = await app.test_client().post(path)
    assert (multipart.status_code, bare.status_code) == (200, 200)
    await contact.refresh_from_db()
    assert contact.unsubscribed_at == unsubscribed_at


async def test_one_link_is_one_contacts(stranger: Visitor, acme: Organization, contact: Contact, path: str) -> None:
    other = await make_contact(acme, "bob@example.org")
    await stranger.post(path)
    assert not await is_subscribed(contact)
    assert await is_subscribed(other)


async def test_a_link_that_is_not_ours_is_told_kindly_and_does_nothing(
    stranger: Visitor, contact: Contact, path: str
) -> None:
    token = path.removeprefix("/unsubscribe/")
    text, _, signature = token.partition(".")
    other, _, _ = token_for(uuid4(), uuid4()).partition(".")
    moved = f"{text}.{crypto.sign('door', text)}"
    short = f"AAAA.{crypto.sign(PURPOSE + 'x', 'AAAA')}"
    for one in ("test", text, f"{text}.", f"{other}.{signature}", f"{token}x", moved, short, "ü.ü", "%00"):
        for method, where in (
            ("GET", ""),
            ("POST", ""),
            ("POST", "/undo"),
            ("GET", "/preferences"),
            ("POST", "/preferences"),
        ):
            page = await stranger.send(method, f"/unsubscribe/{one}{where}", follow=False)
            assert (page.status, page.title) == (404, "This link doesn't work"), one
            assert "Pennypost" not in str(page.soup)
            assert not page.soup.select(".theme")
            assert page.soup.select("main a") == []
    assert await is_subscribed(contact)


async def test_a_deleted_contact_is_told_that_no_mail_will_come(stranger: Visitor, contact: Contact, path: str) -> None:
    await contact.delete()
    for method, where in (("GET", ""), ("POST", ""), ("POST", "/undo")):
        page = await stranger.send(method, f"{path}{where}", follow=False)
        assert (page.status, page.title) == (200, "You're unsubscribed")
        assert page.soup.select("main form, main a") == []
