"""F1 in small: the worker is killed while mail goes out, and every mail arrives."""

import asyncio
from collections import Counter
from dataclasses import replace

from tests.factories import make_account, make_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually
from tests.faults.processes import kill, start, terminate
from webapp.config import Settings
from webapp.models import AccountUsage, MailLog, Organization

MAILS = 500
KILLS = 3
CONCURRENCY = 4


async def test_f1_500_mails_arrive_although_the_worker_is_killed_three_times(
    acme: Organization, rival: Organization, settings: Settings
) -> None:
    settings = replace(settings, lease_seconds=2)
    async with SmtpServer() as server:
        server.delay("DOT", 0.01)  # so that a kill finds messages under way
        account = await make_account(
            acme, smtp_port=server.port, smtp_security="none", daily_mail_limit=10_000, concurrency=CONCURRENCY
        )
        for number in range(MAILS):
            await make_mail(acme, account, f"reader{number}@example.org")
        for kill_number in range(KILLS):
            worker = await start(settings, "worker")
            wanted = (kill_number + 1) * MAILS // (KILLS + 1)
            await eventually(lambda wanted=wanted: has_received(server, wanted), seconds=20)
            await kill(worker)
        worker = await start(settings, "worker")
        await eventually(lambda: are_all_sent(acme), seconds=40)
        assert await terminate(worker) == 0
    arrived = Counter(mail.recipients[0] for mail in server.messages)
    assert len(arrived) == MAILS
    duplicates = len(server.messages) - MAILS
    assert duplicates <= KILLS * CONCURRENCY
    assert message_ids_per_recipient(server) == {1}
    crashed = await MailLog.of(acme).filter(crashes__gt=0).count()
    print(f"{MAILS} mails, {KILLS} kills: {len(arrived)} arrived, {duplicates} twice, {crashed} rows taken back")
    usage = await AccountUsage.get(account_id=account.id)
    assert len(server.messages) <= usage.used <= MAILS + crashed
    assert await MailLog.of(rival).count() == 0


async def has_received(server: SmtpServer, wanted: int) -> bool:
    await asyncio.sleep(0)
    return len(server.messages) >= wanted


async def are_all_sent(org: Organization) -> bool:
    await asyncio.sleep(0.2)
    return await MailLog.of(org).exclude(status="sent").count() == 0


def message_ids_per_recipient(server: SmtpServer) -> set[int]:
    """How many different Message-IDs each recipient saw: one, however often a mail came."""
    seen: dict[str, set[bytes]] = {}
    for mail in server.messages:
        line = next(line for line in mail.content.splitlines() if line.lower().startswith(b"message-id:"))
        seen.setdefault(mail.recipients[0], set()).add(line)
    return {len(ids) for ids in seen.values()}
