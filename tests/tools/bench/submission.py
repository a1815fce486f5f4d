"""Mails of 10 KB submitted by Postfix' smtp-source: to `pennypost smtp` with the worker stopped, and to smtp-sink."""

import asyncio
import json
import os
import shutil
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from tests.conftest import free_port
from tests.factories import make_account, make_org
from tests.faults.support.processes import FROM_NOTHING, start, terminate
from tests.smtp.conftest import HOST, key_of
from tests.support.starter import children_of
from tests.tools.bench.machine import cpu_seconds, server_processes
from tests.tools.bench.world import DATABASE, drop, world
from webapp.config import Settings
from webapp.models import Email, Organization

SIZE, SESSIONS = 10 * 1024, 100
PROGRAMS = ("smtp-source", "smtp-sink")
PATIENCE = 60.0  # seconds
UNLIMITED = {"bench": {"requests_per_second": 1_000_000, "burst": 1_000_000}}


async def measure_submission(folder: Path, mails: int, processes: int) -> None:
    if not all(map(shutil.which, PROGRAMS)):
        print(f"submission needs {' and '.join(PROGRAMS)} of Postfix in PATH")
        return
    plans = folder / "plans.json"
    plans.write_text(json.dumps(UNLIMITED))
    async with world(folder) as base:
        submission = replace(base.submission, port=free_port())
        settings = replace(base, plans_file=plans, submission=submission, redis_url="redis://127.0.0.1:6379/9")
        org = await make_org("Bench", plan="bench")
        await make_account(org, from_email="bench@example.com")
        print(f"submission {mails:,} mails of {SIZE:,} bytes, {SESSIONS} sessions, {processes} processes")
        ours = await _measure_ours(settings, org, mails, processes)
        theirs = await _measure_sink(mails)
        print(
            f"pennypost  {ours:8,.0f} durable mails per second\nsmtp-sink  {theirs:8,.0f}\nshare      {ours / theirs:8.2f}"
        )
    await drop(base)


async def _measure_ours(settings: Settings, org: Organization, mails: int, processes: int) -> float:
    port = settings.submission.port or 0
    command = ("smtp", "--processes", str(processes))
    service = await start(settings, *command, program=FROM_NOTHING, PENNYPOST_SMTP_PORT=str(port))
    try:
        await _until_open(port)
        async with _relay(port, await key_of(org)) as relay:
            await _source(relay, SESSIONS)
            used = _cpu(service.pid)
            seconds, saved = await _source(relay, mails), await Email.of(org).count()
            if saved != mails + SESSIONS:
                raise RuntimeError(f"{saved:,} emails are saved, not {mails + SESSIONS:,}")
            spent = [1000 * (now - before) / mails for now, before in zip(_cpu(service.pid), used, strict=True)]
            print(f"CPU        {spent[0]:8.2f} s of pennypost and {spent[1]:.2f} s of PostgreSQL for 1,000 mails")
    finally:
        await terminate(service)
    return mails / seconds


def _cpu(service: int) -> tuple[float, float]:
    return cpu_seconds([service, *children_of(service)]), cpu_seconds(server_processes(DATABASE))


async def _measure_sink(mails: int) -> float:
    port = free_port()
    user = ("-u", "nobody") if os.geteuid() == 0 else ()  # it refuses to run as root
    sink = await asyncio.create_subprocess_exec("smtp-sink", *user, f"{HOST}:{port}", "1000")
    try:
        await _until_open(port)
        async with _relay(port) as relay:
            return mails / await _source(relay, mails)
    finally:
        sink.terminate()
        await sink.wait()


@asynccontextmanager
async def _relay(port: int, *key: str) -> AsyncIterator[int]:
    own = free_port()
    command = (sys.executable, "-m", "tests.tools.bench.relay", str(own), str(port), *key)
    relay = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL)
    try:
        await _until_open(own)
        yield own
    finally:
        relay.terminate()
        await relay.wait()


async def _source(port: int, mails: int) -> float:
    """The seconds that smtp-source takes; each session submits many mails."""
    options = ("-d", "-s", str(SESSIONS), "-m", str(mails), "-l", str(SIZE))
    command = ("smtp-source", *options, "-f", "bench@example.com", "-t", "ada@example.org", f"inet:{HOST}:{port}")
    began = time.monotonic()
    source = await asyncio.create_subprocess_exec(*command)
    if await source.wait():
        raise RuntimeError("smtp-source failed")
    return time.monotonic() - began


async def _until_open(port: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                _, writer = await asyncio.open_connection(HOST, port)
            except OSError:
                await asyncio.sleep(0.1)
            else:
                writer.close()
                return
