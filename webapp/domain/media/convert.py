"""Runs picture.py on uploads within bounds, few at a time; a PDF is recognized by its bytes and stays as it is."""

import json
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from webapp.bounded_process import BoundedScript
from webapp.errors import ValidationError
from webapp.models.media import PDF

MIB = 1024 * 1024
# Memory for three copies of the largest frame and for libraries; most take up to half a gigabyte.
SCRIPT = BoundedScript(
    Path(__file__).with_name("picture.py"), memory_bytes=1536 * MIB, cpu_seconds=20, output_bytes=64 * MIB
)
BEGINNINGS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"RIFF")
KINDS = "a PNG, JPEG, GIF or WebP image"
PDF_START, PDF_END = b"%PDF-", b"%%EOF"
PDF_TAIL = 1024  # bytes that readers search for the end (ISO 32000-1, annex H)
LOOKED_AT = 4096  # bytes searched for the start of an SVG


class Picture(NamedTuple):
    """A file for the library; a PDF's width and height are 0."""

    type: str
    width: int
    height: int
    data: bytes


async def convert(caller: UUID, name: str, data: bytes, widest: int, *, takes_pdf: bool) -> Picture:
    """Converts an upload to at most `widest` pixels (0: any). Raises ValidationError, ServiceUnavailable."""
    if takes_pdf and data.startswith(PDF_START):
        return _pdf(name, data)
    if not data.startswith(BEGINNINGS) or (data.startswith(b"RIFF") and data[8:12] != b"WEBP"):
        raise unfit(name, _other_kind(data, KINDS + (" or a PDF" if takes_pdf else "")))
    out = await SCRIPT.run(caller, str(widest), data=data)
    if out is None:
        raise unfit(name, "takes too long to process. Scale it down and try again")
    head, _, content = out.partition(b"\n")
    about = json.loads(head)
    if "fault" in about:
        raise unfit(name, about["fault"])
    return Picture(**about, data=content)


def _pdf(name: str, data: bytes) -> Picture:
    """Reads the two ends alone, because a parser of PDF would be an attack surface. Raises ValidationError."""
    if not data[len(PDF_START) : len(PDF_START) + 1].isdigit() or PDF_END not in data[-PDF_TAIL:]:
        raise unfit(name, "is damaged or cut off. Save it again and upload that")
    return Picture(PDF, 0, 0, data)


async def colors_of(caller: UUID, data: bytes) -> list[tuple[int, tuple[int, int, int, int]]]:
    """Counts the colours of a library file, scaled down; empty if it cannot be read."""
    out = await SCRIPT.run(caller, "colors", data=data)
    colors: list[tuple[int, tuple[int, int, int, int]]] = json.loads(out or b"{}").get("colors", [])
    return colors


def unfit(name: str, reason: str) -> ValidationError:
    return ValidationError.about("file", f"{name} {reason}")


def _other_kind(data: bytes, kinds: str) -> str:
    if not data:
        return "is empty"
    if b"<svg" in data[:LOOKED_AT].lower():
        return "is an SVG drawing, which most email programs don't show. Save it as a PNG"
    if data.startswith(PDF_START):
        return f"is a PDF, not {kinds}"
    return f"is not {kinds}"
