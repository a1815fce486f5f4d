"""The circuit breaker of an account: it backs off, breaks, throttles and heals by the outcomes of its messages."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from uuid import UUID

from webapp.models import Account
from webapp.models.account import AccountStatus
from webapp.models.outbox import daily_quota
from webapp.models.queries import account_health
from webapp.sending.outcomes import AFTER_MAIL, Blame, Delivered, Outcome, Phase, TryLater

MINUTE = 60.0
REST_DELAYS = (1 * MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE, 60 * MINUTE)
MOST_NOT_READY = 3  # rests before an account that is not ready is broken

# The blame where a server refuses a message for a reason of the account: on the message's first try, alone and after
# another message was refused for it; on a later try, alone and likewise.
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
OF_THE_ACCOUNT_AT_MAIL = (Blame.UNREACHABLE, Blame.THROTTLED)  # whatever the message


class Suspicions:
    """Refusals of single messages for reasons of their accounts, until another message goes through."""

    def __init__(self) -> None:
        self._suspected: dict[UUID, dict[Blame, frozenset[str]]] = {}

    def clear(self, account_id: UUID) -> None:
        self._suspected.pop(account_id, None)

    def record(self, account_id: UUID, blame: Blame, recipients: frozenset[str]) -> None:
        self._suspected.setdefault(account_id, {})[blame] = recipients

    def is_shared(self, account_id: UUID, blame: Blame, recipients: frozenset[str]) -> bool:
        """True where another message, to others unless the dialogue is to blame, was refused for this reason too."""
        suspected = self._suspected.get(account_id, {}).get(blame)
        return suspected is not None and (blame is Blame.CONNECTION or suspected.isdisjoint(recipients))


def corroborated(
    outcomes: Mapping[str, Outcome], account: Account, suspicions: Suspicions, *, is_first_try: bool
) -> Mapping[str, Outcome]:
    """The outcomes with the blame that `VERDICTS` gives, as no message alone may break an account or rest it twice."""
    is_accepted = any(isinstance(one, Delivered) for one in outcomes.values())
    if is_accepted:
        suspicions.clear(account.id)
    recipients, is_first = frozenset(outcomes), is_first_try and not is_accepted
    blamed = {one.blame for one in outcomes.values() if isinstance(one, TryLater) and _is_in_question(one)}
    verdicts = {}
    for blame in blamed:
        is_shared = suspicions.is_shared(account.id, blame, recipients)
        verdicts[blame] = VERDICTS[blame][(0 if is_first else 2) + is_shared]
        if is_first:
            suspicions.record(account.id, blame, recipients)
    if account.status == AccountStatus.ERROR:  # it stays broken while the answers do
        verdicts |= dict.fromkeys(blamed & {Blame.SIGN_IN, Blame.MISCONFIGURED}, Blame.MISCONFIGURED)
    return {
        path: replace(one, blame=verdicts[one.blame]) if isinstance(one, TryLater) and _is_in_question(one) else one
        for path, one in outcomes.items()
    }


def _is_in_question(outcome: TryLater) -> bool:
    """True where the message may be to blame instead: its transaction was begun."""
    if outcome.phase is Phase.MAIL:
        return outcome.blame in VERDICTS and outcome.blame not in OF_THE_ACCOUNT_AT_MAIL
    return outcome.blame in VERDICTS and outcome.phase in AFTER_MAIL


async def record_outcomes(account: Account, outcomes: Iterable[Outcome]) -> None:
    """Backs off, breaks, throttles or heals the account by the outcomes of one message; commits."""
    found = list(outcomes)
    failure = account_failure(found)
    if failure is not None:
        await _record_failure(account, failure)
    elif any(isinstance(one, Delivered) for one in found) and is_degraded(account):
        await account_health.mark_healthy(account)


def account_failure(outcomes: Iterable[Outcome]) -> TryLater | None:
    return next((one for one in outcomes if isinstance(one, TryLater) and one.blame is not Blame.MESSAGE), None)


async def _record_failure(account: Account, failure: TryLater) -> None:
    match failure.blame:
        case Blame.UNREACHABLE:
            await account_health.back_off(account, REST_DELAYS, failure.text)
        case Blame.NOT_READY if account.rests < MOST_NOT_READY:
            await account_health.back_off(account, REST_DELAYS, failure.text)
        case Blame.MISCONFIGURED | Blame.NOT_READY:
            await account_health.mark_broken(account, failure.text)
        case Blame.THROTTLED:
            await account_health.throttle(account, failure.text)
        case Blame.QUOTA_EXHAUSTED:
            await daily_quota.exhaust(account.id)
            await account_health.record_error(account, failure.text)


def is_degraded(account: Account) -> bool:
    return account.status == AccountStatus.ERROR or account.rests > 0 or account.last_error is not None
