"""Files of other mailing tools, which say who has left: nobody of them gets a campaign."""

from typing import Any

import pytest

from tests.factories import make_contact
from tests.pages.conftest import Page, Visitor
from tests.pages.contacts.test_imports import check, confirm, counts, import_id, undo, upload
from webapp import clock
from webapp.domain.contacts.unsubscribe import token_for
from webapp.domain.imports import worker
from webapp.models import Contact, ContactImport, Organization

# The three files of a Mailchimp export, each with its own column. Dora and Fred stand in an older file of subscribers.
MAILCHIMP = {
    "subscribed": ("LAST_CHANGED", ["ann", "dora", "fred"]),
    "unsubscribed": ("UNSUB_TIME", ["bob", "dora"]),
    "cleaned": ("CLEAN_TIME", ["cleo", "fred"]),
}


@pytest.mark.parametrize("order", [tuple(MAILCHIMP), tuple(reversed(MAILCHIMP))], ids=["first", "last"])
async def test_of_a_mailchimp_export_only_subscribers_get_campaigns(
    owner: Visitor, acme: Organization, order: tuple[str, ...]
) -> None:
    for audience in order:
        column, names = MAILCHIMP[audience]
        lines = "".join(f"{name}@example.org,3,2024-03-01 09:30:00,1\n" for name in names)
        data = f"Email Address,MEMBER_RATING,{column},LEID\n{lines}"
        page = await check(owner, await upload(owner, data, f"{audience}_members_export_8a4f0c.csv"))
        if audience != "subscribed":
            assert "2 contacts won't receive campaigns (unsubscribed or bounced)." in page.text
        await confirm(owner, page)
    assert await Contact.of(acme).count() == 5
    assert [one.email for one in await Contact.of(acme).filter(status="subscribed")] == ["ann@example.org"]


@pytest.mark.parametrize("known", ["change", "leave"])
async def test_known_contacts_only_ever_get_less_mail(owner: Visitor, acme: Organization, known: str) -> None:
    await make_contact(acme, "ann@example.org", first_name="Ann")
    gone = await make_contact(acme, "bob@example.org", status="unsubscribed", unsubscribed_at=clock.now())
    bounced = await make_contact(acme, "cleo@example.org", bounced_at=clock.now())
    lines = "ann@example.org,New,unsubscribed\nbob@example.org,,subscribed\ncleo@example.org,,subscribed\n"
    page = await upload(owner, f"Email,First name,Status\n{lines}ANN@example.org,,subscribed\n")
    page = await check(owner, page, known=known)
    assert (counts(page), "3 contacts won't receive campaigns" in page.text) == ([0, 1, 2, 0], True)
    await confirm(owner, page)
    ann, bob, cleo = await Contact.of(acme).order_by("email")
    assert (ann.status, ann.first_name) == ("unsubscribed", "New" if known == "change" else "Ann")
    assert (bob.status, bob.unsubscribed_at) == ("unsubscribed", gone.unsubscribed_at)
    assert cleo.bounced_at == bounced.bounced_at


def questions(page: Page) -> list[str]:
    """The column, the word and the rows of each question."""
    return [" ".join(row[:3]) for row in page.rows] if page.soup.select_one("#questions") else []


async def answer(visitor: Visitor, page: Page, **answers: str) -> Page:
    """Answer the questions, and let another dry run end."""
    place = f"/imports/{import_id(page)}"
    answered = await visitor.submit(page, f"{place}/words", **answers)
    await worker.process_pending()
    return answered if answered.status == 422 else await visitor.get(place)


async def test_words_that_are_not_known_are_asked_about_before_anything_is_imported(
    owner: Visitor, acme: Organization
) -> None:
    lines = "a@example.org,Abgemeldet\nb@example.org,gold\nc@example.org,Gold\nd@example.org,tin\ne@example.org,wood\n"
    page = await check(owner, await upload(owner, f"Email,Status\n{lines}"))
    place = f"/imports/{import_id(page)}"
    assert page.title == "Who gets campaigns?"
    assert "Questions to answer" in (await owner.get("/imports")).text
    assert questions(page) == ["Status “gold” 2", "Status “tin” 1", "Status “wood” 1"]
    assert page.soup.select_one(f"form[action='{place}/run']") is None
    run = await owner.post(f"{place}/run", form={"csrf_token": page.token})
    assert run.notes == ["Answer the questions about this file first."]
    refused = await answer(owner, page, **{"word-1-gold": "subscribed", "word-1-tin": "nonsense"})
    assert refused.text.count("Choose what this means.") == 2
    assert refused.soup.select_one("[name=word-1-gold] option[selected]")["value"] == "subscribed"
    answers = {"word-1-gold": "subscribed", "word-1-tin": "unsubscribed", "word-1-wood": "skip"}
    page = await answer(owner, refused, **answers)
    assert (page.title, counts(page)) == ("Review import", [4, 0, 0, 1])
    assert [row for row in page.rows if row[0] == "Status"] == [
        ["Status", "“gold”", "2", "Subscribed"],
        ["Status", "“Abgemeldet”", "1", "Unsubscribed"],
        ["Status", "“tin”", "1", "Unsubscribed"],
        ["Status", "“wood”", "1", "Skipped"],
    ]
    done = await confirm(owner, page)
    assert "“wood” in the column “Status” is skipped, as you chose" in done.text
    assert {one.email[0]: one.status for one in await Contact.of(acme)} == {
        "a": "unsubscribed", "b": "subscribed", "c": "subscribed", "d": "unsubscribed",
    }  # fmt: skip


async def test_one_answer_is_enough_for_many_words(owner: Visitor, acme: Organization) -> None:
    lines = "".join(f"p{number}@example.org,word {number}\n" for number in range(60))
    page = await check(owner, await upload(owner, f"Email,Status\n{lines}"))
    assert len(questions(page)) == 50
    page = await answer(owner, page, **{"word-1-word7": "subscribed", "rest": "unsubscribed"})
    assert counts(page) == [50, 0, 0, 10]
    await confirm(owner, page)
    assert [one.email for one in await Contact.of(acme).filter(status="subscribed")] == ["p7@example.org"]


async def test_a_cell_that_says_somebody_left_is_asked_about_in_a_column_that_is_not_imported(
    owner: Visitor, acme: Organization
) -> None:
    lines = "".join(f"p{number}@example.org,gold\n" for number in range(110))
    page = await upload(owner, f"Email,Tier\n{lines}gone@example.org,Désabonnée\n")
    page = await check(owner, page, **{"column-1": ""})
    assert questions(page) == ["Tier “gold” 110", "Tier “Désabonnée” 1"]
    answers = {"word-1-gold": "subscribed", "word-1-desabonnee": "unsubscribed"}
    page = await answer(owner, page, **answers)
    assert [row for row in page.rows if row[0] == "Tier"] == [
        ["Tier", "“gold”", "110", "No effect"],
        ["Tier", "“Désabonnée”", "1", "Unsubscribed"],
    ]
    await confirm(owner, page)
    (gone,) = await Contact.of(acme).filter(status="unsubscribed")
    assert (gone.email, gone.custom_fields) == ("gone@example.org", {})
    assert await Contact.of(acme).filter(status="subscribed").count() == 110


async def test_a_column_of_statuses_that_is_not_imported_as_such_is_asked_about(
    owner: Visitor, acme: Organization
) -> None:
    page = await upload(owner, "Email,Consent,custom:left\na@example.org,Denied,unsubscribed\nb@example.org,Granted,\n")
    page = await check(owner, page, **{"column-1": "custom"})
    assert questions(page) == ["Consent “Denied” 1"]
    page = await answer(owner, page, **{"word-1-denied": "subscribed"})  # about something else
    page = await check(owner, await owner.get(f"/imports/{import_id(page)}/columns"), **{"column-1": "status"})
    assert (page.title, questions(page)) == ("Review import", [])  # whose answer does not count any more
    await confirm(owner, page)
    assert {one.email[0]: one.status for one in await Contact.of(acme)} == {"a": "unsubscribed", "b": "subscribed"}


async def test_an_undo_subscribes_those_again_whom_the_import_unsubscribed(
    owner: Visitor, stranger: Visitor, acme: Organization
) -> None:
    fields = {"first_name": "Ann", "custom_fields": {"a": "1"}}
    ann, left, bounced, own = [
        await make_contact(acme, f"{name}@example.org", **fields) for name in ("ann", "left", "bounced", "own")
    ]
    gone = await make_contact(acme, "gone@example.org", status="unsubscribed", unsubscribed_at=clock.now())
    lines = "".join(f"{name}@example.org,New,yes\n" for name in ("ann", "left", "bounced", "own", "gone", "new"))
    done = await confirm(owner, await check(owner, await upload(owner, f"Email,First name,Unsubscribed\n{lines}")))
    assert await Contact.of(acme).filter(status="unsubscribed").count() == 6
    await Contact.filter(id=bounced.id).update(bounced_at=clock.now())
    await stranger.post(f"/unsubscribe/{token_for(left.id, ann.id)}")  # who wants it too, by an older mail
    await Contact.filter(id=own.id).update(first_name="Mine")
    undone = await undo(owner, done)
    assert undone.title == "Import undone"
    found: dict[str, Any] = {one.email.partition("@")[0]: one for one in await Contact.of(acme)}
    assert found.keys() == {"ann", "left", "bounced", "own", "gone"}
    assert {name for name, one in found.items() if one.status == "subscribed"} == {"ann", "bounced"}
    assert (found["ann"].first_name, found["ann"].unsubscribed_at) == ("Ann", None)
    assert found["bounced"].bounced_at is not None
    assert found["gone"].unsubscribed_at == gone.unsubscribed_at


async def test_another_dry_run_counts_anew(owner: Visitor, acme: Organization) -> None:
    page = await check(owner, await upload(owner, "Email,Unsubscribed\na@example.org,yes\n"))
    assert (await ContactImport.of(acme).get()).excluded_count == 1
    page = await check(owner, await owner.get(f"{page.path}/columns"), **{"column-1": ""})
    page = await answer(owner, page, **{"word-1-yes": "subscribed"})
    assert (await ContactImport.of(acme).get()).excluded_count == 0
    assert "1 contact will be created" in page.text
