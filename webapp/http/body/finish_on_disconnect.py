"""Finishes handling a complete request even if the caller hangs up; Quart 0.22 would cancel the handler.

The server's own task handles requests that arrive in one piece, as nearly all do. A second task listens for a
disconnect only if more of the body is expected, the response is streamed, or the handler is slow.
"""

import asyncio
from typing import cast

from hypercorn.typing import ASGIReceiveCallable, ASGIReceiveEvent, ASGISendCallable, ASGISendEvent, HTTPScope
from quart import Quart, Response
from quart.asgi import ASGIHTTPConnection
from quart.typing import ResponseTypes
from quart.utils import cancel_tasks, encode_headers
from quart.wrappers.response import DataBody

from webapp.http.body.admission import FREE_BYTES, BodyLease, BoundedRequest, body_admission

FINISH_SECONDS = 30
SENDING_SECONDS = 600  # for a long response that is made while it is sent
LISTEN_SECONDS = 1.0  # after which a handler counts as slow
IS_WHOLE = "pennypost.is_whole"  # in the scope: the server has received the whole request


class FinishingConnection(ASGIHTTPConnection):
    send_seconds = 60.0  # for the caller to read a response without a timeout of its own

    def __init__(self, app: Quart, scope: HTTPScope) -> None:
        super().__init__(app, scope)
        self._listening: asyncio.Task[None] | None = None
        self._is_received = self._is_answering = self._is_given_up = False

    async def __call__(self, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        request = cast("BoundedRequest", self._create_request_from_scope(send))
        handling = cast("asyncio.Task[None]", asyncio.current_task())
        self._receive, self._handling = receive, handling
        try:
            if IS_WHOLE in self.scope and (request.content_length or 0) <= FREE_BYTES:
                await self._handle_whole(request, send)
            else:
                await self._handle_arriving(request, send)
        except asyncio.CancelledError:
            if not self._is_given_up:
                raise
            handling.uncancel()

    async def _handle_whole(self, request: BoundedRequest, send: ASGISendCallable) -> None:
        self._append(request, await self._receive())
        if not self._is_received:  # the caller has hung up
            return
        timer = asyncio.get_running_loop().call_later(LISTEN_SECONDS, self._listen)
        try:
            await self.handle_request(request, send)
        finally:
            timer.cancel()
            await self._stop_listening()

    async def _handle_arriving(self, request: BoundedRequest, send: ASGISendCallable) -> None:
        lease = BodyLease(body_admission(self.app), request)
        self._listening = asyncio.ensure_future(self._receive_all(request, lease))
        try:
            await self.handle_request(request, send)
        finally:
            lease.release()
            await self._stop_listening()

    async def _receive_all(self, request: BoundedRequest, lease: BodyLease) -> None:
        while not self._is_received:
            await lease.wait_for_room()
            event = await self._receive()
            if event["type"] != "http.request":
                self._give_up()
                return
            lease.record(len(event.get("body", b"")))
            self._append(request, event)
        await self._until_hung_up()

    def _append(self, request: BoundedRequest, event: ASGIReceiveEvent) -> None:
        if event["type"] == "http.request":
            request.body.append(event.get("body", b""))
            if not event.get("more_body", False):
                self._is_received = True
                request.body.set_complete()

    def _listen(self) -> None:
        if self._listening is None:
            self._listening = asyncio.ensure_future(self._until_hung_up())

    async def _until_hung_up(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        if not self._is_answering:
            await asyncio.sleep(FINISH_SECONDS)
        self._give_up()

    def _give_up(self) -> None:
        self._is_given_up = True
        self._handling.cancel()

    async def _stop_listening(self) -> None:
        if self._listening is not None:
            await cancel_tasks({self._listening})

    async def _send_response(self, send: ASGISendCallable, response: ResponseTypes) -> None:
        """Sends complete responses in one go; RESPONSE_TIMEOUT is off because it takes a task for each response."""
        self._is_answering = True
        if not isinstance(response, Response) or response.timeout != Ellipsis:
            self._listen()
            await super()._send_response(send, response)
            return
        timer = asyncio.get_running_loop().call_later(self.send_seconds, self._give_up)
        try:
            if isinstance(response.response, DataBody):
                await self._send_whole(send, response)
            else:
                self._listen()
                await super()._send_response(send, response)
        finally:
            timer.cancel()

    async def _send_whole(self, send: ASGISendCallable, response: Response) -> None:
        body = cast("DataBody", response.response)
        head = {
            "type": "http.response.start",
            "status": response.status_code,
            "headers": encode_headers(response.headers),
        }
        await send(cast("ASGISendEvent", head))
        last = {"type": "http.response.body", "body": body.data[body.begin : body.end], "more_body": False}
        await send(cast("ASGISendEvent", last))
