"""The attachments of runs are encoded once, and in each organization's own share of the render pool."""

import asyncio
import threading
from hashlib import sha256

from uuid_utils.compat import uuid7

from webapp.config import Settings
from webapp.domain.delivery.run_files import EncodedFiles
from webapp.domain.merge_tags.budget import run_in_render_pool
from webapp.media_store import media_store
from webapp.models import ContentFile, Organization
from webapp.models.media import PDF

DATA = b"%PDF-1.7"
HASH = sha256(DATA).hexdigest()
SECONDS = 10.0


def files_of(org: Organization) -> list[ContentFile]:
    """The unsaved file of a run."""
    ids = {"id": uuid7(), "org_id": org.id, "content_id": uuid7()}
    return [ContentFile(**ids, position=0, filename="a.pdf", content_type=PDF, size=len(DATA), hash=HASH)]


async def test_an_organization_whose_share_is_used_up_delays_no_other(
    acme: Organization, rival: Organization, settings: Settings
) -> None:
    await media_store().put(HASH, DATA)
    encoded, ended = EncodedFiles(), threading.Event()
    tasks = [
        asyncio.create_task(run_in_render_pool(acme.id, ended.wait, SECONDS)),
        asyncio.create_task(encoded.of(files_of(acme))),
    ]
    try:
        assert b"a.pdf" in await asyncio.wait_for(encoded.of(files_of(rival)), SECONDS / 2)
        assert not tasks[1].done()
    finally:
        ended.set()
    assert b"a.pdf" in (await asyncio.gather(*tasks))[1]
