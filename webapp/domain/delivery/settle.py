"""Applies the outcome of an attempt to the rows of a message and its account."""

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from webapp.backoff import report_failure
from webapp.config import settings
from webapp.domain.delivery import account_breaker, retry_policy
from webapp.domain.delivery.account_breaker import Suspicions
from webapp.domain.delivery.message import Message
from webapp.models.outbox.settlements import Settlement
from webapp.sending.outcomes import Delivered, Outcome

log = logging.getLogger(__name__)


class Settled(NamedTuple):
    rows: list[Settlement]
    is_account_healthy: bool


def release(message: Message) -> list[Settlement]:
    return [retry_policy.release(row) for row in message.rows]


async def settle(
    message: Message, outcomes: Mapping[str, Outcome] | None, suspicions: Suspicions, *, is_cut: bool = False
) -> Settled:
    """Returns the rows' settlements and saves a failure of the account; commits."""
    if outcomes is None:
        return Settled(release(message), is_account_healthy=False)
    accepted, hours = [isinstance(outcome, Delivered) for outcome in outcomes.values()], settings().retry_hours
    if all(accepted) and not account_breaker.is_degraded(message.account):
        suspicions.clear(message.account.id)  # the common case
        return Settled(retry_policy.settlements(message.rows, outcomes, hours), is_account_healthy=True)
    # Accounts are not to blame for connections that we cut.
    if is_cut and not any(accepted) and account_breaker.account_failure(outcomes.values()) is not None:
        return Settled(release(message), is_account_healthy=False)
    is_first_try = all(row.attempts == 0 and row.seconds_waiting is None for row in message.rows)
    outcomes = account_breaker.corroborated(outcomes, message.account, suspicions, is_first_try=is_first_try)
    await _record(message, outcomes)
    is_healthy = account_breaker.account_failure(outcomes.values()) is None
    rows = retry_policy.settlements(message.rows, outcomes, hours)
    if message.account.is_sandbox:  # simulated refusals; the address may be tried again
        rows = [replace(row, suppresses=False) for row in rows]
    return Settled(rows, is_account_healthy=is_healthy)


async def _record(message: Message, outcomes: Mapping[str, Outcome]) -> None:
    """Records the outcomes on the account; errors must not cause an accepted message to be sent again."""
    try:
        await account_breaker.record_outcomes(message.account, outcomes.values())
    except Exception as error:  # noqa: BLE001 - logged
        report_failure(log, "an account's failure could not be saved", error, account=str(message.account.id))
