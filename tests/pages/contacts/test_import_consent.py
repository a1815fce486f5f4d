"""Files of other mailing tools, which say who has left: nobody of them gets a campaign."""

import csv
import io
from typing import Any

import pytest
from quart import Quart

from tests.api.conftest import make_api
from tests.factories import account_on, make_campaign, make_contact, make_segment, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.pages.conftest import Page, Visitor
from tests.pages.contacts.test_imports import check, confirm, counts, import_id, undo, upload
from webapp import clock
from webapp.config import Settings
from webapp.domain.contacts.unsubscribe import token_for
from webapp.domain.imports import worker
from webapp.models import CampaignRun, Contact, ContactImport, Organization, Segment

# The columns of a Mailchimp audience export; the first of each file are the audience's own fields.
PERSON = ["Email Address", "First Name", "Last Name", "Address", "Phone Number"]
RATED = ["MEMBER_RATING", "OPTIN_TIME", "OPTIN_IP", "CONFIRM_TIME", "CONFIRM_IP", "LATITUDE", "LONGITUDE", "GMTOFF"]
PLACED = ["DSTOFF", "TIMEZONE", "CC", "REGION"]
LAST = ["LEID", "EUID", "NOTES", "TAGS"]
UNSUB = ["UNSUB_TIME", "UNSUB_CAMPAIGN_TITLE", "UNSUB_CAMPAIGN_ID", "UNSUB_REASON", "UNSUB_REASON_OTHER"]
CLEAN = ["CLEAN_TIME", "CLEAN_CAMPAIGN_TITLE", "CLEAN_CAMPAIGN_ID"]
COLUMNS = {
    "subscribed": [*PERSON, *RATED, *PLACED, "LAST_CHANGED", *LAST],
    "unsubscribed": [*PERSON, *RATED, *PLACED, *UNSUB, *LAST],
    "cleaned": [*PERSON, *RATED, *PLACED, *CLEAN, *LAST],
}
PEOPLE = {
    "subscribed": ["ann@example.org", "dora@example.org", "fred@example.org"],
    "unsubscribed": ["bob@example.org", "dora@example.org"],  # she stands in an older file of subscribers
    "cleaned": ["cleo@example.org", "fred@example.org"],
}
TIME = "2024-03-01 09:30:00"
FILLED = {"MEMBER_RATING": "3", "OPTIN_TIME": TIME, "CONFIRM_TIME": TIME, "LAST_CHANGED": TIME, "LEID": "1", "CC": "us"}
LEFT = {"UNSUB_TIME": TIME, "UNSUB_REASON": "NORMAL", "CLEAN_TIME": TIME, "CLEAN_CAMPAIGN_TITLE": "May"}


def mailchimp(audience: str) -> str:
    """One of the three files of an export."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS[audience], restval="", extrasaction="ignore")
    writer.writeheader()
    for email in PEOPLE[audience]:
        writer.writerow({"Email Address": email, "First Name": "A", **FILLED, **LEFT})
    return text.getvalue()


async def reached(app: Quart, org: Organization, settings: Settings, server: SmtpServer, segment: Segment) -> set[str]:
    """Who gets a campaign to the segment that is sent now."""
    template = await make_template(org, subject="News", body="<p>News</p>")
    campaign = await make_campaign(org, segment=segment, template=template)
    api = await make_api(app, org)
    status, _ = await api.post(f"/v1/campaigns/{campaign.id}/send", {})
    assert status == 200

    async def is_over() -> bool:
        return await CampaignRun.of(org).filter(campaign_id=campaign.id, status="completed").exists()

    async with working(settings):
        await eventually(is_over)
    return {recipient for message in server.messages for recipient in message.recipients}


@pytest.mark.parametrize("order", [tuple(COLUMNS), tuple(reversed(COLUMNS))], ids=["first", "last"])
async def test_of_a_mailchimp_export_only_subscribers_get_a_campaign(
    app: Quart, owner: Visitor, acme: Organization, settings: Settings, smtp_server: SmtpServer, order: tuple[str, ...]
) -> None:
    await account_on(smtp_server, acme)
    segment = await make_segment(acme)
    for audience in order:
        name = f"{audience}_members_export_8a4f0c.csv"
        page = await check(owner, await upload(owner, mailchimp(audience), name, segment=str(segment.id)))
        if audience != "subscribed":
            assert "2 contacts won't receive campaigns (unsubscribed or bounced)." in page.text
        await confirm(owner, page)
    assert await Contact.of(acme).count() == 5 == (await Segment.get(id=segment.id)).contact_count
    assert await reached(app, acme, settings, smtp_server, segment) == {"ann@example.org"}


@pytest.mark.parametrize("known", ["change", "leave"])
async def test_known_contacts_only_ever_get_less_mail(
    owner: Visitor, acme: Organization, rival: Organization, known: str
) -> None:
    in_both = {org.id: await make_contact(org, "ann@example.org", first_name="Ann") for org in (acme, rival)}
    gone = await make_contact(acme, "bob@example.org", status="unsubscribed", unsubscribed_at=clock.now())
    bounced = await make_contact(acme, "cleo@example.org", bounced_at=clock.now())
    page = await upload(
        owner,
        "Email,First name,Status\nann@example.org,New,unsubscribed\nbob@example.org,,subscribed\n"
        "cleo@example.org,,subscribed\nANN@example.org,,subscribed\n",
    )
    page = await check(owner, page, known=known)
    assert (counts(page), "3 contacts won't receive campaigns" in page.text) == ([0, 1, 2, 0], True)
    await confirm(owner, page)
    found = {one.email: one for one in await Contact.of(acme)}
    ann = found["ann@example.org"]
    assert (ann.status, ann.first_name) == ("unsubscribed", "New" if known == "change" else "Ann")
    assert ann.unsubscribed_at is not None
    assert (found["bob@example.org"].status, found["bob@example.org"].unsubscribed_at) == (
        "unsubscribed",
        gone.unsubscribed_at,
    )
    assert found["cleo@example.org"].bounced_at == bounced.bounced_at
    await in_both[rival.id].refresh_from_db()
    assert in_both[rival.id].status == "subscribed"


def questions(page: Page) -> list[str]:
    """The column, the word and the rows of each question."""
    return [" ".join(row[:3]) for row in page.rows] if page.soup.select_one("#questions") else []


def names_of(page: Page) -> list[str]:
    """The names of the questions' fields."""
    return [select["name"] for select in page.soup.select("#questions tbody select")]


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
    assert await Contact.of(acme).count() == 0
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
    assert ["Status", "“gold”", "2", "Subscribed"] in done.rows
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
