"""Decides by outcome and history if a row is retried, fails or waits."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from webapp.models.mail_log import FAILED, HALTED, PENDING, SENT, MailKind
from webapp.models.outbox.claims import Claimed
from webapp.models.outbox.settlements import Settlement
from webapp.sending.outcomes import (
    DELIVERY_UNKNOWN,
    Blame,
    Delivered,
    Halted,
    Outcome,
    Phase,
    Refused,
    TryLater,
    Unknown,
    bounce_of,
    within_limit,
)

MINUTE, HOUR = 60.0, 3600.0
RETRY_DELAYS = (1 * MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 240 * MINUTE)  # the last repeats
JITTER = 0.2
UNKNOWN_DELAY = 30 * MINUTE
MAX_WAIT_FOR_ACCOUNT = 72 * HOUR


def settlements(rows: Sequence[Claimed], outcomes: Mapping[str, Outcome], give_up_hours: float) -> list[Settlement]:
    """One settlement per row; retries become due together, until `give_up_hours` after the first temporary refusal."""
    if len(rows) == 1 and isinstance(outcome := outcomes[rows[0].to_email], Delivered):  # the common case
        return [_sent(rows[0], outcome)]
    # A refusal of the message is only about the recipient if there was just one.
    is_alone = (
        sum(isinstance(outcome, Refused) and outcome.phase is not Phase.RCPT for outcome in outcomes.values()) == 1
    )
    settled = [_settlement(row, outcomes[row.to_email], give_up_hours, is_alone=is_alone) for row in rows]
    settled = [_final(item) if item.row.kind == MailKind.COMPOSE else item for item in settled]
    delays = [item.delay for item in settled if item.status is PENDING and item.delay is not None]
    if not delays:
        return settled
    earliest = 1 if any(item.unknown for item in settled) else 1 - JITTER  # repetitions must not come sooner
    delay = max(delays) * random.uniform(earliest, 1 + JITTER)
    return [replace(item, delay=delay) if item.status is PENDING else item for item in settled]


def release(row: Claimed) -> Settlement:
    """Returns a claimed row to pending, or halts it if its run was stopped."""
    return Settlement(row, PENDING, refund_quota=True, keep_history=True)


def _final(settlement: Settlement) -> Settlement:
    """A compose is never retried, so it fails with the reason why another row would wait."""
    if settlement.error is None or settlement.status is not PENDING:
        return settlement
    error = within_limit(settlement.error, DELIVERY_UNKNOWN if settlement.unknown else "")
    return replace(settlement, status=FAILED, error=error, delay=None, waits_for_account=False)


def _settlement(row: Claimed, outcome: Outcome, give_up_hours: float, *, is_alone: bool) -> Settlement:
    match outcome:
        case Delivered():
            return _sent(row, outcome)
        case Refused():
            return _refused(row, outcome, is_alone=is_alone)
        case TryLater(blame=Blame.MESSAGE):
            return _refused_for_now(row, outcome, give_up_hours)
        case TryLater():
            return _waits_for_account(row, outcome)
        case Unknown(text):
            return _unknown(row, text)
        case Halted(text, wait):
            return replace(release(row), delay=wait) if text is None else _not_sent(row, text)


def _refused(row: Claimed, outcome: Refused, *, is_alone: bool) -> Settlement:
    settlement = Settlement(row, FAILED, error=outcome.text, code=outcome.code, refund_quota=True)
    bounce = bounce_of(outcome)
    if bounce is not None:
        is_about_address = is_alone or outcome.phase is Phase.RCPT
        settlement.bounce = bounce.shown([outcome.text])
        settlement.is_hard = is_about_address and bounce.type == "Permanent"
        settlement.suppresses = is_about_address and bounce.suppresses
    return settlement


def _not_sent(row: Claimed, reason: str) -> Settlement:
    """The recipient gets nothing any more; rows without a run cannot be resumed, so they fail."""
    status = FAILED if row.campaign_run_id is None else HALTED
    return Settlement(row, status, error=reason, refund_quota=True)


def _sent(row: Claimed, outcome: Delivered) -> Settlement:
    return Settlement(row, SENT, code=outcome.code, provider_id=outcome.text)


def _refused_for_now(row: Claimed, outcome: TryLater, give_up_hours: float) -> Settlement:
    """A temporary refusal of the message, which counts as an attempt (contract, "Mail log states")."""
    if row.seconds_since_first_try is not None and row.seconds_since_first_try >= give_up_hours * HOUR:
        error = within_limit(outcome.text, after=f" (gave up after {give_up_hours:.0f} hours)")
        return Settlement(row, FAILED, error=error, code=outcome.code, attempted=True, refund_quota=True)
    delay = RETRY_DELAYS[min(row.attempts, len(RETRY_DELAYS) - 1)]
    return Settlement(
        row, PENDING, error=outcome.text, code=outcome.code, attempted=True, delay=delay, refund_quota=True
    )


def _waits_for_account(row: Claimed, outcome: TryLater) -> Settlement:
    """A failure of the account costs no attempt; the row moves behind others, so that it is not every probe."""
    if row.seconds_waiting is not None and row.seconds_waiting >= MAX_WAIT_FOR_ACCOUNT:
        error = within_limit(outcome.text, f"account unavailable for {MAX_WAIT_FOR_ACCOUNT / HOUR:.0f} hours: ")
        return Settlement(row, FAILED, error=error, code=outcome.code, refund_quota=True)
    # After a connection out of step the row waits a minute, while others show if the message is to blame.
    delay = RETRY_DELAYS[0] if outcome.blame in (Blame.CONNECTION, Blame.PROVIDER) else 0.0
    return Settlement(
        row, PENDING, error=outcome.text, code=outcome.code, waits_for_account=True, delay=delay, refund_quota=True
    )


def _unknown(row: Claimed, text: str) -> Settlement:
    """The server may have the message, so it is sent once more later; its quota stays used."""
    if row.unknowns:
        return Settlement(row, FAILED, error=within_limit(text, DELIVERY_UNKNOWN), unknown=True)
    return Settlement(row, PENDING, error=text, unknown=True, delay=UNKNOWN_DELAY)
