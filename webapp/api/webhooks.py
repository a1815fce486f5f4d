"""/v1/webhooks."""

from typing import Literal

from pydantic import Field
from quart import Blueprint, g

from webapp.api import webhook_responses
from webapp.api.emails import EmailParams
from webapp.api.responses import Done, Many, One, answers
from webapp.domain.inputs import Id, Input, Instant
from webapp.domain.roles import Action
from webapp.domain.webhooks import log, webhooks
from webapp.domain.webhooks.webhooks import NewWebhook, WebhookChanges
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import json_body
from webapp.http.paging import Paging, query
from webapp.models import Webhook
from webapp.models.event import DeliveryStatus

blueprint = Blueprint("webhooks", __name__, url_prefix="/webhooks")


class DeliveryParams(EmailParams):
    after: Id | None = Field(default=None, description="Only deliveries older than this id.")
    before: Id | None = Field(default=None, description="Only deliveries newer than this id.")
    status: Literal["pending", "delivered", "failed"] | None = Field(
        default=None, description="Only deliveries with this status."
    )


class AttemptParams(EmailParams):
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
@answers(Many[webhook_responses.Webhook])
async def index(query_args: Paging) -> object:
    """List webhooks, newest first."""
    return await webhooks.list_webhooks(g.caller.org, query_args.wanted)


@blueprint.post("")
@guarded(Action.WEBHOOKS)
@json_body(NewWebhook)
@answers(One[webhook_responses.IssuedWebhook], 201)
async def create(data: NewWebhook) -> object:
    """Create a webhook.

    Events are posted as JSON with `type`, `created_at` and `data`, signed as [Standard
    Webhooks](https://www.standardwebhooks.com) specifies. Keep `signing_secret`: it is not shown again.
    """
    return await webhooks.add_webhook(g.caller.org, data)


@blueprint.get("/<webhook_id>")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@answers(One[webhook_responses.Webhook])
async def show(webhook: Webhook) -> object:
    """Get a webhook."""
    return webhook


@blueprint.patch("/<webhook_id>")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@json_body(WebhookChanges)
@answers(One[webhook_responses.Webhook])
async def change(webhook: Webhook, data: WebhookChanges) -> object:
    """Change a webhook, or enable or disable it.

    What waits for a webhook when it is disabled fails, and can be replayed.
    """
    return await webhooks.change_webhook(g.caller.org, webhook, data)


@blueprint.delete("/<webhook_id>")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@answers(Done)
async def remove(webhook: Webhook) -> None:
    """Delete a webhook with its log."""
    await webhooks.delete_webhook(g.caller.org, webhook)


@blueprint.post("/<webhook_id>/signing-secret/rotate")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@answers(One[webhook_responses.IssuedWebhook])
async def rotate(webhook: Webhook) -> object:
    """Rotate the signing secret.

    Both secrets sign for 24 hours.
    """
    return await webhooks.rotate_secret(g.caller.org, webhook)


@blueprint.post("/<webhook_id>/test")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@answers(One[webhook_responses.QueuedEvent])
async def test(webhook: Webhook) -> object:
    """Post a `webhook.test` event to a webhook."""
    return {"event_id": (await log.send_test(webhook)).id}


@blueprint.get("/<webhook_id>/events")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@query(DeliveryParams)
@answers(webhook_responses.WebhookDeliveryList)
async def deliveries(webhook: Webhook, query_args: DeliveryParams) -> object:
    """List the events of a webhook with their delivery, newest first."""
    status = DeliveryStatus(query_args.status) if query_args.status else None
    return await log.list_deliveries(webhook, query_args.cursor, status)


@blueprint.get("/<webhook_id>/attempts")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@query(AttemptParams)
@answers(webhook_responses.WebhookAttemptList)
async def attempts(webhook: Webhook, query_args: AttemptParams) -> object:
    """List the requests to a webhook and their answers, newest first."""
    return await log.list_attempts(webhook, query_args.cursor, query_args.event_id)


@blueprint.post("/<webhook_id>/events/<event_id>/replay")
@guarded(Action.WEBHOOKS, log.find_to_replay)
@answers(One[webhook_responses.QueuedEvent])
async def replay_one(to_replay: log.ToReplay) -> object:
    """Post an event again, with the same id."""
    await log.replay(to_replay)
    return {"event_id": to_replay.event.id}


@blueprint.post("/<webhook_id>/replay")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@json_body(Replay)
@answers(One[webhook_responses.Queued])
async def replay(webhook: Webhook, data: Replay) -> object:
    """Post all events again that failed, or all since a time."""
    return {"queued": await log.replay_many(webhook, data.since, failed=data.failed)}
