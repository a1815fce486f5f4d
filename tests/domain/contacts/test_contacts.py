"""What others ask of contacts and segments: merge values, references in bodies, the status."""

from typing import Any
from uuid import uuid4

import pytest

from tests.factories import make_contact
from webapp import clock, db
from webapp.domain.contacts.contacts import (
    contacts_named,
    delete_contact,
    get_or_create_contact,
    merge_values,
)
from webapp.domain.contacts.fields import set_status
from webapp.domain.contacts.inputs import NewContact, NewMember, check_custom_fields
from webapp.errors import NotFound
from webapp.models import Contact, Organization
from webapp.models.contact import ContactStatus, search_form


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, {"email": "ada@example.org"}),
        ({"first_name": "Ada", "last_name": "King", "phone": "1"},
         {"email": "ada@example.org", "first_name": "Ada", "last_name": "King", "phone": "1"}),
        ({"custom_fields": {"company": "Engines", "seats": 0, "vip": False, "note": "", "until": None}},
         {"email": "ada@example.org", "company": "Engines", "seats": 0, "vip": False, "note": ""}),
        ({"first_name": "Ada", "custom_fields": {"first_name": "X", "last_name": "Y", "email": "x@y.example", "phone": 1}},
         {"email": "ada@example.org", "first_name": "Ada"}),
    ],
)  # fmt: skip
def test_merge_tags_see_what_has_a_value_and_the_standard_fields_first(
    fields: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert merge_values(Contact(email="ada@example.org", **{"custom_fields": {}, **fields})) == expected


async def test_contacts_are_named_in_the_bodys_order_each_once(acme: Organization, rival: Organization) -> None:
    first, second = await make_contact(acme), await make_contact(acme)
    named = await contacts_named(acme, [second.id, first.id, second.id])
    assert [contact.id for contact in named] == [second.id, first.id]
    assert await contacts_named(acme, []) == []
    for wrong in (uuid4(), (await make_contact(rival)).id):
        with pytest.raises(NotFound, match=r"^contact_ids: contact not found$"):
            await contacts_named(acme, [first.id, wrong])


def test_a_status_that_is_the_same_keeps_its_time() -> None:
    contact, before = Contact(), clock.now()
    set_status(contact, ContactStatus.SUBSCRIBED)
    assert contact.unsubscribed_at is None
    set_status(contact, ContactStatus.UNSUBSCRIBED)
    since = contact.unsubscribed_at
    assert since is not None
    assert since >= before
    contact.bounced_at = before
    set_status(contact, ContactStatus.UNSUBSCRIBED)
    assert (contact.unsubscribed_at, contact.bounced_at) == (since, before)
    set_status(contact, ContactStatus.SUBSCRIBED)
    assert (contact.status, contact.unsubscribed_at, contact.bounced_at) == ("subscribed", None, None)


async def test_a_contact_taken_in_may_be_deleted_and_taken_in_again(acme: Organization) -> None:
    details = NewMember(first_name="Ada")
    async with db.write_transaction():
        made = await get_or_create_contact(acme, "Ada@example.org", details)
        assert (await get_or_create_contact(acme, "ada@EXAMPLE.org", details)).id == made.id
    await delete_contact(acme, made)
    with pytest.raises(NotFound):
        await delete_contact(acme, made)
    async with db.write_transaction():
        assert (await get_or_create_contact(acme, "ada@example.org", details)).id != made.id


@pytest.mark.parametrize("value", [{"a": {"b": 1}}, {"a": [1]}, {"a": b"x"}, {"a": object()}])
def test_custom_fields_are_flat(value: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be flat: a must be"):
        check_custom_fields(value)


def test_what_a_form_leaves_empty_is_none() -> None:
    data = NewContact(email="ada@example.org", first_name=" ", phone="", custom_fields=None)
    assert (data.first_name, data.phone, data.custom_fields) == (None, None, {})


@pytest.mark.parametrize(
    ("one", "other"), [("ADA", "ada"), ("Weiß", "WEISS"), ("Zoë", "Zoe\u0308"), ("\uff21\uff44\uff41", "Ada"), ("ΟΔΟΣ", "οδος")]
)  # fmt: skip
def test_search_compares_without_case_and_spelling(one: str, other: str) -> None:
    assert search_form(one) == search_form(other)
