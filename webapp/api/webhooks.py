"""/v1/webhooks and its response bodies."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field
from quart import Blueprint, g
from typing_extensions import TypedDict

from webapp import models
from webapp.api.responses import Done, Many, One, Time, answers, cursor_list, makes, shaped
from webapp.domain.inputs import Id, Input, Instant
from webapp.domain.roles import Action
from webapp.domain.webhooks import log, webhooks
from webapp.domain.webhooks.webhooks import NewWebhook, WebhookChanges
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import json_body
from webapp.http.paging import CursorPaging, Paging, query
from webapp.models.event import DeliveryStatus

blueprint = Blueprint("webhooks", __name__, url_prefix="/webhooks")


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


class DeliveryParams(CursorPaging):
    after: Id | None = Field(default=None, description="Only deliveries older than this id.")
    before: Id | None = Field(default=None, description="Only deliveries newer than this id.")
    status: Literal["pending", "delivered", "failed"] | None = Field(
        default=None, description="Only deliveries with this status."
    )


class AttemptParams(CursorPaging):
    after: Id | None = Field(default=None, description="Only attempts older than this id.")
    before: Id | None = Field(default=None, description="Only attempts newer than this id.")
    event_id: Id | None = Field(default=None, description="Only attempts of this event.")


class Replay(Input):
    """The events to post again: all that failed unless a time is given."""

    failed: bool = Field(default=False, description="All whose last attempt failed; also without `since`.")
    since: Instant | None = Field(default=None, description="All events since then that the webhook subscribes to.")


@blueprint.get("")
@guarded(Action.WEBHOOKS)
@query(Paging)
@answers(Many[Webhook])
async def index(query_args: Paging) -> object:
    """List webhooks, newest first."""
    return await webhooks.list_webhooks(g.caller.org, query_args.wanted)


@blueprint.post("")
@guarded(Action.WEBHOOKS)
@json_body(NewWebhook)
@answers(One[IssuedWebhook], 201)
async def create(data: NewWebhook) -> object:
    """Create a webhook.

    Events are posted as JSON with `type`, `created_at` and `data`, signed as [Standard
    Webhooks](https://www.standardwebhooks.com) specifies. Keep `signing_secret`: it is not shown again.
    """
    return await webhooks.add_webhook(g.caller.org, data)


@blueprint.get("/<webhook_id>")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@answers(One[Webhook])
async def show(webhook: models.Webhook) -> object:
    """Get a webhook."""
    return webhook


@blueprint.patch("/<webhook_id>")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@json_body(WebhookChanges)
@answers(One[Webhook])
async def change(webhook: models.Webhook, data: WebhookChanges) -> object:
    """Change a webhook, or enable or disable it.

    What waits for a webhook when it is disabled fails, and can be replayed.
    """
    return await webhooks.change_webhook(g.caller.org, webhook, data)


@blueprint.delete("/<webhook_id>")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@answers(Done)
async def remove(webhook: models.Webhook) -> None:
    """Delete a webhook with its log."""
    await webhooks.delete_webhook(g.caller.org, webhook)


@blueprint.post("/<webhook_id>/signing-secret/rotate")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@answers(One[IssuedWebhook])
async def rotate(webhook: models.Webhook) -> object:
    """Rotate the signing secret.

    Both secrets sign for 24 hours.
    """
    return await webhooks.rotate_secret(g.caller.org, webhook)


@blueprint.post("/<webhook_id>/test")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@answers(One[QueuedEvent])
async def test(webhook: models.Webhook) -> object:
    """Post a `webhook.test` event to a webhook."""
    return {"event_id": (await log.send_test(webhook)).id}


@blueprint.get("/<webhook_id>/events")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@query(DeliveryParams)
@answers(WebhookDeliveryList)
async def deliveries(webhook: models.Webhook, query_args: DeliveryParams) -> object:
    """List the events of a webhook with their delivery, newest first."""
    status = DeliveryStatus(query_args.status) if query_args.status else None
    return await log.list_deliveries(webhook, query_args.cursor, status)


@blueprint.get("/<webhook_id>/attempts")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@query(AttemptParams)
@answers(WebhookAttemptList)
async def attempts(webhook: models.Webhook, query_args: AttemptParams) -> object:
    """List the requests to a webhook and their answers, newest first."""
    return await log.list_attempts(webhook, query_args.cursor, query_args.event_id)


@blueprint.post("/<webhook_id>/events/<event_id>/replay")
@guarded(Action.WEBHOOKS, log.find_to_replay)
@answers(One[QueuedEvent])
async def replay_one(to_replay: log.ToReplay) -> object:
    """Post an event again, with the same id."""
    await log.replay(to_replay)
    return {"event_id": to_replay.event.id}


@blueprint.post("/<webhook_id>/replay")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@json_body(Replay)
@answers(One[Queued])
async def replay(webhook: models.Webhook, data: Replay) -> object:
    """Post all events again that failed, or all since a time."""
    return {"queued": await log.replay_many(webhook, data.since, failed=data.failed)}
