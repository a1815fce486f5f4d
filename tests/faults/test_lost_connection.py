"""The connection to PostgreSQL is lost at any byte of a transaction that accepts emails."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest

from tests.api.conftest import Api, make_api
from tests.api.mails import MAIL
from tests.factories import make_account, make_org
from tests.fakes.cutting_proxy import NEVER, Cut, CuttingProxy, Side, ends_of
from tests.faults.support.callers import saved_emails
from tests.faults.support.databases import connected_to
from webapp.app import create_app
from webapp.config import Settings
from webapp.models import MailLog, Organization

PATIENCE = 60.0  # seconds
GROUP = 5
LONGER = 100  # bytes that a transaction may grow by: asyncpg numbers its statements
pytestmark = [pytest.mark.postgres, pytest.mark.timeout(180)]


@dataclass
class Handed:
    """Emails that came at once, how they were answered, and what was said in their transaction."""

    statuses: dict[str, int]  # by their subjects
    cut: Cut

    @property
    def is_whole(self) -> bool:
        """True when all came in time to share the transaction: a key is looked up again now and then."""
        return all(subject.encode() in self.cut.said[Side.CLIENT] for subject in self.statuses)


@dataclass
class Intake:
    """A process whose way to PostgreSQL can be cut, and the programs of two organizations that hand emails in."""

    proxy: CuttingProxy
    org: Organization
    api: Api
    rival: Organization
    stranger: Api
    with_key: bool  # each email has a transaction of its own then, which runs once
    strangers: int = 0
    handed: list[Handed] = field(default_factory=list)

    async def post_cut(self, side: Side, message: int, after: int) -> Handed:
        """Hands emails in whose transaction is cut, after one of the stranger's, which is accepted."""
        assert (await self.stranger.send("POST", "/v1/emails", json=MAIL)).status_code == 200
        self.strangers += 1
        subjects = [f"Mail {len(self.handed)}.{number}" for number in range(1 if self.with_key else GROUP)]
        cut = self.proxy.cut_next(side, message, after)
        statuses = await asyncio.gather(*(self.post(subject) for subject in subjects))
        if cut.is_due:
            await asyncio.wait_for(cut.is_over.wait(), PATIENCE)
        self.handed.append(Handed(dict(zip(subjects, statuses, strict=True)), cut))
        return self.handed[-1]

    async def post(self, subject: str) -> int:
        headers = {"Idempotency-Key": subject} if self.with_key else {}
        answer = await self.api.send("POST", "/v1/emails", json=MAIL | {"subject": subject}, headers=headers)
        return answer.status_code

    async def check(self) -> None:
        """Fails where an email is lost, saved twice or in part, or counted otherwise, or is not to be had again."""
        saved = await saved_emails(self.org)
        for one in self.handed:
            for subject, status in one.statuses.items():
                assert (status, subject in saved) in ((200, True), (503, one.cut.is_committed)), (one, subject)
        failed = [one for one in self.handed if 503 in one.statuses.values()]
        assert {one.cut.is_committed for one in failed} == {True, False}
        assert any(one.is_whole for one in failed)
        assert await MailLog.of(self.rival).count() == self.strangers
        if self.with_key:
            assert {await self.post(subject) for one in self.handed for subject in one.statuses} == {200}
            assert len(await saved_emails(self.org)) == len(self.handed)


@asynccontextmanager
async def intake_of(settings: Settings, *, with_key: bool) -> AsyncIterator[Intake]:
    real = urlsplit(settings.database_url)
    async with CuttingProxy(lambda: asyncio.open_connection(real.hostname, real.port)) as proxy:
        url = real._replace(netloc=f"{real.username}@127.0.0.1:{proxy.port}").geturl()
        async with connected_to(settings, database_url=url) as its:
            org, rival = await make_org(plan="scale"), await make_org("Rival", plan="scale")
            await make_account(org)
            await make_account(rival)
            app = create_app(its)
            intake = Intake(proxy, org, await make_api(app, org), rival, await make_api(app, rival), with_key)
            for _ in range(2):  # the first one opens the counter of the month
                await intake.post_cut(Side.SERVER, 0, NEVER)
            yield intake


async def said_uncut(intake: Intake, side: Side) -> bytes:
    """The messages of one side in a transaction on a new connection, as after every cut."""
    await intake.post_cut(side, 0, 0)
    return (await intake.post_cut(side, 0, NEVER)).cut.said[side]


with_and_without_keys = pytest.mark.parametrize("with_key", [False, True], ids=["without_keys", "with_keys"])
either_side = pytest.mark.parametrize("side", Side)


@either_side
@with_and_without_keys
async def test_no_email_is_doubled_or_lost_whose_connection_ends_beside_the_end_of_a_message(
    settings: Settings, side: Side, *, with_key: bool
) -> None:
    async with intake_of(settings, with_key=with_key) as intake:
        for message in range(1, len(ends_of(await said_uncut(intake, side)))):
            for after in (0,) if with_key else (-1, 0, 1):
                await intake.post_cut(side, message, after)
        await intake.check()


async def test_each_program_gets_its_own_row_or_none_where_the_look_up_that_all_share_is_cut(
    settings: Settings,
) -> None:
    async with intake_of(settings, with_key=False) as intake:
        paths = [f"/v1/accounts/{(await make_account(intake.org)).id}" for _ in range(GROUP)]
        seen = set[int]()
        for message in range(2 * GROUP):  # the answer has a row for each, and four others
            cut = intake.proxy.cut_next(Side.SERVER, message, 0, begin=b"")  # which all end with
            ours = asyncio.gather(*(intake.api.get(path) for path in paths))
            theirs = asyncio.gather(*(intake.stranger.get(path) for path in paths))
            for path, (status, body) in zip(paths, await ours, strict=True):
                assert status == 503 or (status == 200 and path.endswith(body["data"]["id"]))
                seen.add(status)
            assert {status for status, _ in await theirs} <= {404, 503}
            if cut.is_due:
                await asyncio.wait_for(cut.is_over.wait(), PATIENCE)
        assert seen == {200, 503}


@pytest.mark.soak
@pytest.mark.timeout(1200)
@either_side
@with_and_without_keys
async def test_no_email_is_doubled_or_lost_whose_connection_ends_at_any_byte(
    settings: Settings, side: Side, *, with_key: bool
) -> None:
    async with intake_of(settings, with_key=with_key) as intake:
        for after in range(len(await said_uncut(intake, side)) + LONGER):
            await intake.post_cut(side, 0, after)
        await intake.check()
