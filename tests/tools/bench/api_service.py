"""The web process of the API among many rows, the bare handler, and the requests that both are sent."""

import asyncio
import contextlib
import json
import sys
import tempfile
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import asyncpg

from tests.conftest import free_port
from tests.factories import make_account, make_campaign, make_org, make_run, make_segment
from tests.faults.support.processes import FROM_NOTHING, output_of, terminate
from tests.faults.support.web import new_key, web_running, with_port
from tests.plans import use_plans
from tests.tools.bench import crowding
from tests.tools.bench.intake import mail_to
from tests.tools.bench.machine import until_it_listens
from tests.tools.bench.world import drop, world
from webapp import clock, db
from webapp.config import Settings
from webapp.models import CampaignRun

# The largest plan, with a quota that is counted, and a rate that no program reaches.
PLANS = {"enterprise": {"monthly_email_quota": 10**12, "requests_per_second": 10**6, "burst": 10**6}}
DIFFERENT = 1_000  # requests before the first is sent again
OF_BATCH = 100  # contacts
SOME = """SELECT c.id, c.email FROM contacts c JOIN (SELECT DISTINCT to_email FROM mail_logs WHERE email_id IS NOT NULL) m
    ON c.email_key = m.to_email WHERE c.org_id = $1 ORDER BY random() LIMIT $2"""
BARE = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@dataclass(frozen=True)
class Route:
    """A request, and its bounds: of the bare handler's rate, of p99 among many rows in milliseconds, and of growth.

    A `growth` is that of p50 and p99 from few rows to many.
    """

    name: str
    label: str
    share: float | None = None
    p99: float | None = None
    growth: float | None = None


def look_up(name: str, label: str) -> Route:
    return Route(name, label, growth=1.5)


# What writes comes last: the others are to find the rows that were there.
ROUTES = (
    Route("get-contact", "GET /v1/contacts/{id}", share=0.45),
    look_up("contact-by-address", "GET /v1/contacts/{address}"),
    look_up("emails-to", "GET /v1/emails?to={address}"),
    look_up("emails-from", "GET /v1/emails?from=shop@northwind.example"),
    look_up("emails-subject", "GET /v1/emails?subject=order%20{local}"),
    look_up("emails-tag", "GET /v1/emails?tag=category:receipt"),
    look_up("emails-tag-value", "GET /v1/emails?tag=order:{local}"),
    look_up("emails-status", "GET /v1/emails?status=deferred"),
    look_up("emails-tag-status", "GET /v1/emails?tag=category:receipt&status=sent"),
    look_up("emails-between", "GET /v1/emails?created_after={since}&created_before={until}"),
    look_up("mail-logs-to", "GET /v1/mail-logs?to={address}"),
    look_up("mail-logs-tag", "GET /v1/mail-logs?tag=category:receipt"),
    look_up("mail-logs-tag-status", "GET /v1/mail-logs?tag=category:receipt&status=sent"),
    look_up("mail-logs-between", "GET /v1/mail-logs?created_after={since}&created_before={until}"),
    look_up("segment-contacts", "GET /v1/segments/{segment}/contacts"),
    look_up("segment-unsubscribed", "GET /v1/segments/{segment}/contacts?status=unsubscribed"),
    Route("list-emails", "GET /v1/emails", share=0.06),
    Route("list-contacts", "GET /v1/contacts", p99=500),
    Route("filter-contacts", "GET /v1/contacts?status=unsubscribed", p99=500),
    Route("list-mail-logs", "GET /v1/mail-logs", p99=500),
    Route("filter-mail-logs", "GET /v1/mail-logs?status=failed", p99=500),
    look_up("upsert-contact", "POST /v1/contacts/upsert"),
    look_up("batch-contacts", "POST /v1/contacts/batch"),
    Route("post-email", "POST /v1/emails", share=0.28),
)


@dataclass(frozen=True)
class Filled:
    """A database with an organization of many rows, and what a program that calls its API knows."""

    settings: Settings
    key: str
    account_key: str
    segment_id: str
    contacts: list[tuple[str, str]]  # the ids and addresses of some that emails were sent to

    def requests(self, route: Route) -> Iterator[bytes]:
        """Different ones of a route, where they can be."""
        method, path = route.label.split()
        head = f"Host: 127.0.0.1\r\nAuthorization: Bearer {self.key}\r\n"
        now = clock.now()
        days = {"since": f"{now - timedelta(days=20):%Y-%m-%d}", "until": f"{now - timedelta(days=10):%Y-%m-%d}"}
        for number, (contact_id, address) in enumerate(self.contacts):
            local = address.partition("@")[0]
            known = {"id": contact_id, "address": address, "local": local, "segment": self.segment_id, **days}
            line = f"{method} {path.format_map(known)} HTTP/1.1\r\n"
            if method == "GET":
                yield f"{line}{head}\r\n".encode()
                continue
            body = json.dumps(self._body(route, number))
            yield f"{line}{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()

    def _body(self, route: Route, number: int) -> Any:
        if route.name == "post-email":
            return mail_to(f"reader{number}@example.org", self.account_key)
        bodies = [{"email": address, "first_name": "Ann"} for _, address in self.contacts]
        return bodies[number] if route.name == "upsert-contact" else (bodies * 2)[number : number + OF_BATCH]

    @property
    def database(self) -> str:
        return self.settings.database_url.rpartition("/")[2]

    async def analyse(self) -> None:
        """Tell PostgreSQL about its tables, of which it knows nothing so far."""
        server = await asyncpg.connect(self.settings.database_url)
        try:
            await crowding.analyse(server)
        finally:
            await server.close()


@contextlib.asynccontextmanager
async def filled(folder: Path, database: str, rows: int, redis_url: str) -> AsyncIterator[Filled]:
    """So many contacts and rows of mail, which PostgreSQL knows nothing of; their database goes with this block."""
    own = tempfile.mkdtemp(dir=folder)
    async with contextlib.AsyncExitStack() as stack:
        async with world(Path(own), database) as settings:
            stack.push_async_callback(drop, settings)
            found = await _fill(use_plans(settings, PLANS, redis_url=redis_url), rows)
        yield found


async def _fill(settings: Settings, rows: int) -> Filled:
    org = await make_org("Bench")
    account, segment = await make_account(org), await make_segment(org)
    campaign = await make_campaign(org, segment=segment)
    run, _ = await make_run(org, [account], 1)
    await CampaignRun.filter(id=run.id).update(campaign_id=campaign.id)
    await crowding.crowd(org, rows, rows, is_analysed=False)
    found = await db.fetch(SOME, org.id, DIFFERENT)
    contacts = [(str(row["id"]), row["email"]) for row in found]
    return Filled(settings, await new_key(org), account.account_key, str(segment.id), contacts)


@dataclass(frozen=True)
class Web:
    """A web process, and what it serves."""

    filled: Filled
    port: int
    process_id: int


@contextlib.asynccontextmanager
async def web_of(found: Filled, *options: str) -> AsyncIterator[Web]:
    """`pennypost web` with these options, for the life of this block."""
    settings = with_port(found.settings)
    async with web_running(settings, "web", *options, program=FROM_NOTHING) as process:
        yield Web(replace(found, settings=settings), settings.port, process.pid)
        await terminate(process)


async def knows_processes(settings: Settings) -> bool:
    """Return True if a web can have more than one process."""
    return "--processes" in await output_of(settings, "web", "--help")


@contextlib.asynccontextmanager
async def bare_handler() -> AsyncIterator[int]:
    """The port of a handler that does nothing, for the life of this block."""
    port = free_port()
    command = (sys.executable, "-m", "tests.tools.bench.bare", str(port))
    # In a session of its own, as the web is: Linux may share out its cores by sessions.
    process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, start_new_session=True)
    try:
        await until_it_listens(port)
        yield port
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
