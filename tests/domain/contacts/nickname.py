"""Uses the field of tests/support/declared_field.py; test_declared_once.py runs it in a process of its own."""

import pytest
from quart import Quart

from tests.api.conftest import make_api
from tests.apps import app_of
from tests.pages.conftest import Visitor, make_person, visitor_for
from tests.pages.contacts.test_imports import check, confirm, undo, upload
from webapp import db
from webapp.config import Settings
from webapp.models import Contact, Event, Organization


@pytest.fixture
async def app(settings: Settings, database: str) -> Quart:
    await db.connection().execute_script("ALTER TABLE contacts ADD COLUMN nickname VARCHAR(20)")
    return app_of(settings)


@pytest.fixture
async def owner(app: Quart, acme: Organization) -> Visitor:
    return await visitor_for(app, acme, await make_person(acme, "ada@acme.example"))


async def nicknames(org: Organization) -> list[str]:
    return [str(name) for name in await Contact.of(org).values_list("nickname", flat=True)]


async def test_the_api_events_filters_and_the_reference_have_the_field(app: Quart, acme: Organization) -> None:
    api = await make_api(app, acme)
    made = await api.create("/v1/contacts", {"email": "ada@example.org", "nickname": "Addie"})
    assert made["nickname"] == "Addie"
    assert await api.refused("PATCH", f"/v1/contacts/{made['id']}", {"nickname": "x" * 21}) == "nickname"
    (event,) = await Event.of(acme).filter(type="contact.created")
    assert event.data["nickname"] == "Addie"
    assert "What friends say." in str(await api.get("/openapi.json"))
    friends = {"name": "Friends", "kind": "dynamic", "filter": {"field": "nickname", "op": "is", "value": "addie"}}
    segment = await api.create("/v1/segments", friends)
    assert [row["id"] for row in (await api.get(f"/v1/segments/{segment['id']}/contacts"))[1]["data"]] == [made["id"]]


async def test_pages_files_and_undo_have_the_field(owner: Visitor, acme: Organization) -> None:
    page = await owner.submit(await owner.get("/contacts/new"), "/contacts", email="ada@example.org", nickname="Addie")
    assert "Addie" in page.text
    assert '"nickname"' in (await owner.get("/contacts/export.csv")).data.decode().splitlines()[0].split(",")
    done = await confirm(owner, await check(owner, await upload(owner, "email,Spitzname\nada@example.org,Countess\n")))
    assert await nicknames(acme) == ["Countess"]
    await undo(owner, done)
    assert await nicknames(acme) == ["Addie"]
