"""Bounds the memory for request bodies: beyond FREE_BYTES, a body is read only once it has a slot."""

import asyncio
from functools import cached_property, partial
from time import monotonic
from typing import Any
from urllib.parse import parse_qsl

from quart import Quart, Request
from quart.formparser import FormDataParser, ParserFunc
from quart.wrappers.request import Body
from werkzeug.datastructures import Headers, MultiDict
from werkzeug.exceptions import RequestEntityTooLarge

from webapp.errors import Busy, RequestTimeout
from webapp.fair_slots import FairSlot, FairSlots
from webapp.http.auth.cookies import read_cookie
from webapp.http.hosts import drop_bad_host
from webapp.http.paths import is_api_path

FREE_BYTES = 64 * 1024  # of every request, read without a slot
MIDDLE_BYTES = 1024 * 1024  # beyond this a body is large
MAX_BYTES = 40 * 1024 * 1024  # of sends; json_body.py has lower limits for other bodies of the API
FORM_BYTES = MIDDLE_BYTES
INLINE_BYTES = 8 * 1024  # of a form; larger ones are parsed in a thread
MOST_FIELDS = 2_000  # of a form
# Paths that accept files, which are processed as they arrive.
UPLOAD_PATHS = ("/imports", "/suppressions/import", "/media", "/media/choices", "/v1/media", "/api/v1/media")
UPLOAD_BYTES = 50 * MIDDLE_BYTES + FREE_BYTES
LARGE_AT_ONCE = 2  # each takes several times its size while it is parsed
MIDDLE_AT_ONCE = 32
UPLOADS_AT_ONCE = 3
FORMS_AT_ONCE = 8  # separate, because people without an account may send forms, which must not delay the API
WAIT_SECONDS = 20.0  # for a slot; a body has 60 s to arrive, including this wait
RETRY_SECONDS = 5
POLL_SECONDS = 1.0  # between two searches for a slow sender that others wait for
PATIENCE_SECONDS = 5.0  # before a sender counts as slow
SLOW_BYTES = 256 * 1024  # a second


class BoundedBody(Body):
    def refuse(self, error: Exception) -> None:
        self._must_raise = error
        self.set_complete()

    @property
    def is_whole(self) -> bool:
        return self._complete.is_set()

    async def has_room(self) -> None:
        while len(self._data) > FREE_BYTES and not self._complete.is_set():
            self._consumed.clear()
            await self._consumed.wait()

    @cached_property
    def _consumed(self) -> asyncio.Event:
        return asyncio.Event()

    async def __anext__(self) -> bytes:
        try:
            piece = await super().__anext__()
        except StopAsyncIteration:
            if self._must_raise is not None:  # refused during the wait, so the body is incomplete
                raise self._must_raise from None
            raise
        self._consumed.set()
        return piece


class ThreadedFormParser(FormDataParser):
    """Parses large forms in a thread, because a megabyte of escaped characters takes a tenth of a second."""

    def get_parse_func(self, mimetype: str, options: dict[str, str]) -> ParserFunc | None:
        """The parser raises RequestEntityTooLarge for too many fields."""
        is_form = mimetype == "application/x-www-form-urlencoded"
        return _parse_form if is_form else super().get_parse_func(mimetype, options)


async def _parse_form(
    _parser: FormDataParser, body: Body, _mimetype: str, _length: int | None, _options: dict[str, str]
) -> tuple[MultiDict[str, str], MultiDict[str, str]]:
    data = (await body).decode()
    if data.count("&") >= MOST_FIELDS:
        raise RequestEntityTooLarge
    parse = partial(parse_qsl, data, keep_blank_values=True)
    return MultiDict(parse() if len(data) <= INLINE_BYTES else await asyncio.to_thread(parse)), MultiDict()


class BoundedRequest(Request):
    body_class = BoundedBody
    form_data_parser_class = ThreadedFormParser
    body: BoundedBody

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        method, _, path, _, headers, *_ = args
        kwargs["max_content_length"] = MAX_BYTES if is_api_path(path) else FORM_BYTES
        # Views wait for other bodies to be complete, so these must not wait for the view to read them.
        self.is_upload = method == "POST" and path in UPLOAD_PATHS and _has_files(headers)
        if self.is_upload:
            kwargs["max_content_length"] = UPLOAD_BYTES
        drop_bad_host(headers)
        super().__init__(*args, **kwargs)


def _has_files(headers: Headers) -> bool:
    return headers.get("Content-Type", "").partition(";")[0].strip().lower() == "multipart/form-data"


class BodyLease(FairSlot):
    """A slot for a request's body; the caller is the key or session, and requests without one share a caller."""

    def __init__(self, admission: "BodyAdmission", request: BoundedRequest) -> None:
        self._admission, self._request = admission, request
        self._is_program = is_api_path(request.path)
        key = request.headers.get("Authorization", "")
        super().__init__(key if self._is_program else read_cookie("session", request=request))
        self._slots: BodySlots | None = None
        self._received, self._waited = 0, 0.0
        self._waits_since: float | None = None

    async def wait_for_room(self) -> None:
        """Waits until more may be read from the connection; never returns if the request is refused as Busy."""
        if self._received >= FREE_BYTES:
            needed = self._needed_slots()
            if self._slots is not needed:
                await self._acquire(needed)
            if self._request.is_upload:
                await self._request.body.has_room()
        self._waits_since = monotonic()

    def _needed_slots(self) -> "BodySlots":
        if self._request.is_upload:
            return self._admission.uploads
        if not self._is_program:
            return self._admission.forms
        size = max(self._request.content_length or 0, self._received + 1)
        return self._admission.large if size > MIDDLE_BYTES else self._admission.middle

    async def _acquire(self, needed: "BodySlots") -> None:
        try:
            async with asyncio.timeout(self._admission.wait_seconds):
                await needed.acquire(self)
        except TimeoutError:
            self._request.body.refuse(Busy("the server is busy with other large requests; try again", RETRY_SECONDS))
            await asyncio.Event().wait()  # until the response is sent, which cancels this task
        self.release()
        self._slots = needed

    def record(self, size: int) -> None:
        self._received += size
        if self._waits_since is not None:
            self._waited += monotonic() - self._waits_since
            self._waits_since = None

    @property
    def lag(self) -> float:
        """Seconds for which the sender was waited for, beyond what everybody may take."""
        if self._waits_since is None:
            return 0.0
        return self._waited + monotonic() - self._waits_since - max(PATIENCE_SECONDS, self._received / SLOW_BYTES)

    def revoke(self) -> None:
        self.release()
        self._request.body.refuse(RequestTimeout("the request body is arriving too slowly on a busy server"))

    def release(self) -> None:
        if self._slots is not None:
            self._slots.release(self)


class BodySlots(FairSlots[BodyLease]):
    async def _until(self, granted: "asyncio.Future[None]") -> None:
        while not granted.done():
            await asyncio.wait({granted}, timeout=POLL_SECONDS)
            if not granted.done() and self.locked():
                slowest = max(self._held, key=lambda lease: lease.lag)
                if slowest.lag > 0:
                    slowest.revoke()


class BodyAdmission:
    def __init__(self, wait_seconds: float = WAIT_SECONDS) -> None:
        self.wait_seconds = wait_seconds
        self.large = BodySlots(LARGE_AT_ONCE)
        self.parsing = asyncio.Semaphore(1)  # of large bodies, which take three times their size and more meanwhile
        # A slot is released after the response, which may take seconds if a letter is hard to compile.
        self.middle = BodySlots(MIDDLE_AT_ONCE, limit_each=MIDDLE_AT_ONCE // 2)
        self.forms = BodySlots(FORMS_AT_ONCE, limit_each=FORMS_AT_ONCE // 2)
        self.uploads = BodySlots(UPLOADS_AT_ONCE)


def body_admission(app: Quart) -> BodyAdmission:
    admission: BodyAdmission = app.extensions.setdefault("body_admission", BodyAdmission())
    return admission
