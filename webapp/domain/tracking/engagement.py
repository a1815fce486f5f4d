"""The opens and clicks of a run: surely by people, and all that was fetched."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

from tortoise.expressions import Q

from webapp import db
from webapp.db.dialects import as_uuid
from webapp.domain.tracking.rules import HitVerdict
from webapp.models import CampaignRun, Organization, TrackedLink
from webapp.models.queries.mail_hits import count_hits

WAITING = "waiting"  # for its verdict
BEST_FIRST = (HitVerdict.PERSON, HitVerdict.PROXY, WAITING, *(one for one in HitVerdict if one.is_machine))


@dataclass
class Figure:
    """Recipients: `people` surely, `fetched` at most; `left_out` has by rule those between them."""

    people: int = 0
    fetched: int = 0
    left_out: dict[str, int] = field(default_factory=lambda: dict.fromkeys(BEST_FIRST[1:], 0))

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
    """None for what was not tracked; links in the order of the email."""

    opens: Figure | None
    clicks: Figure | None
    links: list[LinkFigure]


async def engagement_of(org: Organization, run: CampaignRun) -> Engagement:
    """Counts the hits of the emails that are still stored."""
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
