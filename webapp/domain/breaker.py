"""The circuit breaker of an account: what its troubles and successes do to it."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from uuid import UUID

from webapp.models import Account, account_health, outbox
from webapp.models.account import AccountStatus
from webapp.sending.outcomes import Blame, Delivered, Outcome, TryLater

MINUTE = 60.0
REST_DELAYS = (1 * MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE, 60 * MINUTE)
PROBE_EVERY = 10 * MINUTE


def corroborated(
    outcomes: Mapping[str, Outcome], account_id: UUID, suspected: set[UUID], *, is_first_try: bool
) -> Mapping[str, Outcome]:
    """The outcomes of a message, with what its server says of the account's quota blamed on the account or the message.

    | the server says                  | on the message's first try                          | on a later one |
    |----------------------------------|-----------------------------------------------------|----------------|
    | by its status: the quota is full | the account is full until the next day              | the message's  |
    | by words alone                   | the message's, and the account is suspected; of the | the message's  |
    |                                  | next such message: the account rests with backoff   |                |

    So no message parks an account by words alone, and none does it twice: what is the message's is tried again later,
    as after any refusal for now, and no more than a day. One that goes through ends the suspicion (`suspected` holds
    the accounts under it in this process).
    """
    blamed = {one.blame for one in outcomes.values() if isinstance(one, TryLater)}
    if not blamed & {Blame.FULL, Blame.QUOTA}:
        if any(isinstance(one, Delivered) for one in outcomes.values()):
            suspected.discard(account_id)
        return outcomes
    blames = {Blame.FULL: Blame.MESSAGE, Blame.QUOTA: Blame.MESSAGE}
    if is_first_try:
        blames = {Blame.FULL: Blame.FULL, Blame.QUOTA: Blame.REST if account_id in suspected else Blame.MESSAGE}
        if Blame.QUOTA in blamed:
            suspected.add(account_id)
    return {
        path: replace(one, blame=blames.get(one.blame, one.blame)) if isinstance(one, TryLater) else one
        for path, one in outcomes.items()
    }


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
        case Blame.REST | Blame.CONNECTION:
            await account_health.rest(account, REST_DELAYS, trouble.text)
        case Blame.BROKEN:
            await account_health.break_off(account, PROBE_EVERY, trouble.text)
        case Blame.THROTTLED:
            await account_health.slow_down(account, trouble.text)
        case Blame.FULL:
            await outbox.mark_full(account.id)
            await account_health.note_error(account, trouble.text)


def has_trouble(account: Account) -> bool:
    """Whether the account has had trouble that a mail of its own ends."""
    return account.status == AccountStatus.ERROR or account.rests > 0 or account.last_error is not None
