"""Handles a whole request to its end if its caller hangs up before the answer; Quart 0.22 would cancel the handler."""

import asyncio
from typing import cast

from hypercorn.typing import ASGIReceiveCallable, ASGIReceiveEvent, ASGISendCallable, ASGISendEvent
from quart.asgi import ASGIHTTPConnection
from quart.utils import cancel_tasks, raise_task_exceptions

from webapp.http.body.admission import BodyLease, BoundedRequest, body_admission

FINISH_SECONDS = 30


class FinishingConnection(ASGIHTTPConnection):
    async def __call__(self, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        is_received = is_answering = False

        async def answer(event: ASGISendEvent) -> None:
            nonlocal is_answering
            is_answering = True
            await send(event)

        async def receive_with_room() -> ASGIReceiveEvent:
            nonlocal is_received
            if not is_received:
                await lease.wait_for_room()
            event = await receive()
            if event["type"] == "http.request":
                lease.record(len(event.get("body", b"")))
                is_received = not event.get("more_body", False)
            return event

        request = cast("BoundedRequest", self._create_request_from_scope(answer))
        lease = BodyLease(body_admission(self.app), request)
        listening = asyncio.ensure_future(self.handle_messages(request, receive_with_room))
        handling = asyncio.ensure_future(self.handle_request(request, answer))
        try:
            await asyncio.wait({handling, listening}, return_when=asyncio.FIRST_COMPLETED)
            if is_received and not is_answering:
                await asyncio.wait({handling}, timeout=FINISH_SECONDS)
        finally:
            await cancel_tasks({task for task in (handling, listening) if not task.done()})
            lease.release()
        raise_task_exceptions({task for task in (handling, listening) if task.done()})
