"""The report of a campaign as a response body."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field
from typing_extensions import TypedDict

from webapp.api.campaign_responses import CampaignTotals, Figure, LinkClicks, figure, link_clicks
from webapp.api.responses import Time, shaped
from webapp.domain.campaigns import report as reports


class Span(TypedDict):
    """Sent emails from `start` on the organization's wall clock."""

    start: Annotated[str, Field(description="Without a timezone, like 2026-11-20T09:30:00.")]
    seconds: int
    sent: int


class ProviderResults(TypedDict):
    """Recipients with a mailbox at one provider, by the domains of their addresses, each counted once."""

    provider: Literal["gmail", "microsoft", "yahoo", "apple", "other"]
    sent: int
    failed: int
    bounced: int
    complained: int
    opens: Figure
    clicks: Figure


class BounceGroup(TypedDict):
    """Emails that came back for one reason."""

    kind: Annotated[
        Literal["hard", "soft", "unconfirmed", "returned"],
        Field(
            description="`unconfirmed`: others than the recipient may have sent the report; `returned`: for a reason"
            " that isn't counted as a bounce."
        ),
    ]
    sub_type: str
    emails: int
    reasons: Annotated[list[str], Field(description="What servers said, without what differs between emails.")]


class FailureGroup(TypedDict):
    """Emails that failed for one reason."""

    reason: str
    emails: int


class ReportDetails(TypedDict):
    """Counts of the emails whose mail logs are stored."""

    runs: Annotated[int, Field(description="The newest runs that were read; fewer than all for very many emails.")]
    runs_tracked: Annotated[int, Field(description="How many of them count opens or clicks.")]
    unsubscribed: Annotated[int | None, Field(description="By the link in the email; null for a run.")]
    opens: Figure | None
    clicks: Figure | None
    links: Annotated[list[LinkClicks], Field(description="The most followed first.")]
    timeline: list[Span]
    providers: list[ProviderResults]
    bounces: Annotated[list[BounceGroup], Field(description="Of 500 returned emails at most.")]
    failures: Annotated[list[FailureGroup], Field(description="Of 500 failed emails at most.")]


class CampaignReport(TypedDict):
    """The results of a campaign, or of one of its runs."""

    campaign_id: UUID
    run_id: UUID | None
    subject: Annotated[str | None, Field(description="Of the newest run, with its merge tags.")]
    started_at: Time | None
    finished_at: Time | None
    totals: Annotated[CampaignTotals | None, Field(description="null until the emails are counted.")]
    skipped: int
    bounced: int
    complained: int
    deleted: Annotated[int, Field(description="Emails whose mail logs retention deleted: in `totals` alone.")]
    details: Annotated[ReportDetails | None, Field(description="null until the emails are counted.")]


def report(found: reports.Report) -> CampaignReport:
    run_id, result = None if found.run is None else found.run.id, found.result
    totals = None
    if result is not None:
        totals = shaped(CampaignTotals, result, runs=found.sums.runs, **result.counts)
    details = None if found.details is None else _details(found.details)
    about = {"campaign_id": found.campaign.id, "run_id": run_id, "subject": found.subject}
    return shaped(CampaignReport, found.sums, **about, totals=totals, details=details)


def _details(found: reports.Details) -> ReportDetails:
    providers = [
        shaped(ProviderResults, line, opens=figure(line.opens), clicks=figure(line.clicks)) for line in found.providers
    ]
    return shaped(
        ReportDetails,
        found,
        opens=None if found.opens is None else figure(found.opens),
        clicks=None if found.clicks is None else figure(found.clicks),
        links=[link_clicks(link) for link in found.links],
        timeline=[
            Span(start=span.start.isoformat(), seconds=int(span.length.total_seconds()), sent=span.sent)
            for span in found.timeline
        ],
        providers=providers,
        bounces=[shaped(BounceGroup, group) for group in found.bounces],
        failures=[FailureGroup(reason=one.reason, emails=one.mails) for one in found.failures],
    )
