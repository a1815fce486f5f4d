"""Files of other mailing tools, which say who has left: nobody of them gets a campaign."""

import csv
import io
from itertools import permutations
from typing import Any

import pytest
from quart import Quart

from tests.api.conftest import make_api
from tests.factories import account_on, make_campaign, make_contact, make_segment, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.pages.conftest import Visitor
from tests.pages.contacts.test_imports import check, confirm, counts, undo, upload
from webapp import clock
from webapp.config import Settings
from webapp.domain.contacts.unsubscribe import token_for
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


@pytest.mark.parametrize("order", [*permutations(COLUMNS)])
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


async def test_the_columns_say_it_whatever_the_file_is_called(owner: Visitor, acme: Organization) -> None:
    for audience in COLUMNS:
        page = await upload(owner, mailchimp(audience), "export.csv")
        assert page.form().select_one("select[name=consent] option[selected]")["value"] == "columns"
        await confirm(owner, await check(owner, page))
    left = {one.email for one in await Contact.of(acme).filter(status="unsubscribed")}
    assert left == {*PEOPLE["unsubscribed"], *PEOPLE["cleaned"]}


async def test_the_name_of_the_file_says_it_where_no_column_does(owner: Visitor, acme: Organization) -> None:
    page = await upload(owner, "Email Address\nbob@example.org\n", "nonsubscribed_members_export_8a4f0c.csv")
    assert page.form().select_one("select[name=consent] option[selected]")["value"] == "left"
    page = await check(owner, page)
    assert "1 contact won't receive campaigns (unsubscribed or bounced)." in page.text
    page = await confirm(owner, page)
    assert (await Contact.of(acme).get()).status == "unsubscribed"
    assert "Excluded from campaigns 1 contact (unsubscribed or bounced)" in page.text


STATUSES = {
    "ann": "subscribed",
    "bob": "Unsubscribed",
    "cleo": "cleaned",
    "dora": "opted out",
    "eve": "Non-Subscribed",
    "fred": "",
}
KEPT_OUT = {"bob", "cleo", "dora", "eve"}


@pytest.mark.parametrize(
    "heading",
    ["status", "Email Marketing Status", "Subscription status", "email permission status", "Permission", "Foo"],
)
async def test_a_column_of_statuses_is_offered_as_such(owner: Visitor, acme: Organization, heading: str) -> None:
    lines = "".join(f"{name}@example.org,{status}\n" for name, status in STATUSES.items())
    page = await upload(owner, f"Email,{heading}\n{lines}")
    assert page.form().select_one("select[name=column-1] option[selected]").text == "Subscription status"
    page = await check(owner, page)
    assert (counts(page), "4 contacts won't receive campaigns" in page.text) == ([6, 0, 0, 0], True)
    await confirm(owner, page)
    left = await Contact.of(acme).filter(status="unsubscribed")
    assert {one.email.partition("@")[0] for one in left} == KEPT_OUT
    assert all(one.unsubscribed_at is not None and one.custom_fields == {} for one in left)


@pytest.mark.parametrize("heading", ["unsubscribed", "opt-out", "unsubscribed_at", "Unsubscribed from all email"])
async def test_a_column_of_yes_or_times_is_offered_as_such(owner: Visitor, acme: Organization, heading: str) -> None:
    lines = "ann@example.org,false\nbob@example.org,true\ncleo@example.org,2024-03-01\ndora@example.org,\n"
    page = await upload(owner, f"Email,{heading}\n{lines}")
    assert page.form().select_one("select[name=column-1] option[selected]").text == "Unsubscribed"
    await confirm(owner, await check(owner, page))
    left = await Contact.of(acme).filter(status="unsubscribed")
    assert {one.email for one in left} == {"bob@example.org", "cleo@example.org"}


async def test_who_has_left_is_found_below_the_rows_that_are_shown(owner: Visitor, acme: Organization) -> None:
    said = ["yes"] * 100 + ["no"]
    lines = "".join(f"person{number}@example.org,{word},{word}\n" for number, word in enumerate(said))
    page = await upload(owner, f"Email,marketing_opt_in,VIP\n{lines}")
    assert page.form().select_one("select[name=column-1] option[selected]").text == "Subscription status"
    assert page.form().select_one("select[name=column-2] option[selected]").text == "Custom field"
    assert page.text.count("yes") == 8
    await confirm(owner, await check(owner, page))
    assert [one.email for one in await Contact.of(acme).filter(status="unsubscribed")] == ["person100@example.org"]


async def test_a_file_without_those_who_left_is_of_those_who_stay(owner: Visitor, acme: Organization) -> None:
    page = await upload(owner, "Email Address\nbob@example.org\n", "customers_excluding_bounces.csv")
    assert page.form().select_one("select[name=consent] option[selected]")["value"] == "columns"
    await confirm(owner, await check(owner, page))
    assert (await Contact.of(acme).get()).status == "subscribed"


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


MIXED = "Email,Stage,Note\nann@example.org,Unsubscribed,x\nbob@example.org,gold,\ncleo@example.org,silver,\n"


async def test_a_column_that_says_who_left_is_not_ignored_without_a_warning(
    owner: Visitor, rival_owner: Visitor, acme: Organization
) -> None:
    warning = "The column “Stage” shows that some people in this file have unsubscribed."
    page = await upload(owner, MIXED)
    assert warning in page.text
    place = page.form()["action"]
    assert (await rival_owner.get(place)).status == 404
    mapped = await owner.submit(page, place, **{"column-1": "status"})
    assert mapped.title == "Checking rows"
    page = await upload(owner, "Email,Stage\nann@example.org,unsubscribed\n")
    assert warning not in page.text
    place = page.form()["action"]
    page = await owner.submit(page, place, **{"column-1": ""})
    assert (page.status, warning in page.text) == (422, True)
    assert await ContactImport.of(acme).filter(status="uploaded").exists()
    page = await owner.submit(page, place)
    assert page.title == "Checking rows"
    page = await upload(owner, MIXED)
    assert (await owner.submit(page, page.form()["action"], consent="left")).title == "Checking rows"


async def test_a_word_that_is_not_known_is_told_of_its_row(owner: Visitor, acme: Organization) -> None:
    page = await check(owner, await upload(owner, "Email,Status\na@example.org,unsubscribed\nb@example.org,gold\n"))
    assert counts(page) == [1, 0, 0, 1]
    (row,) = page.rows
    assert row[0] == "3"
    assert row[1].startswith("Status “gold” isn't recognized. Use subscribed or unsubscribed")


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
    assert (await ContactImport.of(acme).get()).excluded_count == 0
    assert "out:" not in page.text
    assert "1 contact will be created" in page.text
