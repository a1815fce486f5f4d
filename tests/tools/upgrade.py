"""Upgrades a PostgreSQL database with a million mail logs while a campaign goes out, and prints the longest pause.

`python -m tests.tools.upgrade OLD [LATER ...]` with checkouts of older commits, oldest first, each after `make setup` (`make .venv/.ready` in old ones). The
oldest makes the database and sends; the later ones and this one migrate it one after the other, then this one's worker
takes over.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import asyncpg
import uvloop

from tests.conftest import POSTGRES, SECRET_KEY, free_port
from tests.structure import ROOT

DATABASE = "pennypost_upgrade"
DELAY = "0.05"  # seconds before each answer of the receiver, so that the campaign outlasts the upgrade
PATIENCE = 600.0  # seconds
# Copies of the one mail log, in whatever columns its version has.
FILL = """
    INSERT INTO mail_logs SELECT (jsonb_populate_record(m, jsonb_build_object(
        'id', gen_random_uuid(), 'message_id', n || m.message_id, 'to_email', n || m.to_email))).*
    FROM mail_logs m CROSS JOIN generate_series(1, $1::int) n"""


class Instance(NamedTuple):
    """The settings that all versions share, and where each process logs."""

    folder: Path
    database_url: str
    port: int

    def environment(self) -> dict[str, str]:
        return os.environ | {
            "DATABASE_URL": self.database_url,
            "PENNYPOST_DATA_DIR": str(self.folder),
            "PENNYPOST_SECRET_KEYS": SECRET_KEY,
            "PENNYPOST_PORT": str(self.port),
            "PENNYPOST_ALLOW_PRIVATE_HOSTS": "1",
        }

    def run(self, checkout: Path, *words: str, stdin: str = "") -> str:
        """Returns what the checkout's command prints; one that fails ends this program."""
        began = time.monotonic()
        command = [program(checkout), *words]
        done = subprocess.run(command, env=self.environment(), input=stdin, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{words}: {done.stdout}{done.stderr}")
        if words == ("migrate",):
            last = done.stdout.splitlines()[-1]
            print(f"{time.monotonic() - began:5.1f} s  {checkout.name}: pennypost migrate … {last}")
        return done.stdout.strip()

    @contextmanager
    def running(self, name: str, *command: str) -> Iterator[Path]:
        """The log of a process, which is asked to end with the block."""
        log = self.folder / f"{name}.log"
        with log.open("w") as output:
            process = subprocess.Popen(command, env=self.environment(), stdout=output, stderr=subprocess.STDOUT)
        try:
            yield log
        finally:
            process.terminate()
            process.wait(PATIENCE)

    def ask(self, key: str, path: str, body: object = None) -> Any:
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/v1/{path}", content, headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)


async def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.tools.upgrade", description=__doc__)
    parser.add_argument("checkouts", type=Path, nargs="+")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--recipients", type=int, default=5_000)
    chosen = parser.parse_args()
    server = await asyncpg.connect(POSTGRES)
    await server.execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
    await server.execute(f"CREATE DATABASE {DATABASE}")
    with tempfile.TemporaryDirectory() as name:
        instance = Instance(Path(name), POSTGRES.rpartition("/")[0] + f"/{DATABASE}", free_port())
        await upgrade(instance, [*chosen.checkouts, ROOT], chosen.rows, chosen.recipients)
    await server.execute(f"DROP DATABASE {DATABASE} WITH (FORCE)")
    await server.close()


async def upgrade(instance: Instance, checkouts: Sequence[Path], rows: int, recipients: int) -> None:
    oldest, newest = checkouts[0], checkouts[-1]
    arrivals, port = instance.folder / "arrivals", free_port()
    key = make_organization(instance, oldest)
    receiver = [sys.executable, "-m", "tests.tools.bench.receiver", str(port), "--delay", DELAY, "--arrivals"]
    with ExitStack() as everything:
        everything.enter_context(instance.running("receiver", *receiver, str(arrivals)))
        with ExitStack() as old:
            web = old.enter_context(instance.running("web", program(oldest), "web"))
            worker = old.enter_context(instance.running("worker", program(oldest), "worker"))
            until(lambda: "ready" in web.read_text() and "ready" in worker.read_text())
            campaign = make_campaign(instance, key, port, recipients)
            until(lambda: received(arrivals) == ["first@example.org"])
            await fill(instance, rows)
            instance.ask(key, f"campaigns/{campaign}/send", {})
            until(lambda: len(received(arrivals)) > recipients / 10)
            for checkout in checkouts[1:]:
                instance.run(checkout, "migrate")
            print(f"{len(received(arrivals)):,} emails were sent when the last migration had ended")
            until(lambda: len(received(arrivals)) > recipients / 2)
            taking_over = everything.enter_context(instance.running("new worker", program(newest), "worker"))
            until(lambda: "ready" in taking_over.read_text())
        until(lambda: len(set(received(arrivals))) > recipients)
        web = everything.enter_context(instance.running("new web", program(newest), "web"))
        until(lambda: "ready" in web.read_text())
        until(lambda: instance.ask(key, f"campaigns/{campaign}")["data"]["status"] == "sent")
    show(arrivals)


def make_organization(instance: Instance, checkout: Path) -> str:
    """Returns an API key."""
    instance.run(checkout, "migrate")
    options = ("--owner", "ada@example.com", "--plan", "enterprise", "--password-stdin")
    org = instance.run(checkout, "create-org", "Acme", *options, stdin="correct-horse-battery\n").split()[-1]
    return instance.run(checkout, "create-key", org, "--name", "upgrade", "--role", "admin").split()[-1]


def make_campaign(instance: Instance, key: str, port: int, recipients: int) -> str:
    """Sends one email, and makes a draft to so many contacts."""

    def made(path: str, **body: object) -> Any:
        return instance.ask(key, path, body)["data"]

    address = "news@example.com"
    account = made(
        "accounts", name="Receiver", provider_type="smtp", smtp_host="127.0.0.1", smtp_port=port,
        smtp_security="none", from_email=address, daily_mail_limit=2 * recipients,
    )  # fmt: skip
    first: dict[str, object] = {"from": address, "to": ["first@example.org"], "subject": "Hi", "html": "<p>Hi</p>"}
    instance.ask(key, "emails", {"account_key": account["account_key"], **first})
    segment = made("segments", name="Readers")
    template = made("templates", name="News", subject="News", body="<p>Hello</p>")
    path = f"segments/{segment['id']}/contacts"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: made(path, email=f"reader{number}@example.org"), range(recipients)))
    chosen = {"segment_id": segment["id"], "template_id": template["id"], "from_email": address}
    campaign: str = made("campaigns", title="News", **chosen)["id"]
    return campaign


async def fill(instance: Instance, rows: int) -> None:
    database = await asyncpg.connect(instance.database_url)
    await database.execute(
        "UPDATE mail_logs SET status = 'sent' WHERE status = 'sending'"
    )  # its outcome may be on its way
    await database.execute(FILL, rows, timeout=PATIENCE)
    await database.execute("VACUUM ANALYZE mail_logs", timeout=PATIENCE)
    print(f"{await database.fetchval('SELECT count(*) FROM mail_logs'):,} mail logs")
    await database.close()


def received(arrivals: Path) -> list[str]:
    return [line.split()[0] for line in arrivals.read_text().splitlines()] if arrivals.exists() else []


def show(arrivals: Path) -> None:
    campaign = [line.split() for line in arrivals.read_text().splitlines()][1:]
    addresses = [address for address, _ in campaign]
    pause = max(float(later) - float(earlier) for (_, earlier), (_, later) in pairwise(campaign))
    doubled = len(addresses) - len(set(addresses))
    print(f"{len(set(addresses)):,} recipients received it, {doubled} twice; the longest pause was {pause:.2f} s")


def until(has_happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not has_happened():
        if time.monotonic() > deadline:
            raise SystemExit(f"nothing after {PATIENCE:.0f} s")
        time.sleep(0.2)


def program(checkout: Path) -> str:
    return str(checkout / ".venv/bin/pennypost")


if __name__ == "__main__":
    uvloop.run(main())
