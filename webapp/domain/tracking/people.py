"""Lists who opened and clicked the emails of a campaign, with how sure that is."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from webapp import db
from webapp.domain.audit.audit import record_export
from webapp.domain.background_counts import BackgroundCount
from webapp.domain.csv_writer import BOM, csv_part
from webapp.domain.pagination import Listed, Page
from webapp.domain.tracking.engagement import BEST_FIRST, WAITING, Figure
from webapp.domain.tracking.rules import HitVerdict
from webapp.models import Campaign, Contact, MailHit, MailLog, Organization, TrackedLink
from webapp.models.base.row import FIRST_ID
from webapp.models.queries import engaged
from webapp.models.queries.engaged import EngagedRow, EngagedSearch

COLUMNS = ("email", "name", "contact_id", "certainty", "first_at", "last_at")
PART = 2_000  # recipients in memory
HITS_SHOWN = 100  # of an email
MAX_OFFSET = 2**63 - 1  # of both databases


class Certainty(StrEnum):
    """How sure it is that a person made one of the hits."""

    SURE = "sure"
    MAYBE = "maybe"
    WAITING = "waiting"  # judged a minute after the hit
    MACHINE = "machine"


VERDICTS: Mapping[Certainty, Sequence[str]] = {
    Certainty.SURE: [HitVerdict.PERSON],
    Certainty.MAYBE: [HitVerdict.PROXY],
    Certainty.WAITING: [WAITING],
    Certainty.MACHINE: [verdict for verdict in HitVerdict if verdict.is_machine],
}
CERTAINTIES = {verdict: certainty for certainty, verdicts in VERDICTS.items() for verdict in verdicts}


class Recipient(NamedTuple):
    """`name` is the contact's, and empty without one; `is_deleted` if the contact is."""

    email: str
    name: str
    contact_id: UUID
    is_deleted: bool
    mail_log_id: UUID
    certainty: Certainty
    first_at: datetime
    last_at: datetime


def searched(campaign: Campaign, *, clicked: bool, url: str | None, run_id: UUID | None) -> EngagedSearch:
    return EngagedSearch(campaign.id, BEST_FIRST, clicked, url, run_id)


class OpensAndClicks(NamedTuple):
    opens: Figure
    clicks: Figure


totals: BackgroundCount[UUID, OpensAndClicks] = BackgroundCount("opens and clicks of campaigns")


async def count_totals(org: Organization, campaign_ids: Iterable[UUID]) -> dict[UUID, OpensAndClicks]:
    """Each recipient of a campaign counts once; without campaigns that are still being counted."""

    async def count(campaign_id: UUID) -> OpensAndClicks:
        counted = OpensAndClicks(Figure(), Figure())
        async with db.searching(org.id):
            for row in await engaged.count_opens_and_clicks(org, campaign_id, BEST_FIRST):
                figure = counted.clicks if row["clicked"] else counted.opens
                figure.add(BEST_FIRST[row["best"]], row["recipients"])
        return counted

    ids = list(campaign_ids)
    counts = await asyncio.gather(*(totals.get(campaign_id, partial(count, campaign_id)) for campaign_id in ids))
    return {campaign_id: counted for campaign_id, counted in zip(ids, counts, strict=True) if counted is not None}


async def list_recipients(
    org: Organization, search: EngagedSearch, certainty: Certainty, page: Page
) -> tuple[dict[Certainty, int], Listed[Recipient]]:
    """The number of recipients by certainty, and a page of some, sorted by their first hit, latest first."""
    counts = dict.fromkeys(Certainty, 0)
    async with db.searching(org.id):
        offset = min(page.offset, MAX_OFFSET)
        by_verdict, rows = await engaged.page_of_engaged(org, search, VERDICTS[certainty], page.size, offset)
    for verdict, recipients in by_verdict.items():
        counts[CERTAINTIES[verdict]] += recipients
    within = page.within(counts[certainty])
    if within != page:
        return await list_recipients(org, search, certainty, replace(within, is_clamped=False))
    return counts, Listed(await _recipients(org, rows), page, counts[certainty])


async def export_recipients(org: Organization, campaign: Campaign, search: EngagedSearch) -> AsyncIterator[bytes]:
    """Records the export in the audit log, and returns a CSV file of all recipients with hits."""
    target = "campaign clicks" if search.clicked else "campaign opens"
    async with db.write_transaction():
        await record_export(org, target, campaign_id=str(campaign.id))
    return _lines(org, search)


async def _lines(org: Organization, search: EngagedSearch) -> AsyncIterator[bytes]:
    yield BOM + await csv_part([COLUMNS])
    after = FIRST_ID
    while rows := await engaged.engaged_after(org, search, after, PART):
        after = rows[-1].contact_id
        yield await csv_part(_cells(await _recipients(org, rows)))


def _cells(recipients: Iterable[Recipient]) -> Iterable[Iterable[Any]]:
    return ([getattr(recipient, column) for column in COLUMNS] for recipient in recipients)


async def _recipients(org: Organization, rows: Sequence[EngagedRow]) -> list[Recipient]:
    logs = MailLog.of(org).filter(id__in=[row.mail_log_id for row in rows]).only("id", "to_email")
    addresses = {log.id: log.to_email for log in await logs}
    contacts = {contact.id: contact for contact in await Contact.listed([row.contact_id for row in rows])}
    return [
        Recipient(
            contacts[row.contact_id].email if row.contact_id in contacts else addresses.get(row.mail_log_id, ""),
            contacts[row.contact_id].full_name if row.contact_id in contacts else "",
            row.contact_id,
            row.contact_id not in contacts,
            row.mail_log_id,
            CERTAINTIES[row.verdict],
            row.first_at,
            row.last_at,
        )
        for row in rows
    ]


class Hit(NamedTuple):
    """An open, or with `url` a click."""

    mail_log_id: UUID
    url: str | None
    certainty: Certainty
    at: datetime


def best_by_row(hits: Iterable[Hit]) -> dict[UUID, Hit]:
    """The surest hit of each mail log, and of equally sure ones a click."""
    order = list(Certainty)
    best_last = sorted(hits, key=lambda hit: (order.index(hit.certainty), hit.url is None), reverse=True)
    return {hit.mail_log_id: hit for hit in best_last}


async def list_hits(org: Organization, row_ids: Sequence[UUID]) -> list[Hit]:
    """The latest hits of these mail logs, newest first."""
    hits = await MailHit.of(org).filter(mail_log_id__in=list(row_ids)).order_by("-created_at", "-id").limit(HITS_SHOWN)
    links = TrackedLink.of(org).filter(id__in=[hit.link_id for hit in hits if hit.link_id is not None])
    urls = {link.id: link.url for link in await links}
    return [
        Hit(
            hit.mail_log_id,
            None if hit.link_id is None else urls.get(hit.link_id, ""),
            CERTAINTIES[hit.verdict or WAITING],
            hit.created_at,
        )
        for hit in hits
    ]
