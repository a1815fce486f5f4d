"""A sender in the test's own loop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from jobs.worker import send
from tests.fakes.smtp_server import client_context
from tests.sending.conftest import PATIENT
from webapp.config import Settings
from webapp.domain.delivery.dispatcher import Dispatcher
from webapp.sending import host_policy
from webapp.sending.smtp.connect import Dialer, Timeouts
from webapp.sending.smtp.pool import SmtpPool

GRACE = 10.0


@asynccontextmanager
async def sending(
    settings: Settings, lookup: host_policy.Lookup = host_policy.system_lookup, timeouts: Timeouts = PATIENT
) -> AsyncIterator[None]:
    """A sender that trusts the tests' authority, for the life of this block."""
    stop = asyncio.Event()
    sender = Dispatcher(SmtpPool(Dialer(timeouts, client_context, lookup)), settings.lease_seconds)
    task = asyncio.create_task(send(sender, stop, GRACE))
    try:
        yield
    finally:
        stop.set()
        await asyncio.wait_for(task, GRACE + 30)


def sockets_to(port: int) -> int:
    """How many descriptors are open that are connected to a port on 127.0.0.1 (Linux)."""
    lines = [line.split() for line in Path("/proc/self/net/tcp").read_text().splitlines()[1:]]
    return sum(line[2] == f"0100007F:{port:04X}" and line[9] != "0" for line in lines)  # 0: closed, and nobody's
