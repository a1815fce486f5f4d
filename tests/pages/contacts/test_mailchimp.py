"""The files of a Mailchimp audience export, imported as docs/mailchimp.md says."""

import pytest

from tests.factories import make_contact
from tests.pages.conftest import Visitor
from tests.pages.contacts.test_imports import check, confirm, upload
from tests.support.pictures import multipart
from webapp.models import Contact, Organization, Suppression

PERSON = """Email Address,First Name,Last Name,Address,Phone Number,Birthday,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,\
CONFIRM_TIME,CONFIRM_IP,LATITUDE,LONGITUDE,GMTOFF,DSTOFF,TIMEZONE,CC,REGION,"""
ENDINGS = {
    "subscribed": "LAST_CHANGED,",
    "nonsubscribed": "LAST_CHANGED,",
    "unsubscribed": "UNSUB_TIME,UNSUB_CAMPAIGN_TITLE,UNSUB_CAMPAIGN_ID,UNSUB_REASON,UNSUB_REASON_OTHER,LAST_CHANGED,",
    "cleaned": "CLEAN_TIME,CLEAN_CAMPAIGN_TITLE,CLEAN_CAMPAIGN_ID,LAST_CHANGED,",
}
VALUES = {
    "subscribed": "2024-05-01 10:00:00,",
    "nonsubscribed": "2024-05-01 10:00:00,",
    "unsubscribed": "2024-02-01 08:00:00,March,99,NORMAL,,2024-05-01 10:00:00,",
    "cleaned": "2024-02-01 08:00:00,March,99,2024-05-01 10:00:00,",
}


def file_of(audience: str, email: str) -> tuple[str, str]:
    """The file and its name, with one person."""
    row = f'{email},Ada,Lovelace,"12 St James Square London",+44 20 7946 0018,12/10,4,2023-03-01 09:12:33,203.0.113.5,'
    row += "2023-03-01 09:12:40,203.0.113.5,51.5,-0.1,0,1,Europe/London,GB,ENG,"
    tags = '345670001,a1b2c3d4e5,Met at the fair.,"""VIP"",""Conference 2024"""'
    data = f"{PERSON}{ENDINGS[audience]}LEID,EUID,NOTES,TAGS\n{row}{VALUES[audience]}{tags}\n"
    return data, f"{audience}_email_audience_export_8a4f0c1d2e.csv"


async def test_subscribers_come_with_their_fields_and_tags(
    owner: Visitor, acme: Organization, rival: Organization
) -> None:
    await make_contact(rival, "theirs@example.org", custom_fields={"tags": '"VIP"'})
    await make_contact(acme, "other@example.org", custom_fields={"tags": '"VIP lunch"'})
    page = await upload(owner, *file_of("subscribed", "ada@example.org"))
    assert "This looks like an export from Mailchimp." in page.text
    await confirm(owner, await check(owner, page))
    ada = await Contact.of(acme).get(email="ada@example.org")
    assert (ada.status, ada.first_name, ada.last_name, ada.phone) == (
        "subscribed", "Ada", "Lovelace", "+44 20 7946 0018",
    )  # fmt: skip
    kept = ["address", "birthday", "cc", "confirm_ip", "confirm_time", "notes", "optin_ip", "optin_time", "region"]
    assert sorted(ada.custom_fields) == [*kept, "tags", "timezone"]
    tagged = {"field-0": "custom_fields.tags", "op-0": "contains", "value-0": '"VIP"'}
    found = await owner.get("/contacts", query_string=tagged)
    assert [row[1] for row in found.rows] == ["Ada Lovelace ada@example.org"]


@pytest.mark.parametrize("audience", ["unsubscribed", "nonsubscribed", "cleaned"])
async def test_people_of_the_other_files_get_no_campaigns(owner: Visitor, acme: Organization, audience: str) -> None:
    page = await check(owner, await upload(owner, *file_of(audience, "ada@example.org")))
    assert "1 contact won't receive campaigns" in page.text
    await confirm(owner, page)
    ada = await Contact.of(acme).get()
    assert ada.status == "unsubscribed"
    assert not any(name.startswith(("unsub", "clean", "leid")) for name in ada.custom_fields)


async def test_cleaned_addresses_are_suppressed_as_bounces(owner: Visitor, acme: Organization) -> None:
    data, name = file_of("cleaned", "ada@example.org")
    token = (await owner.get("/accounts")).token
    await owner.post("/suppressions/import", **multipart((name, data.encode()), fields={"csrf_token": token}))
    (entry,) = await Suppression.of(acme)
    assert (entry.email, entry.reason) == ("ada@example.org", "bounce")
