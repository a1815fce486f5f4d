"""The latest emails of the home page: what was sent, failed or is being sent last, before what waits."""

import re
from datetime import datetime, timedelta
from uuid import UUID

from uuid_utils.compat import uuid7

from tests.factories import make_account, make_mail
from tests.pages.conftest import Visitor
from tests.pages.test_home import keep_many
from tests.queries import plan_of
from webapp import clock
from webapp.models import Account, MailEvent, MailLog, Organization
from webapp.models.mail_log import MailStatus
from webapp.models.queries.latest_mail_logs import RECENT, latest_rows

NOW = datetime.fromisoformat("2026-11-20T12:00:00Z")


async def queue(org: Organization, account: Account, *names: str, status: str = "pending") -> list[UUID]:
    ids = [(await make_mail(org, account, f"{name}@example.org"))[0] for name in names]
    await MailLog.of(org).filter(id__in=ids).update(status=status)
    return ids


async def latest(visitor: Visitor, path: str = "/home") -> list[str]:
    cells = (await visitor.get(path)).soup.select("#newest tbody .row-link")
    return [cell.get_text(strip=True).removesuffix("@example.org") for cell in cells]


async def test_what_happened_last_comes_first_and_no_mail_of_the_future(
    owner: Visitor, rival_owner: Visitor, acme: Organization, rival: Organization
) -> None:
    account = await make_account(acme)
    sent = await queue(acme, account, "late", "early", *[f"sent{number}" for number in range(5)], status="sent")
    (failed,) = await queue(acme, account, "failed", status="failed")
    await queue(acme, account, *[f"sending{number}" for number in range(5)], status="sending")
    scheduled = await queue(acme, account, *[f"scheduled{number}" for number in range(9)])
    await MailLog.filter(id__in=scheduled).update(next_attempt_at=clock.now() + timedelta(days=3))
    await queue(acme, account, "halted", status="halted")
    minutes = {row_id: number for number, row_id in enumerate(sent[1:], 20)} | {sent[0]: 1}
    for row_id, ago in minutes.items():
        await MailLog.filter(id=row_id).update(sent_at=NOW - timedelta(minutes=ago))
    for ago in (90, 5):  # refused once before
        event = await MailEvent.create(
            id=uuid7(), org=acme, mail_log_id=failed, from_status="sending", to_status="failed", cause="550 no"
        )
        await MailEvent.filter(id=event.id).update(created_at=NOW - timedelta(minutes=ago))
    wanted = ["sending4", "sending3", "sending2", "late", "failed", "early", "sent0", "sent1"]
    assert await latest(owner) == await latest(owner, "/home/now") == wanted
    shown = (await owner.get("/home")).soup.select("#newest .cell-when time")
    assert [cell["datetime"][:16] for cell in shown[3:6]] == [
        "2026-11-20T11:59",
        "2026-11-20T11:55",
        "2026-11-20T11:40",
    ]
    assert await latest(rival_owner) == []
    await make_mail(rival, await make_account(rival), "rita@example.org")
    assert await latest(rival_owner) == ["rita"]


async def test_what_waits_follows_where_little_was_sent(owner: Visitor, acme: Organization) -> None:
    account = await make_account(acme)
    await queue(acme, account, "sent", status="sent")
    await queue(acme, account, *[f"pending{number}" for number in range(9)])
    await queue(acme, account, "deferred", status="deferred")
    assert await latest(owner) == ["sent", "deferred", *[f"pending{number}" for number in range(8, 2, -1)]]


async def test_each_state_is_read_by_its_index(acme: Organization, rival: Organization) -> None:
    await keep_many(acme, rival)
    steps = [
        step for step in await plan_of(latest_rows(), acme.id, RECENT, 8) if re.search("mail_logs_|mail_logs ", step)
    ]
    scans = [step for step in steps if "idx_mail_logs_org_id_06c0d2" in step]
    assert len(scans) == len(MailStatus), steps
    assert not [step for step in steps if "mail_logs_pkey" in step or "Seq Scan on mail_logs" in step]
