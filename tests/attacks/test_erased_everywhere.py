"""Nothing names an erased person: not the database, Redis, the logs or the files, after all doors have seen them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import UUID

import httpx2
import pytest
import redis as redis_client

from tests.factories import account_on, make_campaign, make_form, make_import, make_segment, make_template, make_webhook
from tests.fakes.endpoint import Endpoint, Reply
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually
from tests.faults.support.fleet import Fleet
from tests.faults.support.processes import kill, output_of, start
from tests.faults.support.web import answers, client_of, new_key, with_port
from tests.support.dump import dumped
from webapp.config import Settings
from webapp.domain.contacts.unsubscribe import token_for
from webapp.models import ImportChunk, MailLog, Organization, Segment, Tombstone
from webapp.models.suppression import address_digest

ADA = "Zebedea.Quince@example.org"
NAMES = {"first_name": "Zebedea", "last_name": "Quince", "custom_fields": {"pet": "quokka"}}
NEEDLES = ("zebedea", "quince", "quokka")
FILE = f"email,first_name,pet\nbob@example.org,Bob,cat\n{ADA},Zebedea,quokka\n".encode()
PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
BUSY_SECONDS = 60.0
MAILS = 3  # two of programs, one of a campaign


def in_redis(url: str) -> Iterator[str]:
    """Every key of a Redis with its value."""
    with redis_client.Redis.from_url(url, decode_responses=True, encoding_errors="replace") as client:
        readers: dict[str, Any] = {
            "string": client.get,
            "list": lambda key: client.lrange(key, 0, -1),
            "set": client.smembers,
            "zset": lambda key: client.zrange(key, 0, -1, withscores=True),
            "hash": client.hgetall,
            "stream": client.xrange,
        }
        for key in client.scan_iter():
            yield f"{key} {readers[client.type(key)](key)}"


def in_files(folder: Path) -> Iterator[tuple[str, str]]:
    """The files of the data directory, which has the logs and the media, except for the database."""
    for file in folder.rglob("*"):
        if file.is_file() and ".db" not in file.name:
            yield file.name, file.read_bytes().decode("latin-1")


class Life:
    """Everything that the service learns about Ada."""

    def __init__(self, org: Organization, segment: Segment, api: httpx2.AsyncClient, web: httpx2.AsyncClient) -> None:
        self.org, self.segment, self.api, self.web = org, segment, api, web

    async def post(self, path: str, body: Any, **headers: str) -> Any:
        answer = await self.api.post(path, json=body, headers=headers)
        assert answer.status_code < 300, (path, answer.text)
        return answer.json()

    async def by_programs(self) -> str:
        contact = (await self.post("/contacts", {"email": ADA, **NAMES}, **{"Idempotency-Key": "1"}))["data"]
        await self.post("/contacts/upsert", {"email": ADA, "last_name": "Quince", "segments": [str(self.segment.id)]})
        await self.api.patch(f"/contacts/{contact['id']}", json={"first_name": "Zebedea Q."})
        for path in (f"/contacts/{ADA}", f"/contacts/{contact['id']}/export"):
            assert (await self.api.get(path)).status_code == 200, path
        for path in (f"/nothing/{ADA}", f"/contacts?sort={quote(ADA)}"):
            assert (await self.api.get(path)).status_code in (400, 404)
        file = {"filename": "a.png", "content": PICTURE}
        email = {"from": "hello@acme.example", "subject": "Dear Zebedea", "html": f"<p>Quince {ADA}</p>"}
        await self.post("/emails", {**email, "to": [ADA], "attachments": [file]}, **{"Idempotency-Key": "2"})
        await self.post("/emails/batch", [{**email, "to": [ADA]}])
        return str(contact["id"])

    async def by_a_campaign(self) -> None:
        template = await make_template(self.org, body="<p>Hi {{ first_name }} {{ last_name }} {{ pet }}</p>")
        campaign = await make_campaign(self.org, segment=self.segment, template=template, track_opens=True)
        await self.post(f"/campaigns/{campaign.id}/send", {})

    async def by_the_person(self, form_key: str, contact_id: str) -> None:
        link = f"/unsubscribe/{token_for(UUID(contact_id), UUID(contact_id))}"
        assert (await self.web.get(link)).status_code == 200
        await self.web.post(f"/f/{form_key}", json={"email": ADA, "first_name": "Zebedea"})
        await self.web.post(link, data={"List-Unsubscribe": "One-Click"})
        for path in (f"/f/{form_key}?email={ADA}", f"/nothing/{ADA}", f"/preferences/{self.org.public_key}"):
            await self.web.get(path)


async def is_tried(org: Organization) -> bool:
    rows = await MailLog.of(org)
    return len(rows) >= MAILS and all(row.error for row in rows)


async def is_erased() -> bool:
    return not await Tombstone.filter(next_at__isnull=False).exists()


@pytest.mark.alone
@pytest.mark.timeout(300)
async def test_nothing_names_an_erased_person(
    on_redis: Settings, acme: Organization, rival: Organization, smtp_server: SmtpServer
) -> None:
    smtp_server.refuse(ADA, f"450 4.2.1 <{ADA}> is busy")
    await account_on(smtp_server, acme, from_email="hello@acme.example")
    form, segment, held = await make_form(acme), await make_segment(acme), await make_import(acme)
    await ImportChunk.filter(contact_import_id=held.id).update(data=FILE)
    settings = with_port(on_redis)
    async with Endpoint(reply=lambda got: Reply(500, got.body)) as endpoint:
        await make_webhook(acme, url=endpoint.url, events=["*"])
        web = await start(settings, "web", PENNYPOST_LOG_FORMAT="json")
        try:
            await eventually(lambda: answers(settings), 30.0)
            async with (
                client_of(settings, await new_key(acme)) as program,
                httpx2.AsyncClient(base_url=settings.base_url, timeout=30) as browser,
                Fleet(settings) as fleet,
            ):
                life = Life(acme, segment, program, browser)
                contact_id = await life.by_programs()
                await life.by_a_campaign()
                await eventually(lambda: is_tried(acme), BUSY_SECONDS)
                await life.by_the_person(form.key, contact_id)
                assert (await life.post(f"/contacts/{contact_id}/erase", None))["ok"]
                await eventually(is_erased, BUSY_SECONDS)
                await fleet.end()
        finally:
            await kill(web)
    await output_of(settings, "forget")
    assert settings.redis_url is not None
    names = [*NEEDLES, quote(ADA).lower()]
    texts = [*await dumped(), *(("redis", text) for text in in_redis(settings.redis_url))]
    texts += in_files(settings.data_dir)
    assert {source for source, _ in texts} >= {"redis", "web.log", "worker.log", "consent.log", "mail_logs"}
    named = [f"{source}: {text}" for source, text in texts for name in names if name in text.lower()]
    assert named == [], "\n".join(named)
    digest = address_digest(acme.id, ADA.lower())
    assert {source for source, text in texts if digest in text} <= {"tombstones", "consent.log"}
    assert "bob@example.org,Bob,cat" in next(text for source, text in texts if source == "import_chunks")
