"""Links segments to Google Sheets: each row of the sheet becomes a contact of the segment."""

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Annotated, NamedTuple
from uuid import UUID

from pydantic import Field, StringConstraints

from webapp import clock, db
from webapp.domain.audit.audit import AuditAction, record
from webapp.domain.inputs import Id, Input, OneLine
from webapp.domain.plans import limits
from webapp.domain.plans.plans import plan_named
from webapp.domain.segments.google_sheet_reader import reading, tab_of
from webapp.errors import NotFound, ValidationError
from webapp.models import Account, Organization, Segment, SegmentSheet
from webapp.models.account import ProviderType
from webapp.queue import Job, enqueue
from webapp.sending.google.sheets import SheetRefused, Spreadsheet, Trouble

ID = r"[A-Za-z0-9_-]{20,128}"
LINK = re.compile(rf"https?://docs\.google\.com/spreadsheets/(?:u/\d+/)?d/({ID})(?:[/?#].*)?")
GID = re.compile(r"[#?&]gid=(\d{1,10})(?!\d)")
OF_THE_ACCOUNT = (Trouble.SCOPE, Trouble.SIGN_IN)
CLOCK_SKEW = timedelta(minutes=1)
MAX_ACCOUNTS = 100


class NewSheet(Input):
    sheet: Annotated[str, StringConstraints(max_length=2_000), OneLine] = Field(description="The sheet's link or id.")
    account_id: Id = Field(description="The account that may read it.")
    tab: Annotated[str, StringConstraints(max_length=255), OneLine] | None = Field(
        default=None, description="The tab; without one the one that the link leads to, else the first."
    )


class ScopeMissing(ValidationError):
    """The account's owner has not granted access to sheets."""


class _Link(NamedTuple):
    spreadsheet_id: str
    gid: int | None


def is_allowed(org: Organization) -> bool:
    return plan_named(org.plan).allow_google_sheet_sync


async def google_accounts(org: Organization) -> list[Account]:
    return await Account.of(org).filter(provider_type=ProviderType.GOOGLE).order_by("name", "id").limit(MAX_ACCOUNTS)


async def sheet_of(org: Organization, segment: Segment) -> SegmentSheet | None:
    return await SegmentSheet.of(org).get_or_none(segment_id=segment.id)


async def following(org: Organization, segments: Iterable[Segment]) -> set[UUID]:
    rows = SegmentSheet.of(org).filter(segment_id__in=[segment.id for segment in segments])
    return {sheet.segment_id for sheet in await rows.only("id", "segment_id")}


async def find_sheet(org: Organization, segment: Segment) -> SegmentSheet:
    """The segment's sheet. Raises NotFound."""
    sheet = await sheet_of(org, segment)
    if sheet is None:
        raise NotFound
    return sheet


async def follow_sheet(org: Organization, segment: Segment, data: NewSheet) -> SegmentSheet:
    """Links the segment to a sheet, replacing an earlier one; a worker reads it at once.

    Raises ValidationError for the field that is wrong, ScopeMissing, NotFound, PlanLimitExceeded.
    """
    link = _read_link(data.sheet)
    async with db.write_transaction():
        await limits.require_sheet_sync(org)
    account = await Account.of(org).get_or_none(id=data.account_id, provider_type=ProviderType.GOOGLE)
    if account is None:
        raise NotFound("account_id names no Google account of this organization")
    spreadsheet = await _describe(account, link)
    return await _save(org, segment, account, link, spreadsheet.title, _tab(spreadsheet, link, data.tab))


def _read_link(text: str) -> _Link:
    text = text.strip()
    found = LINK.fullmatch(text)
    if found is None and not re.fullmatch(ID, text):
        words = "sheet must be the link of a Google Sheet, like https://docs.google.com/spreadsheets/d/…/edit"
        raise ValidationError.of("sheet", words)
    gid = GID.search(text)
    return _Link(found[1] if found else text, int(gid[1]) if gid else None)


async def _describe(account: Account, link: _Link) -> Spreadsheet:
    try:
        async with reading(account) as reader:
            return await reader.describe(link.spreadsheet_id)
    except SheetRefused as refusal:
        if refusal.trouble is Trouble.SCOPE:
            raise ScopeMissing(f"{account.name} may not read sheets yet: Google has to ask its owner first.") from None
        field = "account_id" if refusal.trouble in OF_THE_ACCOUNT else "sheet"
        raise ValidationError.of(field, str(refusal)) from None


def _tab(spreadsheet: Spreadsheet, link: _Link, title: str | None) -> str | None:
    if title is None:
        linked = [tab.title for tab in spreadsheet.tabs if tab.gid == link.gid and tab is not spreadsheet.tabs[0]]
        title = linked[0] if linked else None
    try:
        tab_of(spreadsheet, title)
    except SheetRefused as refusal:
        raise ValidationError.of("tab" if title else "sheet", str(refusal)) from None
    return title


async def _save(
    org: Organization, segment: Segment, account: Account, link: _Link, title: str, tab: str | None
) -> SegmentSheet:
    async with db.write_transaction():
        await limits.require_sheet_sync(org)
        if not await Segment.lock_many(org, [segment.id]):
            raise NotFound
        sheet = await sheet_of(org, segment) or SegmentSheet(org_id=org.id, segment_id=segment.id)
        before = sheet.title
        sheet.update_from_dict(
            {
                "account_id": account.id,
                "spreadsheet_id": link.spreadsheet_id,
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
    """A time in the past by every clock: the workers use the database's."""
    return clock.now() - CLOCK_SKEW


async def read_soon(sheet: SegmentSheet) -> None:
    """Asks a worker to read the sheet now, unless one is reading it. Raises NotFound once it is unlinked."""
    async with db.write_transaction():
        if not await sheet.save_if_current(next_sync_at=_at_once()):
            raise NotFound
        enqueue(Job.READ_SHEETS, sheet.id)


async def read_again(account: Account) -> None:
    """Asks for the sheets to be read again that failed for lack of this account's authorization."""
    for sheet in await SegmentSheet.refused(account.org_id, account.id):
        await read_soon(sheet)


async def unlink(org: Organization, segment: Segment) -> None:
    """Unlinks the segment from its sheet; its members stay."""
    async with db.write_transaction():
        sheet = await sheet_of(org, segment)
        if sheet is not None and await SegmentSheet.of(org).filter(id=sheet.id).delete():
            await record(org, AuditAction.SHEET_LEFT, segment.id, segment.name, sheet=sheet.title)
