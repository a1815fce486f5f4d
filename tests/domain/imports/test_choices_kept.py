"""Random sequences of choices, imports, undos, sheets and restores: none loses what a person chose."""

import random
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest
from quart import Quart

from tests.apps import app_of
from webapp.config import Settings
from webapp.domain.contacts.inputs import NewContact
from webapp.domain.contacts.unsubscribe import token_for
from webapp.domain.contacts.upsert import upsert_batch
from webapp.domain.imports import worker
from webapp.domain.imports.imports import ImportChoices, begin_run, begin_undo, choose_columns, store_upload
from webapp.domain.instance.restore import apply_consent
from webapp.models import Contact, ContactImport, Organization, User

ADDRESSES = [f"{name}@example.org" for name in ("ada", "bob", "cy", "dee", "eve")]
STEPS = 14
MAPPING = {0: "email", 1: "first_name", 2: "do_not_track", 3: "status"}


class Sequence:
    """Acts by chance, and remembers who chose not to be tracked and who left."""

    def __init__(self, app: Quart, org: Organization, maker: User, seed: int) -> None:
        self.app, self.org, self.maker = app, org, maker
        self.chance = random.Random(seed)
        self.untracked, self.left = set[str](), set[str]()
        self.imports: list[ContactImport] = []

    async def step(self) -> None:
        acts = [self.choose, self.choose, self.import_file, self.import_file, self.undo, self.sync_sheet, self.restore]
        await self.chance.choice(acts)()

    async def choose(self) -> None:
        for contact in await Contact.of(self.org):
            path = f"/unsubscribe/{token_for(contact.id, uuid4())}"
            match self.chance.choice(["off", "on", "leave", "none"]):
                case "leave":
                    await self.app.test_client().post(path)
                    self.left.add(contact.email)
                case "off" | "on" as tracking:
                    box = "1" if tracking == "off" else ""
                    form = {"shown.no_tracking": "" if box else "1", "no_tracking": box}
                    await self.app.test_client().post(f"{path}/preferences", form=form)
                    (self.untracked.add if tracking == "off" else self.untracked.discard)(contact.email)

    def _cells(self) -> tuple[str, str, str]:
        words = (["", "Kim", "Kay"], ["", "yes", "no"], ["", "subscribed", "unsubscribed"])
        first_name, do_not_track, status = (self.chance.choice(one) for one in words)
        return first_name, do_not_track, status

    async def import_file(self) -> None:
        lines = ["email,first_name,do_not_track,status"]
        lines += [",".join([email, *self._cells()]) for email in self.chance.sample(ADDRESSES, 3)]

        async def pieces() -> AsyncIterator[bytes]:
            yield "\n".join(lines).encode()

        row = await store_upload(self.org, self.maker, "people.csv", pieces())
        choices = ImportChoices(mapping=MAPPING, overwrites=self.chance.random() < 0.7)
        row = await choose_columns(self.org, row, choices)
        await worker.process_pending()
        self.imports.append(await begin_run(self.org, row))
        await worker.process_pending()

    async def undo(self) -> None:
        if self.imports:
            await begin_undo(self.org, self.imports.pop(self.chance.randrange(len(self.imports))))
            await worker.process_pending()

    async def sync_sheet(self) -> None:
        rows = [
            NewContact(email=email, do_not_track=self.chance.random() < 0.3)
            for email in self.chance.sample(ADDRESSES, 2)
        ]
        await upsert_batch(self.org, rows)

    async def restore(self) -> None:
        """Returns to a backup that was made before any choice, and lacks some of the contacts."""
        before = {"do_not_track": False, "status": "subscribed", "unsubscribed_campaign_id": None, "chosen_at": None}
        await Contact.of(self.org).update(**before)
        await Contact.of(self.org).filter(email__in=self.chance.sample(ADDRESSES, 1)).delete()
        await apply_consent()

    async def lost(self) -> set[str]:
        contacts = {contact.email: contact for contact in await Contact.of(self.org)}
        tracked = {email for email in self.untracked if email not in contacts or not contacts[email].do_not_track}
        mailed = {email for email in self.left if email not in contacts or contacts[email].status == "subscribed"}
        return tracked | mailed


@pytest.mark.parametrize("seed", range(2))
async def test_no_sequence_loses_a_choice(settings: Settings, acme: Organization, seed: int) -> None:
    maker = await User.create(email="ada@acme.example", password_hash="!")
    sequence = Sequence(app_of(settings), acme, maker, seed)
    for _ in range(STEPS):
        await sequence.step()
        assert await sequence.lost() == set()
    assert sequence.untracked | sequence.left
