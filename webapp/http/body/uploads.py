"""Forms with a file, which is handed on piece by piece as it arrives (RFC 7578); its fields stand before the file."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from quart import ResponseReturnValue, g, request
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.sansio.multipart import Data, Epilogue, Event, Field, File, MultipartDecoder, NeedData

from webapp.errors import PayloadTooLarge, RequestTimeout, ValidationError
from webapp.http.auth.csrf import FIELD, check_token, check_upload, too_large
from webapp.http.body.admission import FREE_BYTES, UPLOAD_BYTES
from webapp.http.forms import Form

View = Callable[..., Awaitable[ResponseReturnValue]]
MOST_FIELDS = 20
FIELDS_BYTES = 16 * 1024  # of all fields before the file
PIECE_SECONDS = 30  # without a byte; longer than a turn is waited for
UPLOAD_SECONDS = 600


@dataclass
class Upload:
    form: Form
    file_name: str = ""
    pieces: AsyncIterator[bytes] | None = None


def takes_file(view: View) -> View:
    """Hands the view the form as `upload`. Raises Forbidden, PayloadTooLarge, RequestTimeout, ValidationError."""

    @wraps(view)
    async def with_upload(*args: Any, **kwargs: Any) -> ResponseReturnValue:
        if request.mimetype != "multipart/form-data":  # checked as every form: no file was chosen
            return await view(*args, upload=Upload(await Form.sent()), **kwargs)
        check_upload(UPLOAD_BYTES - FREE_BYTES)
        try:
            async with asyncio.timeout(UPLOAD_SECONDS):
                return await view(*args, upload=await _receive(), **kwargs)
        except TimeoutError:
            raise RequestTimeout("the file took too long to arrive") from None

    with_upload.takes_file = True  # type: ignore[attr-defined]  # read by permissions.py: the token is checked here
    return with_upload


async def _receive() -> Upload:
    parts = _Parts(request.mimetype_params.get("boundary", ""))
    fields: dict[str, str] = {}
    name, size = "", 0
    while not isinstance(event := await parts.next_event(), Epilogue | File):
        if isinstance(event, Field):
            name = event.name
            fields[name] = ""
        elif isinstance(event, Data) and name:
            size += len(event.data)
            if size > FIELDS_BYTES:
                raise PayloadTooLarge("the form has more fields than expected")
            fields[name] += event.data.decode(errors="replace")
    check_token(g.get("visit"), fields.get(FIELD, ""))
    if isinstance(event, File):
        return Upload(Form.of(fields), event.filename, parts.data_of_file())
    return Upload(Form.of(fields))


class _Parts:
    def __init__(self, boundary: str) -> None:
        if not boundary or not boundary.isascii():
            raise ValidationError("the form could not be read")
        self._decoder = MultipartDecoder(boundary.encode(), UPLOAD_BYTES, max_parts=MOST_FIELDS)
        self._body = aiter(request.body)

    async def next_event(self) -> Event:
        """The next field, file, or piece of their data; Epilogue at the end. ValidationError for what is no form."""
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
            raise too_large(UPLOAD_BYTES - FREE_BYTES) from None

    async def data_of_file(self) -> AsyncIterator[bytes]:
        is_over = False
        while not is_over:
            event = await self.next_event()
            if isinstance(event, Data) and event.data:
                yield event.data
            is_over = not isinstance(event, Data) or not event.more_data
