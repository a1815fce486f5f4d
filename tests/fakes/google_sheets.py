"""Spreadsheets as the Sheets API tells of them: a title, tabs with rows of cells, and who may see them.

google.sheets.add("Readers", {"Sheet1": [["Email", "Name"], ["ann@example.org", "Ann"]]}, "ada@gmail.example")
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

SHEETS_SCOPE = "https://www.googleapis.com/auth/spreadsheets.readonly"
PLACE = re.compile(r"'((?:[^']|'')*)'!A([0-9]+):([A-Z]+)([0-9]+)")
SPARE_ROWS = 10  # a grid is larger than what is filled in


@dataclass
class FakeSheet:
    """A spreadsheet; `tabs` are rows of cells by title, in order."""

    id: str
    title: str
    tabs: dict[str, list[list[str]]]
    readers: tuple[str, ...]
    is_excel: bool = False

    @property
    def link(self) -> str:
        """What stands in the browser's address bar."""
        return f"https://docs.google.com/spreadsheets/d/{self.id}/edit?usp=sharing#gid=0"


@dataclass
class FakeSheets:
    """All spreadsheets, by their ids; `ranges` are those that were read."""

    by_id: dict[str, FakeSheet] = field(default_factory=dict)
    ranges: list[str] = field(default_factory=list)

    def add(self, title: str, tabs: dict[str, list[list[str]]], *readers: str, is_excel: bool = False) -> FakeSheet:
        """A new spreadsheet, shared with these people."""
        sheet = FakeSheet(f"1{len(self.by_id):0>42}Q", title, tabs, readers, is_excel)
        self.by_id[sheet.id] = sheet
        return sheet

    def answer(self, path: str, user: str, *, may_read: bool) -> tuple[int, bytes]:
        """The answer to GET."""
        spreadsheet_id, _, place = path.removeprefix("/v4/spreadsheets/").partition("/values/")
        if not may_read:
            reason = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "ACCESS_TOKEN_SCOPE_INSUFFICIENT"}
            return error(403, "PERMISSION_DENIED", "Request had insufficient authentication scopes.", [reason])
        sheet = self.by_id.get(spreadsheet_id)
        if sheet is None:
            return error(404, "NOT_FOUND", "Requested entity was not found.")
        if user not in sheet.readers:
            return error(403, "PERMISSION_DENIED", "The caller does not have permission")
        if sheet.is_excel:
            return error(400, "FAILED_PRECONDITION", "This operation is not supported for this document")
        return self._values(sheet, unquote(place)) if place else _description(sheet)

    def _values(self, sheet: FakeSheet, place: str) -> tuple[int, bytes]:
        found = PLACE.fullmatch(place)
        rows = sheet.tabs.get(found[1].replace("''", "'")) if found else None
        if found is None or rows is None:
            return error(400, "INVALID_ARGUMENT", f"Unable to parse range: {place}")
        first, last = int(found[2]), int(found[4])
        if last > len(rows) + SPARE_ROWS:
            return error(400, "INVALID_ARGUMENT", f"Range ({place}) exceeds grid limits.")
        self.ranges.append(place)
        part = rows[first - 1 : last]
        body: dict[str, Any] = {"range": place, "majorDimension": "ROWS"}
        return 200, json.dumps(body | ({"values": part} if part else {})).encode()


def _description(sheet: FakeSheet) -> tuple[int, bytes]:
    tabs: list[dict[str, Any]] = [{"sheetId": 99, "title": "Chart", "sheetType": "OBJECT"}]
    for number, (title, rows) in enumerate(sheet.tabs.items()):
        grid = {"rowCount": len(rows) + SPARE_ROWS, "columnCount": 26}
        tabs.append({"sheetId": number, "title": title, "sheetType": "GRID", "gridProperties": grid})
    sheets = [{"properties": tab} for tab in tabs]
    return 200, json.dumps({"properties": {"title": sheet.title}, "sheets": sheets}).encode()


def error(status: int, name: str, message: str, details: list[dict[str, str]] | None = None) -> tuple[int, bytes]:
    """An error as Google's newer interfaces tell it."""
    body = {"code": status, "message": message, "status": name, "details": details or []}
    return status, json.dumps({"error": body}).encode()
