"""The forms of one organization leave the others connections of the database."""

import asyncio

import pytest

from tests.fakes.worker import eventually
from tests.locks import count_waiting, held
from tests.pages.conftest import Visitor
from webapp.db import WRITES_AT_ONCE
from webapp.models import Contact, Organization

FORMS = WRITES_AT_ONCE * 2


async def share_waits() -> bool:
    return await count_waiting() >= WRITES_AT_ONCE


@pytest.mark.postgres
async def test_forms_that_wait_for_a_lock_leave_others_connections(
    owner: Visitor, rival_owner: Visitor, acme: Organization, rival: Organization
) -> None:
    ours, theirs = await owner.get("/contacts/new"), await rival_owner.get("/contacts/new")
    async with held("SELECT id FROM organizations WHERE id = $1 FOR UPDATE", acme.id):
        posts = [owner.submit(ours, "/contacts", email=f"p{number}@example.org") for number in range(FORMS)]
        tasks = [asyncio.create_task(post) for post in posts]
        await eventually(share_waits)
        for _ in range(10):
            assert await count_waiting() <= WRITES_AT_ONCE
            await asyncio.sleep(0.02)
        await rival_owner.submit(theirs, "/contacts", email="zoe@example.org")
        assert await Contact.of(rival).count() == 1
    await asyncio.gather(*tasks)
    assert await Contact.of(acme).count() == FORMS
