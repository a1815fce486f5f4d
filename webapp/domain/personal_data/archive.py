"""The zip that a person downloads: the whole document as JSON, and each list as CSV."""

import json
from collections.abc import AsyncIterator
from tempfile import SpooledTemporaryFile
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from webapp.domain.csv_writer import BOM, csv_part
from webapp.domain.personal_data.export import Parts, contact_row, json_of
from webapp.models import Contact

IN_MEMORY, PIECE = 1024 * 1024, 64 * 1024  # bytes


async def zip_of(contact: Contact, parts: dict[str, Parts]) -> AsyncIterator[bytes]:
    with SpooledTemporaryFile(max_size=IN_MEMORY) as file:
        with ZipFile(file, "w", ZIP_DEFLATED) as archive:
            with archive.open("data.json", "w", force_zip64=True) as member:
                async for piece in json_of(contact, parts):
                    member.write(piece)
            tables: dict[str, Parts] = {"contact": lambda: _alone(contact_row(contact)), **parts}
            for name, read in tables.items():
                with archive.open(f"{name}.csv", "w", force_zip64=True) as member:
                    async for piece in _csv(read):
                        member.write(piece)
        file.seek(0)
        while piece := file.read(PIECE):
            yield piece


async def _alone(row: dict[str, Any]) -> AsyncIterator[list[dict[str, Any]]]:
    yield [row]


async def _csv(read: Parts) -> AsyncIterator[bytes]:
    has_head = False
    async for rows in read():
        if rows and not has_head:
            has_head = True
            yield BOM + await csv_part([list(rows[0])])
        yield await csv_part([[_cell(value) for value in row.values()] for row in rows])


def _cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, dict | list) else value
