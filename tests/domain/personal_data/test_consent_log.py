"""The consent log of erased people, which keeps them erased after a restore."""

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.conftest import SUFFIX, fresh_postgres
from tests.factories import make_contact, make_org
from webapp import config
from webapp.config import Settings
from webapp.db import consent_log
from webapp.domain.contacts.contacts import unsubscribe_contacts
from webapp.domain.personal_data.erase import erase_contact, erase_restored, forget_addresses, forget_tombstone
from webapp.models import Contact, Organization, Tombstone

ADA = "ada@example.org"


@pytest.fixture(params=["file", pytest.param("server", marks=pytest.mark.postgres)])
async def log(request: pytest.FixtureRequest, settings: Settings, worker_name: str) -> None:
    """The log in a file, or in the database of another server."""
    url = f"file://{settings.data_dir / 'consent.log'}"
    if request.param == "server":
        url = await fresh_postgres(f"pennypost_consent{SUFFIX}_{worker_name}")
    config.configure(replace(settings, consent_url=url))
    await consent_log.check(config.settings())


async def lines() -> list[dict[str, Any]]:
    found: list[str] = []
    await consent_log.visit(found.append)
    return [json.loads(line) for line in found]


async def restore(org: Organization, **contact: Any) -> Contact:
    """Puts the contact back, as a backup from before the erasure does."""
    await Tombstone.of(org).delete()
    return await make_contact(org, **contact)


@pytest.mark.usefixtures("log")
class TestLog:
    async def test_a_new_line_has_the_digest_beside_the_address(self, api: Api, acme: Organization) -> None:
        await api.create("/v1/contacts", {"email": ADA, "status": "unsubscribed"})
        (line,) = await lines()
        assert (line["email"], len(line["digest"])) == (ADA, 43)

    async def test_forget_removes_the_address_of_the_erased_alone(self, api: Api, acme: Organization) -> None:
        others = await make_org("Others")
        for org, email in ((acme, ADA), (acme, "bob@example.org"), (others, ADA)):
            contact = await make_contact(org, email)
            await unsubscribe_contacts(org, [contact.id])
        await erase_contact(acme, await Contact.get(org_id=acme.id, email=ADA))
        assert await forget_addresses() == 1
        assert await forget_addresses() == 0
        assert [line.get("email") for line in await lines()] == [None, "bob@example.org", ADA, None]
        digests = [line["digest"] for line in await lines()]
        assert digests[0] == digests[3] != digests[2]


class TestRestore:
    async def test_an_erased_person_stays_erased(self, acme: Organization) -> None:
        contact = await make_contact(acme, ADA)
        other = await make_contact(acme, "bob@example.org")
        await erase_contact(acme, contact)
        await restore(acme, id=contact.id, email="ada.formerly@example.org")
        await erase_restored()
        assert [left.id for left in await Contact.of(acme)] == [other.id]
        assert await Tombstone.of(acme).count() == 2  # also of the address at the backup

    async def test_also_under_another_id_and_after_forget(self, acme: Organization) -> None:
        contact = await make_contact(acme, ADA)
        created_at = contact.created_at
        await erase_contact(acme, contact)
        await forget_addresses()
        again = await restore(acme, email=ADA)
        await Contact.filter(id=again.id).update(created_at=created_at)
        await erase_restored()
        assert await Contact.of(acme).count() == 0

    async def test_who_came_back_stays(self, acme: Organization) -> None:
        await erase_contact(acme, await make_contact(acme, ADA))
        await Tombstone.of(acme).update(next_at=None)
        await forget_tombstone(acme, ADA)
        back = await make_contact(acme, ADA)
        await erase_restored()
        assert [left.id for left in await Contact.of(acme)] == [back.id]
        assert await Tombstone.of(acme).count() == 0
