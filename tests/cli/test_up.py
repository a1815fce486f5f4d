"""`pennypost up`: everything in one process, from nothing to ready and to a clean end."""

import os
import signal
import socket
import stat
import time
from pathlib import Path

import httpx2
import pytest

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


def test_the_claim_link_is_for_an_instance_without_an_owner(pennypost: Pennypost) -> None:
    words = ("create-org", "Acme", "--owner", "ada@acme.example", "--password-stdin")
    pennypost.prints(*words, stdin="correct horse battery staple")
    assert "/claim/" not in pennypost.start("up").wait_for(r"(?m)^ready$").said


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_cleanly_and_takes_its_children_along(pennypost: Pennypost, number: int) -> None:
    up = pennypost.start("up").wait_for(r"(?m)^ready$")
    server = redis_of(up)
    with httpx2.Client() as idle, socket.create_connection(("127.0.0.1", int(up.url.rpartition(":")[2]))):
        idle.get(up.url + "/healthz")  # a kept connection and a silent one do not hold it up
        assert up.stop(number) < 10  # as the README promises
    assert up.running.returncode == 0
    assert not is_alive(server)
    assert "Traceback" not in up.said


def test_a_second_instance_on_the_same_directory_is_refused(pennypost: Pennypost) -> None:
    first = pennypost.start("up").wait_for(r"(?m)^ready$")
    for command in ("up", "worker") if "sqlite" in pennypost.environ["DATABASE_URL"] else ("up",):
        line = pennypost.refuses(command)
        assert f"is in use by another pennypost process ({first.running.pid}): stop it" in line
    assert first.get("/readyz").status_code == 200


def test_redis_is_started_again_when_it_dies(pennypost: Pennypost) -> None:
    up = pennypost.start("up").wait_for(r"(?m)^ready$")
    first = redis_of(up)
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: servers_of(up) not in ([], [first]) and up.get("/readyz").json()["status"] == "ok")
    assert up.said.count("the embedded Redis is away") == 1


def test_after_a_kill_the_next_start_finds_one_redis_only(pennypost: Pennypost) -> None:
    first = pennypost.start("up").wait_for(r"(?m)^ready$")
    orphan = redis_of(first)
    first.stop(signal.SIGKILL)
    second = pennypost.start("up").wait_for(r"(?m)^ready$")
    wait_until(lambda: not is_alive(orphan))
    wait_until(lambda: servers_of(second) and second.get("/readyz").json()["status"] == "ok")


def test_without_redis_it_runs_on_degraded(pennypost: Pennypost) -> None:
    up = pennypost.start("up", REDIS_URL="redis://127.0.0.1:1/0").wait_for(r"(?m)^ready$")
    assert servers_of(up) == []
    answer = up.get("/readyz")
    assert (answer.status_code, answer.json()["degraded"]) == (200, ["redis"])
    assert up.stop() < 10
    assert up.running.returncode == 0


def test_where_redis_cannot_start_one_line_says_so(pennypost: Pennypost, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    data.joinpath("appendonlydir").write_text("a file where a directory belongs")
    up = pennypost.start("up").wait_for(r"(?m)^ready$")
    assert up.said.count("the embedded Redis is away, sending goes on by polling") == 1
    assert up.get("/readyz").json()["degraded"] == ["redis"]


def test_a_long_data_directory_is_no_trouble(fresh: Pennypost, tmp_path: Path) -> None:
    data = tmp_path / ("deep" * 30)
    up = fresh.start("up", PENNYPOST_DATA_DIR=str(data)).wait_for(r"(?m)^ready$")
    assert up.get("/readyz").json()["status"] == "ok"
    up.stop()
