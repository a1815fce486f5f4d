"""Halts runs that are refused repeatedly; each worker judges by what it saw, per epoch, in memory."""

import logging
import re
from collections import deque
from collections.abc import Collection, Sequence
from functools import lru_cache
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
        self._alike, self._signature = 0, ""
        self.has_halted = False

    def record_sent(self) -> None:
        self._alike = 0
        self._refused.append(False)

    def record_refusal(self, words: str) -> str | None:
        """Records a permanent refusal; returns the reason to halt the run, if any."""
        self._refused.append(True)
        signature, number = failure_signature(words), sum(self._refused)
        self._alike = self._alike + 1 if signature == self._signature else 1
        self._signature = signature
        if self._alike >= MOST_ALIKE:
            what = f"the last {self._alike} emails were rejected with the same error ({words[:REASON_WORDS]})"
        elif len(self._refused) == WINDOW and number >= MOST_REFUSED:
            what = f"{number} of the last {WINDOW} emails were rejected. Latest error: {words[:REASON_WORDS]}"
        else:
            return None
        return f"{what}. Fix the cause, then resume"


def failure_signature(words: str) -> str:
    """Code and enhanced status, or code and first words, without addresses and numbers."""
    status = STATUS.match(words)
    if status:
        return status[0]
    code, *rest = words.split()
    return " ".join([code, *[word for word in rest if word.strip(".,:;!").isalpha()][:FIRST_WORDS]])


@lru_cache(maxsize=MOST_RUNS)
def _window_of(run_id: UUID, epoch: int) -> FailureWindow:  # noqa: ARG001 - the key
    return FailureWindow()


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
        if of != last:  # most batches belong to one run
            last, window = of, _window_of(*of)
        if status is SENT:
            window.record_sent()
        elif item.code is not None and not item.attempted and (item.error or "").startswith(f"{item.code} "):
            reason = window.record_refusal(item.error or "")
            if reason is not None and not window.has_halted:
                window.has_halted = True  # so that other outcomes do not halt it again
                window.has_halted = await _halt(row, reason)


async def halt_for_content(row: Claimed, fault: str) -> bool:
    """Halts the run of a row whose content fails for all recipients; True if halted; commits."""
    return row.campaign_run_id is not None and await _halt(
        row, f"the content {fault}. Fix the template, then send the campaign again"
    )


async def _halt(row: Claimed, reason: str) -> bool:
    """Halts the row's run and campaign unless stopped or deleted since; False if that failed; commits."""
    try:
        org = await Organization.get_or_none(id=row.org_id)
        if org is None or row.campaign_id is None or row.campaign_run_id is None or row.run_epoch is None:
            return True
        if await stop.break_run(org, row.campaign_id, row.campaign_run_id, row.run_epoch, reason):
            log.warning("a run was halted: %s", reason, extra={"run": str(row.campaign_run_id)})
    except Exception as error:  # noqa: BLE001 - raising would save outcomes twice; the next refusal retries
        report_failure(log, "a run could not be halted", error, run=str(row.campaign_run_id))
        return False
    return True
