"""Reads Google Sheets (developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets)."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from webapp.sending.google.gmail import read_error
from webapp.sending.http_client import HttpClient, HttpResponse, NoAnswer, TooLong, object_of, objects_of
from webapp.sending.outcomes import PERMANENT, SUCCESS, clean, clean_text

READ_SCOPE = "https://www.googleapis.com/auth/spreadsheets.readonly"
SECONDS = 5.0  # for an answer
MOST_COLUMNS = 200
LETTERS = 26
LONGEST_WORDS = 200  # characters of Google's message
FIELDS = "properties.title,sheets.properties(sheetId,title,sheetType,gridProperties(rowCount,columnCount))"


class Trouble(StrEnum):
    SIGN_IN = "sign_in"  # Google rejected the access token
    SCOPE = "scope"  # the person has not granted access to sheets
    DENIED = "denied"  # the sheet is not shared with the person
    MISSING = "missing"
    UNREADABLE = "unreadable"  # not a sheet, or without a table of contacts
    OPERATOR = "operator"  # the server's Google client is misconfigured
    BUSY = "busy"  # rate limited
    AWAY = "away"

    @property
    def passes(self) -> bool:
        return self in (Trouble.BUSY, Trouble.AWAY)


FORBIDDEN = 403
KNOWN = {
    401: (Trouble.SIGN_IN, "Google rejected the account's sign-in"),
    404: (Trouble.MISSING, "No Google Sheet found at this link"),
    408: (Trouble.AWAY, "Google Sheets took too long"),
    429: (Trouble.BUSY, "too many requests to Google Sheets"),
}


class SheetRefused(Exception):
    """The spreadsheet could not be read; the message is a sentence without a full stop."""

    def __init__(self, words: str, trouble: Trouble) -> None:
        super().__init__(words)
        self.trouble = trouble


class Tab(NamedTuple):
    gid: int
    title: str
    rows: int
    columns: int


class Spreadsheet(NamedTuple):
    title: str
    tabs: list[Tab]


class Sheets:
    def __init__(self, http: HttpClient, api_url: str) -> None:
        self._http, self._api_url = http, api_url

    async def describe(self, token: str, spreadsheet_id: str) -> Spreadsheet:
        """Raises SheetRefused."""
        try:
            spreadsheet = await self._get(
                token, f"/v4/spreadsheets/{quote(spreadsheet_id, safe='')}", {"fields": FIELDS}
            )
        except TooLong:
            raise SheetRefused("Google's response about the sheet is too long", Trouble.UNREADABLE) from None
        tabs = [_tab(sheet.get("properties")) for sheet in objects_of(spreadsheet.get("sheets"))]
        title = object_of(spreadsheet.get("properties")).get("title")
        return Spreadsheet(clean(str(title or "Untitled")), [tab for tab in tabs if tab is not None])

    async def read(self, token: str, spreadsheet_id: str, tab: Tab, first: int, last: int) -> list[list[str]]:
        """The cells as displayed; `first` and `last` are row numbers from 1. Raises SheetRefused, TooLong."""
        letters = column_letters(min(max(tab.columns, 1), MOST_COLUMNS))
        title = tab.title.replace("'", "''")
        cells = quote(f"'{title}'!A{first}:{letters}{last}", safe="")
        path = f"/v4/spreadsheets/{quote(spreadsheet_id, safe='')}/values/{cells}"
        query = {"majorDimension": "ROWS", "valueRenderOption": "FORMATTED_VALUE"}
        rows = (await self._get(token, path, query)).get("values")
        return [
            ["" if cell is None else clean_text(str(cell)) for cell in row] if isinstance(row, list) else []
            for row in (rows if isinstance(rows, list) else [])
        ]

    async def _get(self, token: str, path: str, query: Mapping[str, str]) -> Mapping[str, Any]:
        headers = {b"Authorization": b"Bearer " + token.encode(), b"Accept": b"application/json"}
        try:
            answer = await self._http.ask(f"{self._api_url}{path}?{urlencode(query)}", headers, within=SECONDS)
        except TooLong:
            raise
        except NoAnswer as error:
            raise SheetRefused(str(error), Trouble.AWAY) from None
        if answer.status not in SUCCESS:
            raise refusal_of(answer)
        return answer.json()


def column_letters(number: int) -> str:
    letters = ""
    while number:
        number, rest = divmod(number - 1, LETTERS)
        letters = chr(ord("A") + rest) + letters
    return letters


def _tab(properties: object) -> Tab | None:
    """None for a tab without cells, such as a chart."""
    described = object_of(properties)
    if described.get("sheetType", "GRID") != "GRID":
        return None
    grid = object_of(described.get("gridProperties"))
    sizes = (described.get("sheetId"), grid.get("rowCount"), grid.get("columnCount"))
    gid, rows, columns = (number if isinstance(number, int) else 0 for number in sizes)
    return Tab(gid, str(described.get("title", "")), rows, columns)


def refusal_of(answer: HttpResponse) -> SheetRefused:
    reasons, message = read_error(answer)
    message = clean(message)[:LONGEST_WORDS]
    trouble, words = Trouble.UNREADABLE, f"Google couldn't read it ({answer.status} {message})"
    if answer.status == FORBIDDEN:
        trouble, words = Trouble.DENIED, "the sheet is not shared with this account"
        if "ACCESS_TOKEN_SCOPE_INSUFFICIENT" in reasons or "authentication scopes" in message:
            trouble, words = Trouble.SCOPE, "this account doesn't have permission to read Google Sheets yet"
        elif "SERVICE_DISABLED" in reasons:
            trouble, words = Trouble.OPERATOR, "the Google Sheets API isn't enabled for this server's Google client"
    elif answer.status in KNOWN:
        trouble, words = KNOWN[answer.status]
    elif answer.status in PERMANENT:
        trouble, words = Trouble.AWAY, f"Google Sheets returned {answer.status}"
    elif "FAILED_PRECONDITION" in reasons:
        words = "this isn't a Google Sheet: save the Excel file as one first"
    return SheetRefused(words, trouble)
