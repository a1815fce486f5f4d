"""Which workers live: each writes a heartbeat; readiness asks for a fresh one."""

import os
import socket
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp.models import heartbeat

BEAT_SECONDS = 3.0
ALIVE_SECONDS = 15.0
FORGOTTEN_SECONDS = 24 * 3600.0


def new_worker_id() -> UUID:
    """The identity of this process for its heartbeats."""
    return uuid7()


async def beat(worker_id: UUID) -> None:
    """Say that this worker lives, by the database's clock."""
    await heartbeat.beat(worker_id, socket.gethostname()[:255], os.getpid())


async def sign_off(worker_id: UUID) -> None:
    """Remove the heartbeat of a worker that ends in order."""
    await heartbeat.remove(worker_id)


async def is_worker_alive() -> bool:
    """Whether any worker's heartbeat is younger than ALIVE_SECONDS."""
    return await heartbeat.youngest_age() < ALIVE_SECONDS


async def forget_all() -> None:
    """Remove every heartbeat: those in a backup are of workers elsewhere."""
    await heartbeat.remove_all()


async def forget_dead_workers() -> None:
    """Remove heartbeats that are a day old."""
    await heartbeat.remove_older_than(FORGOTTEN_SECONDS)
