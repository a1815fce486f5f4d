"""Reads HTML and MJML files that templates start from."""

from collections.abc import AsyncIterator
from pathlib import PurePath
from typing import NamedTuple

from webapp.domain.merge_tags.parser import SOURCE_LENGTH
from webapp.domain.merge_tags.rendering import is_html
from webapp.domain.templates.mjml import MJML_BYTES
from webapp.errors import ValidationError
from webapp.models.template import TemplateKind

KINDS = {".html": TemplateKind.HTML, ".htm": TemplateKind.HTML, ".mjml": TemplateKind.MJML}
NAME_LENGTH = 100  # characters


class Letter(NamedTuple):
    name: str
    kind: TemplateKind
    source: str


async def read_file(name: str, pieces: AsyncIterator[bytes]) -> Letter:
    """The text of an HTML or MJML file. Raises ValidationError for other files and for large ones."""
    path = PurePath(name.replace("\\", "/"))
    kind = KINDS.get(path.suffix.lower())
    if kind is None:
        raise _fault("must end in .html or .mjml")
    data = bytearray()
    async for piece in pieces:
        data += piece
        if len(data) > SOURCE_LENGTH:
            raise _fault(f"must be at most {SOURCE_LENGTH // 1000} KB")
    try:
        source = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise _fault("must be UTF-8 text") from None
    if "\0" in source:
        raise _fault("must be text")
    kind = TemplateKind.MJML if source.lstrip().lower().startswith("<mjml") else kind
    if not source.strip():
        raise _fault("is empty")
    if kind is TemplateKind.MJML and len(data) > MJML_BYTES:
        raise _fault(f"must be at most {MJML_BYTES // 1024} KB")
    if kind is TemplateKind.HTML and not is_html(source):
        raise _fault("must contain HTML")
    return Letter("".join(letter for letter in path.stem if letter.isprintable())[:NAME_LENGTH].strip(), kind, source)


def _fault(words: str) -> ValidationError:
    return ValidationError.at("file", words)
