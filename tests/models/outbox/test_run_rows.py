"""The rows of runs have the values of their contacts, and are of their organization alone."""

from typing import Any

from tests.factories import make_account, make_campaign, make_contact, make_segment, make_template
from webapp import db
from webapp.domain.campaigns.runs import count_scheduled
from webapp.domain.campaigns.send import start_scheduled
from webapp.domain.contacts.contacts import merge_values
from webapp.models import Contact, MailLog, Organization

CONTACTS: list[dict[str, Any]] = [
    {},
    {"first_name": "Ann", "last_name": 'O\'Hara "the" \\ <b>&amp;', "phone": "+39 06"},
    {"first_name": "Zoë 李 🦊", "custom_fields": {"città": "Torino 🏔", "naïve\u2028key": "a\u2028b\tc\nd"}},
    {"first_name": "\u0001\u007f\u0085", "custom_fields": {'a"b\\c/d': '\\u0041 "quoted" \\ /', " ": " "}},
    {"custom_fields": {"email": "other@example.org", "first_name": "Custom", "phone": 7, "last_name": None}},
    {"first_name": "Real", "custom_fields": {"first_name": "Custom", "Email": "kept", "FIRST_NAME": None}},
    {"custom_fields": {"none": None, "empty": "", "yes": True, "no": False, "zero": 0, "minus": -0.5}},
    {"custom_fields": {"big": 2**53 + 1, "huge": 2**63 - 1, "small": 1.5e-7, "third": 1 / 3, "e": 1e22}},
    {"custom_fields": {"__proto__": "x", "$.a": "path", "a.b[0]": "path", "#-1": "index", "0": "digit"}},
    {"custom_fields": {f"field {number}": "x" * 100 for number in range(120)}},
]


async def start(org: Organization, *contacts: Contact) -> list[MailLog]:
    """The rows of a new run for these contacts."""
    segment, template = await make_segment(org, *contacts), await make_template(org)
    campaign = await make_campaign(org, segment=segment, template=template)
    audience = await count_scheduled(org, campaign)
    async with db.write_transaction():
        await campaign.lock()
        await start_scheduled(org, campaign, audience, campaign.created_at)
    return await MailLog.of(org).order_by("id")


async def test_the_variables_of_a_row_are_what_merge_tags_see_of_the_contact(acme: Organization) -> None:
    await make_account(acme)
    made = [await make_contact(acme, **fields) for fields in CONTACTS]
    contacts = [await Contact.of(acme).get(id=contact.id) for contact in made]
    rows = await start(acme, *contacts)
    assert len(rows) == len(CONTACTS)
    for row, contact in zip(rows, contacts, strict=True):
        expected = merge_values(contact)
        assert row.variables == expected
        assert list(map(type, row.variables.values())) == [type(expected[name]) for name in row.variables]


async def test_a_strangers_contact_in_a_segment_gets_no_row(acme: Organization, rival: Organization) -> None:
    await make_account(acme)
    ours, theirs = await make_contact(acme), await make_contact(rival)
    rows = await start(acme, ours, theirs)
    assert [row.contact_id for row in rows] == [ours.id]
    assert await MailLog.of(rival).count() == 0
