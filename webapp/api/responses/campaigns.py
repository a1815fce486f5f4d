"""The response bodies of campaigns, their runs and their reports."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field
from typing_extensions import TypedDict

from webapp import models
from webapp.api.responses import Time, makes, shaped
from webapp.domain.campaigns import timeline
from webapp.domain.campaigns.report import Report
from webapp.domain.campaigns.run_report import Failures
from webapp.domain.campaigns.runs import RunView
from webapp.domain.campaigns.totals import Totals


class CampaignTotals(TypedDict):
    """The recipients of all runs of a campaign, each counted once by their best outcome.

    Recipients whose mail logs were deleted are counted once per run.
    """

    runs: int
    total: int
    pending: int
    sending: int
    sent: int
    failed: int
    deferred: int
    halted: int


class CampaignUtm(TypedDict):
    """The parameters added to the links of a campaign."""

    source: str | None
    medium: str | None
    campaign: str | None


class CampaignTracking(TypedDict):
    """The opens and clicks that are counted."""

    opens: bool
    clicks: bool


class Campaign(TypedDict):
    """A template sent to a segment, manually or on a schedule."""

    id: UUID
    title: str
    description: str | None
    segment_id: UUID | None
    template_id: UUID | None
    schedule_type: Literal["manual", "scheduled_once", "recurring", "recurring_new_contacts"]
    scheduled_at: Time | None
    recurrence_interval: int | None
    recurrence_unit: Literal["day", "week", "month"] | None
    status: Literal["draft", "scheduled", "sending", "sent", "halted"]
    sender_account_ids: list[UUID] | None
    subject: str | None
    preview_text: str | None
    from_name: str | None
    from_email: str | None
    reply_to: str | None
    media_ids: Annotated[list[UUID], Field(description="The PDFs attached to each email.")]
    exclude_segment_ids: list[UUID]
    topic_id: Annotated[UUID | None, Field(description="Who opted out of this topic gets nothing.")]
    utm: CampaignUtm | None
    tracking: Annotated[CampaignTracking | None, Field(description="null: as the organization's settings say.")]
    next_run_at: Time | None
    last_run_at: Time | None
    halted_reason: str | None
    schedule_note: str | None
    totals: Annotated[
        CampaignTotals | None,
        Field(description="null before the first send, and until the emails of large runs are counted."),
    ]
    created_at: Time
    updated_at: Time


@makes(Campaign)
def _campaign(counted: tuple[models.Campaign, Totals | None]) -> Campaign:
    row, totals = counted
    return shaped(Campaign, row, totals=totals and {"runs": totals.runs, "total": totals.total, **totals.counts})


class CampaignSent(TypedDict):
    """The result of a send; `contacts_messaged` is 0 if it started the schedule or the segment has no members."""

    ok: Literal[True]
    campaign_id: UUID
    contacts_messaged: int
    already_messaged: Annotated[int, Field(description="How many of them an earlier run of the campaign reached.")]


class Run(TypedDict):
    """One run of a campaign, with the number of mail logs in each state."""

    id: UUID
    campaign_id: UUID
    status: Literal["sending", "completed", "halted"]
    trigger: Literal["api", "dashboard", "schedule", "retry"]
    started_at: Time | None
    finished_at: Time | None
    created_at: Time
    total: int
    pending: int
    sending: int
    sent: int
    failed: int
    deferred: int
    halted: int
    skipped: Annotated[
        int, Field(description="Subscribed members without a mail log: suppressed, paused or opted out of the topic.")
    ]
    bounced: Annotated[int, Field(description="Sent emails that a bounce came back for later.")]
    complained: Annotated[int, Field(description="Sent emails that were marked as spam.")]


@makes(Run)
def _run(view: RunView) -> Run:
    return shaped(Run, view.run, total=sum(view.counts.values()), **view.counts)


class LeftOut(TypedDict):
    """Recipients between `people` and `fetched`, by the rule that left them out."""

    proxy: Annotated[int, Field(description="Apple's Mail Privacy Protection fetches all images: nobody can tell.")]
    waiting: Annotated[int, Field(description="Not judged yet: that takes a minute.")]
    prefetch: Annotated[int, Field(description="The request said that it was made in advance.")]
    head: Annotated[int, Field(description="A request without a body, as scanners make.")]
    agent: Annotated[int, Field(description="A scanner, crawler or library that gives its name.")]
    burst: Annotated[int, Field(description="Three or more links of the email within two seconds.")]
    sweep: Annotated[int, Field(description="One network at the emails of many recipients within a minute.")]


class Figure(TypedDict):
    """Recipients, each counted once."""

    people: Annotated[int, Field(description="Surely people: the lower bound.")]
    fetched: Annotated[int, Field(description="Everything that was fetched: the upper bound.")]
    left_out: LeftOut


class LinkClicks(TypedDict):
    """A link of the email and who followed it."""

    url: str
    clicks: Figure


class Engagement(TypedDict):
    """The opens and clicks of a run, among the emails that are still stored; null where they aren't counted."""

    opens: Figure | None
    clicks: Figure | None
    links: list[LinkClicks]


class Span(TypedDict):
    """Sent emails from `start` on the organization's wall clock."""

    start: Annotated[str, Field(description="Without a timezone, like 2026-11-20T09:30:00.")]
    seconds: int
    sent: int


class EngagedSpan(TypedDict):
    """Emails that people, not software, first opened or first followed a link of, from `start` on."""

    start: Annotated[str, Field(description="On the organization's wall clock, without a timezone.")]
    seconds: int
    opened: int
    clicked: int


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
    left_topic: Annotated[
        int | None,
        Field(
            description="Those who opted out of the topic by the link in the email; null for a run and without a topic."
        ),
    ]
    opens: Figure | None
    clicks: Figure | None
    links: Annotated[list[LinkClicks], Field(description="The most followed first.")]
    timeline: list[Span]
    engagement: Annotated[list[EngagedSpan], Field(description="From the first to the last.")]
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
    skipped_paused: Annotated[int, Field(description="Those of `skipped` who are paused.")]
    skipped_opted_out: Annotated[int, Field(description="Those of `skipped` who opted out of the topic.")]
    bounced: int
    complained: int
    deleted: Annotated[int, Field(description="Emails whose mail logs retention deleted: in `totals` alone.")]
    details: Annotated[ReportDetails | None, Field(description="null until the emails are counted.")]


@makes(CampaignReport)
def _report(report: Report) -> CampaignReport:
    result = report.result
    totals = result and {"runs": report.sums.runs, "total": result.total, **result.counts}
    about = {"campaign_id": report.campaign.id, "run_id": report.run and report.run.id, "subject": report.subject}
    return shaped(CampaignReport, report.sums, **about, totals=totals, details=report.details)


@makes(Span)
def _span(span: timeline.Span) -> Span:
    return Span(start=span.start.isoformat(), seconds=int(span.length.total_seconds()), sent=span.sent)


@makes(EngagedSpan)
def _engaged_span(span: timeline.Span) -> EngagedSpan:
    seconds = int(span.length.total_seconds())
    return EngagedSpan(start=span.start.isoformat(), seconds=seconds, opened=span.opened, clicked=span.clicked)


@makes(FailureGroup)
def _failures(failures: Failures) -> FailureGroup:
    return FailureGroup(reason=failures.reason, emails=failures.mails)
