"""Reads forms with files piece by piece as they arrive (RFC 7578)."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, NamedTuple

from quart import ResponseReturnValue, current_app, g, request
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.sansio.multipart import Data, Epilogue, Event, Field, File, MultipartDecoder, NeedData

from webapp.errors import PayloadTooLarge, RequestTimeout, UnsupportedMediaType, ValidationError
from webapp.http.auth.csrf import FIELD, check_origin, check_token
from webapp.http.body.admission import FREE_BYTES, UPLOAD_BYTES
from webapp.http.forms import Form

View = Callable[..., Awaitable[ResponseReturnValue]]
Read = Callable[[str, AsyncIterator[bytes]], Awaitable[bytes]]
MULTIPART = "multipart/form-data"
FILES_BYTES = UPLOAD_BYTES - FREE_BYTES
TOO_LARGE = f"the file is larger than {FILES_BYTES // 1024 // 1024} MB: split it and upload the parts"
MOST_PARTS = 50
FIELDS_BYTES = 16 * 1024  # of all fields
PIECE_SECONDS = 30  # without a byte; longer than the wait for a slot
UPLOAD_SECONDS = 600


class SentFile(NamedTuple):
    """A file of a form; the name is empty if none was chosen. Read its pieces before the next file."""

    field: str
    name: str
    pieces: AsyncIterator[bytes]


@dataclass
class Upload:
    """A page's form, with the fields before the files."""

    form: Form
    files: AsyncIterator[SentFile]

    async def first_file(self, missing: str) -> SentFile:
        """Raises ValidationError with the sentence `missing` if no file was chosen."""
        file = await anext(self.files, None)
        if file is None or not file.name:
            raise ValidationError.of("file", missing)
        return file


def takes_file(view: View) -> View:
    """Passes the form to the view as `upload`. Raises Forbidden, PayloadTooLarge, RequestTimeout, ValidationError."""

    @wraps(view)
    async def with_upload(*args: Any, **kwargs: Any) -> ResponseReturnValue:
        if request.mimetype != MULTIPART:  # no file was chosen, and `guard_forms` checked it like other forms
            return await view(*args, upload=Upload(await Form.sent(), _files(None)), **kwargs)
        check_origin()
        if "Transfer-Encoding" in request.headers:
            raise PayloadTooLarge("a form with a file must state its size")
        if (request.content_length or 0) > FILES_BYTES:
            raise PayloadTooLarge(TOO_LARGE)
        try:
            async with asyncio.timeout(UPLOAD_SECONDS):
                return await view(*args, upload=await _receive(), **kwargs)
        except TimeoutError:
            raise RequestTimeout("the file took too long to arrive") from None

    with_upload.takes_file = True  # type: ignore[attr-defined]  # tells permissions.py that the token is checked here
    return with_upload


async def receive_file(read: Read) -> tuple[str, bytes, dict[str, str]]:
    """The name of the file `file` of an API request, what `read` makes of it, and the fields, which have any order.

    Raises UnsupportedMediaType, PayloadTooLarge, RequestTimeout, ValidationError, and what `read` raises.
    """
    is_announced = request.content_length or "Transfer-Encoding" in request.headers or request.content_type
    if is_announced and request.mimetype != MULTIPART:
        raise UnsupportedMediaType(f"the request body must be {MULTIPART}")
    if not is_announced:
        raise ValidationError.at("file", "is required")
    parts = _Parts(request.mimetype_params.get("boundary", ""))
    upload: SentFile | None = None
    data = b""
    try:
        async with asyncio.timeout(current_app.config["BODY_TIMEOUT"]):
            async for file in parts.files():
                if file.field != "file" or upload is not None:
                    raise ValidationError.at("file", "must be one file, and the only one")
                upload, data = file, await read(file.name, file.pieces)
    except TimeoutError:
        raise RequestTimeout("the request body took too long to arrive") from None
    if upload is None or not upload.name:
        raise ValidationError.at("file", "is required")
    return upload.name, data, parts.fields


async def _receive() -> Upload:
    parts = _Parts(request.mimetype_params.get("boundary", ""))
    files = parts.files()
    first = await anext(files, None)
    check_token(g.get("visit"), parts.fields.get(FIELD, ""))
    return Upload(Form.of(parts.fields), _files(first, files))


async def _files(first: SentFile | None, others: AsyncIterator[SentFile] | None = None) -> AsyncIterator[SentFile]:
    if first is not None and others is not None:
        yield first
        async for file in others:
            yield file


class _Parts:
    """The parts of a form; `fields` has those that have arrived."""

    def __init__(self, boundary: str) -> None:
        if not boundary or not boundary.isascii():
            raise ValidationError("the form could not be read")
        self._decoder = MultipartDecoder(boundary.encode(), UPLOAD_BYTES, max_parts=MOST_PARTS)
        self._body = aiter(request.body)
        self.fields: dict[str, str] = {}

    async def files(self) -> AsyncIterator[SentFile]:
        """The files; unread pieces of a file are skipped."""
        name, size = "", 0
        while not isinstance(event := await self._next_event(), Epilogue):
            if isinstance(event, File):
                pieces = self._data_of_file()
                yield SentFile(event.name, event.filename, pieces)
                async for _ in pieces:
                    pass
            elif isinstance(event, Field):
                name = event.name
                self.fields[name] = ""
            elif isinstance(event, Data) and name:
                size += len(event.data)
                if size > FIELDS_BYTES:
                    raise PayloadTooLarge("the form has more fields than expected")
                self.fields[name] += event.data.decode(errors="replace")

    async def _next_event(self) -> Event:
        """The next field, file, or piece of data; Epilogue at the end. Raises ValidationError for a malformed form."""
        while True:
            try:
                event = self._decoder.next_event()
            except (ValueError, RequestEntityTooLarge):
                raise ValidationError("the form could not be read") from None
            if not isinstance(event, NeedData):
                return event
            self._decoder.receive_data(await self._more())

    async def _more(self) -> bytes | None:
        try:
            async with asyncio.timeout(PIECE_SECONDS):
                return await anext(self._body, None)
        except TimeoutError:
            raise RequestTimeout("the file took too long to arrive") from None
        except RequestEntityTooLarge:
            raise PayloadTooLarge(TOO_LARGE) from None

    async def _data_of_file(self) -> AsyncIterator[bytes]:
        is_over = False
        while not is_over:
            event = await self._next_event()
            if isinstance(event, Data) and event.data:
                yield event.data
            is_over = not isinstance(event, Data) or not event.more_data
