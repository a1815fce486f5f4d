"""The circuit breaker of an account: what its troubles and successes do to it."""

from collections.abc import Iterable

from webapp.models import Account, account_health, outbox
from webapp.models.account import AccountStatus
from webapp.sending.outcomes import Blame, Delivered, Outcome, TryLater

MINUTE = 60.0
REST_DELAYS = (1 * MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE, 60 * MINUTE)
PROBE_EVERY = 10 * MINUTE


async def note_outcomes(account: Account, outcomes: Iterable[Outcome]) -> None:
    """Rest, break, slow down or heal the account as the outcomes of one message say (delivery.md's table)."""
    found = list(outcomes)
    trouble = trouble_in(found)
    if trouble is not None:
        await _note_trouble(account, trouble)
    elif any(isinstance(one, Delivered) for one in found) and has_trouble(account):
        await account_health.recover(account.id)


def trouble_in(outcomes: Iterable[Outcome]) -> TryLater | None:
    """The first outcome that the account is to blame for."""
    return next((one for one in outcomes if isinstance(one, TryLater) and one.blame is not Blame.MESSAGE), None)


async def _note_trouble(account: Account, trouble: TryLater) -> None:
    match trouble.blame:
        case Blame.REST:
            await account_health.rest(account, REST_DELAYS, trouble.text)
        case Blame.BROKEN:
            await account_health.break_off(account, PROBE_EVERY, trouble.text)
        case Blame.THROTTLED:
            await account_health.slow_down(account, trouble.text)
        case Blame.FULL:
            await outbox.use_up(account.id)


def has_trouble(account: Account) -> bool:
    """Whether the account has had trouble that a mail of its own ends."""
    return account.status == AccountStatus.ERROR or account.rests > 0 or account.last_error is not None
