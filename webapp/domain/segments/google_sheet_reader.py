"""Reads a Google Sheet with the authorization of one of the organization's accounts."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from webapp.config import settings
from webapp.domain.accounts import google_tokens
from webapp.models import Account
from webapp.sending.google.oauth import TokenRefused
from webapp.sending.google.sheets import SheetRefused, Sheets, Spreadsheet, Tab, Trouble
from webapp.sending.http_client import HttpClient
from webapp.sending.outcomes import Blame

T = TypeVar("T")


class SheetReader:
    def __init__(self, account: Account, http: HttpClient) -> None:
        self._account, self._http = account, http
        self._sheets = Sheets(http, settings().google.sheets_url)

    async def describe(self, spreadsheet_id: str) -> Spreadsheet:
        """The spreadsheet's title and tabs. Raises SheetRefused."""
        return await self._ask(lambda token: self._sheets.describe(token, spreadsheet_id))

    async def read(self, spreadsheet_id: str, tab: Tab, first: int, last: int) -> list[list[str]]:
        """The cells of the rows `first` to `last`, counted from 1. Raises SheetRefused, RowsTooLong."""
        return await self._ask(lambda token: self._sheets.read(token, spreadsheet_id, tab, first, last))

    async def _ask(self, ask: Callable[[str], Awaitable[T]]) -> T:
        try:
            token = await google_tokens.access_token(self._account, self._http)
            try:
                return await ask(token)
            except SheetRefused as refusal:
                if refusal.trouble is not Trouble.SIGN_IN:
                    raise
            return await ask(await google_tokens.refresh_after_rejection(self._account, self._http, token))
        except TokenRefused as refusal:
            trouble = Trouble.SIGN_IN if refusal.blame is Blame.MISCONFIGURED else Trouble.AWAY
            raise SheetRefused(str(refusal), trouble) from None


@asynccontextmanager
async def reading(account: Account) -> AsyncIterator[SheetReader]:
    http = HttpClient()
    try:
        yield SheetReader(account, http)
    finally:
        await http.close()


def tab_of(spreadsheet: Spreadsheet, title: str | None) -> Tab:
    """The tab with this title, or the first without one. Raises SheetRefused that names the existing tabs."""
    if not spreadsheet.tabs:
        raise SheetRefused(f"{spreadsheet.title} has no tab with cells", Trouble.UNREADABLE)
    found = next((tab for tab in spreadsheet.tabs if title is None or tab.title == title), None)
    if found is None:
        names = ", ".join(tab.title for tab in spreadsheet.tabs[:10])
        raise SheetRefused(f"{spreadsheet.title} has no tab called {title}; there is {names}", Trouble.UNREADABLE)
    return found
