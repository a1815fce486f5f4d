"""Instances and another program's arq in one Redis: each has keys of its own, and its own jobs alone."""

import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path

from arq.connections import ArqRedis
from redis.asyncio import Redis
from uuid_utils.compat import uuid7

from jobs.arq_worker import ArqSupervisor
from jobs.periodic import Periodic
from tests.fakes.redis_server import RedisServer
from tests.faults.support.world import until
from webapp.config import Settings, read_settings
from webapp.queue import Job, JobRequest
from webapp.queue.redis_publisher import JobPublisher
from webapp.redis.script import RedisScript


async def test_instances_that_share_a_redis_do_their_own_jobs_alone(redis_server: RedisServer, tmp_path: Path) -> None:
    given = {"REDIS_URL": redis_server.url, "PENNYPOST_DATA_DIR": str(tmp_path)}
    ours = read_settings(given | {"PENNYPOST_REDIS_PREFIX": "ours"})
    theirs = replace(ours, redis_prefix="theirs")
    woken, fired, row_id = Counter[str](), Counter[str](), uuid7()

    def run(settings: Settings) -> list["asyncio.Task[None]"]:
        async def fire(_: Periodic) -> None:
            fired[settings.redis_prefix] += 1

        def wake() -> None:
            woken[settings.redis_prefix] += 1

        publisher = JobPublisher(settings)
        publisher.add(JobRequest(Job.WAKE, row_id))
        table = [Periodic("tick", 1, asyncio.Event().wait)]
        works = (ArqSupervisor(settings, table, wake, fire).run(), publisher.run())
        return [asyncio.create_task(work) for work in works]

    async with Redis(unix_socket_path=redis_server.url.removeprefix("unix://")) as plain:
        other = ArqRedis(plain.connection_pool)
        await other.enqueue_job("wake", _job_id=f"wake:{row_id}")
        tasks = [*run(ours), *run(theirs)]
        script = RedisScript(ours, "return redis.call('INCR', KEYS[1])", "nothing is counted")
        assert await script.run(["count"]) == 1
        try:
            await until(lambda: woken == {"ours": 1, "theirs": 1} and min(fired["ours"], fired["theirs"]) >= 2)
            keys = {key.decode() for key in await plain.keys()}
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await script.close()
    assert "ours:count" in keys
    assert {key for key in keys if not key.startswith(("ours:", "theirs:"))} == {"arq:queue", f"arq:job:wake:{row_id}"}
