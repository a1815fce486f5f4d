"""Sends more slowly to a provider of recipients that asked an account to slow down."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from webapp import clock
from webapp.models import Account
from webapp.models.mail_log import MailKind
from webapp.models.outbox.claims import Claimed
from webapp.models.queries.provider_slowdowns import slow_down, take_slot
from webapp.sending.mx import RecipientProviders
from webapp.sending.outcomes import CLOSING, Blame, Outcome, TryLater, asks_to_slow_down


def is_slowed(account: Account) -> bool:
    return account.slowed_until is not None and account.slowed_until > clock.now()


async def wait_for(account: Account, rows: Sequence[Claimed], providers: RecipientProviders) -> float:
    """Seconds that a message waits for the pace towards its recipients' providers; a compose never waits. Commits."""
    if not is_slowed(account) or rows[0].kind == MailKind.COMPOSE:
        return 0.0
    of_rows = {await providers.of(row.to_email, account.org_id) for row in rows}
    return max([await take_slot(account.id, provider) for provider in sorted(of_rows)])


async def record(
    account: Account, outcomes: Mapping[str, Outcome], providers: RecipientProviders, *, is_first_try: bool
) -> Mapping[str, Outcome]:
    """Slows the account down towards the providers that asked for it, instead of all it sends. Commits.

    If a provider keeps asking for it, the message is to blame.
    """
    asked = {to: outcome for to, outcome in outcomes.items() if asks_to_slow_down(outcome)}
    if not asked or account.is_sandbox:
        return outcomes
    replies = {await providers.of(to, account.org_id): outcome for to, outcome in asked.items()}
    for provider, outcome in sorted(replies.items()):
        await slow_down(account, provider, outcome.text if isinstance(outcome, TryLater) else "")
    blame = Blame.PROVIDER if is_first_try else Blame.MESSAGE
    closing = {
        to: replace(outcome, blame=blame)
        for to, outcome in asked.items()
        if isinstance(outcome, TryLater) and outcome.code == CLOSING
    }
    return {**outcomes, **closing}
