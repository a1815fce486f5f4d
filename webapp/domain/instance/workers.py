"""The heartbeats of workers; readiness asks for a fresh one."""

import os
import socket
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp.models import WorkerHeartbeat, instance

BEAT_SECONDS = 3.0
ALIVE_SECONDS = 15.0
FORGOTTEN_SECONDS = 24 * 3600.0


def new_worker_id() -> UUID:
    return uuid7()


async def beat(worker_id: UUID) -> None:
    await instance.beat(worker_id, socket.gethostname()[:255], os.getpid())


async def remove_worker(worker_id: UUID) -> None:
    await WorkerHeartbeat.filter(id=worker_id).delete()


async def is_worker_alive() -> bool:
    return await instance.youngest_heartbeat() < ALIVE_SECONDS


async def forget_dead_workers() -> None:
    await instance.remove_heartbeats_older_than(FORGOTTEN_SECONDS)
