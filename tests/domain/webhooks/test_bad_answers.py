"""Endpoints that answer badly: each post is an attempt that is saved with its reason, and the schedule decides."""

import asyncio
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from socket import SO_LINGER, SOL_SOCKET
from typing import NamedTuple

import pytest

from tests.factories import make_webhook
from tests.fakes.endpoint import Endpoint
from tests.fakes.stream_server import StreamServer
from tests.fakes.worker import eventually, working
from tests.figures import Figures
from tests.support.loop_stalls import watched_loop
from webapp import config
from webapp.config import Settings
from webapp.domain.webhooks import log
from webapp.models import Organization, Webhook, WebhookAttempt, WebhookDelivery
from webapp.models.event import DeliveryStatus

SCHEDULE = (0.0, 0.3, 0.3)
END = b"\r\n\r\n"
CLOSED = "closed the connection without an answer"
INVALID = "sent an answer that is not valid HTTP"
BROKEN = "answered 200, but broke the answer off"

Write = Callable[[asyncio.StreamWriter], Awaitable[None]]


def says(answer: bytes) -> Write:
    async def write(writer: asyncio.StreamWriter) -> None:
        writer.write(answer)

    return write


def repeats(piece: bytes, start: bytes = b"HTTP/1.1 200 OK\r\n", pause: float = 0.0) -> Write:
    async def write(writer: asyncio.StreamWriter) -> None:
        writer.write(start)
        while True:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause)

    return write


async def reset(writer: asyncio.StreamWriter) -> None:
    writer.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def stay_silent(_: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


class Kind(NamedTuple):
    """What an endpoint does with each post, and what an attempt's page says; `status` of what counts as an answer."""

    write: Write
    reason: str
    status: int | None = None
    is_delivered: bool = False


OK = b"HTTP/1.1 200 OK\r\n"
KINDS = {
    "gzip": Kind(says(OK + b"Content-Encoding: gzip\r\nContent-Length: 4" + END + b"\x1f\x8b\x00\x08"), "", 200, True),
    "NUL in the body": Kind(says(OK + b"Content-Length: 5" + END + b"a\x00b\x07c"), "", 200, True),
    "NUL in a header": Kind(says(OK + b"X-Name: a\x00b\r\nContent-Length: 0" + END), INVALID),
    "10 MB": Kind(says(OK + b"Content-Length: 10000000" + END + b"y" * 10_000_000), "", 200, True),
    "redirect": Kind(says(b"HTTP/1.1 302 No\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0" + END), "", 302),
    "500": Kind(says(b"HTTP/1.1 500 No\r\nContent-Length: 2" + END + b"no"), "", 500),
    "less than its length": Kind(says(OK + b"Content-Length: 10" + END + b"short"), BROKEN),
    "broken chunk": Kind(says(OK + b"Transfer-Encoding: chunked" + END + b"zz\r\n"), BROKEN),
    "103 without end": Kind(repeats(b"HTTP/1.1 103 Early\r\n\r\n" * 500, b""), "more than 8 informational answers"),
    "header without end": Kind(repeats(b"x" * 4_000, OK + b"X-Name: "), INVALID),
    "nothing": Kind(says(b""), CLOSED),
    "reset": Kind(reset, CLOSED),
}
LATE = "did not answer within 15 seconds"
SLOW_KINDS = {"silence": Kind(stay_silent, LATE), "a byte a second": Kind(repeats(b"x", OK + b"X-Name: ", 1), LATE)}


class BadEndpoint(StreamServer):
    """Reads posts, and answers each by its kind; then it closes the connection."""

    def __init__(self, kind: Kind) -> None:
        super().__init__(self._serve)
        self.kind, self.posts = kind, 0

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(END)).decode().lower()
            assert "accept-encoding: identity" in head
            await reader.readexactly(int(head.partition("content-length: ")[2].partition("\r\n")[0]))
            self.posts += 1
            await self.kind.write(writer)
            await writer.drain()


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """A schedule of fractions of a second."""
    found = replace(settings, webhook_schedule=SCHEDULE)
    config.configure(found)
    return found


async def are_final(count: int) -> bool:
    rows = await WebhookDelivery.across_orgs()
    return len(rows) == count and all(row.status != DeliveryStatus.PENDING for row in rows)


@asynccontextmanager
async def endpoints(org: Organization, kinds: dict[str, Kind]) -> AsyncIterator[dict[str, tuple[BadEndpoint, Webhook]]]:
    """An endpoint of each kind, with a webhook that is sent a test."""
    async with AsyncExitStack() as stack:
        found = {}
        for name, kind in kinds.items():
            endpoint = await stack.enter_async_context(BadEndpoint(kind))
            url = f"http://127.0.0.1:{endpoint.port}/"
            found[name] = endpoint, await make_webhook(org, url, events=["webhook.test"])
            await log.send_test(found[name][1])
        yield found


async def check_each(found: dict[str, tuple[BadEndpoint, Webhook]]) -> None:
    """Checks what became of the test of each webhook."""
    for name, (endpoint, webhook) in found.items():
        kind = endpoint.kind
        attempts = await WebhookAttempt.filter(webhook_id=webhook.id).order_by("number")
        expected = 1 if kind.is_delivered else len(config.settings().webhook_schedule)
        assert [one.number for one in attempts] == list(range(1, expected + 1)), name
        assert endpoint.posts == expected, name
        assert {one.response_status for one in attempts} == {kind.status}, name
        assert all(kind.reason in (one.error or "") and "\x00" not in (one.answer or "") for one in attempts), name
        (delivery,) = await WebhookDelivery.filter(webhook_id=webhook.id)
        assert (delivery.status, delivery.attempts) == ("delivered" if kind.is_delivered else "failed", expected), name


async def test_each_bad_answer_is_posted_to_as_scheduled_and_every_attempt_is_saved(
    acme: Organization, rival: Organization, settings: Settings
) -> None:
    async with endpoints(acme, KINDS) as found, Endpoint() as theirs:
        await log.send_test(await make_webhook(rival, theirs.url))
        async with working(settings):
            await eventually(lambda: are_final(len(KINDS) + 1), 100)
        await check_each(found)
        assert theirs.types == ["webhook.test"]


@pytest.mark.soak
@pytest.mark.timeout(120)
async def test_an_endpoint_that_takes_long_has_15_seconds_for_each_post(acme: Organization, settings: Settings) -> None:
    async with endpoints(acme, SLOW_KINDS) as found, working(settings):
        await eventually(lambda: are_final(len(SLOW_KINDS)), 100)
        await check_each(found)


async def test_answers_without_end_never_hold_the_event_loop(
    acme: Organization, settings: Settings, figures: Figures
) -> None:
    hostile = {
        f"{name} {number}": kind
        for number in range(4)
        for name, kind in KINDS.items()
        if name in ("103 without end", "header without end", "10 MB")
    }
    async with endpoints(acme, hostile), working(settings), watched_loop() as turns:
        await eventually(lambda: are_final(len(hostile)), 100)
    figures("seconds for which one turn of the event loop takes the processor", max(turns), below=0.05)
