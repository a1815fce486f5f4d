"""The response bodies of webhooks."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field
from typing_extensions import TypedDict

from webapp import models
from webapp.api.responses import Time, cursor_list, makes, shaped
from webapp.domain.webhooks import webhooks
from webapp.models.event import DeliveryStatus


class Webhook(TypedDict):
    """An endpoint that events are posted to."""

    id: UUID
    url: str
    events: list[str]
    status: Literal["enabled", "disabled"]
    disabled_reason: str | None
    failing_since: Annotated[Time | None, Field(description="The first failed attempt after the last success.")]
    created_at: Time
    updated_at: Time


class IssuedWebhook(Webhook):
    """A webhook with its signing secret, which is shown only now."""

    signing_secret: str


class WebhookDelivery(TypedDict):
    """An event for a webhook: pending until it was accepted, or failed after the last attempt."""

    id: UUID
    event_id: UUID
    status: Literal["pending", "delivered", "failed"]
    attempts: int
    last_answer: str | None
    next_attempt_at: Time | None
    created_at: Time


class WebhookAttempt(TypedDict):
    """A request to an endpoint: the status and the first 2 KiB of its answer, or the error instead of one."""

    id: UUID
    event_id: UUID
    number: int
    response_status: int | None
    error: str | None
    answer: str | None
    milliseconds: int
    created_at: Time


class Queued(TypedDict):
    """The number of events that were queued."""

    queued: int


class QueuedEvent(TypedDict):
    """The event that was queued."""

    event_id: UUID


@makes(IssuedWebhook)
def _issued(issued: webhooks.IssuedWebhook) -> IssuedWebhook:
    return shaped(IssuedWebhook, issued.webhook, signing_secret=issued.signing_secret)


@makes(WebhookDelivery)
def _delivery(row: models.WebhookDelivery) -> WebhookDelivery:
    is_pending = row.status == DeliveryStatus.PENDING
    return shaped(WebhookDelivery, row, next_attempt_at=row.due_at if is_pending else None)


WebhookDeliveryList = cursor_list(WebhookDelivery, "The deliveries of a webhook, newest first.")
WebhookAttemptList = cursor_list(WebhookAttempt, "The attempts of a webhook, newest first.")
