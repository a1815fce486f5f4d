"""What test_added_field.py runs: the doors of contacts with the fields of tests/support/added_fields.py."""

import asyncio
import json
import sqlite3
from contextlib import closing
from csv import DictReader
from io import StringIO
from typing import Any

import asyncpg
import pytest
from quart import Quart

from tests.api.conftest import Api, make_api
from tests.factories import make_contact, make_segment
from tests.pages.conftest import Visitor
from tests.pages.contacts.test_contact_filters import fill
from tests.pages.contacts.test_contacts import people_on
from tests.pages.contacts.test_imports import check, confirm, undo, upload
from tests.support.added_fields import ADDED, COLUMNS
from webapp.config import Settings
from webapp.http.openapi.document import document
from webapp.models import Contact, Organization

NAMES = [field.name for field in ADDED]
VALUES = {"nickname": "Countess", "no_surveys": True, "quiet_until": "2027-01-01T09:30:00.000Z"}
EMPTY = {"nickname": None, "no_surveys": False, "quiet_until": None}
OPERATOR = {"nickname": ("starts_with", "coun"), "no_surveys": ("is", True), "quiet_until": ("after", "2026-12-31")}
ADA = {"email": "ada@example.org"}


@pytest.fixture(scope="session")
def migrated(migrated: str) -> str:
    """The database with the columns that a migration would add."""
    asyncio.run(add_columns(migrated))
    return migrated


async def add_columns(url: str) -> None:
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite://"))) as database:
            for name, kind in COLUMNS["sqlite"].items():
                database.execute(f"ALTER TABLE contacts ADD COLUMN {name} {kind}")
        return
    server = await asyncpg.connect(url)
    for name, kind in COLUMNS["postgres"].items():
        await server.execute(f"ALTER TABLE contacts ADD COLUMN {name} {kind}")
    await server.close()


@pytest.fixture
async def api(app: Quart, acme: Organization) -> Api:
    return await make_api(app, acme)


async def saved(org: Organization) -> dict[str, Any]:
    contact = await Contact.of(org).get(email_key="ada@example.org")
    values = {name: getattr(contact, name) for name in NAMES}
    at = values["quiet_until"]
    return values | {"quiet_until": at and at.strftime("%Y-%m-%dT%H:%M:%S.000Z")}


def values_in(data: dict[str, Any]) -> dict[str, Any]:
    return {name: data[name] for name in NAMES}


async def test_the_api_takes_and_returns_it(app: Quart, api: Api, acme: Organization) -> None:
    status, body = await api.post("/v1/contacts", ADA | VALUES)
    assert (status, values_in(body["data"])) == (201, VALUES)
    path = f"/v1/contacts/{body['data']['id']}"
    assert values_in((await api.patch(path, EMPTY))[1]["data"]) == EMPTY
    assert values_in((await api.patch(path, VALUES))[1]["data"]) == VALUES
    assert values_in((await api.get(path))[1]["data"]) == VALUES
    assert values_in((await api.get("/v1/contacts"))[1]["data"][0]) == VALUES
    segment = await make_segment(acme)
    _, body = await api.post(f"/v1/segments/{segment.id}/contacts", {"email": "bob@example.org"} | VALUES)
    assert values_in(body["data"]) == VALUES
    for name, bad in {"nickname": "x" * 41, "no_surveys": 7, "quiet_until": "soon"}.items():
        status, body = await api.patch(path, {name: bad})
        assert (status, body["details"][0]["field"]) == (400, name)
    async with app.app_context():
        schemas = document()["components"]["schemas"]
    for shape in ("Contact", "NewContact", "ContactChanges", "NewMember"):
        assert {name: schemas[shape]["properties"][name]["description"] for name in NAMES} == {
            field.name: field.description for field in ADDED
        }


async def test_events_and_the_consent_log_carry_it(
    api: Api, rival: Organization, app: Quart, settings: Settings
) -> None:
    await api.post("/v1/contacts", ADA | VALUES)
    _, body = await api.get("/v1/events")
    assert values_in(body["data"][0]["data"]) == VALUES
    assert (await (await make_api(app, rival)).get("/v1/events"))[1]["data"] == []
    (line,) = [json.loads(line) for line in (settings.data_dir / "consent.log").read_text().splitlines() if line]
    assert (line["no_surveys"], line["quiet_until"], "nickname" in line) == (True, "2027-01-01T09:30:00+00:00", False)


async def test_a_file_carries_it_into_another_organization_and_an_undo_takes_it_back(
    api: Api, owner: Visitor, rival_owner: Visitor, rival: Organization
) -> None:
    await api.post("/v1/contacts", ADA | VALUES)
    data = (await owner.get("/contacts/export.csv")).data.decode("utf-8-sig")
    (row,) = DictReader(StringIO(data))
    assert values_in(row) == {"nickname": "Countess", "no_surveys": "true", "quiet_until": "2027-01-01T09:30:00Z"}
    await make_contact(rival, "ada@example.org")
    page = await confirm(rival_owner, await check(rival_owner, await upload(rival_owner, data)))
    assert await saved(rival) == VALUES
    await undo(rival_owner, page)
    assert await saved(rival) == EMPTY


async def test_an_import_finds_it_by_its_headings_and_loosens_no_choice(owner: Visitor, acme: Organization) -> None:
    await make_contact(acme, "ada@example.org", no_surveys=True, quiet_until="2027-01-01T09:30:00Z")
    data = "email,Spitzname,No surveys,Quiet until\nada@example.org,Countess,no,2026-01-01\n"
    await confirm(owner, await check(owner, await upload(owner, data)))
    assert await saved(acme) == VALUES


async def test_filters_compare_it(owner: Visitor, rival_owner: Visitor, api: Api) -> None:
    await api.post("/v1/contacts", ADA | VALUES)
    await api.post("/v1/contacts", {"email": "bob@example.org"})
    for name, (op, value) in OPERATOR.items():
        condition = {"field": name, "op": op, "value": value}
        _, body = await api.post("/v1/segments", {"name": name, "kind": "dynamic", "filter": condition})
        assert body["data"]["contact_count"] == 1
        page = await fill(owner, await fill(owner, await owner.get("/contacts"), do="filter"), add=name, do="add")
        typed = {"op-0": op, "value-0": "true" if value is True else str(value)}
        assert people_on(await fill(owner, page, **typed)) == ["ada@example.org"]
        query = f"field-0={name}&op-0={op}&value-0={typed['value-0']}"
        assert people_on(await rival_owner.get(f"/contacts?{query}")) == []


async def test_its_page_and_form_have_it(owner: Visitor, acme: Organization) -> None:
    typed: dict[str, Any] = {"nickname": "Countess", "no_surveys": "1", "quiet_until": "2027-01-01T09:30:00Z"}
    page = await owner.submit(await owner.get("/contacts/new"), "/contacts", email="ada@example.org", **typed)
    assert await saved(acme) == VALUES
    for words in ("Nickname Countess", "No surveys Yes", "Quiet until"):
        assert words in page.text
    place = page.path
    form = await owner.get(f"{place}/edit")
    await owner.submit(form, place, nickname="", quiet_until="")
    assert await saved(acme) == EMPTY


async def test_a_text_is_a_merge_tag(owner: Visitor, api: Api) -> None:
    await api.post("/v1/contacts", ADA | VALUES)
    token = (await owner.get("/templates/new")).token
    form = {"csrf_token": token, "subject": "Hi {{ nickname }}", "body": "x", "kind": "text"}
    page = await owner.post("/templates/preview", form=form | {"sample": "ada@example.org"})
    assert "Hi Countess" in page.text
