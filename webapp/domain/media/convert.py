"""Runs picture.py on an upload, within bounds of time, and few at once."""

import asyncio
import json
import sys
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from webapp.errors import ValidationError
from webapp.fair_slots import FairSlot, FairSlots, slot_of

SCRIPT = Path(__file__).with_name("picture.py")
AT_ONCE = 2  # each takes a core, and up to half a gigabyte
SECONDS = 30
BEGINNINGS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"RIFF")
KINDS = "a PNG, JPEG, GIF or WebP picture"
LOOKED_AT = 4096  # bytes in which an SVG begins

_slots: FairSlots[FairSlot] = FairSlots(AT_ONCE, most_each=1)


class Picture(NamedTuple):
    type: str
    width: int
    height: int
    data: bytes


async def convert(caller: UUID, name: str, data: bytes, widest: int) -> Picture:
    """The upload as a picture for emails, at most `widest` pixels wide (0: any). Raises ValidationError."""
    if not data.startswith(BEGINNINGS) or (data.startswith(b"RIFF") and data[8:12] != b"WEBP"):
        raise unfit(name, _other_kind(data))
    async with slot_of(_slots, caller):
        out = await _run(data, widest)
    if out is None:
        raise unfit(name, "takes too long to process. Scale it down and try again")
    head, _, rest = out.partition(b"\n")
    about = json.loads(head)
    if "fault" in about:
        raise unfit(name, about["fault"])
    return Picture(**about, data=rest)


def unfit(name: str, reason: str) -> ValidationError:
    return ValidationError.of("file", f"file: {name} {reason}")


def _other_kind(data: bytes) -> str:
    if not data:
        return "is empty"
    if b"<svg" in data[:LOOKED_AT].lower():
        return "is an SVG drawing, which most email programs don't show. Save it as a PNG"
    return f"is not {KINDS}"


async def _run(data: bytes, widest: int) -> bytes | None:
    """The output of the script, or None where it ran into a bound."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", str(SCRIPT), str(widest)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={},
    )
    try:
        async with asyncio.timeout(SECONDS):
            out, _ = await process.communicate(data)
    except TimeoutError:
        return None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return out if process.returncode == 0 else None
