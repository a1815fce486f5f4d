"""Opens and clicks of people and machines, bounces and complaints of a tracked campaign's runs."""

import random
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from tests.tools.showcase.mail import id_at
from webapp import clock
from webapp.domain.home.daily_chart import refresh_counts
from webapp.domain.tracking.judging import judge_hits
from webapp.models import CampaignRun, MailDay, MailLog, Organization, TrackedLink
from webapp.models.mail_log import SENT
from webapp.models.queries.mail_hits import NewHit, save_hits

LINKS = (
    "https://northwind.example/rivers?utm_source=letter&utm_medium=email",
    "https://northwind.example/reading-on-thursday",
    "https://northwind.example/gift-cards",
    "https://northwind.example/about-the-shop-and-the-people-who-have-been-keeping-it-for-three-generations",
)
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148"
DESK = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36"
GMAIL = "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)"
APPLE, SCANNER = "Mozilla/5.0", "Mozilla/5.0 (compatible; Barracuda Sentinel)"
UNKNOWN = {"type": "Permanent", "subType": "NoEmail", "status": "5.1.1"}
FULL = {"type": "Transient", "subType": "MailboxFull", "status": "4.2.2"}
SPAM = {"type": "Transient", "subType": "ContentRejected", "status": "5.7.1"}
# The row's number among those sent, and the words of the report about it.
RETURNED: dict[int, tuple[dict[str, Any], str]] = {
    11: (UNKNOWN, "550 5.1.1 <{}>: Recipient address rejected: User unknown"),
    47: (UNKNOWN, "550 5.1.1 The email account that you tried to reach does not exist"),
    93: (FULL, "452 4.2.2 The recipient's inbox is out of storage space"),
    140: (SPAM, "550 5.7.1 Message rejected: its content was taken for spam"),
}


async def fill_results(org: Organization) -> None:
    """Fill the runs that track something, whose emails are saved."""
    chance = random.Random(11)
    for shift, run in enumerate(await CampaignRun.of(org).filter(tracking__not_isnull=True).order_by("id")):
        rows = await MailLog.of_run(run.id).filter(status=SENT).order_by("id")
        links = [
            await TrackedLink.create(org=org, content_id=run.content_id, number=number, url=url)
            for number, url in enumerate(LINKS, 1)
            if run.tracking and run.tracking["clicks"]
        ]
        ids = [link.id for link in links]
        hits = [hit for row in rows for hit in _hits(chance, row, ids) if hit.created_at < clock.now()]
        await save_hits(hits)
        if run.status == "completed":
            await _return_some(run, rows[shift:])
    await judge_hits()
    await refresh_counts()
    today, *earlier = await MailDay.of(org).order_by("-day")
    for ago, day in enumerate(earlier, 1):  # as if the contacts had come one by one
        day.subscribed = max((today.subscribed or 0) - ago * chance.randint(2, 3), 0)
        await day.save(update_fields=["subscribed"])


async def _return_some(run: CampaignRun, rows: Sequence[MailLog]) -> None:
    for number, (bounce, words) in RETURNED.items():
        row = rows[number]
        row.bounce = bounce | {"diagnosticCode": [words.format(row.to_email)]}
        row.bounced_at = None if bounce is SPAM else run.finished_at
        await row.save()
    rows[160].complained_at = run.finished_at
    await rows[160].save()
    run.bounced, run.complained, run.skipped = len(RETURNED) - 1, 1, 3
    await run.save()


def _hits(chance: random.Random, row: MailLog, links: Sequence[UUID]) -> Iterator[NewHit]:
    """One recipient's: who reads at Gmail or Apple has a proxy between, and companies have scanners."""
    assert row.sent_at is not None
    _, _, domain = row.to_email.partition("@")
    home, at = f"home-{chance.randint(1, 10_000_000)}", row.sent_at

    def hit(seconds: float, link: UUID | None, agent: str, network: str) -> NewHit:
        nonlocal at
        at += timedelta(seconds=seconds)
        org_id = row.org_id if link is None else None
        return NewHit(id_at(at), at, row.id, link, org_id, agent, network[:16], False, False, 0)

    if domain == "icloud.com" and chance.random() < 0.8:
        yield hit(5, None, APPLE, "apple")
    elif domain.startswith("outlook") and chance.random() < 0.4:
        for link in links:
            yield hit(0.3, link, DESK, f"safe-{chance.randint(1, 10_000_000)}")
    elif domain == "books.example" and links:
        yield hit(2, links[0], SCANNER, "scanner")
    if chance.random() < 0.42:
        agent, network = (GMAIL, "google") if domain == "gmail.com" else (chance.choice([PHONE, DESK]), home)
        yield hit(chance.expovariate(1 / 3_600) + 61, None, agent, network)
        if links and chance.random() < 0.35:
            for link in chance.choices(links, (8, 4, 2, 0), k=chance.choice((1, 1, 2))):
                yield hit(chance.uniform(5, 90), link, DESK, home)
