"""Attachments: names, types and contents."""

import contextlib
import mimetypes
import re
from binascii import a2b_base64
from io import BytesIO
from typing import Annotated, Any

from pydantic import AfterValidator, AliasChoices, BeforeValidator, Field, StringConstraints, WithJsonSchema
from pydantic.json_schema import SkipJsonSchema

from webapp.domain.inputs import OneLine, StrictInput
from webapp.sending.mime.headers import CONTENT_ID, CONTENT_TYPE, FILENAME_LIMIT

ATTACHMENTS = 20
ATTACHMENT_BYTES = 25 * 1024 * 1024  # decoded, of all attachments together
WHITESPACE = " \t\r\n"  # allowed in base64
PIECE = 256 * 1024  # characters of base64
DECEPTIVE = re.compile(r"[\u202a-\u202e\u2066-\u2069]")  # reverse text, so that gpj.exe reads exe.jpg
OCTET_STREAM = "application/octet-stream"
# Types of compressed files.
PACKED = {"gzip": "application/gzip", "bzip2": "application/x-bzip2", "xz": "application/x-xz"}


def _file_bytes(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return _base64(value)
    if isinstance(value, list) and set(map(type, value)) <= {int}:  # excludes bools
        with contextlib.suppress(ValueError):  # above 255
            return bytes(value)
    raise ValueError("must be base64 or an array of byte values")


def _base64(text: str) -> bytes:
    if len(text) * 3 // 4 > ATTACHMENT_BYTES * 1.1:
        raise ValueError(f"is larger than {ATTACHMENT_BYTES // 1024 // 1024} MiB")
    if any(white in text for white in WHITESPACE):
        text = text.translate(dict.fromkeys(map(ord, WHITESPACE)))
    if 0 <= text.find("=") < len(text) - 2:  # padding in the middle
        raise ValueError("is not base64")
    decoded = BytesIO()  # returns its content without a copy
    try:  # in pieces, because decoding blocks all threads
        for at in range(0, len(text), PIECE):
            decoded.write(a2b_base64(text[at : at + PIECE], strict_mode=True))
    except ValueError:
        raise ValueError("is not base64") from None
    return decoded.getvalue()


def _file_name(text: str) -> str:
    if "/" in text or "\\" in text or text.strip(". ") == "":
        raise ValueError("must be a file name without a path")
    if DECEPTIVE.search(text):
        raise ValueError("must not contain characters that change text direction")
    return text


def _content_type(text: str) -> str:
    if len(text) > FILENAME_LIMIT or not CONTENT_TYPE.fullmatch(text):
        raise ValueError("must be a content type like image/png")
    return text


def _content_id(text: str) -> str:
    bare = text.removeprefix("<").removesuffix(">")
    if not CONTENT_ID.fullmatch(bare):
        raise ValueError("must be 1 to 250 visible ASCII characters")
    return bare


def _no_path(value: Any) -> None:
    if value is not None:
        raise ValueError("is not supported: send the file as content instead of a URL")


class NewAttachment(StrictInput):
    """A file to send along; with a `content_id` the html can show it by `cid:`."""

    path: Annotated[SkipJsonSchema[None], BeforeValidator(_no_path)] = None  # first, so that its fault is
    filename: Annotated[
        str, StringConstraints(min_length=1, max_length=FILENAME_LIMIT), OneLine, AfterValidator(_file_name)
    ] = Field(description="The file name.")
    content: Annotated[
        bytes,
        BeforeValidator(_file_bytes),
        WithJsonSchema(
            {
                "anyOf": [
                    {"type": "string", "contentEncoding": "base64"},
                    {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 255}},
                ]
            }
        ),
    ] = Field(description="The file content, in base64 or as an array of byte values.")
    content_type: Annotated[str, OneLine, AfterValidator(_content_type)] | None = Field(
        default=None, description="The content type; guessed from the file name if omitted."
    )
    content_id: Annotated[str, OneLine, AfterValidator(_content_id)] | None = Field(
        default=None,
        validation_alias=AliasChoices("content_id", "inline_content_id"),
        description='Use it to show the file in the html: `<img src="cid:...">`.',
    )

    @property
    def type(self) -> str:
        if self.content_type:
            return self.content_type
        guessed, packing = mimetypes.guess_type(f"/{self.filename}")  # as a path, so that `data:` is not a URL
        return PACKED.get(packing, OCTET_STREAM) if packing else guessed or OCTET_STREAM


def _total(files: list[NewAttachment]) -> list[NewAttachment]:
    if sum(len(file.content) for file in files) > ATTACHMENT_BYTES:
        raise ValueError(f"must be at most {ATTACHMENT_BYTES // 1024 // 1024} MiB in total")
    return files


Attachments = Annotated[list[NewAttachment], Field(max_length=ATTACHMENTS), AfterValidator(_total)]
