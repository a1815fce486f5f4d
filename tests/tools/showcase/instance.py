"""The showcase as it is served: its web process alone, so that nothing moves while it is looked at."""

import itertools
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

import httpx2

from tests.conftest import free_port
from tests.tools.showcase.service import PENNYPOST, ROOT, SETTINGS, fill
from tests.tools.showcase.tour import Stop

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "VIRTUAL_ENV")
READY_SECONDS = 60
STOP_SECONDS = 40
VALUES = re.compile(
    r'(?<= )(?!class|role|type|aria-current|aria-pressed|disabled)[\w-]+="[^"]*"'
)  # say nothing of how a page is built


@dataclass(frozen=True)
class Instance:
    """Where the showcase answers, the sessions by whose they are, and its pages."""

    base_url: str
    sessions: dict[str, str]
    stops: list[Stop]

    def client(self, person: str) -> httpx2.Client:
        """A program with somebody's session; it is to be closed."""
        cookies = {"session": self.sessions[person]} if person else {}
        return httpx2.Client(base_url=self.base_url, cookies=cookies, timeout=60)

    def sign_in(self, context: "BrowserContext", person: str) -> None:
        """Let a browser go on with somebody's session."""
        context.add_cookies([{"name": "session", "value": self.sessions[person], "url": self.base_url}])

    def pages(self, *, alike: bool = True) -> Iterator[Stop]:
        """The stops that are whole pages of ours: no fragments, files, streams, mails, or ways to another page.

        Without those `alike`, a further page of a route is left out that is built of known parts, whatever its words.
        """
        known, routes = set[str](), set[str]()
        for person in ("", *self.sessions):
            with self.client(person) as client:
                for stop in self.stops:
                    html = page_at(client, stop.path) if stop.person == person else ""
                    parts = parts_of(html)
                    if html and (alike or stop.route not in routes or parts - known):
                        known |= parts
                        routes.add(stop.route)
                        yield stop


def page_at(client: httpx2.Client, path: str) -> str:
    """The whole page of ours that is at the path, also one that says why there is none; else nothing."""
    with client.stream("GET", path) as answer:
        is_html = answer.headers.get("Content-Type", "").startswith("text/html")
        is_mail = answer.headers.get("Content-Security-Policy", "").startswith("sandbox")
        if answer.is_redirect or is_mail or not is_html:
            return ""
        html = answer.read().decode().lstrip()
        return html if html[:9].lower() == "<!doctype" else ""


def parts_of(html: str) -> set[str]:
    """What a page is built of: which headings follow which, and tags with their classes, roles and states."""
    headings = re.findall(r"<h\d", html)
    tags = {VALUES.sub("", tag) for tag in re.findall(r"<\w[^>]*>", html.partition("<body")[2])}
    return tags | {f"{one}{next_one}" for one, next_one in itertools.pairwise(headings)}


@contextmanager
def showcase(folder: Path) -> Iterator[Instance]:
    """A filled instance in an empty folder, for the life of this block."""
    environment = environment_of(folder)
    contents = fill(environment)
    with serving("web", environment, folder / "web.log") as base_url:
        yield Instance(base_url, contents["sessions"], [Stop(*stop) for stop in contents["stops"]])


@contextmanager
def unclaimed(folder: Path, **settings: str) -> Iterator[Instance]:
    """An instance in an empty folder that nobody has claimed; its one stop is the page of the link for that."""
    log = folder / "up.log"
    with serving("up", environment_of(folder) | settings, log) as base_url:
        deadline = monotonic() + READY_SECONDS
        while (link := re.search(r"/claim/\S+", log.read_text())) is None and monotonic() < deadline:
            sleep(0.05)
        assert link, log.read_text()[-4000:]
        yield Instance(base_url, {}, [Stop("/claim", "", link[0])])


def environment_of(folder: Path) -> dict[str, str]:
    """That of an instance whose data is in the folder."""
    ports = {name: str(free_port()) for name in ("PENNYPOST_PORT", "PENNYPOST_SANDBOX_PORT")}
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return kept | SETTINGS | ports | {"PENNYPOST_DATA_DIR": str(folder)}


@contextmanager
def serving(command: str, environment: dict[str, str], log: Path) -> Iterator[str]:
    """Run `pennypost <command>` for the life of this block; where it answers."""
    words = [*PENNYPOST, command]
    with log.open("wb") as output:
        process = subprocess.Popen(
            words, cwd=ROOT, env=environment, stdout=output, stderr=output, start_new_session=True
        )
    try:
        base_url = f"http://127.0.0.1:{environment['PENNYPOST_PORT']}"
        wait_for(base_url, process, log)
        yield base_url
        process.send_signal(signal.SIGTERM)
        assert process.wait(STOP_SECONDS) == 0, log.read_text()[-4000:]
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(STOP_SECONDS)


def wait_for(base_url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = monotonic() + READY_SECONDS
    while monotonic() < deadline and process.poll() is None:
        try:
            if httpx2.get(f"{base_url}/healthz").status_code == 200:
                return
        except httpx2.TransportError:
            sleep(0.05)
    raise AssertionError(log.read_text()[-4000:])
