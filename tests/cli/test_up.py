"""`pennypost up`: everything in one process, from nothing to ready and to a clean end."""

import os
import signal
import socket
import stat
import time
from pathlib import Path

import httpx2

from tests.cli.conftest import Pennypost, Process, wait_until
from tests.support.starter import children_of, is_alive


def servers_of(process: Process) -> list[int]:
    """Its Redis servers, which one of its processes may have started."""
    found, waiting = list[int](), [process.running.pid]
    while waiting:
        started = children_of(waiting.pop())
        found += [one for one in started if "valkey" in Path(f"/proc/{one}/comm").read_text()]
        waiting += started
    return found


def redis_of(process: Process) -> int:
    (server,) = servers_of(process)
    return server


def test_from_an_empty_directory_to_ready(fresh: Pennypost, tmp_path: Path) -> None:
    started = time.monotonic()
    up = fresh.start("up").wait_for(r"(?m)^ready$")
    assert time.monotonic() - started < 20  # two on a machine of its own
    assert up.get("/readyz").json() == {
        "status": "ok",
        "degraded": [],
        "parts": dict.fromkeys(("database", "worker", "redis", "consent_log", "secret_keys", "sending"), "ok"),
    }
    assert f"{up.url}/claim/" in up.said
    for path in tmp_path.joinpath("data").iterdir():
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, f"{path} is open to others"


def test_it_refuses_a_second_instance_restarts_its_redis_and_ends_cleanly(pennypost: Pennypost) -> None:
    up = pennypost.start("up").wait_for(r"(?m)^ready$")
    for command in ("up", "worker") if "sqlite" in pennypost.environ["DATABASE_URL"] else ("up",):
        line = pennypost.refuses(command)
        assert f"is in use by another pennypost process ({up.running.pid}): stop it" in line
    first = redis_of(up)
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: servers_of(up) not in ([], [first]) and up.get("/readyz").json()["status"] == "ok")
    assert up.said.count("the embedded Redis is away") == 1

    server = redis_of(up)
    with httpx2.Client() as idle, socket.create_connection(("127.0.0.1", int(up.url.rpartition(":")[2]))):
        idle.get(up.url + "/healthz")  # a kept connection and a silent one do not hold it up
        assert up.stop() < 10
    assert up.running.returncode == 0
    assert not is_alive(server)
    assert "Traceback" not in up.said


def test_after_a_kill_the_next_start_finds_one_redis_only(pennypost: Pennypost, tmp_path: Path) -> None:
    long_path = str(tmp_path / ("deep" * 30))  # longer than the path of a socket may be
    first = pennypost.start("up", PENNYPOST_DATA_DIR=long_path).wait_for(r"(?m)^ready$")
    orphan = redis_of(first)
    first.stop(signal.SIGKILL)
    second = pennypost.start("up", PENNYPOST_DATA_DIR=long_path).wait_for(r"(?m)^ready$")
    wait_until(lambda: not is_alive(orphan))
    wait_until(lambda: servers_of(second) and second.get("/readyz").json()["status"] == "ok")
    assert second.stop(signal.SIGINT) < 10
    assert second.running.returncode == 0
