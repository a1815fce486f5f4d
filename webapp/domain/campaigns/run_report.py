"""Details of a run, which may have a million rows; counts only examine some thousands of them."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import NamedTuple
from uuid import UUID

from webapp import db
from webapp.db import dialects
from webapp.domain.campaigns.runs import draft_retry
from webapp.models import Account, Campaign, CampaignRun, CampaignRunAccount, MailLog, Organization
from webapp.models.base.row import FIRST_ID, LAST_ID
from webapp.models.campaign import CampaignStatus
from webapp.models.campaign_run import RETRIES_ROW
from webapp.models.mail_log import FAILED, PENDING
from webapp.models.outbox.audience_counts import count_audience, count_retryable
from webapp.models.outbox.runs import is_any_due, waiting_to_retry

LATEST = 10
AROUND = 40  # newest sent rows by ID, which include those sent last
SENT_EXAMINED = 2_000  # for the accounts' shares
FAILURES = 500
RETRIES_SHOWN = 1_000
RETRIES_COUNTED = 5_000  # failed rows
REASONS, EXAMPLES = 10, 5
REASON_LENGTH = 160
# Compared with its state, an id is looked for in the run's index: by itself PostgreSQL walks over the rows of others,
# and with the state named once more over all of the run that are newer.
SENT_BEFORE = """
SELECT id, account_id FROM mail_logs WHERE campaign_run_id = $1
AND (status, id) >= ('sent', $4) AND (status, id) < ('sent', $2) ORDER BY status DESC, id DESC LIMIT $3
"""
SHOWN = ("id", "to_email", "status", "sent_at", "error", "account_id")
ADDRESS = re.compile(r"<?[^\s<>@]+@[^\s<>@,;:]+>?")
TOKEN = re.compile(r"\b(?=\w*\d)[\w.-]{10,}\b")  # queue IDs and the like


class AccountShare(NamedTuple):
    """`account` is None if it was deleted."""

    account_id: UUID
    account: Account | None
    sent: int


class Failures(NamedTuple):
    """`reason` leaves out what differs between mails; `rows` are examples."""

    reason: str
    mails: int
    rows: list[MailLog]


class Retries(NamedTuple):
    """At most RETRIES_SHOWN emails that will be retried; `reason` is the most frequent last reply."""

    mails: int
    next_at: datetime
    reason: str | None


@dataclass(frozen=True)
class RunDetails:
    """`shares_of` and `failures_of` are numbers of examined rows; `retry_id` is the run that retried this one.

    `retryable` is the count of `count_retried`; `has_due` is true if a row could be sent now.
    """

    latest: list[MailLog]
    shares: list[AccountShare]
    shares_of: int
    failures: list[Failures]
    failures_of: int
    retry_id: UUID | None
    retryable: int | None
    has_due: bool
    retries: Retries | None


async def load_details(org: Organization, campaign: Campaign, run: CampaignRun) -> RunDetails:
    newest = await _latest_sent(run)
    around = [row["id"] for rows in newest for row in rows[:AROUND]]
    latest = [row for row in await MailLog.of_run(run.id).filter(id__in=around).only(*SHOWN) if row.sent_at is not None]
    examined = {row["id"]: row["account_id"] for rows in newest for row in rows}
    sent = Counter(dialects.as_uuid(account_id) for account_id in examined.values() if account_id is not None)
    pulling = await CampaignRunAccount.filter(run_id=run.id).limit(100)
    account_ids = list(
        dict.fromkeys([*(account_id for account_id, _ in sent.most_common()), *(row.account_id for row in pulling)])
    )
    accounts = await Account.of(org).filter(id__in=account_ids).only("id", "name", "is_sandbox")
    named = {account.id: account for account in accounts}
    failed = await MailLog.of_run(run.id).filter(status=FAILED).only(*SHOWN).limit(FAILURES)
    retry = await _retry_of(org, run)
    return RunDetails(
        sorted(latest, key=attrgetter("sent_at", "id"), reverse=True)[:LATEST],
        [AccountShare(account_id, named.get(account_id), sent[account_id]) for account_id in account_ids],
        sum(sent.values()),
        by_reason(failed),
        len(failed),
        retry.id if retry else None,
        await count_retried(org, campaign, run) if failed and retry is None else 0,
        await is_any_due(run.id),
        await _retries_of(run),
    )


def by_reason(failed: Iterable[MailLog]) -> list[Failures]:
    grouped: dict[str, list[MailLog]] = {}
    for row in failed:
        grouped.setdefault(reason_of(row.error or ""), []).append(row)
    limit = sorted(grouped.items(), key=lambda group: -len(group[1]))[:REASONS]
    return [Failures(reason, len(rows), rows[:EXAMPLES]) for reason, rows in limit]


async def _retries_of(run: CampaignRun) -> Retries | None:
    rows = await waiting_to_retry(run.id, RETRIES_SHOWN)
    if not rows:
        return None
    reasons = Counter(reason_of(row["error"]) for row in rows if row["error"])
    reason = reasons.most_common(1)[0][0] if reasons else None
    return Retries(len(rows), dialects.as_instant(rows[0]["next_attempt_at"]), reason)


async def _retry_of(org: Organization, run: CampaignRun) -> CampaignRun | None:
    return await CampaignRun.of(org).get_or_none(campaign_id=run.campaign_id, trigger_key=run.retry_key).only("id")


async def can_retry(org: Organization, row: MailLog, campaign: Campaign | None) -> bool:
    retry = await _retry_with(org, row, campaign)
    return retry is not None and await count_retryable(retry, RETRIES_COUNTED) != 0


async def can_retry_row(org: Organization, row: MailLog, campaign: Campaign | None) -> bool:
    """Like `can_retry` for one row that was not retried on its own."""
    retry = await _retry_with(org, row, campaign, f"{RETRIES_ROW}{row.id}")
    if retry is None:
        return False
    retried = CampaignRun.of(org).filter(campaign_id=retry.campaign_id, trigger_key=retry.trigger_key)
    return not await retried.exists() and await count_audience(retry) > 0


async def _retry_with(org: Organization, row: MailLog, campaign: Campaign | None, key: str = "") -> CampaignRun | None:
    """The unsaved retry of the run in which the row failed; None if it cannot be started or was before."""
    if row.status != FAILED or campaign is None or campaign.status in (CampaignStatus.SENDING, CampaignStatus.HALTED):
        return None
    run = await CampaignRun.of(org).get_or_none(id=row.campaign_run_id)
    if run is None or await _retry_of(org, run) is not None:
        return None
    return await draft_retry(org, campaign, run, key)


async def count_retried(org: Organization, campaign: Campaign, run: CampaignRun) -> int | None:
    """The contacts whom a retry would reach; None if more than RETRIES_COUNTED rows failed."""
    return await count_retryable(await draft_retry(org, campaign, run, run.retry_key), RETRIES_COUNTED)


async def _latest_sent(run: CampaignRun) -> list[list[db.Row]]:
    """Two lists of SENT_EXAMINED: rows are sent in order, so the newest come before the first pending one."""
    waiting = MailLog.of_run(run.id).filter(status=PENDING, account_id=None).order_by("next_attempt_at", "id")
    ends = [LAST_ID, *(row.id for row in await waiting.limit(1).only("id"))]
    return [await db.fetch(SENT_BEFORE, run.id, end, SENT_EXAMINED, FIRST_ID) for end in ends]


def reason_of(error: str) -> str:
    text = TOKEN.sub("…", ADDRESS.sub("…", error))
    text = " ".join(text.split())
    return f"{text[:REASON_LENGTH]}…" if len(text) > REASON_LENGTH else text or "No reason recorded"
