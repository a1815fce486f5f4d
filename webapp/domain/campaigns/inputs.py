"""The fields of a campaign and of a send."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AliasChoices, ConfigDict, Field, StringConstraints

from webapp.domain.inputs import (
    SUBJECT_LENGTH,
    EmailAddress,
    Id,
    Input,
    Integer,
    Name,
    NonBlank,
    OneLine,
    StrictInput,
    Tracking,
    examples,
    partial,
)
from webapp.domain.merge_tags.parser import read_template
from webapp.domain.templates.inputs import TemplateReference
from webapp.domain.time_words import WHEN, InstantOrWords, TimeWords

PREVIEW_LENGTH, UTM_LENGTH = 500, 200  # characters
MOST_EXCLUDED = 20  # segments
UTM = ("source", "medium", "campaign")
LONGEST_INTERVAL = 10_000  # 27 years of days
MOST_ACCOUNTS = 1_000
MOST_FILES = 5  # attached
ALIASES = {"send_now": "sendNow", "sender_account_ids": "senderAccountIds"}
EARLIEST, LATEST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)


def within_reason(at: datetime) -> datetime:
    if not EARLIEST <= at < LATEST:
        raise ValueError(f"must be between the years {EARLIEST.year} and {LATEST.year}")
    return at.replace(microsecond=at.microsecond // 1_000 * 1_000)


def _checked(at: datetime | TimeWords) -> datetime | TimeWords:
    return within_reason(at) if isinstance(at, datetime) else at


def _parsed(source: str) -> str:
    read_template(source)  # raises ValueError with the position
    return source


UtmValue = Annotated[str, StringConstraints(max_length=UTM_LENGTH), OneLine, NonBlank]


class Utm(StrictInput):
    """The parameters added to links in a campaign's email; omitted ones are not added."""

    source: UtmValue | None = Field(default=None, description="The value of `utm_source`.")
    medium: UtmValue | None = Field(default=None, description="The value of `utm_medium`.")
    campaign: UtmValue | None = Field(default=None, description="The value of `utm_campaign`.")


def _given(utm: Utm) -> dict[str, str | None] | None:
    named: dict[str, str | None] = utm.model_dump()
    return named if any(named.values()) else None


class NewCampaign(Input):
    """A campaign. `title` and `segment_id` are required, and `template_id` for each `schedule_type` but `manual`."""

    model_config = examples(
        {
            "title": "Spring news",
            "segment_id": "01976b2e-8c00-7000-8000-000000000001",
            "template_id": "01976b2e-8c00-7000-8000-000000000002",
            "schedule_type": "recurring",
            "recurrence_interval": 1,
            "recurrence_unit": "month",
            "subject": "Spring at Acme, {{ first_name | default: 'friend' }}",
            "preview_text": "New this month: three recipes",
            "from_name": "Acme News",
            "from_email": "news@example.com",
            "reply_to": "hello@example.com",
            "media_ids": ["01976b2e-8c00-7000-8000-000000000004"],
            "exclude_segment_ids": ["01976b2e-8c00-7000-8000-000000000003"],
            "topic_id": "01976b2e-8c00-7000-8000-000000000005",
            "utm": {"source": "newsletter", "medium": "email", "campaign": "spring"},
            "tracking": {"opens": False, "clicks": True},
        }
    )

    title: Name = Field(description="The name of the campaign; recipients don't see it.")
    description: Annotated[str, StringConstraints(max_length=10_000)] | None = Field(
        default=None, description="A note for your team; never sent."
    )
    segment_id: Id = Field(description="The segment to send to.")
    template_id: TemplateReference | None = Field(
        default=None, description="The id or the alias of the template to send."
    )
    schedule_type: Literal["manual", "scheduled_once", "recurring", "recurring_new_contacts"] = Field(
        default="manual",
        description="When to send: on request, once at `scheduled_at`, repeatedly, "
        "or to each member who joins the segment after the campaign is created.",
    )
    scheduled_at: Annotated[InstantOrWords, AfterValidator(_checked)] | None = Field(
        default=None, description=f"For `scheduled_once`: a time in the future. For `recurring`: the first send. {WHEN}"
    )
    recurrence_interval: Annotated[Integer, Field(ge=1, le=LONGEST_INTERVAL)] | None = Field(
        default=None, description="For `recurring`: the number of `recurrence_unit`s between sends."
    )
    recurrence_unit: Literal["day", "week", "month"] | None = Field(
        default=None, description="The unit of `recurrence_interval`, in the organization's timezone."
    )
    subject: (
        Annotated[str, StringConstraints(max_length=SUBJECT_LENGTH), OneLine, NonBlank, AfterValidator(_parsed)] | None
    ) = Field(default=None, description="The subject line, which may have merge tags; the template's if null.")
    preview_text: (
        Annotated[str, StringConstraints(max_length=PREVIEW_LENGTH), OneLine, NonBlank, AfterValidator(_parsed)] | None
    ) = Field(
        default=None,
        description="The words that an inbox shows behind the subject; hidden in the email itself. May have merge "
        "tags. Plain text templates have none.",
    )
    from_name: Name | None = Field(default=None, description="The name of the sender; each account's if null.")
    from_email: EmailAddress | None = Field(
        default=None,
        description="The address of the sender, at the domain of one of your accounts; only accounts of its domain "
        "send the campaign; each account's if null.",
    )
    reply_to: EmailAddress | None = Field(default=None, description="The address that replies go to.")
    media_ids: Annotated[
        list[Id], Field(max_length=MOST_FILES), AfterValidator(lambda ids: list(dict.fromkeys(map(str, ids))))
    ] = Field(default=[], description="PDFs of your media library to attach to each email, up to 5 MB in total.")
    exclude_segment_ids: Annotated[
        list[Id], Field(max_length=MOST_EXCLUDED), AfterValidator(lambda ids: list(dict.fromkeys(map(str, ids))))
    ] = Field(default=[], description="Segments whose members get nothing.")
    topic_id: Id | None = Field(
        default=None,
        description="The topic of the campaign: who opted out of it gets nothing, and the unsubscribe link of the "
        "email stops this topic only.",
    )
    sender_account_ids: (
        Annotated[
            list[Id],
            Field(min_length=1, max_length=MOST_ACCOUNTS),
            AfterValidator(lambda ids: list(dict.fromkeys(map(str, ids)))),
        ]
        | None
    ) = Field(
        default=None,
        description="The accounts that send it. If null, all active accounts with a From address share the work; "
        "the sandbox only while there is no other.",
    )
    utm: Annotated[Utm, AfterValidator(_given)] | None = Field(
        default=None,
        description="Parameters for the links of the email. Unsubscribe links and links that have them already stay.",
    )
    tracking: Annotated[Tracking, AfterValidator(lambda tracking: tracking.model_dump())] | None = Field(
        default=None,
        description="The opens and clicks to count, but of contacts with `do_not_track`; by the organization's "
        "settings if null, which are off unless somebody switches them on.",
    )


@partial(NewCampaign)
class CampaignChanges(Input):
    """The fields to change. A current run isn't affected; a changed schedule becomes active again."""

    model_config = examples({"title": "Summer news", "schedule_type": "manual"})


def _document_aliases(schema: dict[str, Any]) -> None:
    for name, alias in ALIASES.items():
        schema["properties"][alias] = schema["properties"][name] | {"description": f"The same as `{name}`."}
    schema["not"] = {"anyOf": [{"required": list(names)} for names in ALIASES.items()]}
    schema["examples"] = [{"send_now": True}]


class NewSend(StrictInput):
    """The options of a send; all are optional."""

    model_config = ConfigDict(json_schema_extra=_document_aliases)

    send_now: bool = Field(
        default=True,
        validation_alias=AliasChoices("send_now", ALIASES["send_now"]),
        description="`false` activates the schedule instead.",
    )
    sender_account_ids: Annotated[list[Id], Field(min_length=1, max_length=MOST_ACCOUNTS)] | None = Field(
        default=None,
        validation_alias=AliasChoices("sender_account_ids", ALIASES["sender_account_ids"]),
        description="The accounts to send from. Default: all active accounts.",
    )
    audience: Literal["all", "new"] = Field(
        default="all", description="`new` leaves out contacts whom an earlier run of this campaign reached."
    )


class NewTest(Input):
    """The recipient of a campaign's test email, and the account to send from."""

    model_config = examples({"to": "you@example.com"})

    to: EmailAddress = Field(description="The email address to send the test to.")
    account_id: Id | None = Field(default=None, description="The account to send from. Default: one of the campaign's.")
