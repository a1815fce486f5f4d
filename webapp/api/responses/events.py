"""The bodies that webhooks are posted, by the types of their events."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired
from uuid import UUID

from pydantic import Field
from typing_extensions import TypedDict

from webapp.api.contacts import Contact
from webapp.api.mail_logs import Bounce
from webapp.api.responses import Time
from webapp.models.event import EventType

Kept = Field(description="Left out once retention has deleted the email.")
_From = TypedDict("_From", {"from": NotRequired[Annotated[str, Kept]]})


class EmailData(_From):
    """One recipient of an email."""

    email_id: UUID
    message_id: NotRequired[Annotated[str, Kept]]
    mail_log_id: UUID
    created_at: NotRequired[Annotated[Time, Kept]]
    to: NotRequired[Annotated[list[str], Kept]]
    subject: NotRequired[Annotated[str | None, Kept]]
    campaign_id: NotRequired[UUID]
    run_id: NotRequired[UUID | None]
    template_id: NotRequired[UUID]
    tags: NotRequired[Annotated[dict[str, str], Field(description="The values by name.", examples=[{"order": "4711"}])]]


class Cause(TypedDict):
    """Why it happened."""

    reason: str | None


class Delivered(TypedDict):
    """How it is known."""

    by: Literal["acceptance", "report"]


class Complaint(TypedDict):
    """The kind of complaint, as the report calls it."""

    type: str | None


class DelayedEmailData(EmailData):
    """An email that the server refused for now."""

    delayed: Cause


class FailedEmailData(EmailData):
    """An email that was refused for good."""

    failed: Cause


class BouncedEmailData(EmailData):
    """An email that was refused because of its recipient."""

    bounce: Bounce


class ComplainedEmailData(EmailData):
    """An email that its recipient marked as spam."""

    complaint: Complaint


class DeliveredEmailData(EmailData):
    """An email that was delivered."""

    delivered: Delivered


class SuppressedEmailData(EmailData):
    """An email to an address that is suppressed or erased, or opted out of its topic."""

    suppressed: Cause


class OpenedEmailData(EmailData):
    """An email that was opened."""

    is_machine: Annotated[bool | None, Field(description="null: unknown.")]
    occurred_at: Time


class ClickedEmailData(OpenedEmailData):
    """An email with a link that was followed."""

    link: str | None


class SegmentMemberData(TypedDict):
    """A contact that joined or left a segment."""

    segment_id: UUID
    segment_name: str
    contact_id: UUID
    email: str


class TopicChoiceData(TypedDict):
    """A contact that opted in to a topic or out of it."""

    contact_id: UUID
    topic_id: UUID
    subscription: Literal["opt_in", "opt_out"]
    source: Literal["form", "import", "api", "person"]


class SubmittedFormData(TypedDict):
    """A form by which someone signed up, without the person, who has not confirmed yet."""

    form_id: UUID
    form_name: str
    page_url: Annotated[str | None, Field(description="The page with the form.")]


class ConfirmedContactData(Contact):
    """A contact that confirmed a sign-up by a form."""

    form_id: UUID


class RunCounts(TypedDict):
    """The emails of a run by status."""

    total: int
    pending: int
    sending: int
    sent: int
    failed: int
    deferred: int
    halted: int


class CampaignData(TypedDict):
    """A campaign, and its run."""

    id: UUID
    run_id: UUID | None
    title: str | None
    totals: RunCounts | None


class HaltedCampaignData(CampaignData):
    """A campaign that was halted."""

    reason: str | None


class AccountData(TypedDict):
    """An account that can't send."""

    id: UUID
    name: str
    status: str
    last_error: str | None


class RecoveredAccountData(AccountData):
    """An account that can send again."""


class SuppressionData(TypedDict):
    """An entry of the suppression list."""

    id: UUID
    email: str
    reason: Literal["bounce", "complaint", "manual", "import"]
    mail_log_id: UUID | None
    created_at: Time


class TestData(TypedDict):
    """A test that you asked for."""

    message: str


OTHERS: Mapping[EventType, Any] = {
    EventType.EMAIL_DELIVERY_DELAYED: DelayedEmailData,
    EventType.EMAIL_FAILED: FailedEmailData,
    EventType.EMAIL_BOUNCED: BouncedEmailData,
    EventType.EMAIL_COMPLAINED: ComplainedEmailData,
    EventType.EMAIL_DELIVERED: DeliveredEmailData,
    EventType.EMAIL_SUPPRESSED: SuppressedEmailData,
    EventType.EMAIL_OPENED: OpenedEmailData,
    EventType.EMAIL_CLICKED: ClickedEmailData,
    EventType.CONTACT_TOPIC_CHANGED: TopicChoiceData,
    EventType.CONTACT_CONFIRMED: ConfirmedContactData,
    EventType.CAMPAIGN_HALTED: HaltedCampaignData,
    EventType.ACCOUNT_RECOVERED: RecoveredAccountData,
}
BY_NOUN: Mapping[str, Any] = {
    "email": EmailData,
    "contact": Contact,
    "form": SubmittedFormData,
    "segment": SegmentMemberData,
    "campaign": CampaignData,
    "account": AccountData,
    "suppression": SuppressionData,
    "webhook": TestData,
}


def payload_of(kind: EventType) -> Any:
    """The shape of the body of an event of this type."""
    data = OTHERS.get(kind) or BY_NOUN[kind.partition(".")[0]]
    name = "".join(word.capitalize() for word in kind.replace("_", ".").split("."))
    payload: Any = TypedDict(f"{name}Event", {"type": Literal[kind.value], "created_at": Time, "data": data})  # type: ignore[misc]  # built at run time
    payload.__doc__ = f"The body of a `{kind}` event."
    return payload
