"""A caller who hangs up does not cut a handler short.

Quart 0.22 cancels the handler when the connection closes: a mail would be accepted or not depending on how long the
caller stayed. Here a handler that has its whole request and has not begun to answer works on to its end.

A body is taken off the connection as far as there is room for it (intake.py).
"""

import asyncio
from typing import cast

from hypercorn.typing import ASGIReceiveCallable, ASGIReceiveEvent, ASGISendCallable, ASGISendEvent
from quart.asgi import ASGIHTTPConnection
from quart.utils import cancel_tasks, raise_task_exceptions
from quart.wrappers import Request

from webapp.errors import Busy
from webapp.http.body.admission import BoundedBody, Intake, Share, intake_of

FINISH_SECONDS = 30


class FinishingConnection(ASGIHTTPConnection):
    """One request; streams and half-received requests still end with their connection."""

    async def __call__(self, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        exchange = _Exchange(receive, send)
        answer = cast("ASGISendCallable", exchange.answer)
        request = self._create_request_from_scope(answer)
        exchange.bound(request, intake_of(self.app))
        listening = asyncio.ensure_future(self.handle_messages(request, cast("ASGIReceiveCallable", exchange.receive)))
        handling = asyncio.ensure_future(self.handle_request(request, answer))
        try:
            await asyncio.wait({handling, listening}, return_when=asyncio.FIRST_COMPLETED)
            if exchange.is_received and not exchange.is_answering:
                await asyncio.wait({handling}, timeout=FINISH_SECONDS)
        finally:
            await cancel_tasks({task for task in (handling, listening) if not task.done()})
            exchange.end()
        raise_task_exceptions({task for task in (handling, listening) if task.done()})


class _Exchange:
    """How far a request and its answer have come."""

    def __init__(self, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        self._receive, self._send = receive, send
        self._taken = 0
        self.is_received = False
        self.is_answering = False

    def bound(self, request: Request, intake: Intake) -> None:
        """Take the body of this request in its turn."""
        self._request, self._share = request, Share(intake, request)

    def end(self) -> None:
        """Nothing of the body is needed any more."""
        self._share.give_back()

    async def receive(self) -> ASGIReceiveEvent:
        if not self.is_received:
            await self._make_room()
        event = await self._receive()
        if event["type"] == "http.request":
            self._take(len(event.get("body", b"")))
        if event["type"] == "http.request" and not event.get("more_body", False):
            self.is_received = True
        return event

    def _take(self, size: int) -> None:
        self._taken += size
        self._share.come(size)

    async def _make_room(self) -> None:
        try:
            await self._share.make_room(self._taken)
        except Busy as error:
            if isinstance(self._request.body, BoundedBody):
                self._request.body.refuse(error)
            await asyncio.Event().wait()  # for the answer, which ends this

    async def answer(self, event: ASGISendEvent) -> None:
        self.is_answering = True
        await self._send(event)
