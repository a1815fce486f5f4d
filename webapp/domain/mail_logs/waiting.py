"""What a mail waits for, in a sentence, and when it is expected to be tried, by the forecast of campaigns."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from webapp import clock
from webapp.domain.accounts.holds import Hold, find_holds
from webapp.domain.accounts.pace import pace_text, slowdown_text
from webapp.domain.campaigns.forecast import forecast, load_capacities
from webapp.models import Account, AccountUsage, CampaignRunAccount, Email, MailLog, Organization
from webapp.models.account import AccountStatus
from webapp.models.mail_log import DEFERRED, PENDING
from webapp.models.outbox.due import count_ahead
from webapp.models.outbox.pace import PACES
from webapp.models.queries.provider_slowdowns import list_slowdowns
from webapp.sending.mx import largest_of


class Waiting(NamedTuple):
    """Without a `sentence` it is about to go; `until` is None if a person must act."""

    sentence: str | None
    until: datetime | None
    holds: Sequence[Hold] = ()


async def waiting_of(org: Organization, row: MailLog) -> Waiting | None:
    """None unless the row waits."""
    if row.status not in (PENDING, DEFERRED):
        return None
    accounts, now = await _accounts_of(org, row), clock.now()
    holds = await find_holds(org, accounts, are_campaigns=row.campaign_run_id is not None)
    if len(holds) == len(accounts) > 0:
        words = [f"{hold.account.name} {hold.predicate(org.timezone)}" for hold in holds]
        return Waiting(" ".join(words), await _expected(org, row, accounts), holds)
    free = [account for account in accounts if account not in [hold.account for hold in holds]]
    is_later = row.next_attempt_at > now
    is_scheduled = is_later and await _is_scheduled(org, row)
    is_held = is_later and not (row.error or is_scheduled)
    slowdowns = [] if is_scheduled else await _slowdowns(org, row, free, is_held=is_held)
    if is_later:
        again = f"Another try after this answer: {row.error}" if row.error else "The time it was scheduled for."
        sentences = slowdowns if slowdowns and is_held else [*slowdowns, again]
        return Waiting(" ".join(sentences), row.next_attempt_at)
    paces = [f"{account.name} {text}" for account in free if (text := pace_text(account))]
    return Waiting(" ".join([*slowdowns, *paces]) or None, await _expected(org, row, free))


async def _is_scheduled(org: Organization, row: MailLog) -> bool:
    """True if it is not due before the time that its email was scheduled for."""
    return await Email.of(org).filter(id=row.email_id, scheduled_at__gte=row.next_attempt_at).exists()


async def _slowdowns(org: Organization, row: MailLog, accounts: Sequence[Account], *, is_held: bool) -> list[str]:
    """What the recipient's provider asked for; what any did if it held the row and its name needs a look-up."""
    provider = largest_of(row.to_email)
    return [
        f"{slowdown_text(account, slowdown, org.timezone)}."
        for account in accounts
        for slowdown in await list_slowdowns(account)
        if slowdown.provider == provider or (provider is None and is_held)
    ]


async def _accounts_of(org: Organization, row: MailLog) -> list[Account]:
    """The row's account, or those of its run."""
    accounts = Account.of(org).filter(id=row.account_id)
    if row.account_id is None and row.campaign_run_id is not None:
        pulling = await CampaignRunAccount.filter(run_id=row.campaign_run_id).values_list("account_id", flat=True)
        accounts = Account.of(org).filter(id__in=pulling)
    return await accounts.order_by("id")


async def _expected(org: Organization, row: MailLog, accounts: Sequence[Account]) -> datetime | None:
    usable = [account for account in accounts if account.status == AccountStatus.ACTIVE and not account.is_failing]
    if not usable:
        return min((account.rest_until for account in accounts if account.rest_until), default=None)
    is_campaign = row.campaign_run_id is not None
    starts_at = max(clock.now(), row.next_attempt_at, await _next_message_at(usable))
    capacities = await load_capacities(org, usable, starts_at)
    return forecast(1 + await count_ahead(row), capacities, starts_at, org.timezone, is_campaign=is_campaign).ends_at


async def _next_message_at(accounts: Sequence[Account]) -> datetime:
    """When the first of the accounts may send by its paces."""
    now = clock.now()
    times = {account.id: now for account in accounts}
    paces = {account.id: [pace.next_at for pace in PACES if getattr(account, pace.name)] for account in accounts}
    for usage in await AccountUsage.filter(account_id__in=list(times), day__gte=now.date() - timedelta(days=2)):
        for next_at in paces[usage.account_id]:
            times[usage.account_id] = max(times[usage.account_id], getattr(usage, next_at) or now)
    return min(times.values(), default=now)
