"""The outbox of webhooks: leases of endpoints, due deliveries, and the outcomes of attempts."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import timedelta
from functools import partial
from typing import NamedTuple
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import clock, db
from webapp.crypto import KEY_ID_LENGTH
from webapp.db.dialects import as_uuid
from webapp.models.base.row import FIRST_ID, id_lower_bound
from webapp.models.event import DeliveryStatus, Webhook, WebhookStatus
from webapp.models.instance import NOT_SUSPENDED
from webapp.models.queries.lease import is_free

HAS_DUE = "SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.status = 'pending' AND d.due_at <= "
ROWS_AT_ONCE = 2_000  # in one transaction, during which nobody else can write to SQLite
COLUMNS = {
    **dict.fromkeys(("id", "org_id", "webhook_id", "event_id", "delivery_id"), "uuid"),
    **dict.fromkeys(("number", "response_status"), "smallint"),
    **dict.fromkeys(("error", "answer"), "text"),
    "milliseconds": "integer",
    "status": "text",
    "delay": "float8",
}


class DueWebhook(NamedTuple):
    id: UUID
    org_id: UUID


class DueDelivery(NamedTuple):
    id: UUID
    org_id: UUID
    webhook_id: UUID
    event_id: UUID
    attempts: int


class Attempt(NamedTuple):
    """An attempt with the new status of its delivery and, if pending, the seconds until the next attempt."""

    delivery: DueDelivery
    response_status: int | None
    error: str | None
    answer: str | None
    milliseconds: int
    status: str
    delay: float = 0.0


async def due_webhooks(worker_id: UUID, key_ids: Sequence[str], most_each: int) -> list[DueWebhook]:
    """Enabled webhooks with due deliveries that no other worker has leased, at random within each organization.

    Only those whose secrets one of the keys decrypts; none while the instance is suspended.
    """
    now, keys = db.dialect().now, ", ".join(f"'{key_id}'" for key_id in key_ids)
    query = f"""SELECT s.id, s.org_id FROM (
          SELECT w.id, w.org_id, ROW_NUMBER() OVER (PARTITION BY w.org_id ORDER BY random()) AS number
          FROM webhooks w WHERE w.status = 'enabled' AND EXISTS ({HAS_DUE}{now})
          AND {is_free("w.", worker="$1")} AND {NOT_SUSPENDED}
          AND substr(w.secret, 1, {KEY_ID_LENGTH}) IN ({keys})
          AND (w.former_secret IS NULL OR substr(w.former_secret, 1, {KEY_ID_LENGTH}) IN ({keys}))
        ) s WHERE s.number <= $2"""
    return [
        DueWebhook(as_uuid(row_id), as_uuid(org_id)) for row_id, org_id in await db.records(query, worker_id, most_each)
    ]


async def lease(webhook_ids: Iterable[UUID], worker_id: UUID, seconds: float) -> set[UUID]:
    """Leases enabled webhooks or extends their leases; returns those that no other worker has.

    Skips locked rows, so that no webhook of another organization waits for them.
    """
    sql = db.dialect()
    free = f"""SELECT id FROM webhooks WHERE id {sql.among("$1")} AND status = 'enabled'
        AND {is_free(worker="$2")} {sql.lock("FOR NO KEY UPDATE SKIP LOCKED")}"""
    update = f"UPDATE webhooks SET leased_by = $2, lease_until = {sql.later('$3')} WHERE id IN ({free}) RETURNING id"
    return set(await db.fetch_ids(update, list(webhook_ids), worker_id, seconds))


async def still_leased(webhook_ids: Iterable[UUID], worker_id: UUID) -> set[UUID]:
    sql = db.dialect()
    query = f"""SELECT id FROM webhooks WHERE id {sql.among("$1")} AND status = 'enabled'
        AND leased_by = $2 AND lease_until > {sql.now}"""
    return set(await db.fetch_ids(query, list(webhook_ids), worker_id))


async def release(webhook_id: UUID, worker_id: UUID) -> None:
    await Webhook.filter(id=webhook_id, leased_by=worker_id).update(lease_until=None, leased_by=None)


async def due_deliveries(webhook_id: UUID, limit: int) -> list[DueDelivery]:
    query = f"""SELECT id, org_id, webhook_id, event_id, attempts FROM webhook_deliveries
        WHERE webhook_id = $1 AND status = 'pending' AND due_at <= {db.dialect().now} ORDER BY due_at LIMIT $2"""
    return [
        DueDelivery(as_uuid(row_id), as_uuid(org_id), as_uuid(to), as_uuid(event_id), attempts)
        for row_id, org_id, to, event_id, attempts in await db.records(query, webhook_id, limit)
    ]


async def save_attempts(attempts: Sequence[Attempt]) -> None:
    """Saves the attempts and their deliveries' new states; commits."""
    sql, names = db.dialect(), [name for name in COLUMNS if name not in ("delivery_id", "status", "delay")]
    rows = [
        (uuid7(), to.org_id, to.webhook_id, to.event_id, to.id, to.attempts + 1, *columns) for to, *columns in attempts
    ]
    last_answer = "COALESCE(k.error, CAST(k.response_status AS TEXT))"
    update = f"""UPDATE webhook_deliveries SET status = k.status, attempts = k.number, last_answer = {last_answer},
          due_at = CASE WHEN k.status = 'pending' THEN {sql.later("k.delay")} ELSE due_at END,
          finished_at = CASE WHEN k.status = 'pending' THEN NULL ELSE {sql.now} END
        FROM {sql.table(COLUMNS)} WHERE webhook_deliveries.id = k.delivery_id
        AND webhook_deliveries.status = 'pending' RETURNING webhook_deliveries.id"""
    insert = f"""INSERT INTO webhook_attempts ({", ".join(names)}, created_at)
        SELECT {", ".join(f"k.{name}" for name in names)}, {sql.now} FROM {sql.table(COLUMNS)}
        WHERE EXISTS (SELECT 1 FROM webhooks w WHERE w.id = k.webhook_id) RETURNING id"""
    works = {attempt.delivery.webhook_id for attempt in attempts if attempt.status == DeliveryStatus.DELIVERED}
    fails = {attempt.delivery.webhook_id for attempt in attempts} - works
    async with db.write_transaction():
        await _lock(works | fails)
        await Webhook.filter(id__in=list(works), failing_since__isnull=False).update(failing_since=None)
        began = f"UPDATE webhooks SET failing_since = {sql.now} WHERE id {sql.among('$1')} AND failing_since IS NULL"
        await db.fetch(f"{began} RETURNING id", list(fails))
        await db.fetch(insert, *sql.table_values(rows))
        await db.fetch(update, *sql.table_values(rows))


async def _lock(webhook_ids: Iterable[UUID]) -> None:
    """Locks webhooks before their deliveries, like other changes of a webhook."""
    await Webhook.filter(id__in=list(webhook_ids)).order_by("id").select_for_update(no_key=True)


async def failing_for(webhook_ids: Iterable[UUID], seconds: float) -> list[UUID]:
    """Those of the webhooks whose every attempt has failed for that long."""
    sql = db.dialect()
    query = f"SELECT id FROM webhooks WHERE id {sql.among('$1')} AND {sql.since('failing_since')} >= $2"
    return await db.fetch_ids(query, list(webhook_ids), seconds)


async def disable(webhook_id: UUID, reason: str) -> None:
    """Disables the webhook and fails some of its waiting deliveries; commits."""
    changes = {"status": WebhookStatus.DISABLED, "disabled_reason": reason, "updated_at": clock.now()}
    if await Webhook.filter(id=webhook_id, status=WebhookStatus.ENABLED).update(**changes):
        await settle(webhook_id)


async def unsettled() -> list[UUID]:
    """Webhooks being deleted, and disabled ones with waiting deliveries."""
    waiting = "SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.status = 'pending'"
    return await db.fetch_ids(
        f"SELECT id FROM webhooks w WHERE status = 'deleted' OR status = 'disabled' AND EXISTS ({waiting})"
    )


async def settle(webhook_id: UUID) -> bool:
    """Fails some waiting deliveries of a disabled webhook, or deletes some rows of a deleted one; False when done.

    Commits. Safe to call from several processes and to interrupt.
    """
    async with db.write_transaction():
        webhook = await Webhook.select_for_update(no_key=True).get_or_none(id=webhook_id)
        if webhook is None or webhook.status == WebhookStatus.ENABLED:
            return False
        if webhook.status == WebhookStatus.DISABLED:
            waiting = "webhook_id = $1 AND status = 'pending'"
            fail = f"""UPDATE webhook_deliveries SET status = 'failed', finished_at = {db.dialect().now},
                last_answer = COALESCE(last_answer, 'the webhook was disabled') WHERE id IN (
                  SELECT id FROM webhook_deliveries WHERE {waiting} LIMIT {ROWS_AT_ONCE}) RETURNING id"""
            return bool(await db.fetch(fail, webhook_id))
        for table in ("webhook_deliveries", "webhook_attempts"):
            some = f"SELECT id FROM {table} WHERE webhook_id = $1 LIMIT {ROWS_AT_ONCE}"
            if await db.fetch(f"DELETE FROM {table} WHERE id IN ({some}) RETURNING id", webhook_id):
                return True
        await webhook.delete()
    return False


async def requeue(webhook: Webhook, event_ids: Iterable[UUID]) -> int:
    """Queues these events of the organization, even if delivered before; returns their number."""
    sql = db.dialect()
    events = f"SELECT e.id FROM events e WHERE e.org_id = $1 AND e.id {sql.among('$3')}"
    insert = f"""INSERT INTO webhook_deliveries (id, created_at, org_id, webhook_id, event_id, status, attempts, due_at)
        SELECT {sql.id_beside("s.id")}, {sql.now}, $1, $2, s.id, 'pending', 0, {sql.now} FROM ({events}) s WHERE true
        ON CONFLICT (webhook_id, event_id) DO UPDATE SET status = 'pending', attempts = 0, due_at = {sql.now},
          finished_at = NULL RETURNING id"""
    return len(await db.fetch(insert, webhook.org_id, webhook.id, list(event_ids)))


async def requeue_failed(webhook: Webhook) -> int:
    """Queues all deliveries that have failed so far; commits each batch."""
    sql = db.dialect()
    failed = f"""SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND status = 'failed' AND id > $2 AND id <= $3
        ORDER BY id LIMIT {ROWS_AT_ONCE}"""
    update = f"""UPDATE webhook_deliveries SET status = 'pending', attempts = 0, due_at = {sql.now}, finished_at = NULL
        WHERE webhook_id = $1 AND id {sql.among("$2")} AND status = 'failed' RETURNING id"""

    async def queue(ids: list[UUID]) -> int:
        return len(await db.fetch(update, webhook.id, ids))

    return await _queue_batches(webhook, queue, failed, webhook.id, FIRST_ID)


async def requeue_since(webhook: Webhook, since: UUID, kinds: Sequence[str]) -> int:
    """Queues all events of these types with ids after `since`, even if delivered before, in batches."""
    named = ", ".join(f"'{kind}'" for kind in kinds)
    others = "NOT e.is_of_run" if "*" in kinds else "false"
    events = f"""SELECT e.id FROM events e WHERE e.org_id = $1 AND e.id > $2 AND e.id <= $3
        AND e.type <> 'webhook.test' AND (e.type IN ({named}) OR {others}) ORDER BY e.id LIMIT {ROWS_AT_ONCE}"""
    return await _queue_batches(webhook, partial(requeue, webhook), events, webhook.org_id, since)


async def _queue_batches(
    webhook: Webhook, queue: Callable[[list[UUID]], Awaitable[int]], query: str, owner: UUID, after: UUID
) -> int:
    """Queues what the query selects; others can write between batches, and stop it by disabling the webhook."""
    queued, last = 0, id_lower_bound(clock.now() + timedelta(seconds=1))
    enabled = Webhook.filter(id=webhook.id, status=WebhookStatus.ENABLED)
    while await enabled.exists() and (ids := await db.fetch_ids(query, owner, after, last)):
        began = clock.elapsed()
        queued += await queue(ids)
        after = ids[-1]
        await db.let_others_write(began)
    return queued
