"""What is true after every fault: counts of rows against what the servers accepted."""

import re
from collections import Counter
from collections.abc import Iterable

from tortoise.functions import Count

from tests.fakes.smtp_server import SmtpServer
from webapp.models import Account, AccountUsage, MailLog, Organization
from webapp.models.mail_log import SENDING, SENT, MailStatus

MESSAGE_ID = re.compile(rb"^message-id:\s*(<[^>]+>)", re.IGNORECASE | re.MULTILINE)

Acceptances = Counter[tuple[str, str]]  # by Message-ID and recipient


def accepted_by(servers: Iterable[SmtpServer]) -> Acceptances:
    """How often each message was accepted for each recipient."""
    found: Acceptances = Counter()
    for server in servers:
        for mail in server.messages:
            match = MESSAGE_ID.search(mail.content)
            assert match is not None, "a message without a Message-ID arrived"
            found.update((match[1].decode(), recipient) for recipient in mail.recipients)
    return found


async def check_invariants(
    org: Organization, *servers: SmtpServer, rows: int, highest_limit: int | None = None
) -> Counter[MailStatus]:
    """Fail unless rows and acceptances fit together; returns how many rows are in each status. No worker runs.

    There are `rows` rows, none of them on its way. Each that is sent was accepted at least once; nothing was accepted
    that has no row, and so a duplicate has the Message-ID of its row. No account passed its daily limit (or
    `highest_limit`, where it was changed), and no run has a contact twice.
    """
    found = await MailLog.of(org).values_list("message_id", "to_email", "status")
    counts = Counter(MailStatus(str(status)) for *_, status in found)
    accepted = accepted_by(servers)
    known = {(str(message_id), str(address)) for message_id, address, _ in found}
    sent = {(str(message_id), str(address)) for message_id, address, status in found if status == SENT}
    assert len(found) == counts.total() == rows
    assert counts[SENDING] == 0
    assert sent <= accepted.keys(), "a row is sent that no server accepted"
    assert accepted.keys() <= known, "a server accepted what no row knows"
    await _check_limits(org, accepted.total(), highest_limit)
    twice = MailLog.of(org).filter(campaign_run_id__isnull=False).annotate(times=Count("id"))
    assert not await twice.group_by("campaign_run_id", "contact_id").filter(times__gt=1).values_list("contact_id")
    return counts


async def _check_limits(org: Organization, accepted: int, highest_limit: int | None) -> None:
    """`used` counts what a server accepted and what it may have accepted, never less."""
    limits = {account.id: account.daily_mail_limit for account in await Account.of(org)}
    users = {row.account_id for row in await MailLog.of(org).only("id", "account_id")} | set(limits)
    days = [day for day in await AccountUsage.all() if day.account_id in users]
    for day in days:  # an account that was deleted had the highest limit
        assert day.used <= (highest_limit or limits[day.account_id])
    assert accepted <= sum(day.used for day in days)


def duplicates(*servers: SmtpServer) -> int:
    """How many messages arrived that had arrived before."""
    accepted = accepted_by(servers)
    return accepted.total() - len(accepted)
