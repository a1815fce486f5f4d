"""The web process of the service, for tests that speak HTTP to it and kill it."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx2

from tests.conftest import free_port
from tests.fakes import asker
from tests.fakes.worker import eventually
from tests.faults.support.processes import Process, kill, start
from webapp.config import Settings
from webapp.domain.api_keys import NewKey, issue_key
from webapp.models import Organization

START_SECONDS = 30.0


def with_port(settings: Settings) -> Settings:
    """The settings of a web process with a port of its own."""
    port = free_port()
    return replace(settings, port=port, base_url=f"http://127.0.0.1:{port}")


@asynccontextmanager
async def web_running(settings: Settings, *command: str, program: str | None = None) -> AsyncIterator[Process]:
    """A web process that answers, or another command that has one; killed at the end of the block if it still runs."""
    process = await start(settings, *(command or ("web",)), program=program)
    try:
        await eventually(lambda: answers(settings), START_SECONDS)
        yield process
    finally:
        await kill(process)


@asynccontextmanager
async def api_of(settings: Settings, org: Organization) -> AsyncIterator[httpx2.AsyncClient]:
    """A web process, and a program of an admin's that calls its API."""
    settings = with_port(settings)
    async with web_running(settings), client_of(settings, await new_key(org)) as client:
        yield client


async def answers(settings: Settings) -> bool:
    await asyncio.sleep(0.05)
    try:
        async with httpx2.AsyncClient() as client:
            return (await client.get(f"{settings.base_url}/healthz")).status_code == 200
    except httpx2.TransportError:
        return False


async def answer_times(url: str, seconds: float) -> list[float]:
    """How many seconds each answer took, as a process sees it that does nothing else but ask."""
    command = (sys.executable, asker.__file__, url, str(seconds))
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    printed, _ = await asyncio.wait_for(process.communicate(), seconds + 90)
    took: list[float] = json.loads(printed)
    return took


def peak_bytes(process: Process) -> int:
    """The most memory that a process has had."""
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    (found,) = [line.split()[1] for line in lines if line.startswith("VmHWM:")]
    return int(found) * 1024


async def new_key(org: Organization) -> str:
    """An admin's key of the organization."""
    return (await issue_key(org, NewKey(name="admin key", role="admin"))).secret


def client_of(settings: Settings, key: str, seconds: float = 30) -> httpx2.AsyncClient:
    """A program that calls the API of the web process; it is to be closed."""
    return httpx2.AsyncClient(
        base_url=f"{settings.base_url}/v1", headers={"Authorization": f"Bearer {key}"}, timeout=seconds
    )
