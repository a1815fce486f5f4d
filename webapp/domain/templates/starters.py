"""What templates start from: the letters of the gallery (templates/starters/), or an HTML or MJML file."""

import tomllib
from collections.abc import AsyncIterator, Mapping
from pathlib import PurePath
from typing import Any, NamedTuple

from webapp.config import source_dir
from webapp.domain.merge_tags.parser import SOURCE_LENGTH
from webapp.domain.merge_tags.rendering import is_html
from webapp.domain.templates.brand import sample_letter
from webapp.domain.templates.mjml import MJML_BYTES
from webapp.domain.templates.preview import INVENTED
from webapp.errors import NotFound, ValidationError
from webapp.models import Organization
from webapp.models.template import TemplateKind

KEYS = ("letter", "newsletter", "announcement", "product", "event", "digest", "receipt", "password-reset")  # in order
KINDS = {".html": TemplateKind.HTML, ".htm": TemplateKind.HTML, ".mjml": TemplateKind.MJML}
FILE_NAME_LENGTH = 100  # characters


class Starter(NamedTuple):
    """A letter of the gallery, where alone `values` fill its merge tags."""

    key: str
    name: str
    about: str
    subject: str
    blocks: list[dict[str, Any]]
    values: Mapping[str, Any] = {}

    def as_fields(self) -> dict[str, Any]:
        return {"name": self.name, "subject": self.subject, "blocks": self.blocks}


FOLDER = source_dir("templates") / "starters"
STARTERS = [Starter(key, **tomllib.loads((FOLDER / f"{key}.toml").read_text("utf-8"))) for key in KEYS]


def find_starter(key: str) -> Starter:
    """Raises NotFound."""
    if key not in KEYS:
        raise NotFound
    return STARTERS[KEYS.index(key)]


async def starter_letter(org: Organization, starter: Starter) -> str:
    """The starter's HTML in the organization's brand, filled in for the gallery."""
    return await sample_letter(org, starter.blocks, {**INVENTED, **starter.values})


async def read_file(name: str, pieces: AsyncIterator[bytes]) -> dict[str, Any]:
    """The fields of a template with the text of a file. Raises ValidationError for other files and for large ones."""
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
    stem = "".join(letter for letter in path.stem if letter.isprintable())[:FILE_NAME_LENGTH].strip()
    return {"name": stem, "subject": "", "kind": kind, "mjml" if kind is TemplateKind.MJML else "body": source}


def _fault(words: str) -> ValidationError:
    return ValidationError.at("file", words)
