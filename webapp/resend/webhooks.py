"""/resend/webhooks, their events and the attempts to post them."""

from typing import Literal

from quart import Blueprint, g

from webapp import models
from webapp.domain.events.events import with_data
from webapp.domain.inputs import Input
from webapp.domain.pagination import newest_page
from webapp.domain.roles import Action
from webapp.domain.webhooks import log, webhooks
from webapp.domain.webhooks.webhooks import NewWebhook, Subscribed, Url, WebhookChanges
from webapp.http.auth.permissions import guarded
from webapp.http.paging import query
from webapp.models.event import DeliveryStatus
from webapp.resend.shapes import Body, ListQuery, body, created, deleted, listed, named, page_of, time

blueprint = Blueprint("webhooks", __name__, url_prefix="/webhooks")

STATUSES = {DeliveryStatus.PENDING: "pending", DeliveryStatus.DELIVERED: "success", DeliveryStatus.FAILED: "failed"}


class ResendWebhook(Input):
    endpoint: Url
    events: Subscribed


class ResendChanges(Input):
    endpoint: Url | None = None
    events: Subscribed | None = None
    status: Literal["enabled", "disabled"] | None = None


@blueprint.get("")
@guarded(Action.WEBHOOKS)
@query(ListQuery)
async def index(query_args: ListQuery) -> Body:
    return page_of(await newest_page(models.Webhook, g.caller.org, query_args.cursor, "a webhook"), _outline)


@blueprint.post("")
@guarded(Action.WEBHOOKS)
@body(ResendWebhook)
async def create(data: ResendWebhook) -> tuple[Body, int]:
    issued = await webhooks.add_webhook(g.caller.org, NewWebhook(url=data.endpoint, events=data.events))
    return created("webhook", issued.webhook.id, signing_secret=issued.signing_secret)


@blueprint.get("/<webhook_id>")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
async def show(webhook: models.Webhook) -> Body:
    return {"object": "webhook", **_outline(webhook), "signing_secret": None}  # shown once


@blueprint.patch("/<webhook_id>")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@body(ResendChanges)
async def change(webhook: models.Webhook, data: ResendChanges) -> Body:
    asked = {"url": data.endpoint, "events": data.events, "status": data.status}
    changes = {name: value for name, value in asked.items() if value is not None}
    await webhooks.change_webhook(g.caller.org, webhook, WebhookChanges.model_validate(changes))
    return named("webhook", webhook.id)


@blueprint.delete("/<webhook_id>")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
async def remove(webhook: models.Webhook) -> Body:
    await webhooks.delete_webhook(g.caller.org, webhook)
    return deleted("webhook", webhook.id)


@blueprint.post("/<webhook_id>/signing-secret/rotate")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
async def rotate(webhook: models.Webhook) -> Body:
    issued = await webhooks.rotate_secret(g.caller.org, webhook)
    return named("webhook", webhook.id, signing_secret=issued.signing_secret)


@blueprint.get("/<webhook_id>/events")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
@query(ListQuery)
async def events_index(webhook: models.Webhook, query_args: ListQuery) -> Body:
    page = await log.list_deliveries(webhook, query_args.cursor)
    events = {event.id: event for event in await log.events_of(g.caller.org, page.rows)}
    shown = [_event(row, events[row.event_id]) for row in page.rows if row.event_id in events]
    return listed(shown, has_more=page.has_more)


@blueprint.get("/<webhook_id>/events/<event_id>")
@guarded(Action.WEBHOOKS, log.find_delivery)
async def events_show(delivery: log.Delivery) -> Body:
    (view,) = await with_data(g.caller.org, [delivery.event])
    event = {**_event(*delivery), "next_attempt_at": time(delivery.next_attempt_at), "payload": view.body}
    return {"object": "webhook_event", **event}


@blueprint.post("/<webhook_id>/events/<event_id>/replay")
@guarded(Action.WEBHOOKS, log.find_to_replay)
async def events_replay(to_replay: log.ToReplay) -> Body:
    await log.replay(to_replay)
    return named("webhook_event", to_replay.event.id)


@blueprint.get("/<webhook_id>/events/<event_id>/attempts")
@guarded(Action.WEBHOOKS, log.find_to_replay)
@query(ListQuery)
async def attempts_index(event: log.ToReplay, query_args: ListQuery) -> Body:
    return page_of(await log.list_attempts(event.webhook, query_args.cursor, event.event.id), _attempt)


def _outline(webhook: models.Webhook) -> Body:
    return {
        "id": webhook.id,
        "endpoint": webhook.url,
        "events": webhook.events,
        "status": webhook.status,
        "created_at": time(webhook.created_at),
    }


def _event(delivery: models.WebhookDelivery, event: models.Event) -> Body:
    status = STATUSES[DeliveryStatus(delivery.status)]
    return {"id": event.id, "type": event.type, "created_at": time(event.created_at), "status": status}


def _attempt(attempt: models.WebhookAttempt) -> Body:
    return {
        "id": attempt.id,
        "http_status_code": attempt.response_status,
        "response": attempt.error if attempt.answer is None else attempt.answer,
        "sent_at": time(attempt.created_at),
    }
