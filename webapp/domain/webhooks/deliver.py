"""Posts due events to webhooks: each endpoint by one worker at a time, four requests at once, in a task of its own."""

import asyncio
import logging
import random
from collections import deque
from collections.abc import Callable, Sequence
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import clock, crypto
from webapp.batcher import Batcher
from webapp.config import settings
from webapp.db.errors import is_outage
from webapp.domain.events.events import EventView, with_data
from webapp.domain.webhooks.webhooks import open_secrets
from webapp.json_encoder import encode
from webapp.models import Event, Organization, Webhook
from webapp.models.event import DeliveryStatus
from webapp.models.queries import webhook_outbox
from webapp.models.queries.webhook_outbox import Attempt, DueDelivery
from webapp.sending.endpoint import GONE, Destination, EndpointClient, PostRefused, WebhookAnswer
from webapp.sending.host_policy import HostPolicy
from webapp.sending.outcomes import clean
from webapp.sending.webhook import destination, signed_headers

log = logging.getLogger(__name__)

POLL_SECONDS = 0.5
AT_ONCE = 4  # requests to an endpoint
READ_AT_ONCE, FEW = 200, 40  # due deliveries; while mail goes first
ROUND_SECONDS = 2.0  # after which no request is begun until the endpoint is read again, which may have changed
LEASE_SECONDS = 10.0  # extended while the worker lives
JITTER = 0.2
FAST = 500.0  # messages a second: as quick as an endpoint takes their events
YIELD_SECONDS = 0.25  # before each request while messages leave as fast
GIVE_UP_SECONDS = 5 * 24 * 3600.0
SAID_GONE = "it answered 410 Gone"
SILENT = "every attempt of the last 5 days failed"


class WebhookDispatcher:
    """Mail goes first: while this process sends FAST, each request waits for YIELD_SECONDS."""

    def __init__(self, sending_rate: Callable[[], float]) -> None:
        self._sending_rate = sending_rate
        self._worker_id = uuid7()
        self._endpoints: dict[UUID, asyncio.Task[None]] = {}
        self._is_stopping = False

    async def run(self) -> None:
        """Posts what is due until cancelled; requests that are under way are finished by `finish`."""
        while not self._is_stopping:
            try:
                for webhook_id in await webhook_outbox.due_webhooks(self._worker_id, crypto.key_ids()):
                    if webhook_id not in self._endpoints and not self._is_stopping:
                        self._endpoints[webhook_id] = asyncio.create_task(self._serve(webhook_id))
            except Exception:
                log.exception("looking for due webhooks failed")
            await asyncio.sleep(POLL_SECONDS)

    def _yields(self) -> bool:
        return self._sending_rate() > FAST

    async def finish(self, grace: float) -> None:
        """Begins no request any more, and gives those under way `grace` seconds to end."""
        self._is_stopping = True
        if self._endpoints:
            _, late = await asyncio.wait(self._endpoints.values(), timeout=grace)
            for task in late:
                task.cancel()

    async def _serve(self, webhook_id: UUID) -> None:
        try:
            await _Endpoint(webhook_id, self._worker_id, lambda: self._is_stopping, self._yields).run()
        except Exception:
            log.exception("posting to a webhook failed", extra={"webhook": str(webhook_id)})
        finally:
            del self._endpoints[webhook_id]


class _Endpoint:
    """One webhook while it is leased: posts its due events round by round until none is due."""

    def __init__(
        self, webhook_id: UUID, worker_id: UUID, is_stopping: Callable[[], bool], yields: Callable[[], bool]
    ) -> None:
        self._webhook_id, self._worker_id = webhook_id, worker_id
        self._is_stopping, self._yields = is_stopping, yields
        self._client = EndpointClient()
        self._saves: Batcher[UUID, tuple[Webhook, Attempt], None] = Batcher(_save, READ_AT_ONCE)

    async def run(self) -> None:
        if not await self._lease():
            return
        extending = asyncio.create_task(self._extend_lease())
        try:
            while not self._is_stopping() and not extending.done() and await self._post_round():
                pass
        finally:
            extending.cancel()
            self._client.close()
            await webhook_outbox.release(self._webhook_id, self._worker_id)

    async def _lease(self) -> bool:
        return await webhook_outbox.lease(self._webhook_id, self._worker_id, LEASE_SECONDS)

    async def _extend_lease(self) -> None:
        """Ends when the lease is lost, or the webhook was disabled or deleted."""
        is_ours = True
        while is_ours:
            await asyncio.sleep(LEASE_SECONDS / 3)
            try:
                is_ours = await self._lease()
            except Exception:
                log.exception("the lease of a webhook could not be extended", extra={"webhook": str(self._webhook_id)})

    async def _post_round(self) -> bool:
        """Posts for ROUND_SECONDS; False when nothing was due."""
        webhook = await Webhook.across_orgs().get_or_none(id=self._webhook_id)
        most = FEW if self._yields() else READ_AT_ONCE
        due = [] if webhook is None else await webhook_outbox.due_deliveries(self._webhook_id, most)
        if webhook is None or not due:
            return False
        org = await Organization.get(id=webhook.org_id)
        rows = await Event.of(org).filter(id__in=[one.event_id for one in due])
        views = await _views(org, rows)
        waiting, until = deque(due), clock.elapsed() + ROUND_SECONDS
        try:
            to: Destination | PostRefused = await destination(webhook.url, HostPolicy.of(settings()))
        except PostRefused as refusal:
            to = refusal

        async def post_some() -> None:
            while waiting and clock.elapsed() < until and not self._is_stopping():
                if self._yields():
                    await asyncio.sleep(YIELD_SECONDS)
                    if not waiting:
                        return
                delivery = waiting.popleft()
                attempt = await self._attempt(webhook, delivery, views.get(delivery.event_id), to)
                await self._saves.ask(webhook.id, (webhook, attempt))

        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(post_some())
        return True

    async def _attempt(
        self, webhook: Webhook, delivery: DueDelivery, view: EventView | Exception | None, to: Destination | PostRefused
    ) -> Attempt:
        """Posts an event; a failure of ours is an attempt as any other, which waits and is shown."""
        if view is None:
            return Attempt(delivery, None, "the event was deleted", None, 0, DeliveryStatus.FAILED)
        began = clock.elapsed()
        answer: WebhookAnswer | PostRefused
        try:
            answer = await self._post(webhook, view, to)
        except PostRefused as refusal:
            answer = refusal
        except Exception as error:
            log.exception("an event could not be posted", extra={"webhook": str(webhook.id)})
            answer = PostRefused(clean(f"Pennypost could not post the event: {type(error).__name__}: {error}"))
        return _attempt_of(delivery, answer, round((clock.elapsed() - began) * 1000))

    async def _post(
        self, webhook: Webhook, view: EventView | Exception, to: Destination | PostRefused
    ) -> WebhookAnswer:
        if isinstance(view, Exception):
            raise view
        if isinstance(to, PostRefused):
            raise to
        body = encode(view.body)
        headers = signed_headers(str(view.event.id), int(clock.now().timestamp()), body, open_secrets(webhook))
        return await self._client.post(to, headers, body)


def _attempt_of(delivery: DueDelivery, answer: WebhookAnswer | PostRefused, milliseconds: int) -> Attempt:
    status, error, text, pause = None, None, None, 0.0
    if isinstance(answer, PostRefused):
        error = str(answer)
    else:
        status, text, pause = answer.status, answer.text, answer.pause or 0.0
        if answer.is_accepted:
            return Attempt(delivery, status, None, text, milliseconds, DeliveryStatus.DELIVERED)
    schedule = settings().webhook_schedule
    if delivery.attempts + 1 >= len(schedule) or status == GONE:
        return Attempt(delivery, status, error, text, milliseconds, DeliveryStatus.FAILED)
    delay = schedule[delivery.attempts + 1] * random.uniform(1 - JITTER, 1 + JITTER)
    return Attempt(delivery, status, error, text, milliseconds, DeliveryStatus.PENDING, max(delay, pause))


async def _views(org: Organization, events: Sequence[Event]) -> dict[UUID, EventView | Exception]:
    """The events with their data by their ids; an exception for one whose data cannot be read."""
    try:
        return {view.event.id: view for view in await with_data(org, events)}
    except Exception as error:
        if is_outage(error):
            raise
    views: dict[UUID, EventView | Exception] = {}
    for event in events:
        try:
            (views[event.id],) = await with_data(org, [event])
        except Exception as error:  # noqa: BLE001 - the other events are posted; this one's attempt says why it is not
            views[event.id] = error
    return views


async def _save(_: UUID, attempts: Sequence[tuple[Webhook, Attempt]]) -> Sequence[None]:
    """Saves the attempts, and disables a webhook that is gone or has failed for days; commits."""
    webhook = attempts[0][0]
    await webhook_outbox.save_attempts(webhook, [attempt for _, attempt in attempts])
    if any(attempt.response_status == GONE for _, attempt in attempts):
        await webhook_outbox.disable(webhook.id, SAID_GONE)
    elif await webhook_outbox.fails_for(webhook.id) >= GIVE_UP_SECONDS:
        await webhook_outbox.disable(webhook.id, SILENT)
    return [None] * len(attempts)
