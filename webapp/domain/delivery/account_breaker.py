"""The circuit breaker of accounts: backs off, breaks, throttles and heals by the outcomes of messages."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import TypeGuard
from uuid import UUID

from webapp.models import Account
from webapp.models.account import AccountStatus
from webapp.models.outbox import daily_quota
from webapp.models.queries import account_health
from webapp.sending.outcomes import AFTER_MAIL, Blame, Delivered, Outcome, Phase, TryLater

MINUTE = 60.0
REST_DELAYS = (1 * MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE, 60 * MINUTE)
MOST_NOT_READY = 3  # retries before an account that is not ready counts as broken

# The blame when a server refuses a message for the account's sake: on the first try, alone or after another message
# was refused for the same reason; and the same for later tries.
VERDICTS = {
    Blame.QUOTA_EXHAUSTED: (Blame.QUOTA_EXHAUSTED, Blame.QUOTA_EXHAUSTED, Blame.MESSAGE, Blame.MESSAGE),
    Blame.QUOTA_SUSPECTED: (Blame.MESSAGE, Blame.UNREACHABLE, Blame.MESSAGE, Blame.MESSAGE),
    Blame.SIGN_IN: (Blame.MESSAGE, Blame.MISCONFIGURED, Blame.MESSAGE, Blame.MESSAGE),
    Blame.CONNECTION: (Blame.CONNECTION, Blame.UNREACHABLE, Blame.MESSAGE, Blame.MESSAGE),
    Blame.MISCONFIGURED: (Blame.MISCONFIGURED, Blame.MISCONFIGURED, Blame.MESSAGE, Blame.MISCONFIGURED),
    Blame.NOT_READY: (Blame.NOT_READY, Blame.NOT_READY, Blame.NOT_READY, Blame.NOT_READY),
    Blame.UNREACHABLE: (Blame.UNREACHABLE, Blame.UNREACHABLE, Blame.MESSAGE, Blame.MESSAGE),
    Blame.THROTTLED: (Blame.THROTTLED, Blame.THROTTLED, Blame.MESSAGE, Blame.THROTTLED),
}
OF_THE_ACCOUNT_AT_MAIL = (Blame.UNREACHABLE, Blame.THROTTLED)  # independent of the message


class Suspicions:
    """Refusals of single messages for reasons of their accounts, until another message is accepted."""

    def __init__(self) -> None:
        self._suspected: dict[UUID, dict[Blame, frozenset[str]]] = {}

    def clear(self, account_id: UUID) -> None:
        self._suspected.pop(account_id, None)

    def record(self, account_id: UUID, blame: Blame, recipients: frozenset[str]) -> None:
        self._suspected.setdefault(account_id, {})[blame] = recipients

    def is_shared(self, account_id: UUID, blame: Blame, recipients: frozenset[str]) -> bool:
        """True if another message was refused so; to others, unless the dialogue is to blame."""
        suspected = self._suspected.get(account_id, {}).get(blame)
        return suspected is not None and (blame is Blame.CONNECTION or suspected.isdisjoint(recipients))


def corroborated(
    outcomes: Mapping[str, Outcome], account: Account, suspicions: Suspicions, *, is_first_try: bool
) -> Mapping[str, Outcome]:
    """Applies the blame of `VERDICTS`, because no message alone may break an account or make it back off twice."""
    is_accepted = any(isinstance(outcome, Delivered) for outcome in outcomes.values())
    if is_accepted:
        suspicions.clear(account.id)
    recipients, is_first = frozenset(outcomes), is_first_try and not is_accepted
    doubtful = {to: outcome for to, outcome in outcomes.items() if _is_in_question(outcome)}
    verdicts = {}
    for blame in {outcome.blame for outcome in doubtful.values()}:
        is_shared = suspicions.is_shared(account.id, blame, recipients)
        verdicts[blame] = VERDICTS[blame][(0 if is_first else 2) + is_shared]
        if is_first:
            suspicions.record(account.id, blame, recipients)
    if account.status == AccountStatus.ERROR:  # it stays broken while the replies stay the same
        verdicts |= dict.fromkeys(verdicts.keys() & {Blame.SIGN_IN, Blame.MISCONFIGURED}, Blame.MISCONFIGURED)
    return {**outcomes, **{to: replace(outcome, blame=verdicts[outcome.blame]) for to, outcome in doubtful.items()}}


def _is_in_question(outcome: Outcome) -> TypeGuard[TryLater]:
    """True if the message may be to blame instead of the account, because its transaction was begun."""
    if not isinstance(outcome, TryLater):
        return False
    if outcome.phase is Phase.MAIL:
        return outcome.blame in VERDICTS and outcome.blame not in OF_THE_ACCOUNT_AT_MAIL
    return outcome.blame in VERDICTS and outcome.phase in AFTER_MAIL


async def record_outcomes(account: Account, outcomes: Collection[Outcome]) -> None:
    """Backs off, breaks, throttles or heals the account after one message; commits."""
    failure = account_failure(outcomes)
    if failure is None:
        if any(isinstance(outcome, Delivered) for outcome in outcomes) and is_degraded(account):
            await account_health.mark_healthy(account)
        return
    match failure.blame:
        case Blame.UNREACHABLE:
            await account_health.back_off(account, REST_DELAYS, failure.text)
        case Blame.NOT_READY if account.rests < MOST_NOT_READY:
            await account_health.back_off(account, REST_DELAYS, failure.text)
        case Blame.MISCONFIGURED | Blame.NOT_READY:
            await account_health.mark_broken(account, failure.text)
        case Blame.THROTTLED:
            await account_health.throttle(account, failure.text, failure.wait)
        case Blame.QUOTA_EXHAUSTED:
            await daily_quota.exhaust(account.id)
            await account_health.record_error(account, failure.text)


def account_failure(outcomes: Iterable[Outcome]) -> TryLater | None:
    others = (Blame.MESSAGE, Blame.PROVIDER)
    return next((each for each in outcomes if isinstance(each, TryLater) and each.blame not in others), None)


def is_only_failure(outcomes: Collection[Outcome]) -> bool:
    """True if no recipient got the message because of the account."""
    return account_failure(outcomes) is not None and not any(isinstance(outcome, Delivered) for outcome in outcomes)


def is_degraded(account: Account) -> bool:
    return account.status == AccountStatus.ERROR or account.rests > 0 or account.last_error is not None
