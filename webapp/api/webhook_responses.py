"""The response bodies of webhooks; other fields are never sent."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID

from pydantic import Field
from typing_extensions import TypedDict

from webapp import models
from webapp.api.responses import Time, shaped
from webapp.domain.pagination import CursorPage
from webapp.domain.webhooks import webhooks
from webapp.models.event import DeliveryStatus

ARow = TypeVar("ARow", models.WebhookAttempt, models.WebhookDelivery)
HasMore = Annotated[bool, Field(description="Whether there are more results in this direction.")]


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


class WebhookDeliveryList(TypedDict):
    """The deliveries of a webhook, newest first."""

    data: list[WebhookDelivery]
    has_more: HasMore


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


class WebhookAttemptList(TypedDict):
    """The attempts of a webhook, newest first."""

    data: list[WebhookAttempt]
    has_more: HasMore


class Queued(TypedDict):
    """The number of events that were queued."""

    queued: int


class QueuedEvent(TypedDict):
    """The event that was queued."""

    event_id: UUID


def webhook(row: models.Webhook) -> Webhook:
    return shaped(Webhook, row)


def issued(found: webhooks.IssuedWebhook) -> IssuedWebhook:
    return shaped(IssuedWebhook, found.webhook, signing_secret=found.signing_secret)


def delivery(row: models.WebhookDelivery) -> WebhookDelivery:
    is_pending = row.status == DeliveryStatus.PENDING
    return shaped(WebhookDelivery, row, next_attempt_at=row.due_at if is_pending else None)


def attempt(row: models.WebhookAttempt) -> WebhookAttempt:
    return shaped(WebhookAttempt, row)


def listed(found: CursorPage[ARow], shape: Callable[[ARow], Any]) -> Mapping[str, Any]:
    return {"data": [shape(row) for row in found.rows], "has_more": found.has_more}
