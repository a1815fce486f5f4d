"""Posts due events to webhooks, in a task of each worker.

One worker at a time serves an endpoint, with AT_ONCE requests. It serves fewer endpoints of an organization than it has
free slots, so that a single organization gets half of them; each organization uses one database connection.
"""

import asyncio
import logging
import random
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import closing
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import clock, crypto, metrics
from webapp.backoff import Backoff
from webapp.batcher import Batcher
from webapp.config import settings
from webapp.db.errors import is_outage
from webapp.domain.events.events import EventView, with_data
from webapp.domain.webhooks.webhooks import open_secrets
from webapp.fair_slots import FairSlot, FairSlots, slot_of
from webapp.json_encoder import encode
from webapp.logs import RateLimitedLogger
from webapp.models import Event, Organization, Webhook
from webapp.models.event import DeliveryStatus, WebhookStatus
from webapp.models.queries import webhook_outbox
from webapp.models.queries.webhook_outbox import Attempt, DueDelivery, DueWebhook
from webapp.sending.endpoint import GONE, Destination, EndpointClient, PostRefused, WebhookAnswer
from webapp.sending.host_policy import HostPolicy
from webapp.sending.outcomes import SUCCESS, clean
from webapp.sending.webhook import destination, signed_headers

log = logging.getLogger(__name__)
faults = RateLimitedLogger(log)

POLL_SECONDS = 0.5
MOST_SERVED = 48  # endpoints in a process
CONNECTIONS = 2  # to the database
AT_ONCE = 4  # requests to an endpoint
READ_AT_ONCE, FEW = 200, 40  # due deliveries, and while mail has priority
ROUND_SECONDS = 2.0  # after which the endpoint is read again, because it may have changed
CANCEL_SECONDS = 1.0
LEASE_SECONDS = 10.0  # extended while the worker lives
JITTER = 0.2
FAST = 500.0  # messages a second, as many as an endpoint accepts events
YIELD_SECONDS = 0.25  # before each request while sending is as fast
GIVE_UP_SECONDS = 5 * 24 * 3600.0
ENDPOINT_GONE = "it answered 410 Gone"
SILENT = "every attempt of the last 5 days failed"
UNSAVED = "the answer could not be saved"


class WebhookDispatcher:
    """Gives mail priority: while this process sends FAST, each request waits for YIELD_SECONDS."""

    def __init__(self, sending_rate: Callable[[], float]) -> None:
        self._sending_rate = sending_rate
        self._worker_id = uuid7()
        self._served: dict[UUID, DueWebhook] = {}
        self._tasks: dict[UUID, asyncio.Task[None]] = {}
        self._connections: FairSlots[FairSlot] = FairSlots(CONNECTIONS, limit_each=1)
        self._saves: Batcher[UUID, Attempt, None] = Batcher(self._save, READ_AT_ONCE)
        self._polls: Backoff[str] = Backoff(log, "looking for due webhooks", first=POLL_SECONDS)
        self._services: Backoff[UUID] = Backoff(log, "posting to a webhook")
        self._extends: Backoff[str] = Backoff(log, "extending the leases of webhooks", longest=LEASE_SECONDS / 3)
        self._releases: Backoff[UUID] = Backoff(log, "releasing a webhook")
        self._lost: set[UUID] = set()  # served endpoints whose lease is lost
        self._waiting_orgs: set[UUID] = set()  # whose due endpoints wait for a slot
        self._is_stopping = False

    async def run(self) -> None:
        """Posts due events until cancelled; `finish` ends requests in flight."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._polls.repeat("", self._serve_due, POLL_SECONDS))
            group.create_task(self._extends.repeat("", self._extend_leases, LEASE_SECONDS / 3))

    async def _serve_due(self) -> None:
        if self._is_stopping:
            return
        due = await webhook_outbox.due_webhooks(self._worker_id, crypto.key_ids(), MOST_SERVED)
        random.shuffle(due)  # so that no organization is always first
        waiting = [webhook for webhook in due if webhook.id not in self._served and self._services.is_due(webhook.id)]
        chosen = {webhook.id: webhook for webhook in self._choose(waiting)}
        self._waiting_orgs = {webhook.org_id for webhook in waiting if webhook.id not in chosen}
        leased = await webhook_outbox.lease(chosen, self._worker_id, LEASE_SECONDS) if chosen else ()
        for webhook_id, webhook in chosen.items():
            if webhook_id in leased and not self._is_stopping:
                self._served[webhook_id] = webhook
                self._tasks[webhook_id] = asyncio.create_task(self._serve(webhook))

    def _held(self) -> Counter[UUID]:
        return Counter(webhook.org_id for webhook in self._served.values())

    def _choose(self, waiting: Sequence[DueWebhook]) -> list[DueWebhook]:
        """The webhooks to serve now, leaving slots for other organizations."""
        held, free = self._held(), MOST_SERVED - len(self._served)
        chosen = []
        for webhook in waiting:
            if held[webhook.org_id] < free:
                held[webhook.org_id] += 1
                free -= 1
                chosen.append(webhook)
        return chosen

    def _yields(self) -> bool:
        return self._sending_rate() > FAST

    def _must_make_room(self, org_id: UUID) -> bool:
        """True if another organization waits that has no more endpoints served than this one."""
        held = self._held()
        return any(held[waiting] <= held[org_id] for waiting in self._waiting_orgs)

    def _may_go_on(self, webhook_id: UUID) -> bool:
        """False if the lease is lost, or the webhook was disabled or deleted."""
        return webhook_id not in self._lost and not self._is_stopping

    async def finish(self, grace: float) -> None:
        """Starts no more requests, and gives those in flight `grace` seconds."""
        self._is_stopping = True
        if self._tasks:
            _, late = await asyncio.wait(self._tasks.values(), timeout=grace)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=CANCEL_SECONDS)

    async def _extend_leases(self) -> None:
        """Extends the leases of all served endpoints; those that lost theirs end their round."""
        if served := set(self._served):
            skipped = served - await webhook_outbox.lease(served, self._worker_id, LEASE_SECONDS)
            if skipped:  # another worker's by now, or locked for a moment
                self._lost |= skipped - await webhook_outbox.still_leased(skipped, self._worker_id)

    async def _serve(self, due: DueWebhook) -> None:
        """Posts in rounds until nothing is due or others wait."""

        async def post_all() -> None:
            with closing(EndpointClient()) as client:
                while self._may_go_on(due.id) and await self._post_round(due, client):
                    if self._must_make_room(due.org_id):
                        return

        try:
            if not await self._services.attempt(due.id, post_all, webhook=str(due.id)):
                await self._releases.attempt(due.id, lambda: webhook_outbox.release(due.id, self._worker_id))
        finally:
            del self._served[due.id], self._tasks[due.id]
            self._lost.discard(due.id)

    async def _post_round(self, due: DueWebhook, client: EndpointClient) -> bool:
        """Posts for ROUND_SECONDS. False if nothing was due."""
        async with slot_of(self._connections, due.org_id):
            webhook = await Webhook.across_orgs().get_or_none(id=due.id, status=WebhookStatus.ENABLED)
            limit = FEW if self._yields() else READ_AT_ONCE
            deliveries = [] if webhook is None else await webhook_outbox.due_deliveries(due.id, limit)
            if webhook is None or not deliveries:
                return False
            views = await _views(webhook.org_id, [delivery.event_id for delivery in deliveries])
        waiting, until = deque(deliveries), clock.elapsed() + ROUND_SECONDS
        try:
            to: Destination | PostRefused = await destination(webhook.url, HostPolicy.of(settings(), webhook.org_id))
        except PostRefused as refusal:
            to = refusal

        async def post_some() -> None:
            while waiting and clock.elapsed() < until and self._may_go_on(due.id):
                if self._yields():
                    await asyncio.sleep(YIELD_SECONDS)
                    if not waiting:
                        return
                delivery = waiting.popleft()
                attempt = await _attempt(client, webhook, delivery, views.get(delivery.event_id), to)
                await self._saves.ask(due.org_id, attempt)

        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(post_some())
        return True

    async def _save(self, org_id: UUID, attempts: Sequence[Attempt]) -> Sequence[None]:
        """Saves an organization's attempts and disables webhooks that are gone or have failed for days; commits."""
        async with slot_of(self._connections, org_id):
            await _save_all(attempts)
            with metrics.harmless():
                for attempt in attempts:
                    metrics.webhook_attempts.labels(attempt.status).inc()  # pending: it is posted again
                    metrics.webhook_seconds.observe(attempt.milliseconds / 1000)
            gone = {attempt.delivery.webhook_id for attempt in attempts if attempt.response_status == GONE}
            for webhook_id in gone:
                await webhook_outbox.disable(webhook_id, ENDPOINT_GONE)
            failed = {a.delivery.webhook_id for a in attempts if a.status != DeliveryStatus.DELIVERED} - gone
            for webhook_id in await webhook_outbox.failing_for(failed, GIVE_UP_SECONDS) if failed else ():
                await webhook_outbox.disable(webhook_id, SILENT)
        return [None] * len(attempts)


async def _save_all(attempts: Sequence[Attempt]) -> None:
    """Saves the attempts; if that fails, one by one, and those that fail again without the answer."""
    try:
        await webhook_outbox.save_attempts(attempts)
    except Exception as error:
        if is_outage(error):
            raise
        faults.warn("%d attempts of webhooks could not be saved together", len(attempts), error=error)
        for attempt in attempts:
            try:
                await webhook_outbox.save_attempts([attempt])
            except Exception as fault:
                if is_outage(fault):
                    raise
                await webhook_outbox.save_attempts([attempt._replace(answer=None, error=UNSAVED)])


async def _views(org_id: UUID, event_ids: Sequence[UUID]) -> dict[UUID, EventView | Exception]:
    org = await Organization.get(id=org_id)
    events = await Event.of(org).filter(id__in=event_ids)
    try:
        return {view.event.id: view for view in await with_data(org, events)}
    except Exception as error:
        if is_outage(error):
            raise
    views: dict[UUID, EventView | Exception] = {}
    for event in events:
        try:
            (views[event.id],) = await with_data(org, [event])
        except Exception as error:  # noqa: BLE001 - the event's attempt shows why it was not posted
            views[event.id] = error
    return views


async def _attempt(
    client: EndpointClient,
    webhook: Webhook,
    delivery: DueDelivery,
    view: EventView | Exception | None,
    to: Destination | PostRefused,
) -> Attempt:
    """Posts an event; our own failures count as attempts too."""
    if view is None:
        return Attempt(delivery, None, "the event was deleted", None, 0, DeliveryStatus.FAILED)
    began, status, error, text, pause = clock.elapsed(), None, None, None, 0.0
    try:
        answer = await _post(client, webhook, view, to)
        status, text, pause = answer.status, answer.text, answer.pause
    except PostRefused as refusal:
        error = str(refusal)
    except Exception as fault:  # noqa: BLE001 - logged, and shown in the attempt
        faults.warn("an event could not be posted to webhook %s", webhook.id, error=fault)
        error = clean(f"Pennypost could not post the event: {type(fault).__name__}: {fault}")
    attempt = Attempt(delivery, status, error, text, round((clock.elapsed() - began) * 1000), DeliveryStatus.FAILED)
    schedule = settings().webhook_schedule
    if error is None and answer.status in SUCCESS:
        return attempt._replace(status=DeliveryStatus.DELIVERED)
    if delivery.attempts + 1 >= len(schedule) or status == GONE:
        return attempt
    delay = schedule[delivery.attempts + 1] * random.uniform(1 - JITTER, 1 + JITTER)
    return attempt._replace(status=DeliveryStatus.PENDING, delay=max(delay, pause))


async def _post(
    client: EndpointClient, webhook: Webhook, view: EventView | Exception, to: Destination | PostRefused
) -> WebhookAnswer:
    if isinstance(view, Exception):
        raise view
    if isinstance(to, PostRefused):
        raise to
    body = encode(view.body)
    headers = signed_headers(str(view.event.id), int(clock.now().timestamp()), body, open_secrets(webhook))
    return await client.post(to, headers, body)
