"""The report of a campaign or run.

Counts saved on runs are exact immediately. Others are read from the emails and hits of the runs, in the background if
that is slow, and limited to the newest runs of very large campaigns.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from webapp import clock, db
from webapp.db.dialects import as_instant
from webapp.domain.background_counts import BackgroundCount
from webapp.domain.campaigns.run_progress import Progress, progress_of
from webapp.domain.campaigns.run_report import EXAMPLES, FAILURES, REASONS, SHOWN, Failures, by_reason, reason_of
from webapp.domain.campaigns.timeline import MINUTE, QUARTER, Span, spans_of
from webapp.domain.campaigns.totals import Totals, totals_of
from webapp.domain.merge_tags.budget import ContentKind, run_in_render_pool
from webapp.domain.merge_tags.parser import read_template
from webapp.domain.merge_tags.rendering import has_tags, placeholder_values, render_tags
from webapp.domain.tracking.engagement import BEST_FIRST, Figure, LinkFigure
from webapp.models import Campaign, CampaignRun, Contact, Content, MailLog, Organization, TopicChoice, TrackedLink
from webapp.models.campaign_run import reasons_of_skipped
from webapp.models.contact import ContactStatus
from webapp.models.mail_log import FAILED, SENT
from webapp.models.outbox.runs import BEST_FIRST as BEST_OUTCOME_FIRST
from webapp.models.queries import campaign_report
from webapp.models.queries.campaign_report import OTHERS, PROVIDERS
from webapp.models.queries.first_hits import count_first_hits

MOST_RUNS, MOST_EMAILS = 1_000, 1_000_000  # newest ones that are read
RUNS_SHOWN = 12
BOUNCE_KINDS = ("hard", "soft", "unconfirmed", "returned")  # in report order
LINKS = 500  # most clicked ones
SHORT = timedelta(days=2)  # shorter sends are shown by minute


class Sums(NamedTuple):
    runs: int
    skipped: int
    skipped_paused: int
    skipped_opted_out: int
    bounced: int
    complained: int
    deleted: int
    started_at: datetime | None
    finished_at: datetime | None

    @property
    def skipped_reasons(self) -> dict[str, int]:
        return reasons_of_skipped(self.skipped, self.skipped_paused, self.skipped_opted_out)


@dataclass
class ProviderLine:
    provider: str
    sent: int = 0
    failed: int = 0
    bounced: int = 0
    complained: int = 0
    opens: Figure = field(default_factory=Figure)
    clicks: Figure = field(default_factory=Figure)


class Bounces(NamedTuple):
    """Emails that came back for one reason; `kind` is one of BOUNCE_KINDS.

    Unconfirmed reports may be forged; "returned" ones do not count as bounces.
    """

    kind: str
    sub_type: str
    emails: int
    reasons: list[str]
    rows: list[MailLog]


@dataclass(frozen=True)
class Details:
    """Counts for the newest `runs`, whose logs are still stored; `runs_tracked` of them were tracked.

    `opens` and `clicks` are None if not tracked, `unsubscribed` and `left_topic` if only known for the campaign.
    `left_topic` is also None if no run had a topic.
    """

    runs: int
    runs_tracked: int
    unsubscribed: int | None
    left_topic: int | None
    timeline: list[Span]
    engagement: list[Span]
    providers: list[ProviderLine]
    opens: Figure | None
    clicks: Figure | None
    links: list[LinkFigure]
    bounces: list[Bounces]
    bounces_of: int
    failures: list[Failures]
    failures_of: int


@dataclass(frozen=True)
class Report:
    """`result` and `details` are None while they are counted and before the first run.

    `lines` are the newest of several runs. `subject` is the newest run's with merge tags, None if already deleted.
    """

    campaign: Campaign
    run: CampaignRun | None
    subject: str | None
    sums: Sums
    result: Totals | Progress | None
    details: Details | None
    lines: list[Progress]
    newest: Progress | None = None

    @property
    def is_counted(self) -> bool:
        return self.result is not None and self.details is not None


details_of: BackgroundCount[tuple[UUID, UUID | None, str], Details] = BackgroundCount("reports of campaigns")


async def load_report(org: Organization, campaign: Campaign, run: CampaignRun | None = None) -> Report:
    run_id = None if run is None else run.id
    row = await campaign_report.sum_up_runs(org, campaign.id, run_id)
    started_at, finished_at = (at and as_instant(at) for at in (row.pop("started_at"), row.pop("finished_at")))
    numbers = {name: int(number) for name, number in row.items()}
    sums = Sums(**numbers, started_at=started_at, finished_at=finished_at)
    if not sums.runs:
        return Report(campaign, run, None, sums, None, None, [])
    newest = CampaignRun.of(org).filter(campaign_id=campaign.id).order_by("-id")
    runs = [run] if run else await newest.limit(MOST_RUNS)
    lines = await progress_of(runs[:RUNS_SHOWN])
    key = campaign.id, run_id, org.timezone
    result, details = await asyncio.gather(  # concurrently, because each may be slow
        _result_of(org, campaign, run, lines[0]),
        details_of.get(key, lambda: _count_details(org, campaign, _newest(runs), is_whole=run is None)),
    )
    content = await Content.of(org).get_or_none(id=runs[0].content_id).only("subject") if runs[0].content_id else None
    subject = None if content is None else content.subject
    return Report(campaign, run, subject, sums, result, details, lines if sums.runs > 1 else [], lines[0])


async def shown_subject(org: Organization, report: Report) -> str | None:
    """The subject with the defaults of its merge tags, or else their names, like `[first_name]`."""
    subject = report.subject
    if subject is None or not has_tags(subject):
        return subject

    def render() -> str:
        return render_tags(subject, placeholder_values(read_template(subject).variables), ContentKind.SUBJECT)

    try:
        return await run_in_render_pool(org.id, render)
    except ValueError:  # saved under other rules
        return subject


async def _result_of(
    org: Organization, campaign: Campaign, run: CampaignRun | None, progress: Progress
) -> Totals | Progress | None:
    if run is None:
        return (await totals_of(org, [campaign])).get(campaign.id)
    return progress if progress.is_counted else None


def _newest(runs: Sequence[CampaignRun]) -> list[CampaignRun]:
    """At least one, and together at most MOST_EMAILS by their saved counts."""
    chosen, emails = list[CampaignRun](), 0
    for run in runs:
        emails += sum((run.ended_counts or {}).values())
        if chosen and emails > MOST_EMAILS:
            break
        chosen.append(run)
    return chosen


async def _count_details(
    org: Organization, campaign: Campaign, runs: Sequence[CampaignRun], *, is_whole: bool
) -> Details:
    ids = [run.id for run in runs]
    async with db.searching(org.id):
        providers = {name: ProviderLine(name) for name in (*PROVIDERS, OTHERS)}
        await _count_outcomes(ids, providers)
        opens, clicks, links = await _count_engaged(org, runs, providers)
        sent = MailLog.of_runs(ids).filter(status=SENT, bounce__not_isnull=True)
        returned = await sent.only("id", "to_email", "bounced_at", "bounce").limit(FAILURES)
        failed = await MailLog.of_runs(ids).filter(status=FAILED).only(*SHOWN).limit(FAILURES)
        timeline, engagement = await _timeline(runs, org.timezone), await _engagement(org, runs)
        left = Contact.of(org).filter(status=ContactStatus.UNSUBSCRIBED, unsubscribed_campaign_id=campaign.id)
        unsubscribed = await left.count() if is_whole else None
        topic_ids = {run.topic_id for run in runs if run.topic_id} if is_whole else set()
        left_topic = await TopicChoice.count_left(org, campaign.id, topic_ids) if topic_ids else None
    return Details(
        runs=len(runs),
        runs_tracked=sum(_tracks(run, "opens", "clicks") for run in runs),
        unsubscribed=unsubscribed,
        left_topic=left_topic,
        timeline=timeline,
        engagement=engagement,
        providers=[line for line in providers.values() if line.sent + line.failed],
        opens=opens if any(_tracks(run, "opens") for run in runs) else None,
        clicks=clicks if any(_tracks(run, "clicks") for run in runs) else None,
        links=links,
        bounces=_by_bounce(returned),
        bounces_of=len(returned),
        failures=by_reason(failed),
        failures_of=len(failed),
    )


def _tracks(run: CampaignRun, *names: str) -> bool:
    return any((run.tracking or {}).get(name) for name in names)


async def _count_outcomes(run_ids: Sequence[UUID], providers: Mapping[str, ProviderLine]) -> None:
    for row in await campaign_report.count_outcomes(run_ids):
        line, outcome = providers[row["provider"]], BEST_OUTCOME_FIRST[row["best"]]
        if outcome == SENT:
            line.sent += int(row["recipients"])
        elif outcome == FAILED:
            line.failed += int(row["recipients"])
        line.bounced += int(row["bounced"])
        line.complained += int(row["complained"])


async def _count_engaged(
    org: Organization, runs: Sequence[CampaignRun], providers: Mapping[str, ProviderLine]
) -> tuple[Figure, Figure, list[LinkFigure]]:
    opens, clicks, by_url = Figure(), Figure(), defaultdict[str, Figure](Figure)
    tracked = [run for run in runs if _tracks(run, "opens", "clicks")]
    if not tracked:
        return opens, clicks, []
    for row in await campaign_report.count_engaged(org, [run.id for run in tracked], BEST_FIRST):
        verdict, recipients = BEST_FIRST[row["best"]], int(row["recipients"])
        if row["kind"] == "link":
            by_url[row["url"]].add(verdict, recipients)
        elif row["kind"] == "open":
            opens.add(verdict, recipients)
            providers[row["provider"]].opens.add(verdict, recipients)
        else:
            clicks.add(verdict, recipients)
            providers[row["provider"]].clicks.add(verdict, recipients)
    newest = TrackedLink.of(org).filter(content_id=tracked[0].content_id).order_by("number")
    for link in await newest.limit(LINKS):  # in the email's order, including links without clicks
        by_url[link.url].add(BEST_FIRST[0], 0)
    figures = [LinkFigure(url, figure) for url, figure in by_url.items()]
    return opens, clicks, sorted(figures, key=lambda link: (-link.clicks.people, -link.clicks.fetched))[:LINKS]


async def _timeline(runs: Sequence[CampaignRun], timezone: str) -> list[Span]:
    started = min((run.started_at or run.created_at) for run in runs)
    ended = max((run.finished_at or clock.now()) for run in runs)
    ids, seconds = [run.id for run in runs], MINUTE if ended - started < SHORT else QUARTER
    counts = await campaign_report.count_sent_by_time(ids, seconds)
    if seconds != MINUTE and (not counts or (counts[-1]["slot"] - counts[0]["slot"]) * seconds < SHORT.total_seconds()):
        seconds = MINUTE  # a halted run has no end
        counts = await campaign_report.count_sent_by_time(ids, seconds)
    return spans_of([(row["slot"], "sent", row["sent"]) for row in counts], seconds, timezone)


async def _engagement(org: Organization, runs: Sequence[CampaignRun]) -> list[Span]:
    started = min((run.started_at or run.created_at) for run in runs)
    seconds = MINUTE if clock.now() - started < SHORT else QUARTER
    counts = await count_first_hits(org, [run.id for run in runs], seconds)
    return spans_of([(row["slot"], row["kind"], row["emails"]) for row in counts], seconds, org.timezone)


def _by_bounce(rows: Iterable[MailLog]) -> list[Bounces]:
    grouped: dict[tuple[str, str], list[MailLog]] = {}
    for row in rows:
        bounce = row.bounce or {}
        kind = "hard" if bounce.get("type") == "Permanent" else "soft"
        if row.bounced_at is None:
            kind = "unconfirmed" if bounce.get("unconfirmed") else "returned"
        grouped.setdefault((kind, bounce.get("subType") or "Undetermined"), []).append(row)
    bounces = []
    order = sorted(grouped.items(), key=lambda group: (BOUNCE_KINDS.index(group[0][0]), -len(group[1])))
    for (kind, sub_type), returned in order[:REASONS]:
        texts = (text for row in returned for text in (row.bounce or {}).get("diagnosticCode") or ())
        reasons = list(dict.fromkeys(reason_of(text) for text in texts))[:EXAMPLES]
        examples = list({row.to_email: row for row in returned}.values())[:EXAMPLES]
        bounces.append(Bounces(kind, sub_type, len(returned), reasons, examples))
    return bounces
