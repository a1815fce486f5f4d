"""`web`, `worker` and `sandbox` as processes of their own, and `doctor` beside them."""

import re
import signal
import socket

from tests.cli.conftest import Pennypost, wait_until
from tests.conftest import SECRET_KEY

OTHER_KEY = "u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7s="


def test_three_processes_make_one_service(pennypost: Pennypost) -> None:
    web = pennypost.start("web").wait_for("the web is ready on http")
    assert (web.get("/healthz").status_code, web.get("/readyz").status_code) == (200, 503)
    assert web.get("/readyz").json()["parts"]["worker"] == "unreachable"

    worker = pennypost.start("worker").wait_for("the worker is ready")
    sandbox = pennypost.start("sandbox").wait_for("the sandbox inbox is ready on smtp://")
    wait_until(lambda: web.get("/readyz").json()["status"] == "ok")

    for part in (web, sandbox, worker):
        assert part.stop() < 10
        assert part.running.returncode == 0
        assert part.children == []


def test_doctor_says_of_each_part_how_it_is(pennypost: Pennypost) -> None:
    ill = pennypost.run("doctor")
    assert ill.returncode == 1
    assert "FAIL  worker          none lives" in ill.stdout
    assert "warn  redis" in ill.stdout
    assert "start pennypost sandbox" in ill.stdout

    pennypost.start("up").wait_for(r"(?m)^ready$")
    well = pennypost.run("doctor")
    assert (well.returncode, well.stderr) == (0, "")
    parts = ("data directory", "database", "secret keys", "worker", "redis", "sandbox inbox", "base URL")
    assert [line[6:21].strip() for line in well.stdout.splitlines()] == list(parts)
    assert all(line.startswith("ok  ") for line in well.stdout.splitlines())


def test_doctor_on_nothing(fresh: Pennypost) -> None:
    done = fresh.run("doctor")
    assert done.returncode == 1
    assert "FAIL  database        there is no database at" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_doctor_knows_another_program_on_the_sandbox_port(pennypost: Pennypost) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        assert "sandbox inbox" in pennypost.run("doctor", PENNYPOST_SANDBOX_PORT=port).stdout


def test_a_second_signal_ends_it_at_once(pennypost: Pennypost) -> None:
    web = pennypost.start("web").wait_for("the web is ready")
    port = int(web.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as half:
        half.sendall(b"POST /v1/emails HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n")
        web.running.send_signal(signal.SIGINT)
        web.wait_for("stopping")
        assert web.stop(signal.SIGINT) < 6  # the grace is eight
    assert web.running.returncode in (0, 1)


def test_no_part_starts_without_the_key_that_sealed_its_secrets(pennypost: Pennypost) -> None:
    words = ("create-org", "Acme", "--owner", "ada@acme.example", "--password-stdin")
    pennypost.prints(*words, stdin="correct horse battery staple")
    for command in ("up", "web", "worker", "sandbox"):
        line = pennypost.refuses(command, PENNYPOST_SECRET_KEYS=OTHER_KEY)
        assert re.fullmatch(
            "a stored secret was sealed with the key [0-9a-f]{8}, "
            "which is not in PENNYPOST_SECRET_KEYS: add the old key",
            line,
        )
    pennypost.start("up", PENNYPOST_SECRET_KEYS=f"{OTHER_KEY},{SECRET_KEY}").wait_for("(?m)^ready$")
