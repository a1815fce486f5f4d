"""Applies a report in one transaction: to mail log, history, events, contact, run and suppressions.

Repeated reports change nothing. Reports without an ID that only the recipient knows may be forged, so they are only
shown as unconfirmed and suppress, bar and count nothing.
"""

import logging
from collections.abc import Iterable
from datetime import timedelta
from typing import Any
from uuid import UUID

from tortoise.expressions import F
from tortoise.queryset import QuerySet

from webapp import clock, db
from webapp.domain.bounces.matching import Match
from webapp.domain.campaigns import stop
from webapp.domain.campaigns.runs import passed_limit
from webapp.domain.contacts.contacts import unsubscribe_contacts
from webapp.domain.suppressions import suppressions
from webapp.models import Account, BounceReport, CampaignRun, Contact, Event, MailLog, Organization
from webapp.models.account import BounceReading
from webapp.models.campaign_run import RunStatus
from webapp.models.contact import ConsentKind
from webapp.models.event import EventType
from webapp.models.mail_log import SENT
from webapp.models.outbox.transitions import Transition, add_transitions
from webapp.models.queries.event_log import MailChange
from webapp.models.suppression import SuppressionReason
from webapp.sending.outcomes import clean
from webapp.sending.reports.classification import Bounce
from webapp.sending.reports.parse import Kind, Verdict

log = logging.getLogger(__name__)

FIRST_EPOCH = 0  # the run was never stopped
FULL_WITHIN = timedelta(days=14)
LISTED_WITHIN = timedelta(days=7)  # per mailbox, which several accounts may read
MOST_FULL = 5  # emails in that time; then a full mailbox counts as abandoned


async def apply(org: Organization, account: Account, verdict: Verdict, match: Match | None) -> None:
    """Applies the verdict and records that it was read from the account's mailbox; commits."""
    if match is not None and await _reports(org, match.row, verdict, is_certain=match.is_certain).exists():
        return  # the common case if a message names one recipient many times, which must be cheap
    async with db.write_transaction():
        row = match and await MailLog.of(org).select_for_update().get_or_none(id=match.row.id)
        if row is None or match is None:
            await _record(org, account, verdict)
        elif not await _reports(org, row, verdict, is_certain=match.is_certain).exists():
            effects = _Effects(org, row, verdict)
            await (effects.apply() if match.is_certain else effects.show_unconfirmed())
            await _record(org, account, verdict, row, is_certain=match.is_certain)


class _Effects:
    """The effects on a locked row of the first verdict of its kind."""

    def __init__(self, org: Organization, row: MailLog, verdict: Verdict) -> None:
        self._org, self._row, self._verdict = org, row, verdict
        self._now = clock.now()

    async def apply(self) -> None:
        match self._verdict.kind:
            case Kind.BOUNCE if self._verdict.bounce is not None:
                await self._bounce(self._verdict.bounce)
            case Kind.COMPLAINT:
                await self._complain()
            case Kind.DELIVERED:
                await self._deliver()

    async def show_unconfirmed(self) -> None:
        """Shows the verdict in the history, and as the row's bounce until a confirmed report replaces it."""
        bounce = self._verdict.bounce
        if bounce is not None and self._row.bounce is None:
            shown = bounce.shown(self._verdict.diagnostics) | {"unconfirmed": True}
            await MailLog.of(self._org).filter(id=self._row.id).update(bounce=shown)
        await self._step(f"unconfirmed report, which somebody else may have sent: {words(self._verdict)}")

    async def _bounce(self, bounce: Bounce) -> None:
        if bounce.blames_sender:
            warned = {"bounce_warning": words(self._verdict), "bounce_warned_at": self._now}
            await Account.of(self._org).filter(id=self._row.account_id).update(**warned)
        if self._row.bounced_at is None:
            shown = bounce.shown(self._verdict.diagnostics)
            counts = ["bounced", "hard_bounces"] if bounce.type == "Permanent" else ["bounced"]
            await self._mark(counts, bounced_at=self._now, bounce=shown)
            await self._step(words(self._verdict), EventType.EMAIL_BOUNCED, bounce=shown)
        if bounce.type == "Permanent":
            await self._contacts().filter(bounced_at=None).update(bounced_at=self._now)
        if bounce.suppresses or (bounce.is_mailbox_full and await self._is_full_for_long()):
            await self._suppress(SuppressionReason.BOUNCE)

    async def _complain(self) -> None:
        if self._row.complained_at is None:
            await self._mark(["complained"], complained_at=self._now)
            complaint = {"type": self._verdict.feedback_type}
            await self._step(words(self._verdict), EventType.EMAIL_COMPLAINED, complaint=complaint)
        ids = [contact.id for contact in await self._contacts().only("id")]
        await unsubscribe_contacts(self._org, ids, ConsentKind.PERSON)
        await self._suppress(SuppressionReason.COMPLAINT)

    async def _deliver(self) -> None:
        events = Event.of(self._org).filter(mail_log_id=self._row.id, type=EventType.EMAIL_DELIVERED)
        # The columns by which events are indexed.
        if self._row.email_id is not None:
            events = events.filter(email_id=self._row.email_id)
        elif self._row.contact_id is not None:
            events = events.filter(contact_id=self._row.contact_id)
        kind = None if await events.exists() else EventType.EMAIL_DELIVERED
        await self._step(words(self._verdict), kind, delivered={"by": "report"})

    async def _mark(self, counts: Iterable[str], **changes: Any) -> None:
        """Changes the row, and counts it in these columns of its run."""
        await MailLog.of(self._org).filter(id=self._row.id).update(**changes)
        run = CampaignRun.of(self._org).filter(id=self._row.campaign_run_id)
        await run.update(**{column: F(column) + 1 for column in counts})

    async def _step(self, cause: str, kind: EventType | None = None, **data: Any) -> None:
        event = None if kind is None else MailChange(self._row.id, kind, data)
        await add_transitions([Transition(self._org.id, self._row.id, SENT, SENT, clean(cause), event)])

    def _contacts(self) -> QuerySet[Contact]:
        return Contact.of(self._org).filter(email_key=self._row.to_email.lower())

    async def _suppress(self, reason: SuppressionReason) -> None:
        await suppressions.add(self._org, [self._row.to_email], reason, {self._row.to_email: self._row.id})

    async def _is_full_for_long(self) -> bool:
        full = _reports_to(self._org, self._row, self._verdict).filter(
            is_certain=True, created_at__gte=self._now - FULL_WITHIN, mail_log_id__not=self._row.id
        )
        others = await full.distinct().values_list("mail_log_id", flat=True)
        return len(others) + 1 >= MOST_FULL


async def check_run(org: Organization, row: MailLog) -> None:
    """Halts the row's active run if too many of its emails bounced or were reported as spam; commits.

    Only once, because people resume deliberately.
    """
    run = await CampaignRun.of(org).get_or_none(id=row.campaign_run_id) if row.campaign_run_id else None
    if run is None or run.status != RunStatus.SENDING or run.epoch != FIRST_EPOCH:
        return
    passed = await passed_limit(run)
    if passed is not None and await stop.break_run(org, run.campaign_id, run.id, FIRST_EPOCH, f"{passed}, then resume"):
        log.warning("a run was halted: %s", passed, extra={"run": str(run.id)})


def words(verdict: Verdict) -> str:
    """A verdict for history and lists: a sentence in lower case without a full stop."""
    reason = clean("; ".join(verdict.diagnostics)) or (verdict.bounce.status if verdict.bounce else "")
    match verdict.kind:
        case Kind.COMPLAINT:
            return f"marked as spam ({verdict.feedback_type})"
        case Kind.DELIVERED:
            return f"delivered, says {verdict.reporter}" if verdict.reporter else "delivered"
        case Kind.BOUNCE:
            head = "bounced"
            if verdict.bounce is not None and verdict.bounce.blames_sender:
                head = "rejected because of the sender"
            elif verdict.bounce is not None and verdict.bounce.is_mailbox_full:
                head = "the mailbox is full"
            return f"{head}: {reason}" if reason else head


def _reports_to(org: Organization, row: MailLog, verdict: Verdict) -> QuerySet[BounceReport]:
    same = {"kind": verdict.kind, "sub_type": _sub_type(verdict)}
    return BounceReport.of(org).filter(recipient=row.to_email.lower(), **same)


def _reports(org: Organization, row: MailLog, verdict: Verdict, *, is_certain: bool) -> QuerySet[BounceReport]:
    return _reports_to(org, row, verdict).filter(mail_log_id=row.id, is_certain=is_certain)


def _sub_type(verdict: Verdict) -> str | None:
    if verdict.bounce is None:
        return None
    return "Sender" if verdict.bounce.blames_sender else verdict.bounce.sub_type


async def _record(
    org: Organization, account: Account, verdict: Verdict, row: MailLog | None = None, *, is_certain: bool = False
) -> None:
    recipient = next(iter(verdict.addresses), None) if row is None else row.to_email
    about: dict[str, Any] = {
        "kind": verdict.kind,
        "sub_type": _sub_type(verdict),
        "recipient": recipient and recipient.lower(),
        "verdict": words(verdict),
    }
    others = await _reports_of_others(org, account)
    if row is not None:
        await others.filter(**about, mail_log_id=None).delete()
    elif await others.filter(**about).exists():
        return
    row_id = row and row.id
    await BounceReport.create(org_id=org.id, account_id=account.id, **about, mail_log_id=row_id, is_certain=is_certain)


async def _reports_of_others(org: Organization, account: Account) -> QuerySet[BounceReport]:
    """The latest reports of other accounts that read the same mailbox; locks these accounts."""
    mailbox = {"bounce_imap_host": account.bounce_imap_host, "bounce_imap_username": account.bounce_imap_username}
    readers = Account.of(org).filter(bounce_reading=BounceReading.MAILBOX, **mailbox)
    ids = set[UUID]()
    if account.bounce_reading == BounceReading.MAILBOX and await readers.exclude(id=account.id).exists():
        ids = {reader.id for reader in await readers.order_by("id").select_for_update(no_key=True)} - {account.id}
    return BounceReport.of(org).filter(account_id__in=list(ids), created_at__gte=clock.now() - LISTED_WITHIN)
