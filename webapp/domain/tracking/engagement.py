"""Counts the opens and clicks of a run, by people and in total, and lists those of an email."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from tortoise.expressions import Q

from webapp import db
from webapp.db.dialects import as_uuid
from webapp.domain.tracking.placeholders import has_pixel_of
from webapp.domain.tracking.rules import HitVerdict
from webapp.models import CampaignRun, Content, MailHit, Organization, TrackedLink
from webapp.models.event import EventType
from webapp.models.queries.mail_hits import count_hits

WAITING = "waiting"  # not judged yet
HITS_SHOWN = 200  # of an email
BEST_FIRST = (HitVerdict.PERSON, HitVerdict.PROXY, WAITING, *(verdict for verdict in HitVerdict if verdict.is_machine))


@dataclass
class Figure:
    """Recipients: at least `people`, at most `fetched`; `left_out` explains the difference by rule."""

    people: int = 0
    fetched: int = 0
    left_out: dict[str, int] = field(default_factory=lambda: dict.fromkeys(BEST_FIRST[1:], 0))

    @property
    def is_exact(self) -> bool:
        return self.people == self.fetched

    @property
    def is_range(self) -> bool:
        """False also where only the upper bound is shown, as no people are known yet."""
        return 0 < self.people < self.fetched

    def add(self, verdict: str, recipients: int) -> None:
        self.fetched += recipients
        if verdict == HitVerdict.PERSON:
            self.people += recipients
        else:
            self.left_out[verdict] += recipients


class LinkFigure(NamedTuple):
    url: str
    clicks: Figure


@dataclass(frozen=True)
class Engagement:
    """Opens and clicks are None if not tracked; links are in the email's order."""

    opens: Figure | None
    clicks: Figure | None
    links: list[LinkFigure]


async def engagement_of(org: Organization, run: CampaignRun) -> Engagement:
    """Counts the hits of emails that are stored."""
    tracking = run.tracking or {}
    if not any(tracking.values()):
        return Engagement(None, None, [])
    async with db.searching(org.id):
        by_link = defaultdict[UUID | None, Figure](Figure)
        clicks = Figure()
        for row in await count_hits(org, run.id, BEST_FIRST):
            verdict = BEST_FIRST[row["best"]]
            if row["is_total"]:
                clicks.add(verdict, row["recipients"])
            else:
                link_id = None if row["link_id"] is None else as_uuid(row["link_id"])
                by_link[link_id].add(verdict, row["recipients"])
        known = [link_id for link_id in by_link if link_id is not None]
        links = await TrackedLink.of(org).filter(Q(content_id=run.content_id) | Q(id__in=known)).order_by("number")
    return Engagement(
        by_link[None] if tracking.get("opens") else None,
        clicks if tracking.get("clicks") else None,
        [LinkFigure(link.url, by_link[link.id]) for link in links],
    )


class EmailHit(NamedTuple):
    """An open or a click; `is_machine` is None if unclear."""

    type: EventType
    link: str | None
    is_machine: bool | None
    occurred_at: datetime


@dataclass(frozen=True)
class EmailEngagement:
    opens: bool
    clicks: bool
    hits: Sequence[EmailHit] = ()


async def engagement_of_email(
    org: Organization, email_id: UUID, content: Content, links: Sequence[TrackedLink]
) -> EmailEngagement:
    """Reads at most HITS_SHOWN hits; `links` are those of the content as sent."""
    opens = has_pixel_of(email_id, org.id, content.html or "")
    if not opens and not links:
        return EmailEngagement(opens=False, clicks=False)
    judged = MailHit.of(org).filter(mail_log_id=email_id).exclude(verdict=None)
    urls = {link.id: link.url for link in links}
    hits = [
        EmailHit(
            EventType.EMAIL_OPENED if hit.link_id is None else EventType.EMAIL_CLICKED,
            None if hit.link_id is None else urls.get(hit.link_id),
            HitVerdict(str(hit.verdict)).is_machine,
            hit.created_at,
        )
        for hit in await judged.order_by("created_at", "id").limit(HITS_SHOWN)
    ]
    return EmailEngagement(opens, bool(links), hits)
