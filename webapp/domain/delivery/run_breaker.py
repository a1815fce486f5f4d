"""Halts runs that are refused repeatedly; each worker judges by what it saw, per epoch, in memory."""

import logging
import re
from collections import OrderedDict, deque
from collections.abc import Collection, Sequence
from uuid import UUID

from webapp.backoff import report_failure
from webapp.domain.campaigns import stop
from webapp.models import Organization
from webapp.models.mail_log import FAILED, SENT
from webapp.models.outbox.claims import Claimed
from webapp.models.outbox.settlements import Settlement

log = logging.getLogger(__name__)

MOST_ALIKE = 20  # refusals in a row
WINDOW, MOST_REFUSED = 100, 30  # so many refusals within so many outcomes halt a run
MOST_RUNS = 256  # remembered
REASON_WORDS = 300  # characters
FIRST_WORDS = 3  # shared by similar refusals without enhanced status
STATUS = re.compile(r"(\d{3})[ -](\d\.\d{1,3}\.\d{1,3})\b")  # RFC 3463


class FailureWindow:
    def __init__(self) -> None:
        self._refused: deque[bool] = deque(maxlen=WINDOW)
        self._number = 0  # of the latest outcome
        self._alike, self._signature = 0, ""
        self.has_halted = False

    def record_sent(self) -> None:
        self._alike = 0
        if self._number or len(self._refused) < WINDOW:  # otherwise all were accepted, the common case
            self._add(refused=False)

    def record_refusal(self, words: str) -> str | None:
        """Records a permanent refusal; returns the reason to halt the run, if any."""
        self._add(refused=True)
        signature = failure_signature(words)
        self._alike = self._alike + 1 if signature == self._signature else 1
        self._signature = signature
        if self._alike >= MOST_ALIKE:
            return _reason(f"the last {self._alike} emails were rejected with the same error ({words[:REASON_WORDS]})")
        if len(self._refused) == WINDOW and self._number >= MOST_REFUSED:
            return _reason(
                f"{self._number} of the last {WINDOW} emails were rejected. Latest error: {words[:REASON_WORDS]}"
            )
        return None

    def _add(self, *, refused: bool) -> None:
        if len(self._refused) == WINDOW:
            self._number -= self._refused[0]
        self._refused.append(refused)
        self._number += refused


def failure_signature(words: str) -> str:
    """Code and enhanced status, or code and first words, without addresses and numbers."""
    status = STATUS.match(words)
    if status:
        return status[0]
    code, *rest = words.split()
    return " ".join([code, *[word for word in rest if word.strip(".,:;!").isalpha()][:FIRST_WORDS]])


def _reason(what: str) -> str:
    return f"{what}. Fix the cause, then resume"


_windows: OrderedDict[tuple[UUID, int], FailureWindow] = OrderedDict()


async def record(settlements: Sequence[Settlement], saved: Collection[UUID]) -> None:
    """Records the `saved` rows' outcomes and halts runs that are refused too often; commits."""
    last, window = None, FailureWindow()
    for item in settlements:
        row, status = item.row, item.status
        if row.campaign_run_id is None or row.run_epoch is None or row.id not in saved:
            continue
        if status is not SENT and status is not FAILED:
            continue
        of = (row.campaign_run_id, row.run_epoch)
        if of != last:  # most batches belong to item run
            last, window = of, _window_of(of)
        if status is SENT:
            window.record_sent()
        elif _is_refused(item):
            reason = window.record_refusal(item.error or "")
            if reason is not None and not window.has_halted:
                window.has_halted = True  # so that other outcomes do not halt it again
                window.has_halted = await _halt_safely(row, reason)


def _is_refused(settlement: Settlement) -> bool:
    return (
        settlement.code is not None
        and not settlement.attempted
        and (settlement.error or "").startswith(f"{settlement.code} ")
    )


def _window_of(key: tuple[UUID, int]) -> FailureWindow:
    window = _windows.get(key)
    if window is None:
        window = _windows[key] = FailureWindow()
        if len(_windows) > MOST_RUNS:
            _windows.popitem(last=False)
    else:
        _windows.move_to_end(key)
    return window


async def halt_for_content(row: Claimed, fault: str) -> bool:
    """Halts the run of a row whose content fails for all recipients; True if halted; commits."""
    return row.campaign_run_id is not None and await _halt_safely(
        row, f"the content {fault}. Fix the template, then send the campaign again"
    )


async def _halt_safely(row: Claimed, reason: str) -> bool:
    try:
        await _halt(row, reason)
    except Exception as error:  # noqa: BLE001 - raising would save outcomes twice; the next refusal retries
        report_failure(log, "a run could not be halted", error, run=str(row.campaign_run_id))
        return False
    return True


async def _halt(row: Claimed, reason: str) -> None:
    """Halts the row's run and campaign unless stopped or deleted since; commits."""
    org = await Organization.get_or_none(id=row.org_id)
    if org is None or row.campaign_id is None or row.campaign_run_id is None or row.run_epoch is None:
        return
    if await stop.break_run(org, row.campaign_id, row.campaign_run_id, row.run_epoch, reason):
        log.warning("a run was halted: %s", reason, extra={"run": str(row.campaign_run_id)})
