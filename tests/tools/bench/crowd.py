"""Campaigns to many contacts by the real service: sent and stopped over HTTP, its web and its worker beside it."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx2

from tests.factories import make_account, make_campaign, make_org, make_template
from tests.fakes.redis_server import RedisServer
from tests.faults.support.processes import FROM_NOTHING, Process, kill, start, terminate
from tests.faults.support.web import client_of, new_key, web_running, with_port
from tests.support.audiences import make_audience
from tests.tools.bench.mails import SUBJECT, newsletter
from tests.tools.bench.world import drop, world
from webapp import db
from webapp.config import Settings
from webapp.models import Account, Campaign, CampaignRun, MailLog, Organization, Segment, Template, Topic

CONNECTIONS = 50
ANSWER_SECONDS = 120.0
END_SECONDS = 100.0  # that a worker may take to end
ASK_EVERY = 0.2


@dataclass(frozen=True)
class Service:
    """The processes of the service, on an empty database."""

    settings: Settings
    worker: Process


@contextlib.asynccontextmanager
async def service(folder: Path, database: str) -> AsyncIterator[Service]:
    """The service for the life of this block; its database goes with it."""
    with RedisServer() as redis:
        async with world(folder, database) as settings:
            running = with_port(replace(settings, redis_url=redis.url))
            async with web_running(running):
                worker = await start(running, "worker", program=FROM_NOTHING)
                try:
                    yield Service(running, worker)
                    await terminate(worker, END_SECONDS)
                finally:
                    await kill(worker)
        await drop(settings)


class Crowd:
    """An organization with a segment of many, and a caller of the API."""

    def __init__(self, org: Organization, segment: Segment, template: Template, client: httpx2.AsyncClient) -> None:
        self.org, self._segment, self._template, self.client = org, segment, template, client

    @classmethod
    @contextlib.asynccontextmanager
    async def gathered(cls, settings: Settings, contacts: int) -> "AsyncIterator[Crowd]":
        """An organization with so many contacts, for the life of this block."""
        org = await make_org("Bench")
        segment, _ = await make_audience(org, contacts)
        template = await make_template(org, subject=SUBJECT, body=newsletter())
        async with client_of(settings, await new_key(org), ANSWER_SECONDS) as client:
            yield cls(org, segment, template, client)

    async def account(self, port: int, connections: int = CONNECTIONS) -> Account:
        """An account that sends to a port of this machine."""
        return await make_account(
            self.org, smtp_port=port, smtp_security="none", concurrency=connections, daily_mail_limit=100_000_000
        )

    async def campaign(self, topic: Topic | None = None) -> Campaign:
        """A campaign to everybody."""
        return await make_campaign(self.org, segment=self._segment, template=self._template, topic=topic)

    async def send(self, campaign: Campaign, account: Account) -> tuple[float, int]:
        """Send it through an account; returns how many seconds the answer took, and how many are queued."""
        began = time.monotonic()
        answer = await self.post(f"/campaigns/{campaign.id}/send", {"sender_account_ids": [str(account.id)]})
        return time.monotonic() - began, int(answer["contacts_messaged"])

    async def stop(self, campaign: Campaign) -> float:
        """Stop it; returns how many seconds the answer took."""
        began = time.monotonic()
        await self.post(f"/campaigns/{campaign.id}/stop", {})
        return time.monotonic() - began

    async def stand(self, account: Account, status: str) -> None:
        """Let an account be `paused`, or `active` again."""
        await self.ask("PATCH", f"/accounts/{account.id}", {"status": status})

    async def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """What the API answers to a POST, which must be yes."""
        return await self.ask("POST", path, body)

    async def ask(self, method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """What the API answers, which must be yes."""
        answer = await self.client.request(method, path, json=body)
        if not answer.is_success:
            raise RuntimeError(f"{path}: {answer.status_code} {answer.text}")
        found: dict[str, Any] = answer.json()
        return found

    async def is_made(self) -> bool:
        """Whether all rows of all runs are made."""
        return not await CampaignRun.of(self.org).filter(materialised=False).exists()

    async def until_made(self, seconds: float) -> bool:
        """Wait until all rows are made, for so long at most; whether they are."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if await self.is_made():
                return True
            await asyncio.sleep(ASK_EVERY)
        return False

    async def count(self, campaign: Campaign, status: str | None = None) -> int:
        """The rows of a campaign, all or those in one status."""
        rows = MailLog.of(self.org).filter(campaign_id=campaign.id)
        return await (rows.filter(status=status) if status else rows).count()


async def forget_statistics() -> None:
    """Let PostgreSQL know nothing of the audience until `analyse`, not by its own looks either; SQLite knows nothing."""
    await _tell("ALTER TABLE {} SET (autovacuum_enabled = false)")


async def analyse() -> None:
    """Let PostgreSQL know its tables."""
    await _tell("ALTER TABLE {} RESET (autovacuum_enabled)")
    await _tell("VACUUM ANALYZE {}")


async def _tell(statement: str) -> None:
    if not db.dialect().has_one_writer:
        for table in ("contacts", "segment_contacts", "mail_logs", "campaign_contacts"):
            await db.connection().execute_script(statement.format(table))
