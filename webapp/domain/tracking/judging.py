"""Judges hits a minute later, when those around them are known, and records events."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from math import ceil, inf
from typing import Any
from uuid import UUID

from webapp import clock, db
from webapp.domain.tracking.rules import REACH, HitVerdict, judge
from webapp.models import Contact, MailHit, Organization, TrackedLink
from webapp.models.event import EventType
from webapp.models.outbox import outcome_days
from webapp.models.queries.event_log import MailChange, record_mail_events

WAIT = timedelta(seconds=60)
EVERY = timedelta(seconds=10)  # how often the periodic job judges
MINUTE = timedelta(minutes=1)
BATCH = 1_000
AROUND = 5_000  # hits read around a batch


async def judge_hits(seconds: float = inf) -> None:
    """Judges hits older than WAIT for at most `seconds`; two workers never judge the same hit."""
    await db.in_batches(_judge_batch, seconds)


async def minutes_left(org: Organization, campaign_id: UUID) -> int:
    """Until all hits of a campaign so far are judged; 0 if none waits."""
    newest = await MailHit.of(org).filter(campaign_id=campaign_id, verdict=None).order_by("-created_at").first()
    if newest is None:
        return 0
    return max(1, ceil((newest.created_at + WAIT + EVERY - clock.now()) / MINUTE))


async def _judge_batch() -> bool:
    """True if more may be waiting; commits."""
    waiting = MailHit.across_orgs().filter(verdict=None, created_at__lt=clock.now() - WAIT)
    fresh = await waiting.order_by("created_at").limit(BATCH)
    if not fresh:
        return False
    ids = {hit.id for hit in fresh}
    hits = [*fresh, *(hit for hit in await _around(fresh) if hit.id not in ids)]
    judged = list(zip(hits, await asyncio.to_thread(judge, hits), strict=True))
    # Earlier hits may get a new verdict, but those near the edge lack some of the hits around them.
    first, last = fresh[0].created_at - REACH, fresh[-1].created_at + REACH
    async with db.write_transaction():
        await _reopen_days(hits)
        locked = MailHit.across_orgs().filter(id__in=list(ids), verdict=None).select_for_update()
        new = {hit.id for hit in await locked.order_by("id").only("id")}  # unless another worker was faster
        await _save(
            (hit, verdict)
            for hit, verdict in judged
            if hit.id in new or (hit.verdict not in (None, verdict) and first <= hit.created_at <= last)
        )
        await _record([(hit, verdict) for hit, verdict in judged if hit.id in new])
        by_people = [hit for hit, verdict in judged if hit.id in new and verdict is HitVerdict.PERSON]
        await Contact.record_activity(_last_by_contact(by_people))
    return len(fresh) == BATCH


async def _reopen_days(hits: Iterable[MailHit]) -> None:
    """Has the days of hits that could not be judged in time counted again, which may be saved already."""
    late = defaultdict[UUID, list[datetime]](list)
    for hit in hits:
        if hit.created_at < clock.now() - outcome_days.LAG / 2:
            late[hit.org_id].append(hit.created_at)
    for org_id, times in sorted(late.items()):
        await outcome_days.lock(org_id)
        await outcome_days.reopen_days_of(org_id, times)


def _last_by_contact(hits: Iterable[MailHit]) -> dict[UUID, datetime]:
    in_order = sorted(hits, key=lambda hit: hit.created_at)
    return {hit.contact_id: hit.created_at for hit in in_order if hit.contact_id is not None}


async def _save(judged: Iterable[tuple[MailHit, HitVerdict]]) -> None:
    by_verdict = defaultdict[HitVerdict, list[UUID]](list)
    for hit, verdict in judged:
        by_verdict[verdict].append(hit.id)
    for verdict, ids in by_verdict.items():
        await MailHit.across_orgs().filter(id__in=ids).update(verdict=verdict)


async def _around(fresh: Sequence[MailHit]) -> list[MailHit]:
    runs = {hit.run_id for hit in fresh if hit.run_id is not None}
    mails = {hit.mail_log_id for hit in fresh if hit.run_id is None}
    since, until = fresh[0].created_at - 3 * REACH, fresh[-1].created_at + 3 * REACH
    near = MailHit.across_orgs().filter(created_at__gte=since, created_at__lte=until)
    of_runs = await near.filter(run_id__in=list(runs)).order_by("created_at").limit(AROUND) if runs else []
    of_mails = await near.filter(mail_log_id__in=list(mails)).order_by("created_at").limit(AROUND) if mails else []
    return [*of_runs, *of_mails]


async def _record(judged: Sequence[tuple[MailHit, HitVerdict]]) -> None:
    links = TrackedLink.across_orgs().filter(id__in=list({hit.link_id for hit, _ in judged if hit.link_id is not None}))
    urls = {link.id: link.url for link in await links}
    changes = []
    for hit, verdict in judged:
        data: dict[str, Any] = {"is_machine": verdict.is_machine, "occurred_at": clock.timestamp(hit.created_at)}
        if hit.link_id is not None:
            data["link"] = urls.get(hit.link_id)
        kind = EventType.EMAIL_OPENED if hit.link_id is None else EventType.EMAIL_CLICKED
        changes.append(MailChange(hit.mail_log_id, kind, data))
    await record_mail_events(changes)
