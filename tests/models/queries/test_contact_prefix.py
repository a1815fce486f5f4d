"""Contacts found by how their address or name begins: which, and at what cost."""

import random
import re

import pytest

from tests.factories import make_contact
from tests.queries import look_ups, plan_of
from webapp.languages.spelling import plain_form, search_form
from webapp.models import Contact, Organization
from webapp.models.queries.contacts.contact_prefix import contacts_beginning_with

LOCAL = ("ann", "Ann-", "an.na", "anß", "ün", "zoë", "", "o'")
NAMES = (None, "Ann", "ANNA", "Anna Lena", "Ünal", "Öztürk", "Łukasz", "Straße", "Lee", "O'Hara", "%", "安")


def begins(contact: Contact, text: str) -> bool:
    first, last = (search_form(name or "") for name in (contact.first_name, contact.last_name))  # type: ignore[attr-defined]
    ahead, _, rest = text.rpartition(" ")
    plain = (plain_form(first), plain_form(last))
    parts = (contact.email_key, first, last, *plain)
    names = ((first, last), (last, first), plain, plain[::-1])
    is_both = bool(ahead) and any(name == ahead and other.startswith(rest) for name, other in names)
    return is_both or any(part.startswith(text) for part in parts)


@pytest.mark.parametrize("seed", range(3))
async def test_those_that_begin_so_are_found_and_no_others(acme: Organization, rival: Organization, seed: int) -> None:
    chance, contacts = random.Random(seed), list[Contact]()
    for number in range(60):
        names = {"first_name": chance.choice(NAMES), "last_name": chance.choice(NAMES)}
        email = f"{chance.choice(LOCAL)}{number}@example.org"
        contacts.append(await make_contact(acme, email, **names))
        await make_contact(rival, email, **names)
    for text in (
        "an",
        "ann",
        "ann-",
        "anna l",
        "anna lena ",
        "ann ün",
        "ünal an",
        "unal",
        "ann un",
        "unal ann",
        "oz",
        "lukasz oz",
        "lee anna l",
        "o'hara ann",
        "ünal",
        "strass",
        "o'",
        "%",
        "_",
        "安",
        "x",
        "1",
    ):
        ids = await contacts_beginning_with(acme.id, text, 1_000)
        assert len(ids) == len(set(ids))
        assert set(ids) == {contact.id for contact in contacts if begins(contact, search_form(text))}, text
        few = await contacts_beginning_with(acme.id, text, 3)
        assert len(few) == min(3, len(ids))
        assert set(few) <= set(ids)


async def test_each_part_is_read_from_an_index_in_its_order(acme: Organization) -> None:
    with look_ups() as sent:
        await contacts_beginning_with(acme.id, "ada l", 5)
    ((sql, values),) = sent
    plan = "\n".join(await plan_of(sql, *values))
    for name in (
        "contacts_address|uid_contacts\\w+|sqlite_autoindex_contacts",
        "contacts_first_name",
        "contacts_last_name",
        "contacts_plain_first",
        "contacts_plain_last",
    ):
        assert re.search(name, plan), plan
    assert "Seq Scan" not in plan
    assert "SCAN contacts" not in plan
