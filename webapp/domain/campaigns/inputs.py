"""The fields of a campaign, and of a send."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AliasChoices, ConfigDict, Field, StringConstraints

from webapp.domain.inputs import EmailAddress, Id, Input, Instant, Integer, Name, StrictInput, partial

LONGEST_INTERVAL = 10_000  # 27 years of days
MOST_ACCOUNTS = 1_000
ALIASES = {"send_now": "sendNow", "sender_account_ids": "senderAccountIds"}
EARLIEST, LATEST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)


def _within_reason(at: datetime) -> datetime:
    """The time in whole milliseconds, as it is shown, so that what a caller sends back changes nothing."""
    if not EARLIEST <= at < LATEST:
        raise ValueError(f"must be between the years {EARLIEST.year} and {LATEST.year}")
    return at.replace(microsecond=at.microsecond // 1_000 * 1_000)


class NewCampaign(Input):
    """A campaign. `title` and `segment_id` are required, and `template_id` for each `schedule_type` but `manual`."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "title": "Spring news",
                    "segment_id": "01976b2e-8c00-7000-8000-000000000001",
                    "template_id": "01976b2e-8c00-7000-8000-000000000002",
                    "schedule_type": "recurring",
                    "recurrence_interval": 1,
                    "recurrence_unit": "month",
                }
            ]
        }
    )

    title: Name = Field(description="The name of the campaign; recipients don't see it.")
    description: Annotated[str, StringConstraints(max_length=10_000)] | None = Field(
        default=None, description="A note for your team; never sent."
    )
    segment_id: Id = Field(description="The segment to send to.")
    template_id: Id | None = Field(default=None, description="The template to send.")
    schedule_type: Literal["manual", "scheduled_once", "recurring", "recurring_new_contacts"] = Field(
        default="manual",
        description="When to send: on request, once at `scheduled_at`, repeatedly, "
        "or to each member who joins the segment after the campaign is created.",
    )
    scheduled_at: Annotated[Instant, AfterValidator(_within_reason)] | None = Field(
        default=None, description="For `scheduled_once`: a time in the future. For `recurring`: the first send."
    )
    recurrence_interval: Annotated[Integer, Field(ge=1, le=LONGEST_INTERVAL)] | None = Field(
        default=None, description="For `recurring`: the number of `recurrence_unit`s between sends."
    )
    recurrence_unit: Literal["day", "week", "month"] | None = Field(
        default=None, description="The unit of `recurrence_interval`, in the organization's timezone."
    )


@partial(NewCampaign)
class CampaignChanges(Input):
    """The fields to change. A current run isn't affected; a changed schedule becomes active again."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"title": "Summer news", "schedule_type": "manual"}]})


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

    model_config = ConfigDict(json_schema_extra={"examples": [{"to": "you@example.com"}]})

    to: EmailAddress = Field(description="The email address to send the test to.")
    account_id: Id | None = Field(default=None, description="The account to send from. Default: one of the campaign's.")
