"""How much of requests' bodies a process holds at once, whoever sends how many of them how slowly.

What a connection may bring is taken off it step by step; what is not taken stays with its sender, because the server
reads no further. So a body that waits for its turn takes next to no memory.
"""

import asyncio
from functools import cached_property, partial
from urllib.parse import parse_qsl

from quart import Quart, Request
from quart.formparser import FormDataParser, ParserFunc
from quart.wrappers.request import Body
from werkzeug.datastructures import Headers, MultiDict
from werkzeug.exceptions import RequestEntityTooLarge

from webapp.errors import Busy, RequestTimeout
from webapp.http.auth.cookies import cookie_of
from webapp.http.body.slots import Turn, Turns
from webapp.http.error_pages import is_for_programs
from webapp.http.hosts import drop_bad_host

FREE_BYTES = 64 * 1024  # of every request
MIDDLE_BYTES = 1024 * 1024  # beyond this a body is large
MAX_BYTES = 40 * 1024 * 1024  # of sends; every other body of the API is held to less in body.py
FORM_BYTES = MIDDLE_BYTES
INLINE_BYTES = 8 * 1024  # of a form that is parsed in the loop
MOST_FIELDS = 2_000  # of a form
UPLOAD_PATHS = ("/imports",)  # where a page takes a file, which is kept as it arrives and is never whole in memory
UPLOAD_BYTES = 50 * MIDDLE_BYTES + FREE_BYTES
LARGE_AT_ONCE = 2  # each takes several times its size while it is parsed and kept
MIDDLE_AT_ONCE = 32
UPLOADS_AT_ONCE = 3
FORMS_AT_ONCE = 8  # apart: anybody may send one, and none of them may keep a program's body waiting
WAIT_SECONDS = 20.0  # for a turn; a body has 60 to arrive, this included
RETRY_SECONDS = 5


class BoundedBody(Body):
    """A body that may be refused while it arrives."""

    def refuse(self, error: Exception) -> None:
        """Let whoever reads on get this error."""
        self._must_raise = error
        self.set_complete()

    async def has_room(self) -> None:
        """Return when what has come so far is being worked on."""
        while len(self._data) > FREE_BYTES and not self._complete.is_set():
            self._taken.clear()
            await self._taken.wait()

    @cached_property
    def _taken(self) -> asyncio.Event:
        """Set when what has come is taken."""
        return asyncio.Event()

    async def __anext__(self) -> bytes:
        try:
            found = await super().__anext__()
        except StopAsyncIteration:
            if self._must_raise is not None:  # since it was waited for: what came is not the whole
                raise self._must_raise from None
            raise
        self._taken.set()
        return found


class ThreadedFormParser(FormDataParser):
    """Parses a large form beside the loop: a megabyte of escaped characters takes a tenth of a second."""

    def get_parse_func(self, mimetype: str, options: dict[str, str]) -> ParserFunc | None:
        """Raises RequestEntityTooLarge, as the others do, for a form of too many fields."""
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
    """A request whose body is no larger than what its door takes: a form less than a send."""

    body_class = BoundedBody
    form_data_parser_class = ThreadedFormParser
    body: BoundedBody

    def __init__(
        self,
        method: str,
        scheme: str,
        path: str,
        query_string: bytes,
        headers: Headers,
        *rest: object,
        **kwargs: object,
    ) -> None:
        kwargs["max_content_length"] = MAX_BYTES if is_for_programs(path) else FORM_BYTES
        # Every other body is waited for whole, so it must not wait for its pieces to be taken.
        has_files = headers.get("Content-Type", "").partition(";")[0].strip().lower() == "multipart/form-data"
        self.is_upload = method == "POST" and path in UPLOAD_PATHS and has_files
        if self.is_upload:
            kwargs["max_content_length"] = UPLOAD_BYTES
        drop_bad_host(headers)
        super().__init__(method, scheme, path, query_string, headers, *rest, **kwargs)  # type: ignore[arg-type]  # as it came


class Intake:
    """The turns of a process."""

    def __init__(self, wait_seconds: float = WAIT_SECONDS) -> None:
        """Let a body wait so long for its turn."""
        self.wait_seconds = wait_seconds
        self.large = Turns(LARGE_AT_ONCE)
        self.parsing = asyncio.Semaphore(1)  # of large ones: for a moment each is there three times and more
        self.middle = Turns(MIDDLE_AT_ONCE)
        self.forms = Turns(FORMS_AT_ONCE)
        self.uploads = Turns(UPLOADS_AT_ONCE)


def intake_of(app: Quart) -> Intake:
    """The turns of the process that this app is served by."""
    found: Intake = app.extensions.setdefault("intake", Intake())
    return found


class Share:
    """What one request has of them."""

    def __init__(self, intake: Intake, request: Request) -> None:
        """Nothing yet."""
        self._intake, self._request = intake, request
        self._is_large = (request.content_length or 0) > MIDDLE_BYTES
        self._body = request.body if getattr(request, "is_upload", False) else None
        self._middle = intake.middle if is_for_programs(request.path) else intake.forms
        self._turns: Turns | None = None
        self._turn: Turn | None = None

    async def make_room(self, received: int) -> None:
        """Return when more than `received` bytes may be taken off the connection. Raises Busy when that takes long.

        From then on its sender is waited for, until `come` is called: who is slow while others wait loses the turn, and
        gets RequestTimeout.
        """
        if received >= FREE_BYTES:
            await self._take_turn(self._needed(received))
            if isinstance(self._body, BoundedBody):
                await self._body.has_room()
        if self._turn is not None:
            self._turn.wait()

    def come(self, size: int) -> None:
        """So many bytes have been taken off the connection."""
        if self._turn is not None:
            self._turn.come(size)

    def _needed(self, received: int) -> Turns:
        if self._body is not None:
            return self._intake.uploads
        return self._intake.large if self._is_large or received >= MIDDLE_BYTES else self._middle

    async def _take_turn(self, needed: Turns) -> None:
        if self._turns is needed:
            return
        turn = self._new_turn()
        try:
            async with asyncio.timeout(self._intake.wait_seconds):
                await needed.acquire(turn)
        except TimeoutError:
            raise Busy("too many large bodies are arriving just now", RETRY_SECONDS) from None
        self.give_back()
        self._turns, self._turn = needed, turn

    def _new_turn(self) -> Turn:
        """One of the key or the session that the request shows; all strangers are one."""
        shown = self._request.headers.get("Authorization", "")
        return Turn(shown if is_for_programs(self._request.path) else cookie_of(self._request, "session"), self._end)

    def _end(self) -> None:
        if isinstance(self._request.body, BoundedBody):
            self._request.body.refuse(RequestTimeout("the body comes too slowly while others wait for their turn"))

    def give_back(self) -> None:
        """Let others have the turn."""
        if self._turns is not None and self._turn is not None:
            self._turns.release(self._turn)
            self._turns = self._turn = None
