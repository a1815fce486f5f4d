"""A sender in the test's own loop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from jobs.worker import send
from tests.fakes.smtp_server import client_context
from webapp.config import Settings
from webapp.domain.delivery.dispatcher import Dispatcher
from webapp.sending import host_policy
from webapp.sending.smtp.connect import Dialer, Timeouts
from webapp.sending.smtp.pool import SmtpPool

SHORT = Timeouts(connect=1, command=1, data=1, dot=1, message=5)  # where a test waits for one of them
PATIENT = Timeouts(connect=60, command=60, data=60, dot=60, message=60)
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
