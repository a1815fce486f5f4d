"""The response bodies of campaigns and their runs; other fields are never sent."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field
from typing_extensions import TypedDict

from webapp import models
from webapp.api.responses import Time, shaped
from webapp.domain.campaigns.runs import RunView
from webapp.domain.campaigns.totals import Totals
from webapp.domain.tracking import engagement as engagements


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
    exclude_segment_ids: list[UUID]
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


def campaign(row: models.Campaign, totals: Totals | None) -> Campaign:
    counted = None if totals is None else shaped(CampaignTotals, totals, **totals.counts)
    return shaped(Campaign, row, totals=counted)


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
    skipped: Annotated[int, Field(description="Members without a mail log, as their addresses are suppressed.")]
    bounced: Annotated[int, Field(description="Sent emails that a bounce came back for later.")]
    complained: Annotated[int, Field(description="Sent emails that were marked as spam.")]


def run(view: RunView) -> Run:
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


def engagement(found: engagements.Engagement) -> Engagement:
    return {
        "opens": None if found.opens is None else figure(found.opens),
        "clicks": None if found.clicks is None else figure(found.clicks),
        "links": [link_clicks(link) for link in found.links],
    }


def figure(found: engagements.Figure) -> Figure:
    return shaped(Figure, found, left_out=shaped(LeftOut, None, **found.left_out))


def link_clicks(link: engagements.LinkFigure) -> LinkClicks:
    return {"url": link.url, "clicks": figure(link.clicks)}
