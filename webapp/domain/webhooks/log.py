"""A webhook's deliveries and attempts, test events and replays."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from tortoise.functions import Min

from webapp import db
from webapp.domain.pagination import Cursor, CursorPage, fetch_cursor_page
from webapp.errors import Conflict, NotFound
from webapp.models import Event, Organization, Webhook, WebhookAttempt, WebhookDelivery
from webapp.models.base.row import id_lower_bound
from webapp.models.event import DeliveryStatus, EventType, WebhookStatus
from webapp.models.queries import webhook_outbox
from webapp.sending.outcomes import SUCCESS


class ToReplay(NamedTuple):
    webhook: Webhook
    event: Event


class Delivery(NamedTuple):
    row: WebhookDelivery
    event: Event

    @property
    def next_attempt_at(self) -> datetime | None:
        return self.row.due_at if self.row.status == DeliveryStatus.PENDING else None


class FailedAttempt(NamedTuple):
    reason: str
    at: datetime


MOST_COUNTED = 1_000
EXAMINED = 100  # attempts
TEST_DATA = {"message": "This is a test event from Pennypost."}


async def list_deliveries(
    webhook: Webhook, cursor: Cursor, status: DeliveryStatus | None = None
) -> CursorPage[WebhookDelivery]:
    rows = webhook.deliveries.all()
    return await fetch_cursor_page(rows if status is None else rows.filter(status=status), cursor)


async def list_attempts(webhook: Webhook, cursor: Cursor, event_id: UUID | None = None) -> CursorPage[WebhookAttempt]:
    rows = webhook.attempts.all()
    return await fetch_cursor_page(rows if event_id is None else rows.filter(event_id=event_id), cursor)


async def find_attempt(webhook: Webhook, attempt_id: UUID) -> WebhookAttempt:
    """Raises NotFound."""
    attempt = await webhook.attempts.filter(id=attempt_id).first()
    if attempt is None:
        raise NotFound
    return attempt


async def find_delivery(org: Organization, webhook_id: UUID | str, event_id: UUID | str) -> Delivery:
    """Raises NotFound."""
    webhook, event = await find_to_replay(org, webhook_id, event_id)
    row = await webhook.deliveries.filter(event_id=event.id).first()
    if row is None:
        raise NotFound
    return Delivery(row, event)


async def events_of(org: Organization, rows: Sequence[WebhookAttempt | WebhookDelivery]) -> list[Event]:
    return await Event.of(org).filter(id__in=[row.event_id for row in rows])


async def count_deliveries(webhook: Webhook) -> dict[str, int]:
    """Waiting and failed deliveries, at most MOST_COUNTED of each."""
    rows = webhook.deliveries
    counted = (DeliveryStatus.PENDING, DeliveryStatus.FAILED)
    return {kind: len(await rows.filter(status=kind).limit(MOST_COUNTED).only("id")) for kind in counted}


async def oldest_waiting(webhook: Webhook) -> datetime | None:
    """The time of the oldest waiting event; reads all of them, within the organization's share."""
    rows = webhook.deliveries.filter(status=DeliveryStatus.PENDING).annotate(oldest=Min("created_at"))
    async with db.searching(webhook.org_id):
        return (await rows.values_list("oldest", flat=True))[0]  # type: ignore[return-value]  # a flat list holds the column's values


async def last_failure(webhook: Webhook) -> FailedAttempt | None:
    """The latest failed attempt among the last EXAMINED."""
    latest = webhook.attempts.all().order_by("-id").limit(EXAMINED)
    read = await latest.only("id", "response_status", "error", "created_at")
    failed = next((attempt for attempt in read if attempt.response_status not in SUCCESS), None)
    if failed is None:
        return None
    return FailedAttempt(failed.error or f"the endpoint answered {failed.response_status}", failed.created_at)


async def send_test(webhook: Webhook) -> Event:
    """Queues a test event for this webhook only. Raises Conflict for a disabled webhook."""
    _check_enabled(webhook)
    async with db.write_transaction():
        event = await Event.create(org_id=webhook.org_id, type=EventType.WEBHOOK_TEST, data=TEST_DATA)
        await webhook_outbox.requeue(webhook, [event.id])
    return event


async def find_to_replay(org: Organization, webhook_id: UUID | str, event_id: UUID | str) -> ToReplay:
    """Raises NotFound."""
    return ToReplay(await Webhook.one_of(org, webhook_id), await Event.one_of(org, event_id))


async def replay(event: ToReplay) -> None:
    """Queues the event again, even if it was delivered. Raises Conflict for a disabled webhook."""
    _check_enabled(event.webhook)
    await webhook_outbox.requeue(event.webhook, [event.event.id])


async def replay_many(webhook: Webhook, since: datetime | None = None, *, failed: bool = False) -> int:
    """Queues subscribed events since a time, and failed ones if `failed` or without a time; returns their number.

    Raises Conflict for a disabled webhook.
    """
    _check_enabled(webhook)
    queued = 0
    if since is not None:
        queued = await webhook_outbox.requeue_since(webhook, id_lower_bound(since), webhook.events)
    return queued + await webhook_outbox.requeue_failed(webhook) if failed or since is None else queued


def _check_enabled(webhook: Webhook) -> None:
    if webhook.status != WebhookStatus.ENABLED:
        raise Conflict("this webhook is disabled; enable it first")
