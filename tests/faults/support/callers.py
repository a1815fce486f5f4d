"""Programs that hand emails in one after the other, and what they were answered."""

import asyncio
from collections.abc import Sequence
from itertools import count
from typing import Any, NamedTuple, Self

import httpx2
from uuid_utils.compat import uuid7

from tests.api.mails import MAIL
from tests.faults.support.world import until
from webapp import clock, db
from webapp.models import Organization, usage
from webapp.models.usage import Metric, month_of

OK, UNAVAILABLE = 200, 503
NONE = 0  # the status where no answer came
PAUSE = 0.05  # seconds, after which a program asks again that got none

# The first row of an email has its id.
SAVED = """SELECT c.subject, COUNT(DISTINCT e.id) AS emails, COUNT(m.id) AS rows, MIN(CAST(m.email_id AS VARCHAR(36))) AS id
    FROM contents c LEFT JOIN emails e ON e.content_id = c.id LEFT JOIN mail_logs m ON m.email_id = e.id
    WHERE c.org_id = $1 GROUP BY c.subject"""


class Answer(NamedTuple):
    began: float
    subject: str
    status: int
    id: str | None = None


class Callers:
    """So many programs of these clients, each of which hands in one email after the other until the block ends."""

    def __init__(self, clients: Sequence[httpx2.AsyncClient], many: int, **fields: Any) -> None:
        """`fields` take the place of those of MAIL."""
        self._clients, self._many, self._mail = clients, many, MAIL | fields
        self._is_over = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self.answers: list[Answer] = []

    async def __aenter__(self) -> Self:
        clients = [self._clients[number % len(self._clients)] for number in range(self._many)]
        self._tasks = [asyncio.create_task(self._call(client)) for client in clients]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._is_over.set()
        await asyncio.gather(*self._tasks)

    async def _call(self, client: httpx2.AsyncClient) -> None:
        name = uuid7().hex
        for number in count():
            if self._is_over.is_set():
                return
            self.answers.append(await self._ask(client, f"{name} {number}"))

    async def _ask(self, client: httpx2.AsyncClient, subject: str) -> Answer:
        began = clock.elapsed()
        try:
            response = await client.post("/emails", json=self._mail | {"subject": subject})
        except httpx2.TransportError:
            await asyncio.sleep(PAUSE)
            return Answer(began, subject, NONE)
        return Answer(began, subject, response.status_code, response.json().get("id"))

    async def until_accepted(self, more: int, seconds: float) -> None:
        """Waits until so many emails have been accepted that were handed in from now on."""
        began = clock.elapsed()
        await until(
            lambda: sum(answer.status == OK and answer.began >= began for answer in self.answers) >= more, seconds
        )

    @property
    def accepted(self) -> dict[str, str | None]:
        """The ids of what was accepted, by the subjects."""
        return {answer.subject: answer.id for answer in self.answers if answer.status == OK}

    @property
    def unanswered(self) -> set[str]:
        """The subjects of what may have been accepted."""
        return {answer.subject for answer in self.answers if answer.status in (NONE, UNAVAILABLE)}


async def saved_emails(org: Organization) -> dict[str, str]:
    """The ids of the emails by their subjects; fails where one is there twice or without its row."""
    rows = await db.fetch(SAVED, org.id)
    assert {(row["emails"], row["rows"]) for row in rows} <= {(1, 1)}
    assert await usage.used_of(org.id, Metric.EMAILS, month_of(clock.now())) == len(rows)
    return {row["subject"]: row["id"] for row in rows}


async def check_promises(org: Organization, callers: Callers) -> None:
    """Fails unless each email that was accepted is saved, and each that is saved was accepted or lost its answer."""
    saved, accepted, unanswered = await saved_emails(org), callers.accepted, callers.unanswered
    assert len(accepted) + len(unanswered) == len(callers.answers)
    assert accepted.items() <= saved.items()
    assert saved.keys() <= accepted.keys() | unanswered
