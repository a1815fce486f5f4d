"""The main job, by the real processes: one curl, one delivered mail, and what became of it."""

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from time import monotonic
from typing import Any

import httpx2
import pytest
import redis.asyncio as redis

from tests.conftest import REDIS
from tests.fakes.worker import eventually
from tests.faults.support.processes import output_of, start, terminate
from tests.faults.support.web import client_of, with_port
from tests.support.messages import parsed, part
from webapp.config import Settings
from webapp.models import SandboxMail

PDF = bytes(range(256)) * 40
MAIL = {
    "from": "Acme <hello@acme.example>",
    "to": ["Ann Lee <ann@example.org>"],
    "cc": "bob@example.org",
    "bcc": ["boss@example.org"],
    "subject": "Grüße, Ann",
    "html": "<h1>Hello Ann</h1><p>Your <b>invoice</b> — 12 €</p>",
    "attachments": [{"filename": "Rechnung März.pdf", "content": base64.b64encode(PDF).decode()}],
}


@asynccontextmanager
async def serving(settings: Settings, *commands: str) -> AsyncIterator[None]:
    """The service as its processes, ready to take mail; each ends in order."""
    processes = [await start(settings, command) for command in commands]
    try:
        await eventually(lambda: is_ready(settings), seconds=60)
        yield
    finally:
        codes = [await terminate(process) for process in processes]
    assert codes == [0] * len(commands)


async def is_ready(settings: Settings) -> bool:
    try:
        async with httpx2.AsyncClient() as client:
            return (await client.get(f"{settings.base_url}/readyz")).status_code == 200
    except httpx2.HTTPError:
        await asyncio.sleep(0.1)
        return False


async def new_client(settings: Settings, name: str) -> httpx2.AsyncClient:
    """An organization's client, its key made by the commands beside the running service."""
    words = ("create-org", name, "--owner", f"owner@{name.lower()}.example", "--password-stdin")
    org = await output_of(settings, *words, stdin="correct horse battery staple\n")
    key = await output_of(settings, "create-key", org.strip(), "--name", "test", "--role", "admin")
    return client_of(settings, key.strip())


async def send_and_check(settings: Settings) -> None:
    async with await new_client(settings, "Acme") as acme, await new_client(settings, "Rival") as rival:
        (sandbox,) = (await acme.get("/accounts")).json()["data"]
        asked_at = monotonic()
        answer = await acme.post("/emails", json=MAIL | {"account_key": sandbox["account_key"]})
        assert (answer.status_code, list(answer.json())) == (200, ["id"])
        mail_id = answer.json()["id"]
        await eventually(lambda: is_sent(acme, mail_id), seconds=60)
        assert monotonic() - asked_at < 3.5  # the worker's own next look may be five seconds away
        logs = (await acme.get("/mail-logs")).json()
        assert [row["status"] for row in logs["data"]] == ["sent"] * 3
        assert (await rival.get(f"/emails/{mail_id}")).status_code == 404
        assert (await rival.get("/mail-logs")).json()["meta"]["total"] == 0
        assert (await acme.post("/emails", json=MAIL | {"account_key": "acc_nobody"})).status_code == 404


async def is_sent(client: httpx2.AsyncClient, mail_id: str) -> bool:
    await asyncio.sleep(0.05)
    mail: dict[str, Any] = (await client.get(f"/emails/{mail_id}")).json()["data"]
    return bool(mail["status"] == "sent")


async def check_sandbox() -> None:
    (received,) = await SandboxMail.across_orgs()
    assert received.rcpt_tos == ["ann@example.org", "bob@example.org", "boss@example.org"]
    message = parsed(bytes(received.data))
    assert message["Subject"] == "Grüße, Ann"
    assert (message["To"], message["Cc"], message["Bcc"]) == ("Ann Lee <ann@example.org>", "bob@example.org", None)
    assert b"boss@example.org" not in bytes(received.data)
    assert part(message, "html") == MAIL["html"]
    (attachment,) = message.iter_attachments()
    assert attachment.get_filename() == "Rechnung März.pdf"
    assert attachment.get_content() == PDF


async def test_one_command_one_mail(settings: Settings, database: str) -> None:
    settings = replace(with_port(settings), allow_private_hosts=False)
    async with serving(settings, "up"):
        await send_and_check(settings)
    await check_sandbox()


async def test_three_processes_one_mail(settings: Settings, database: str, redis_url: str | None) -> None:
    settings = replace(with_port(settings), allow_private_hosts=False, redis_url=redis_url)
    async with serving(settings, "web", "worker", "sandbox"):
        await send_and_check(settings)
    await check_sandbox()


@pytest.fixture
async def redis_url(request: pytest.FixtureRequest) -> str | None:
    """The Redis server, emptied, with `--redis-server`; without it the worker starts the embedded one."""
    if not request.config.getoption("--redis-server"):
        return None
    client = redis.Redis.from_url(REDIS)
    await client.flushdb()
    await client.aclose()
    return REDIS
