"""The circuit breaker of a run: one whose mail is refused again and again is halted, with the reason, before it hurts.

What the last mails of each run came to is in the memory of the worker that sent them, and forgotten with it: each
worker judges what it has seen itself. A run that is resumed has a new epoch and is watched anew. Those that nobody has
asked about for longest are forgotten, so what is kept is bounded.
"""

import logging
import re
from collections import OrderedDict, deque
from collections.abc import Collection, Sequence
from uuid import UUID

from webapp import db
from webapp.domain.campaigns import stop
from webapp.errors import NotFound
from webapp.models import Campaign, Organization, outbox
from webapp.models.mail_log import FAILED, SENT
from webapp.models.outbox import Claimed, Settlement

log = logging.getLogger(__name__)

ALIKE = 20  # refusals in a row
WINDOW, MOST_REFUSED = 100, 30  # outcomes, and how many of them may not be refusals
RUNS_WATCHED = 256
REASON_WORDS = 300  # characters of a server's words
FIRST_WORDS = 3  # make two refusals alike that have no enhanced status
STATUS = re.compile(r"(\d{3})[ -](\d\.\d{1,3}\.\d{1,3})\b")  # RFC 3463


class Watch:
    """What the last mails of a run came to."""

    def __init__(self) -> None:
        self._refused: deque[bool] = deque(maxlen=WINDOW)
        self._number = 0  # of the refusals in it
        self._alike, self._kind = 0, ""
        self.is_over = False  # it has spoken

    def note_sent(self) -> None:
        """A mail was accepted."""
        self._alike = 0
        if self._number or len(self._refused) < WINDOW:  # else all of the last were accepted, as nearly always
            self._add(refused=False)

    def note_refusal(self, words: str) -> str | None:
        """A mail was refused for good in these words: why the run is to be halted, None where it may go on."""
        self._add(refused=True)
        kind = kind_of(words)
        self._alike = self._alike + 1 if kind == self._kind else 1
        self._kind = kind
        if self._alike >= ALIKE:
            return _reason(f"its last {self._alike} mails were refused alike", words)
        if len(self._refused) == WINDOW and self._number >= MOST_REFUSED:
            return _reason(f"{self._number} of its last {WINDOW} mails were refused, the last one", words)
        return None

    def _add(self, *, refused: bool) -> None:
        if len(self._refused) == WINDOW:
            self._number -= self._refused[0]
        self._refused.append(refused)
        self._number += refused


def kind_of(words: str) -> str:
    """What makes two refusals alike: code and enhanced status, else code and first words, whoever is named in them."""
    status = STATUS.match(words)
    if status:
        return status[0]
    code, *rest = words.split()
    return " ".join([code, *[word for word in rest if word.strip(".,:;!").isalpha()][:FIRST_WORDS]])


def _reason(what: str, words: str) -> str:
    return f"{what}: {words[:REASON_WORDS]}. Mend what the server complains about, then resume the campaign"


_watches: OrderedDict[tuple[UUID, int], Watch] = OrderedDict()


async def watch(settlements: Sequence[Settlement], kept: Collection[UUID]) -> None:
    """Look at outcomes of which those of the rows `kept` are committed, and halt the runs that are refused too often.

    A failure here must not make the outcomes be kept again: it is logged, and the next refusal tries again.
    """
    last, run = None, Watch()
    for one in settlements:
        row, status = one.row, one.status
        if row.campaign_run_id is None or row.run_epoch is None or row.id not in kept:
            continue
        if status is not SENT and status is not FAILED:
            continue
        of = (row.campaign_run_id, row.run_epoch)
        if of != last:  # most batches are of one run
            last, run = of, _watch_of(of)
        if status is SENT:
            run.note_sent()
        elif _is_refused(one):
            reason = run.note_refusal(one.error or "")
            if reason is not None and not run.is_over:
                run.is_over = True  # while it is halted others may come to the same
                run.is_over = await _halt_safely(row, reason)


def _is_refused(one: Settlement) -> bool:
    """Whether a server has said a final no to this mail; its own words begin with its code."""
    return one.code is not None and not one.attempted and (one.error or "").startswith(f"{one.code} ")


def _watch_of(key: tuple[UUID, int]) -> Watch:
    found = _watches.get(key)
    if found is None:
        found = _watches[key] = Watch()
        if len(_watches) > RUNS_WATCHED:
            _watches.popitem(last=False)
    else:
        _watches.move_to_end(key)
    return found


async def halt_for_content(row: Claimed, fault: str) -> bool:
    """Halts the run of a row whose content nobody's mail can be made of; True when it is halted."""
    return row.campaign_run_id is not None and await _halt_safely(
        row, f"its content {fault}. Mend the template and send the campaign anew"
    )


async def _halt_safely(row: Claimed, reason: str) -> bool:
    try:
        await _halt(row, reason)
    except Exception:
        log.exception("a run could not be halted", extra={"run": str(row.campaign_run_id)})
        return False
    return True


async def _halt(row: Claimed, reason: str) -> None:
    """Halt the row's run and its campaign as a stop does; unless it was stopped, or deleted, meanwhile."""
    campaign = await Campaign.across_orgs().get_or_none(id=row.campaign_id, org_id=row.org_id)
    if campaign is None:
        return
    org = await Organization.get(id=row.org_id)
    async with db.write_transaction():
        try:
            await campaign.lock()
        except NotFound:
            return
        run = await stop.active_run(org, campaign)
        if run is None or (run.id, run.epoch) != (row.campaign_run_id, row.run_epoch):
            return
        if run.materialised and not await outbox.is_any_unfinished(run.id):
            return  # nothing is left to be held back
        await stop.halt_campaign(org, campaign, reason)
    log.warning("a run was halted: %s", reason, extra={"run": str(run.id)})
    await outbox.halt_rows(run.id)  # what is left after this is the periodic look's
