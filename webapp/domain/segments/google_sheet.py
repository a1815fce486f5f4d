"""Links segments to Google Sheets, whose rows become contacts of the segment."""

import re
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime, timedelta
from typing import Annotated, Self, TypeVar
from uuid import UUID

from pydantic import Field, StringConstraints

from webapp import clock, db
from webapp.config import settings
from webapp.domain.accounts import oauth_tokens
from webapp.domain.audit.audit import AuditAction, record
from webapp.domain.contacts.contacts import check_static
from webapp.domain.inputs import Id, Input, OneLine
from webapp.domain.plans import limits
from webapp.errors import NotFound, ValidationError
from webapp.models import Account, Organization, Segment, SegmentSheet
from webapp.models.account import ProviderType
from webapp.queue import Job, enqueue
from webapp.sending.google.sheets import SheetRefused, Sheets, Spreadsheet, Tab, Trouble
from webapp.sending.http_client import HttpClient
from webapp.sending.oauth import TokenRefused
from webapp.sending.outcomes import Blame

T = TypeVar("T")

ID = r"[A-Za-z0-9_-]{20,128}"
LINK = re.compile(rf"https?://docs\.google\.com/spreadsheets/(?:u/\d+/)?d/({ID})(?:[/?#].*)?")
GID = re.compile(r"[#?&]gid=(\d{1,10})(?!\d)")
CLOCK_SKEW = timedelta(minutes=1)
MAX_ACCOUNTS = 100


class NewSheet(Input):
    sheet: Annotated[str, StringConstraints(max_length=2_000), OneLine] = Field(description="The sheet's link or ID.")
    account_id: Id = Field(description="The account to read the sheet with.")
    tab: Annotated[str, StringConstraints(max_length=255), OneLine] | None = Field(
        default=None, description="The tab. Default: the tab in the link, or the first tab."
    )


class ScopeMissing(ValidationError):
    """The account's owner has not granted access to sheets."""


class SheetReader:
    def __init__(self, account: Account) -> None:
        self._account, self._http = account, HttpClient()
        self._sheets = Sheets(self._http, settings().google.sheets_url)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def describe(self, spreadsheet_id: str) -> Spreadsheet:
        """Raises SheetRefused."""
        return await self._ask(lambda token: self._sheets.describe(token, spreadsheet_id))

    async def read(self, spreadsheet_id: str, tab: Tab, first: int, last: int) -> list[list[str]]:
        """The cells of rows `first` to `last`, from 1. Raises SheetRefused, TooLong."""
        return await self._ask(lambda token: self._sheets.read(token, spreadsheet_id, tab, first, last))

    async def _ask(self, ask: Callable[[str], Awaitable[T]]) -> T:
        try:
            token = await oauth_tokens.access_token(self._account, self._http)
            try:
                return await ask(token)
            except SheetRefused as refusal:
                if refusal.trouble is not Trouble.SIGN_IN:
                    raise
            return await ask(await oauth_tokens.access_token(self._account, self._http, refused=token))
        except TokenRefused as refusal:
            trouble = Trouble.SIGN_IN if refusal.blame is Blame.MISCONFIGURED else Trouble.AWAY
            raise SheetRefused(str(refusal), trouble) from None


def tab_of(spreadsheet: Spreadsheet, title: str | None) -> Tab:
    """The tab with this title, or the first. Raises SheetRefused naming the existing tabs."""
    if not spreadsheet.tabs:
        raise SheetRefused(f"{spreadsheet.title} has no tabs with data", Trouble.UNREADABLE)
    match = next((tab for tab in spreadsheet.tabs if title is None or tab.title == title), None)
    if match is None:
        names = ", ".join(tab.title for tab in spreadsheet.tabs[:10])
        raise SheetRefused(f"{spreadsheet.title} has no tab named {title}; its tabs are {names}", Trouble.UNREADABLE)
    return match


async def google_accounts(org: Organization) -> list[Account]:
    return await Account.of(org).filter(provider_type=ProviderType.GOOGLE).order_by("name", "id").limit(MAX_ACCOUNTS)


async def sheet_of(org: Organization, segment: Segment) -> SegmentSheet | None:
    return await SegmentSheet.of(org).get_or_none(segment_id=segment.id)


async def following(org: Organization, segments: Iterable[Segment]) -> set[UUID]:
    rows = SegmentSheet.of(org).filter(segment_id__in=[segment.id for segment in segments])
    return {sheet.segment_id for sheet in await rows.only("id", "segment_id")}


async def find_sheet(org: Organization, segment: Segment) -> SegmentSheet:
    """Raises NotFound."""
    sheet = await sheet_of(org, segment)
    if sheet is None:
        raise NotFound
    return sheet


async def follow_sheet(org: Organization, segment: Segment, data: NewSheet) -> SegmentSheet:
    """Links the segment and has it read now. Raises ScopeMissing, Conflict, PlanLimitExceeded, ValidationError."""
    check_static(segment)
    text = data.sheet.strip()
    link, gid = LINK.fullmatch(text), GID.search(text)
    if link is None and not re.fullmatch(ID, text):
        words = "Enter a Google Sheet link, like https://docs.google.com/spreadsheets/d/…/edit"
        raise ValidationError.of("sheet", words)
    spreadsheet_id = link[1] if link else text
    async with db.write_transaction():
        await limits.require(org, "allow_google_sheet_sync")
    account = await Account.of(org).get_or_none(id=data.account_id, provider_type=ProviderType.GOOGLE)
    if account is None:
        raise ValidationError.of("account_id", "Google account not found. Choose another one.")
    try:
        async with SheetReader(account) as reader:
            spreadsheet = await reader.describe(spreadsheet_id)
    except SheetRefused as refusal:
        if refusal.trouble is Trouble.SCOPE:
            raise ScopeMissing(f"{account.name} can't read sheets yet. Grant access first.") from None
        field = "account_id" if refusal.trouble is Trouble.SIGN_IN else "sheet"
        raise ValidationError.of(field, str(refusal)) from None
    tab = data.tab
    if tab is None and gid is not None:
        tab = next((item.title for item in spreadsheet.tabs[1:] if item.gid == int(gid[1])), None)
    try:
        tab_of(spreadsheet, tab)
    except SheetRefused as refusal:
        raise ValidationError.of("tab" if tab else "sheet", str(refusal)) from None
    return await _save(org, segment, account, spreadsheet_id, spreadsheet.title, tab)


async def _save(
    org: Organization, segment: Segment, account: Account, spreadsheet_id: str, title: str, tab: str | None
) -> SegmentSheet:
    async with db.write_transaction():
        await limits.require(org, "allow_google_sheet_sync")
        if not await Segment.lock_many(org, [segment.id]):
            raise NotFound
        sheet = await sheet_of(org, segment) or SegmentSheet(org_id=org.id, segment_id=segment.id)
        before = sheet.title
        sheet.update_from_dict(
            {
                "account_id": account.id,
                "spreadsheet_id": spreadsheet_id,
                "title": title[:255],
                "tab": tab,
                "next_sync_at": _at_once(),
                "lease_until": None,
                "last_error": None,
                "report": None,
            }
        )
        await sheet.save()
        detail = sheet.title if before in (None, sheet.title) else [before, sheet.title]
        await record(
            org, AuditAction.SHEET_FOLLOWED, segment.id, segment.name, sheet=detail, tab=tab, account=account.name
        )
        enqueue(Job.READ_SHEETS, sheet.id)
    return sheet


def _at_once() -> datetime:
    """A time in the past by any clock, because workers use the database's."""
    return clock.now() - CLOCK_SKEW


async def read_soon(sheet: SegmentSheet) -> None:
    """Has a worker read the sheet now, unless one is reading it. Raises NotFound if it was unlinked."""
    async with db.write_transaction():
        if not await sheet.save_if_current(next_sync_at=_at_once()):
            raise NotFound
        enqueue(Job.READ_SHEETS, sheet.id)


async def read_again(account: Account) -> None:
    for sheet in await SegmentSheet.refused(account.org_id, account.id):
        await read_soon(sheet)


async def unlink(org: Organization, segment: Segment) -> None:
    """Keeps the segment's members."""
    async with db.write_transaction():
        sheet = await sheet_of(org, segment)
        if sheet is not None and await SegmentSheet.of(org).filter(id=sheet.id).delete():
            await record(org, AuditAction.SHEET_LEFT, segment.id, segment.name, sheet=sheet.title)
