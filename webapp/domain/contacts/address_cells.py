"""Email addresses in table cells: bare, with a name, as a link, or several in one cell."""

import re
from typing import NamedTuple
from urllib.parse import unquote

from webapp.addresses import shown

SEVERAL = ":::"  # between the addresses of a contact in exports of Google Contacts
LONGEST_CELL = 1_000  # characters; longer cells hold no addresses
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|<[^<>]*>|:::|[;,|\n]|[^"<:;,|\n]+|.')
ENDS = frozenset((SEVERAL, ";", ",", "|", "\n"))
LINK = re.compile(r"mailto:([^?<>()\s]*)(?:\?[^<>()\s]*)?", re.IGNORECASE)
BARE = re.compile(r"[a-zA-Z0-9_+.-]+@[a-zA-Z0-9.-]+[a-zA-Z0-9]")
NAME_FIRST = re.compile(r"([^()<>]*)[(<]+\s*([^()<>\s@]+@[^()<>\s@]+)\s*[)>]*")
NAME_LAST = re.compile(r"([^()<>\s@]+@[^()<>\s@]+)\s*\(([^()<>]*)\)")
WRAPPING = " \t\"'`<>\u201c\u201d\u2018\u2019"


class CellAddress(NamedTuple):
    name: str
    email: str  # as written, so it may be invalid


def addresses_in(cell: str) -> list[CellAddress]:
    """The addresses in a cell; text without any is returned for validation to reject."""
    if BARE.fullmatch(cell):  # the common case
        return [CellAddress("", cell)]
    text = shown(cell)
    if len(text) > LONGEST_CELL:
        return [CellAddress("", text)]
    bare = LINK.sub(lambda link: unquote(link[1]), text)
    return [_address(part) for part in _parts(bare)] or [CellAddress("", text)]


def _parts(text: str) -> list[str]:
    """The text around each address; text without @ belongs to the name before the next one."""
    parts, part = [], ""
    for token in TOKEN.findall(text):
        if token in ENDS and ("@" in part or not part.strip()):
            parts.append(part)
            part = ""
        else:
            part += token
    return [part for part in (*parts, part) if part.strip()]


def _address(part: str) -> CellAddress:
    text = part.strip(WRAPPING)
    if last := NAME_LAST.fullmatch(text):
        return CellAddress(last[2].strip(WRAPPING), last[1])
    if first := NAME_FIRST.fullmatch(text):
        return CellAddress(first[1].strip(WRAPPING), first[2])
    return CellAddress("", text.removesuffix("."))
