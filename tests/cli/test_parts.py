"""`web`, `worker` and `sandbox` as processes of their own, and `doctor` beside them."""

import asyncio
import json
import os
import re
import resource
import signal
import socket
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import asyncpg
import httpx2
import pytest

from tests.cli.conftest import OTHER_KEY, Pennypost, make_org, wait_until
from tests.conftest import SECRET_KEY, free_port
from tests.factories import make_account, make_mail, make_media
from tests.pages.accounts.test_from_check import IN_WORDS, fail
from tests.support.starter import is_alive
from webapp import clock
from webapp.config import Settings
from webapp.domain.instance.suspension import find_suspension
from webapp.models import Account, Instance, MailLog, Organization
from webapp.models.instance import INSTANCE_ID


@pytest.mark.postgres
def test_up_goes_on_when_the_process_with_the_worker_dies(pennypost: Pennypost) -> None:
    up = pennypost.start("up", "--processes", "2").wait_for(r"(?m)^ready$")
    rest, *webs = up.children
    os.kill(rest, signal.SIGKILL)
    wait_until(lambda: len(up.children) == 3 and up.children[:2] == webs)
    wait_until(lambda: up.get("/readyz").json()["status"] == "ok")
    found = up.children
    assert up.stop() < 10
    assert up.running.returncode == 0
    assert not any(is_alive(one) for one in found)
    assert (up.said.count("/claim/"), up.said.count("is started again")) == (1, 1)


def test_doctor_says_of_each_part_how_it_is(pennypost: Pennypost) -> None:
    ill = pennypost.run("doctor")
    assert ill.returncode == 1
    assert "FAIL  worker          none running" in ill.stdout
    assert "warn  redis" in ill.stdout
    assert "start pennypost sandbox" in ill.stdout

    pennypost.start("up").wait_for(r"(?m)^ready$")
    well = pennypost.run("doctor")
    assert (well.returncode, well.stderr) == (0, "")
    (warning,) = [line for line in well.stdout.splitlines() if not line.startswith("ok  ")]
    assert warning.startswith("warn  instance mail   not set up, so links must be shared manually: set PENNYPOST_SMTP")
    assert {"clock", "waiting email", "base URL"} <= {line[6:20].rstrip() for line in well.stdout.splitlines()}


@pytest.mark.postgres
async def test_doctor_fails_for_a_database_that_accepts_no_writes(pennypost: Pennypost) -> None:
    """As hosts make it when its disk is full."""
    url = pennypost.environ["DATABASE_URL"]
    server = await asyncpg.connect(url)
    change = f'ALTER DATABASE "{url.rpartition("/")[2]}" {{}} default_transaction_read_only'
    await server.execute(change.format("SET") + " = on")
    try:
        done = await asyncio.to_thread(pennypost.run, "doctor")
    finally:
        await server.execute("SET default_transaction_read_only = off")
        await server.execute(change.format("RESET"))
        await server.close()
    assert done.returncode == 1
    assert re.search(r"FAIL  database +the database postgres://\S+ is full or read-only: free up space", done.stdout)


async def test_doctor_warns_of_email_that_waits_too_long(pennypost: Pennypost, acme: Organization) -> None:
    account = await make_account(acme)
    (late,) = await make_mail(acme, account)
    await MailLog.filter(id=late).update(next_attempt_at=clock.now() - timedelta(minutes=20))
    output = (await asyncio.to_thread(pennypost.run, "doctor")).stdout
    assert "warn  waiting email   the oldest has waited 20 minutes" in output


async def test_doctor_names_sign_ins_that_end(pennypost: Pennypost, acme: Organization, rival: Organization) -> None:
    await make_account(acme, name="Shop", smtp_host="smtp.office365.com", smtp_username="ada", smtp_password="sealed")
    await make_account(rival, oauth_expires_at=clock.now() + timedelta(hours=1))
    await make_account(rival, oauth_expires_at=clock.now() + timedelta(days=3))
    output = (await asyncio.to_thread(pennypost.run, "doctor")).stdout
    assert "Shop (1 more): Microsoft switches off passwords for SMTP at the end of December 2026" in output


async def test_doctor_names_from_addresses_that_fail(
    pennypost: Pennypost, acme: Organization, rival: Organization
) -> None:
    for org, name in ((acme, "Shop"), (rival, "News"), (rival, "Moved")):
        await fail(await make_account(org, name=name))
    await Account.filter(name="Moved").update(from_email="hello@other.example")
    output = (await asyncio.to_thread(pennypost.run, "doctor")).stdout
    assert f"warn  From addresses  Shop (1 more): {IN_WORDS}" in output


async def test_doctor_knows_a_restored_database_before_a_service_does(
    pennypost: Pennypost, settings: Settings, database: str
) -> None:
    """An origin elsewhere is what pg_restore leaves behind, and `pennypost backup`."""
    await Instance.create(id=INSTANCE_ID, origin="elsewhere")
    said = (await asyncio.to_thread(pennypost.run, "doctor")).stdout
    assert "warn  sending         not on hold yet, but the database was restored or copied" in said
    assert await find_suspension() is None  # the doctor changes nothing
    web = await asyncio.to_thread(lambda: pennypost.start("web").wait_for("the web is ready"))
    assert (await asyncio.to_thread(web.get, "/readyz")).json()["parts"]["sending"] == "on hold"
    said = (await asyncio.to_thread(pennypost.run, "doctor")).stdout
    assert "warn  sending         on hold since" in said


async def test_doctor_misses_the_pictures_in_a_folder_that_is_new(
    pennypost: Pennypost, acme: Organization, tmp_path: Path
) -> None:
    await make_media(acme)
    wrong = tmp_path / "mistyped"
    said = (await asyncio.to_thread(pennypost.run, "doctor", PENNYPOST_MEDIA_URL=f"file://{wrong}")).stdout
    assert f"warn  media storage   {wrong} has none of the latest images in the database" in said
    assert not wrong.exists()


def test_each_web_prints_a_link_to_claim_an_instance_without_an_owner(pennypost: Pennypost) -> None:
    webs = [pennypost.start("web", PENNYPOST_PORT=str(free_port())) for _ in range(2)]
    links = []
    for web in webs:
        found = re.search("set it up  http://[^/]+(/claim/[^\\s]+)", web.wait_for("set it up .+\n").said)
        assert found
        links.append(found[1])
    port = re.search(r"ready on (http://[^\s]+)", webs[0].said)
    assert port
    assert [httpx2.get(port[1] + link, timeout=10).status_code for link in links] == [200, 200]
    assert httpx2.get(f"{port[1]}/claim/guess", timeout=10).status_code == 404

    make_org(pennypost)
    assert [httpx2.get(port[1] + link, timeout=10).status_code for link in links] == [404, 404]
    assert "/claim/" not in pennypost.start("web").wait_for("the web is ready").said


def test_each_line_is_json_from_the_first_to_the_last(pennypost: Pennypost) -> None:
    pennypost.environ |= {"PENNYPOST_LOG_FORMAT": "json", "PENNYPOST_TRUSTED_PROXY": "1"}
    worker, web = pennypost.start("worker"), pennypost.start("web")
    worker.wait_for('"message": "the worker is ready"')
    web.wait_for('"message": "set it up http://.+/claim/[^[]')
    refused = pennypost.start("web")
    wait_until(lambda: refused.running.poll() is not None)
    for process in (worker, web):
        process.stop()
        assert process.running.returncode == 0
    for process, first, last in (
        (worker, "PENNYPOST_TRUSTED_PROXY is not a setting", "the worker has stopped"),
        (web, "PENNYPOST_TRUSTED_PROXY is not a setting", "stopping"),
        (refused, "PENNYPOST_TRUSTED_PROXY is not a setting", "pennypost: port "),
    ):
        lines = [json.loads(line) for line in process.said.splitlines()]
        assert all({"time", "level", "message"} <= line.keys() for line in lines)
        assert (lines[0]["message"][: len(first)], lines[-1]["message"][: len(last)]) == (first, last)
    wrong = pennypost.run("web", PENNYPOST_PORT="abc")
    assert json.loads(wrong.stderr)["message"] == "pennypost: PENNYPOST_PORT must be a port number from 1 to 65535"


@pytest.mark.postgres
def test_each_line_of_several_processes_is_json(pennypost: Pennypost) -> None:
    up = pennypost.start("up", "--processes", "2", PENNYPOST_LOG_FORMAT="json").wait_for('"message": "ready"')
    up.stop()
    assert up.running.returncode == 0
    assert [json.loads(line)["level"] for line in up.said.splitlines()]


def test_doctor_signs_in_to_the_instances_mail_server_and_keeps_its_password(pennypost: Pennypost) -> None:
    sender = {"PENNYPOST_MAIL_FROM": "post@example.com"}
    pennypost.start("sandbox").wait_for("the sandbox inbox is ready on smtp://")
    inbox = f"127.0.0.1:{pennypost.environ['PENNYPOST_SANDBOX_PORT']}"
    wrong = pennypost.run("doctor", PENNYPOST_SMTP_URL=f"smtp://ada:hush@{inbox}?tls=none", **sender)
    assert "warn  instance mail   smtp://127.0.0.1" in wrong.stdout
    assert "rejected the login: 535" in wrong.stdout
    assert "hush" not in wrong.stdout + wrong.stderr
    well = pennypost.run("doctor", PENNYPOST_SMTP_URL=f"smtp://{inbox}?tls=none", **sender)
    assert f"ok    instance mail   smtp://{inbox} accepts email from post@example.com" in well.stdout


def test_it_may_open_many_files_and_a_second_signal_ends_it_at_once(pennypost: Pennypost) -> None:
    web = pennypost.start("web", ulimit="-Sn 240").wait_for("the web is ready")
    limits = Path(f"/proc/{web.running.pid}/limits").read_text()
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[1] > 240
    assert re.search(r"Max open files +(\d+|unlimited) +\1 ", limits)  # as many as the system allows it
    # Made when the web starts, for which a busy machine takes long.
    assert web.get("/reference", timeout=60).status_code == 200
    port = int(web.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as half:
        half.sendall(b"POST /v1/emails HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n")
        web.running.send_signal(signal.SIGINT)
        web.wait_for("stopping")
        assert web.stop(signal.SIGINT) < 6  # the grace is eight
    assert web.running.returncode in (0, 1)


def test_no_part_starts_without_the_key_that_sealed_its_secrets(pennypost: Pennypost) -> None:
    make_org(pennypost)
    for command in ("up", "web", "worker"):
        line = pennypost.refuses(command, PENNYPOST_SECRET_KEYS=OTHER_KEY)
        assert line.startswith("a stored secret was encrypted with key ")
        assert line.endswith(", which is not in PENNYPOST_SECRET_KEYS: add the old key")
    pennypost.start("up", PENNYPOST_SECRET_KEYS=f"{OTHER_KEY},{SECRET_KEY}").wait_for("(?m)^ready$")


def test_strangers_who_open_every_connection_keep_nobody_out(pennypost: Pennypost) -> None:
    up = pennypost.start("up", ulimit="-n 240").wait_for(r"(?m)^ready$")
    place = ("127.0.0.1", int(pennypost.environ["PENNYPOST_PORT"]))
    with ExitStack() as stack:
        for _ in range(300):
            half_open = stack.enter_context(socket.create_connection(place, timeout=10))
            half_open.sendall(b"GET /healthz HT")
        wait_until(lambda: up.get("/readyz").json()["degraded"] == [])
        assert len(list(Path(f"/proc/{up.running.pid}/fd").iterdir())) < 200
    assert "Too many open files" not in up.said
    assert up.stop() < 10
