"""/v1/webhooks."""

from typing import Literal

from pydantic import Field
from quart import Blueprint, ResponseReturnValue, g
from quart_schema import document_response

from webapp.api import responses, webhook_responses
from webapp.api.emails import EmailParams
from webapp.api.responses import One, one
from webapp.domain.inputs import Id, Input, Instant
from webapp.domain.pagination import Cursor
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


def _cursor(params: EmailParams) -> Cursor:
    return Cursor(params.limit, params.after, params.before)


@blueprint.get("")
@guarded(Action.WEBHOOKS)
@query(Paging)
@document_response(responses.Many[webhook_responses.Webhook])
async def index(query_args: Paging) -> ResponseReturnValue:
    """List webhooks, newest first."""
    return responses.many(await webhooks.list_webhooks(g.caller.org, query_args.wanted), webhook_responses.webhook)


@blueprint.post("")
@guarded(Action.WEBHOOKS)
@json_body(NewWebhook)
@document_response(One[webhook_responses.IssuedWebhook], 201)
async def create(data: NewWebhook) -> ResponseReturnValue:
    """Create a webhook.

    Events are posted as JSON with `type`, `created_at` and `data`, signed as [Standard
    Webhooks](https://www.standardwebhooks.com) specifies. Keep `signing_secret`: it is not shown again.
    """
    return one(webhook_responses.issued(await webhooks.add_webhook(g.caller.org, data))), 201


@blueprint.get("/<webhook_id>")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@document_response(One[webhook_responses.Webhook])
async def show(webhook: Webhook) -> ResponseReturnValue:
    """Get a webhook."""
    return one(webhook_responses.webhook(webhook))


@blueprint.patch("/<webhook_id>")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@json_body(WebhookChanges)
@document_response(One[webhook_responses.Webhook])
async def change(webhook: Webhook, data: WebhookChanges) -> ResponseReturnValue:
    """Change a webhook, or enable or disable it.

    What waits for a webhook when it is disabled fails, and can be replayed.
    """
    return one(webhook_responses.webhook(await webhooks.change_webhook(g.caller.org, webhook, data)))


@blueprint.delete("/<webhook_id>")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@document_response(responses.Done)
async def remove(webhook: Webhook) -> ResponseReturnValue:
    """Delete a webhook with its log."""
    await webhooks.delete_webhook(g.caller.org, webhook)
    return {"ok": True}


@blueprint.post("/<webhook_id>/signing-secret/rotate")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@document_response(One[webhook_responses.IssuedWebhook])
async def rotate(webhook: Webhook) -> ResponseReturnValue:
    """Rotate the signing secret.

    Both secrets sign for 24 hours.
    """
    return one(webhook_responses.issued(await webhooks.rotate_secret(g.caller.org, webhook)))


@blueprint.post("/<webhook_id>/test")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@document_response(One[webhook_responses.QueuedEvent])
async def test(webhook: Webhook) -> ResponseReturnValue:
    """Post a `webhook.test` event to a webhook."""
    return one({"event_id": (await log.send_test(webhook)).id})


@blueprint.get("/<webhook_id>/events")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@query(DeliveryParams)
@document_response(webhook_responses.WebhookDeliveryList)
async def deliveries(webhook: Webhook, query_args: DeliveryParams) -> ResponseReturnValue:
    """List the events of a webhook with their delivery, newest first."""
    status = DeliveryStatus(query_args.status) if query_args.status else None
    found = await log.list_deliveries(webhook, _cursor(query_args), status)
    return webhook_responses.listed(found, webhook_responses.delivery)


@blueprint.get("/<webhook_id>/attempts")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@query(AttemptParams)
@document_response(webhook_responses.WebhookAttemptList)
async def attempts(webhook: Webhook, query_args: AttemptParams) -> ResponseReturnValue:
    """List the requests to a webhook and their answers, newest first."""
    found = await log.list_attempts(webhook, _cursor(query_args), query_args.event_id)
    return webhook_responses.listed(found, webhook_responses.attempt)


@blueprint.post("/<webhook_id>/events/<event_id>/replay")
@guarded(Action.WEBHOOKS, log.find_to_replay)
@document_response(One[webhook_responses.QueuedEvent])
async def replay_one(found: log.ToReplay) -> ResponseReturnValue:
    """Post an event again, with the same id."""
    await log.replay(found)
    return one({"event_id": found.event.id})


@blueprint.post("/<webhook_id>/replay")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@json_body(Replay)
@document_response(One[webhook_responses.Queued])
async def replay(webhook: Webhook, data: Replay) -> ResponseReturnValue:
    """Post all events again that failed, or all since a time."""
    return one({"queued": await log.replay_many(webhook, data.since, failed=data.failed)})
