"""The database of a command, and a service that is started before its server."""

import asyncio
from urllib.parse import urlsplit

import pytest

from tests.cli.conftest import Pennypost
from tests.conftest import SECRET_KEY, SUFFIX, free_port, fresh_postgres
from tests.fakes.proxy import Proxy, Streams


@pytest.mark.postgres
async def test_a_service_waits_for_a_server_that_comes_up_later(pennypost: Pennypost) -> None:
    url = pennypost.environ["DATABASE_URL"]
    where, is_up = urlsplit(url), False

    async def dial() -> Streams:
        if not is_up:
            raise ConnectionRefusedError
        return await asyncio.open_connection(where.hostname, where.port)

    async with Proxy(dial) as proxy:
        through = url.replace(f":{where.port}/", f":{proxy.port}/")
        parts = [pennypost.start(command, DATABASE_URL=through) for command in ("web", "worker")]
        for part in parts:
            await asyncio.to_thread(part.wait_for, "waiting up to 60 s for the database postgres://")
        assert not any("is ready" in part.said for part in parts)

        is_up = True
        for part in parts:
            await asyncio.to_thread(part.wait_for, "is ready")
            assert part.said.count("waiting") == 1


def test_who_waits_can_be_stopped(fresh: Pennypost) -> None:
    nobody = f"postgres://postgres@127.0.0.1:{free_port()}/pennypost"
    worker = fresh.start("worker", DATABASE_URL=nobody, PENNYPOST_SECRET_KEYS=SECRET_KEY)
    worker.wait_for("waiting")
    assert worker.stop() < 10
    assert worker.running.returncode == 0


@pytest.mark.postgres
@pytest.mark.parametrize("command", ["migrate", "up", "web", "worker"])
def test_a_database_that_cannot_store_every_text(fresh: Pennypost, worker_name: str, command: str) -> None:
    options = "ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0"
    url = asyncio.run(fresh_postgres(f"pennypost_ascii{SUFFIX}_{worker_name}", options))
    settings = {"DATABASE_URL": url, "PENNYPOST_SECRET_KEYS": SECRET_KEY}
    sentence = (
        "the database's encoding is SQL_ASCII, which cannot store every text: "
        "create it again with createdb -E UTF8 -T template0"
    )
    assert fresh.refuses(command, **settings) == sentence
    assert f"FAIL  database        {sentence}" in fresh.run("doctor", **settings).stdout
