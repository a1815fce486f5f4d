"""The log of who left, beside the database: written before the answer, and read after a restore."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import pytest
from quart import Quart

from tests.api.conftest import Api, make_api
from tests.apps import app_of
from tests.conftest import SUFFIX, fresh_postgres
from tests.factories import make_contact, make_segment
from tests.pages.conftest import make_person, visitor_for
from webapp import clock, config, db
from webapp.config import Settings
from webapp.db import consent_log
from webapp.domain.contacts.consent import last_words, record, write_waiting
from webapp.domain.contacts.inputs import NewContact
from webapp.domain.contacts.unsubscribe import token_for
from webapp.domain.contacts.upsert import upsert_batch
from webapp.domain.instance.restore import apply_consent
from webapp.errors import ConfigError
from webapp.models import ConsentLine, Contact, Organization

Act = Callable[[Quart, Organization, Contact, Any], Awaitable[None]]


class LogFile:
    """The log of an instance, as its operator finds it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def lines(self) -> list[dict[str, Any]]:
        if not self.path.exists():
            return []
        assert self.path.stat().st_mode & 0o777 == 0o600
        return [json.loads(line) for line in self.path.read_text().splitlines() if line]

    def said(self) -> list[tuple[str, str]]:
        """The addresses in it, and what became of each."""
        return [(line["email"], line["status"]) for line in self.lines()]

    def add(self, text: str) -> None:
        with self.path.open("a") as file:
            file.write(text)


@pytest.fixture
def file(settings: Settings) -> LogFile:
    return LogFile(settings.data_dir / "consent.log")


@pytest.fixture
async def contact(acme: Organization) -> Contact:
    return await make_contact(acme, "Ann@example.org")


class Choice(NamedTuple):
    """What a person chooses: how each door is told, and what the contact and the log have of it."""

    path: str
    form: dict[str, str]
    fields: dict[str, Any]
    expected: tuple[str, bool]


LEAVES = Choice("", {}, {"status": "unsubscribed"}, ("unsubscribed", False))
NOT_TRACKED = {"shown.no_tracking": "", "no_tracking": "1"}
IS_NOT_TRACKED = Choice("/preferences", NOT_TRACKED, {"do_not_track": True}, ("subscribed", True))


async def by_link(app: Quart, _: Organization, contact: Contact, choice: Choice = LEAVES) -> None:
    path = f"/unsubscribe/{token_for(contact.id, uuid4())}{choice.path}"
    for _ in range(2):  # the same again is not written again
        assert (await app.test_client().post(path, form=choice.form)).status_code in (200, 303)


async def by_key(app: Quart, org: Organization, contact: Contact, choice: Choice) -> None:
    api = await make_api(app, org)
    for body in ({"first_name": "Ann"}, choice.fields, choice.fields, {"last_name": "Lee"}):
        assert (await api.patch(f"/v1/contacts/{contact.id}", body))[0] == 200


async def by_page(app: Quart, org: Organization, contact: Contact, choice: Choice) -> None:
    visitor, place = await visitor_for(app, org, await make_person(org, "ada@acme.example")), f"/contacts/{contact.id}"
    if choice is LEAVES:
        await visitor.submit(await visitor.get(place), f"{place}/unsubscribe")
    else:
        await visitor.submit(await visitor.get(f"{place}/edit"), place, do_not_track="1")


async def in_bulk(app: Quart, org: Organization, contact: Contact, _: Choice) -> None:
    visitor = await visitor_for(app, org, await make_person(org, "ada@acme.example"))
    await visitor.send_form("/contacts/ticked/unsubscribe", contact_id=str(contact.id), confirm="1")


async def by_import(_: Quart, org: Organization, contact: Contact, choice: Choice) -> None:
    rows = [NewContact(email=contact.email.upper(), **choice.fields), NewContact(email=contact.email)] * 2
    for _ in range(2):
        await upsert_batch(org, rows)


@pytest.mark.parametrize(
    ("act", "choice"),
    [
        *((act, LEAVES) for act in (by_link, by_key, by_page, in_bulk, by_import)),
        *((act, IS_NOT_TRACKED) for act in (by_link, by_key, by_page, by_import)),
    ],
)
async def test_every_way_to_choose_is_written_once(
    app: Quart, acme: Organization, rival: Organization, contact: Contact, file: LogFile, act: Act, choice: Choice
) -> None:
    await make_contact(rival, "Ann@example.org")
    await act(app, acme, contact, choice)
    await contact.refresh_from_db()
    (line,) = file.lines()
    assert (contact.status, contact.do_not_track) == (line["status"], line["do_not_track"]) == choice.expected
    assert (line["email"], line["org"], line["contact"]) == ("Ann@example.org", str(acme.id), str(contact.id))


async def test_a_restored_database_tracks_nobody_again_who_chose_since(
    api: Api, acme: Organization, rival: Organization, contact: Contact, file: LogFile
) -> None:
    theirs, since = await make_contact(rival, contact.email), await make_contact(acme, "since@example.org")
    gone, moved = [await make_contact(acme, f"{name}@example.org") for name in ("gone", "moved")]
    back, stays = [await make_contact(acme, f"{name}@example.org") for name in ("back", "stays")]
    for one in (contact, since, gone, moved, back, stays):
        await by_link(api.app, acme, one, IS_NOT_TRACKED)
    await api.patch(f"/v1/contacts/{moved.id}", {"email": "elsewhere@example.org"})
    for one in (back, stays):
        await api.patch(f"/v1/contacts/{one.id}", {"do_not_track": False})
    await api.delete(f"/v1/contacts/{gone.id}")
    # The database is that of the backup.
    await Contact.filter(id=since.id).delete()
    await Contact.filter(org_id=acme.id).update(do_not_track=False)
    await Contact.filter(id=moved.id).update(email=moved.email, email_key=moved.email)
    await Contact.filter(id=stays.id).update(do_not_track=True)
    assert await apply_consent() == 3
    found = {one.email: (one.do_not_track, one.status) for one in await Contact.of(acme)}
    untracked = {f"{name}@example.org": (True, "subscribed") for name in ("Ann", "since", "moved", "stays")}
    assert found == untracked | {"back@example.org": (False, "subscribed")}
    assert await apply_consent() == 0
    await theirs.refresh_from_db()
    assert not theirs.do_not_track


async def test_who_is_added_as_gone_is_written_and_others_are_not(api: Api, acme: Organization, file: LogFile) -> None:
    segment = await make_segment(acme)
    gone = {"status": "unsubscribed"}
    await api.post("/v1/contacts", {"email": "a@example.org"})
    await api.post("/v1/contacts", {"email": "b@example.org"} | gone)
    await api.post(f"/v1/segments/{segment.id}/contacts", {"email": "c@example.org"} | gone)
    await api.post(f"/v1/segments/{segment.id}/contacts", {"email": "a@example.org"} | gone)
    await upsert_batch(acme, [NewContact(email="d@example.org", **gone), NewContact(email="e@b.example")])
    assert [email for email, _ in file.said()] == ["b@example.org", "c@example.org", "d@example.org"]


async def test_who_comes_back_is_written_too(api: Api, acme: Organization, contact: Contact, file: LogFile) -> None:
    path = f"/unsubscribe/{token_for(contact.id, uuid4())}"
    for where in ("", "/undo", "/undo"):
        await api.app.test_client().post(path + where)
    for status in ("unsubscribed", "subscribed", "subscribed"):
        await api.patch(f"/v1/contacts/{contact.id}", {"status": status})
    assert [status for _, status in file.said()] == ["unsubscribed", "subscribed"] * 2
    assert await apply_consent() == 0


async def test_a_new_address_of_somebody_who_left_is_written(
    api: Api, acme: Organization, contact: Contact, file: LogFile
) -> None:
    await api.patch(f"/v1/contacts/{contact.id}", {"email": "lee@example.org"})
    await api.patch(f"/v1/contacts/{contact.id}", {"unsubscribed": True})
    await api.patch(f"/v1/contacts/{contact.id}", {"email": "ann.lee@example.org"})
    assert [email for email, _ in file.said()] == ["lee@example.org", "ann.lee@example.org"]


async def keep(contacts: list[Contact], *, are_deleted: bool = False) -> None:
    async with db.write_transaction():
        await record(contacts, are_deleted=are_deleted)


async def unsubscribed() -> set[tuple[Any, str]]:
    return {(one.org_id, one.email) for one in await Contact.across_orgs().filter(status="unsubscribed")}


async def test_what_the_log_says_is_applied_once_and_never_towards_more_mail(
    acme: Organization, rival: Organization, file: LogFile
) -> None:
    made = {name: await make_contact(acme, f"{name}@example.org") for name in ("left", "back", "gone", "moved")}
    stays = await make_contact(acme, "stays@example.org", status="unsubscribed")
    theirs = await make_contact(rival, "left@example.org")

    async def write(contact: Contact, status: str, **fields: Any) -> None:
        for name, value in {"status": status, **fields}.items():
            setattr(contact, name, value)
        await keep([contact], are_deleted=fields.get("id") is not None)

    await write(made["left"], "unsubscribed")
    await write(made["back"], "unsubscribed")
    await write(made["back"], "subscribed")
    await write(stays, "subscribed")
    await write(made["moved"], "unsubscribed", email="elsewhere@example.org")
    await write(Contact(org_id=acme.id, email="never@example.org"), "unsubscribed", id=uuid4())  # was deleted since
    await write(made["gone"], "unsubscribed", id=uuid4())  # was deleted, and is in the backup
    await write(Contact(org_id=acme.id, email="new@example.org"), "unsubscribed")
    await write(Contact(org_id=uuid4(), email="left@example.org"), "unsubscribed")
    file.add('rubbish\n{"at": "2026-01-01"}\n[]\n{"at": 1, "org": 2}\n')
    assert await apply_consent() == 5
    names = ("left", "gone", "stays", "moved", "elsewhere", "new")
    assert await unsubscribed() == {(acme.id, f"{name}@example.org") for name in names}
    assert await apply_consent() == 0
    await theirs.refresh_from_db()
    assert theirs.status == "subscribed"


async def test_a_deleted_contact_that_had_left_is_not_added_again(
    api: Api, acme: Organization, contact: Contact, file: LogFile
) -> None:
    other = await make_contact(acme)
    await api.patch(f"/v1/contacts/{contact.id}", {"unsubscribed": True})
    for one in (contact, other):
        await api.delete(f"/v1/contacts/{one.id}")
    assert len(file.said()) == 2
    assert await apply_consent() == 0
    assert await Contact.of(acme).count() == 0
    older = await make_contact(acme, "ann@example.org")  # as an older backup has it
    await Contact.of(acme).filter(id=older.id).update(created_at=clock.now() - timedelta(days=1))
    assert await apply_consent() == 1


async def test_a_log_that_cannot_be_written_refuses_the_link_and_loses_nothing(
    app: Quart, acme: Organization, contact: Contact, file: LogFile, caplog: pytest.LogCaptureFixture
) -> None:
    file.path.mkdir()  # so that nobody can write it
    client, path = app.test_client(), f"/unsubscribe/{token_for(contact.id, uuid4())}"
    with caplog.at_level(logging.ERROR):
        answers = [await client.post(path) for _ in range(2)]
    assert [(answer.status_code, answer.headers["Retry-After"]) for answer in answers] == [(503, "60")] * 2
    assert "the consent log cannot be written: " in caplog.text
    await contact.refresh_from_db()
    assert contact.status == "unsubscribed"  # no campaign goes out meanwhile
    with pytest.raises(ConfigError):
        await apply_consent()
    file.path.rmdir()
    assert (await client.post(path)).status_code == 200
    assert file.said() == [("Ann@example.org", "unsubscribed")]


async def test_what_waits_for_the_log_is_told_and_written_by_workers(
    app: Quart, settings: Settings, acme: Organization, contact: Contact, file: LogFile
) -> None:
    async def state() -> str:
        return str((await (await app_of(settings).test_client().get("/readyz")).get_json())["parts"]["consent_log"])

    file.path.mkdir()  # so that nobody can write it
    await upsert_batch(acme, [NewContact(email=f"{one}@b.example", status="unsubscribed") for one in range(1_100)])
    assert (await state(), await ConsentLine.all().count()) == ("ok", 1_100)  # for some seconds
    one = await ConsentLine.all().first().values_list("id", flat=True)
    await ConsentLine.filter(id=one).update(created_at=clock.now() - timedelta(seconds=11))
    assert await state() == "unreachable"
    file.path.rmdir()
    await write_waiting()
    assert (await state(), await ConsentLine.all().count(), len(file.said())) == ("ok", 0, 1_100)


async def test_who_was_made_again_by_a_person_stays_subscribed(
    api: Api, acme: Organization, contact: Contact, file: LogFile
) -> None:
    await api.patch(f"/v1/contacts/{contact.id}", {"unsubscribed": True})
    await api.delete(f"/v1/contacts/{contact.id}")
    assert (await api.post("/v1/contacts", {"email": contact.email}))[0] == 201
    assert await apply_consent() == 0
    assert await unsubscribed() == set()


async def test_lines_that_were_cut_off_spoil_no_others(settings: Settings, acme: Organization, file: LogFile) -> None:
    contacts = [await make_contact(acme, status="unsubscribed") for _ in range(3)]
    await keep(contacts[:1])
    file.add('{"at": "2026-01')
    await keep(contacts[1:])
    assert len((await last_words())[acme.id].by_id) == 3


@pytest.mark.postgres
async def test_a_database_of_another_server_may_hold_the_log(
    app: Quart, settings: Settings, worker_name: str, acme: Organization, contact: Contact
) -> None:
    url = await fresh_postgres(f"pennypost_consent{SUFFIX}_{worker_name}")
    elsewhere = replace(settings, consent_url=url)
    config.configure(elsewhere)
    assert await consent_log.check(elsewhere) == url
    others = [await make_contact(acme) for _ in range(4)]
    await asyncio.gather(*(by_link(app, acme, one) for one in (contact, *others)))
    words = (await last_words())[acme.id]
    assert (len(words.by_digest), words.by_id[contact.id].has_left) == (5, True)
    with pytest.raises(ConfigError, match="must not be the database itself"):
        await consent_log.check(replace(settings, consent_url=settings.database_url))
