"""What an attempt means for the rows of a message, for its account, and for the contacts whom it could not reach."""

import logging
from collections.abc import Mapping
from typing import NamedTuple

from webapp.config import settings
from webapp.domain.delivery import account_breaker, campaign_builder, retry_policy
from webapp.domain.delivery.account_breaker import Suspicions
from webapp.domain.delivery.message import Message
from webapp.models.outbox import Settlement
from webapp.sending.outcomes import Delivered, Outcome

log = logging.getLogger(__name__)


class Settled(NamedTuple):
    """What becomes of a message's rows, and True where its account can go on."""

    rows: list[Settlement]
    is_account_healthy: bool


def release(message: Message) -> list[Settlement]:
    """The rows of a message that was claimed and not sent wait as they did before."""
    return [retry_policy.release(row) for row in message.rows]


async def settle(
    message: Message, outcomes: Mapping[str, Outcome] | None, suspicions: Suspicions, *, is_cut: bool = False
) -> Settled:
    """Judges the outcome for each recipient, None where nothing was tried; commits what concerns account and contacts.

    After we `is_cut` our connections ourselves, no account is to blame for one that broke.
    """
    if outcomes is None:
        return Settled(release(message), is_account_healthy=False)
    is_accepted = any(isinstance(one, Delivered) for one in outcomes.values())
    if is_accepted and not account_breaker.is_degraded(message.account) and _are_all_delivered(outcomes):
        suspicions.clear(message.account.id)  # as nearly always
        return Settled(_settlements(message, outcomes), is_account_healthy=True)
    if is_cut and not is_accepted and account_breaker.account_failure(outcomes.values()) is not None:
        return Settled(release(message), is_account_healthy=False)
    is_first_try = all(row.attempts == 0 and row.seconds_waiting is None for row in message.rows)
    outcomes = account_breaker.corroborated(outcomes, message.account, suspicions, is_first_try=is_first_try)
    await _record(message, outcomes)
    is_healthy = account_breaker.account_failure(outcomes.values()) is None
    return Settled(_settlements(message, outcomes), is_account_healthy=is_healthy)


def _are_all_delivered(outcomes: Mapping[str, Outcome]) -> bool:
    return all(isinstance(one, Delivered) for one in outcomes.values())


def _settlements(message: Message, outcomes: Mapping[str, Outcome]) -> list[Settlement]:
    return retry_policy.settlements(message.rows, outcomes, settings().retry_hours)


async def _record(message: Message, outcomes: Mapping[str, Outcome]) -> None:
    """Tells the breaker and the contacts; a failure must not make a mail that was accepted wait to be sent again."""
    try:
        await account_breaker.record_outcomes(message.account, outcomes.values())
        for row in message.rows:
            await campaign_builder.record_bounce(row, outcomes[row.to_email])
    except Exception:
        log.exception("an account's trouble could not be saved", extra={"account": str(message.account.id)})
