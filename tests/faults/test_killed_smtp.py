"""F10 by SMTP: the process that receives email dies; what it acknowledged is saved and sent, once."""

import asyncio
import smtplib
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from tests.conftest import free_port
from tests.factories import account_on
from tests.fakes.redis_server import RedisServer
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually
from tests.faults.support.fleet import Fleet
from tests.faults.support.invariants import check_invariants
from tests.faults.support.processes import Process, kill, start
from tests.faults.support.world import until_sent
from tests.figures import Figures
from tests.smtp.conftest import HOST, key_of
from webapp.config import Settings
from webapp.models import MailLog, Organization
from webapp.models.mail_log import SENT

MAILS, KILLS, PROGRAMS = 1_000, 3, 20
PATIENCE = 240.0  # seconds
PAUSE = 0.2  # seconds, after which a program submits again what was not acknowledged
pytestmark = pytest.mark.timeout(600)


async def running(settings: Settings) -> Process:
    """`pennypost smtp`, once it answers."""
    assert settings.submission.port is not None
    process = await start(settings, "smtp", PENNYPOST_SMTP_PORT=str(settings.submission.port))

    async def answers() -> bool:
        try:
            _, writer = await asyncio.open_connection(HOST, settings.submission.port)
        except OSError:
            return False
        writer.close()
        return True

    await eventually(answers, PATIENCE)
    return process


class Program:
    """Submits its emails one after the other, each until it is acknowledged, as mail servers do."""

    def __init__(self, port: int, key: str) -> None:
        self._port, self._key, self._client = port, key, None  # type: int, str, smtplib.SMTP | None
        self.acknowledged: list[str] = []
        self.retried: set[str] = set()
        self._is_over = False

    def end(self) -> None:
        self._is_over = True
        self._close()

    def _close(self) -> None:
        if self._client is not None:
            self._client.close()
        self._client = None

    def submit(self, subject: str) -> None:
        while not self._is_over:
            try:
                if self._client is None:
                    self._client = smtplib.SMTP(HOST, self._port, timeout=20)
                    self._client.login("any", self._key)
                headers = f"From: hello@acme.example\r\nX-Pennypost-Idempotency-Key: {subject}\r\n"
                self._client.sendmail("hello@acme.example", [f"{subject}@x.example"], f"{headers}\r\nHi\r\n")
            except (OSError, smtplib.SMTPException):
                self._close()
                self.retried.add(subject)
                time.sleep(PAUSE)
            else:
                self.acknowledged.append(subject)
                return


async def test_f10_each_email_acknowledged_by_smtp_is_sent_although_its_process_is_killed(
    acme: Organization, settings: Settings, smtp_server: SmtpServer, redis: RedisServer, figures: Figures
) -> None:
    submission = replace(settings.submission, port=free_port())
    settings = replace(settings, redis_url=redis.url, submission=submission)
    await account_on(smtp_server, acme, daily_mail_limit=10 * MAILS)
    key = await key_of(acme)
    programs = [Program(submission.port or 0, key) for _ in range(PROGRAMS)]

    threads = ThreadPoolExecutor(PROGRAMS)  # of their own, as starting a process takes one of the loop's

    async def submit_all(number: int) -> None:
        for mail in range(number, MAILS, PROGRAMS):
            await asyncio.get_running_loop().run_in_executor(threads, programs[number].submit, f"mail-{mail}")

    async def acknowledged(count: int) -> None:
        async def are() -> bool:
            return sum(len(program.acknowledged) for program in programs) >= count

        await eventually(are, PATIENCE)

    process = await running(settings)
    try:
        submitting = asyncio.gather(*map(submit_all, range(PROGRAMS)))
        for number in range(KILLS):
            await acknowledged((number + 1) * MAILS // (KILLS + 1))
            await kill(process)
            process = await running(settings)
        await submitting
    finally:
        await kill(process)
        for program in programs:
            program.end()
        threads.shutdown(wait=False, cancel_futures=True)
    async with Fleet(settings) as fleet:
        await until_sent(acme, PATIENCE)
        await fleet.end()
    retried = set[str]().union(*(program.retried for program in programs))
    assert {row.to_email for row in await MailLog.of(acme)} == {f"mail-{number}@x.example" for number in range(MAILS)}
    assert await check_invariants(acme, smtp_server, rows=MAILS) == {SENT: MAILS}
    figures("emails acknowledged by SMTP", sum(len(program.acknowledged) for program in programs), exactly=MAILS)
    figures("emails that were submitted again", len(retried), at_least=1)
    figures("emails that arrived", len(smtp_server.messages), exactly=MAILS)
