"""Many requests of one organization for the same few rows, at once: each is answered as if it were alone."""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import asyncpg
import pytest

from tests.api.conftest import Api, make_api
from tests.factories import make_campaign, make_contact, make_segment, make_template
from tests.fakes.worker import eventually
from tests.locks import count_waiting
from webapp.app import create_app
from webapp.config import Settings
from webapp.domain.auth.owners import set_plan
from webapp.models import Contact, Organization, OrgUsage, Segment

pytestmark = pytest.mark.postgres  # SQLite lets one write at a time: nobody waits for anybody's row


@pytest.fixture
async def apis(settings: Settings, acme: Organization) -> list[Api]:
    """A client of each of several processes."""
    return [await make_api(create_app(settings), acme) for _ in range(4)]


async def rounds(call: Callable[[], Awaitable[Any]], count: int, at_once: int = 40) -> None:
    for _ in range(count):
        await asyncio.gather(*(call() for _ in range(at_once)))


async def test_people_come_change_and_go_amid_changes_of_plan(apis: list[Api], acme: Organization) -> None:
    random, seen, ids = Random(64), set[int](), [""]
    paths = [f"/v1/segments/{(await make_segment(acme)).id}/contacts" for _ in range(4)]
    plans = ["enterprise", "scale"]

    async def act() -> None:
        api = random.choice(apis)
        email, path, contact = f"p{random.randrange(3)}@b.example", random.choice(paths), random.choice(ids[-20:])
        status, body = await random.choice(
            [
                lambda: api.post("/v1/contacts", {"email": email}),
                lambda: api.post(path, {"email": email, "first_name": "Ada"}),
                lambda: api.post(path, {"contact_id": contact} if contact else {"email": email}),
                lambda: api.patch(f"/v1/contacts/{contact}", {"email": email}),
                lambda: api.delete(f"/v1/contacts/{contact}"),
                lambda: api.delete(f"{path}/{contact}"),
            ]
        )()
        seen.add(status)
        if status in (200, 201) and "data" in body:
            ids.append(body["data"]["id"])

    async def change_plan() -> None:
        for turn in range(40):
            await set_plan(await Organization.get(id=acme.id), plans[turn % 2])

    await asyncio.gather(rounds(act, 25), change_plan())
    assert seen <= {200, 201, 400, 404, 409}
    assert (await OrgUsage.get(metric="max_contacts")).used == await Contact.all().count()
    for segment in await Segment.all():
        assert segment.contact_count == await segment.memberships().count()


async def test_an_address_is_free_whose_contact_goes_between_the_write_and_the_second_look(
    api: Api, acme: Organization, database: str
) -> None:
    theirs = await make_contact(acme, "old@b.example")
    holder, remover = await asyncpg.connect(database), await asyncpg.connect(database)
    try:
        begun = holder.transaction()
        await begun.start()
        await holder.execute("UPDATE contacts SET email_key = 'p@b.example' WHERE id = $1", theirs.id)
        write = asyncio.create_task(api.post("/v1/contacts", {"email": "p@b.example"}))
        await eventually(lambda: are_waiting(1))
        removal = remover.transaction()
        await removal.start()
        lock = asyncio.create_task(remover.execute("LOCK TABLE contacts"))  # next in the queue, before the second look
        await eventually(lambda: are_waiting(2))
        await begun.commit()
        await lock
        await remover.execute("DELETE FROM contacts WHERE id = $1", theirs.id)
        await removal.commit()
        status, body = await write
    finally:
        await holder.close()
        await remover.close()
    assert (status, body["data"]["email"]) == (201, "p@b.example")


async def are_waiting(number: int) -> bool:
    return await count_waiting() == number


@pytest.mark.parametrize("noun", ["segment", "template"])
async def test_what_campaigns_name_is_deleted_while_they_are_made_and_changed(
    apis: list[Api], acme: Organization, noun: str
) -> None:
    segment, template = await make_segment(acme), await make_template(acme)
    path = f"/v1/campaigns/{(await make_campaign(acme, segment=segment, template=template)).id}"
    for _ in range(40):
        ids = {"segment_id": str((await make_segment(acme)).id), "template_id": str((await make_template(acme)).id)}
        made, changed, deleted = await asyncio.gather(
            apis[0].post("/v1/campaigns", {"title": "News", **ids}),
            apis[1].patch(path, ids),
            apis[2].delete(f"/v1/{noun}s/{ids[f'{noun}_id']}"),
        )
        assert (made[0] in (201, 404), changed[0] in (200, 404), deleted[0]) == (True, True, 200)
        for status, body in (made, changed):
            assert status != 404 or body["message"].startswith(f"{noun}_id")
