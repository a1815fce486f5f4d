"""Mails handed in over the API of a `pennypost up`, and delivered to an SMTP server that says yes.

Everything runs on this machine at once, the load and the server that receives included: compare the figures with each
other only.
"""

import asyncio
import time
from dataclasses import replace
from pathlib import Path

import httpx2

from tests.conftest import free_port
from tests.faults.support.processes import FROM_NOTHING, output_of, start, terminate
from tests.tools.bench.machine import peak_memory
from tests.tools.bench.sink import Sink
from webapp.config import Settings, read_settings

PATIENCE = 120  # seconds


async def measure_intake(folder: Path, mails: int, callers: int) -> None:
    """Print how fast mails are accepted and delivered, handed in by so many callers at once."""
    sink = Sink()
    async with await asyncio.start_server(sink.talk, "127.0.0.1", free_port(), limit=2**20) as server:
        await _measure(folder, sink, server.sockets[0].getsockname()[1], mails, callers)


async def _measure(folder: Path, sink: Sink, sink_port: int, mails: int, callers: int) -> None:
    settings = read_settings({"PENNYPOST_DATA_DIR": str(folder), "PENNYPOST_PORT": str(free_port())})
    settings = replace(settings, allow_private_hosts=True, sandbox_port=free_port())
    up = await start(settings, "up", program=FROM_NOTHING)
    try:
        async with httpx2.AsyncClient(base_url=settings.base_url, timeout=30) as client:
            await until_ready(client)
            client.headers["Authorization"] = f"Bearer {await new_key(settings)}"
            account = await add_account(client, sink_port)
            started = time.monotonic()
            await hand_in(client, account, mails, callers)
            accepted = time.monotonic()
            await until_all_arrived(sink, mails)
        print(f"mails      {mails}, {callers} callers, {settings.dialect}")
        print(f"accepted   {mails / (accepted - started):8.0f} per second")
        print(
            f"delivered  {sink.count / (sink.last_at - started):8.0f} per second, from the first request to the last mail"
        )
        print(f"memory     {peak_memory(up.pid):8.0f} MB at most, web and worker in one process")
    finally:
        await terminate(up)


async def until_ready(client: httpx2.AsyncClient) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            if (await client.get("/readyz")).status_code == httpx2.codes.OK:
                return
        except httpx2.TransportError:
            await asyncio.sleep(0.05)
    raise TimeoutError("the service did not become ready")


async def new_key(settings: Settings) -> str:
    words = ("create-org", "Bench", "--owner", "bench@example.com", "--password-stdin")
    org = await output_of(settings, *words, stdin="a long enough password")
    return (await output_of(settings, "create-key", org.strip(), "--name", "bench", "--role", "admin")).strip()


async def add_account(client: httpx2.AsyncClient, port: int) -> str:
    """An account that delivers to the sink; returns its key."""
    account = {
        "name": "Sink",
        "provider_type": "smtp",
        "smtp_host": "127.0.0.1",
        "smtp_port": port,
        "smtp_security": "none",
        "from_email": "bench@example.com",
        "daily_mail_limit": 1_000_000,
    }
    answer = await client.post("/v1/accounts", json=account)
    answer.raise_for_status()
    found: str = answer.json()["data"]["account_key"]
    return found


async def hand_in(client: httpx2.AsyncClient, account: str, mails: int, callers: int) -> None:
    numbers = iter(range(mails))

    async def call() -> None:
        for number in numbers:
            answer = await client.post("/v1/emails", json=mail_to(f"reader{number}@example.org", account))
            answer.raise_for_status()

    await asyncio.gather(*(call() for _ in range(callers)))


def mail_to(address: str, account: str) -> dict[str, str]:
    """A mail as a program asks for it."""
    return {
        "from": "Bench <bench@example.com>",
        "to": address,
        "account_key": account,
        "subject": f"Bench for {address}",
        "html": "<p>Hello,</p>" + "<p>this is a paragraph of a letter of the usual length.</p>" * 40,
    }


async def until_all_arrived(sink: Sink, mails: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while sink.count < mails:
        if time.monotonic() > deadline:
            raise TimeoutError(f"{sink.count} of {mails} mails arrived")
        await asyncio.sleep(0.02)
