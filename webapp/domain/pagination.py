"""Pages by number, and cursor pages, whose cost does not grow with the list."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Generic, TypeVar
from uuid import UUID

from tortoise.expressions import RawSQL
from tortoise.models import Model
from tortoise.queryset import QuerySet

from webapp import db
from webapp.errors import ValidationError
from webapp.languages.spelling import plain_form
from webapp.models import Organization
from webapp.models.base.org_model import OrgModel
from webapp.models.base.row import FIRST_ID, LAST_ID, TableModel, id_lower_bound, time_of_id
from webapp.models.queries.keyset_search import ScanResult, next_id

T = TypeVar("T")
ARow = TypeVar("ARow", bound=Model)
TimedRow = TypeVar("TimedRow", bound=TableModel)
OrgRow = TypeVar("OrgRow", bound=OrgModel)

PAGE_SIZE = 50
MAX_PAGE_SIZE = 100


@dataclass(frozen=True)
class Page:
    """With `is_clamped`, pages beyond the end show the last page."""

    number: int = 1
    size: int = PAGE_SIZE
    is_clamped: bool = False

    @property
    def offset(self) -> int:
        return (self.number - 1) * self.size

    def within(self, total: int) -> "Page":
        return replace(self, number=min(self.number, max(-(-total // self.size), 1))) if self.is_clamped else self


@dataclass(frozen=True)
class Listed(Generic[T]):
    rows: list[T]
    page: Page
    total: int
    is_total_exact: bool = True


async def fetch_page(rows: QuerySet[ARow], page: Page) -> Listed[ARow]:
    total = await rows.count()
    page = page.within(total)
    if page.offset >= total:
        return Listed([], page, total)
    return Listed(await rows.offset(page.offset).limit(page.size), page, total)


def having_text(rows: QuerySet[ARow], q: str, *columns: str) -> QuerySet[ARow]:
    """The rows with `q` in one of the columns (SQL expressions), whatever its case and accents."""
    if not q:
        return rows
    texts = db.dialect().plain(" || '\n' || ".join(columns))
    return rows.annotate(plain_texts=RawSQL(texts)).filter(plain_texts__contains=plain_form(q) or q)


def in_order(rows: QuerySet[ARow], columns: Mapping[str, str], sort: str) -> QuerySet[ARow]:
    """Sorts by one of the columns, which are SQL expressions, descending with `-name`."""
    sign, column = ("-" if sort.startswith("-") else ""), sort.removeprefix("-")
    return rows.annotate(sort_key=RawSQL(columns[column])).order_by(f"{sign}sort_key", f"{sign}id")


@dataclass(frozen=True)
class Cursor:
    """Newest first: rows older than `after`, or newer than `before`, or the newest."""

    limit: int = PAGE_SIZE
    after: UUID | None = None
    before: UUID | None = None


async def check_cursor(rows: QuerySet[TimedRow], cursor: Cursor, what: str) -> None:
    """Raises ValidationError for two cursors, or one that is not among the rows, called `what`."""
    if cursor.after and cursor.before:
        raise ValidationError.at("before", "and after cannot be combined")
    for name, end in (("after", cursor.after), ("before", cursor.before)):
        if end is not None and not await rows.filter(id=end).exists():
            raise ValidationError.at(name, f"is not the id of {what}")


async def newest_page(
    model: type[OrgRow], org: Organization, cursor: Cursor, what: str, **conditions: Any
) -> "CursorPage[OrgRow]":
    """The organization's rows, newest first. Raises ValidationError for two cursors, or one that is not of `what`."""
    await check_cursor(model.of(org), cursor, what)
    return await fetch_cursor_page(model.of(org).filter(**conditions), cursor)


@dataclass(frozen=True)
class CursorPage(Generic[TimedRow]):
    """Newest first; `has_more` is about the cursor's direction.

    `stopped_at` is the cursor to continue from if a search stopped early.
    """

    rows: list[TimedRow]
    cursor: Cursor
    has_more: bool
    stopped_at: UUID | None = None

    @property
    def older(self) -> UUID | None:
        return self.rows[-1].id if self.rows and (self.has_more or self.cursor.before) else None

    @property
    def newer(self) -> UUID | None:
        is_below_others = self.has_more if self.cursor.before else self.cursor.after is not None
        return self.rows[0].id if self.rows and is_below_others else None

    @property
    def searched_until(self) -> datetime | None:
        return None if self.stopped_at is None else time_of_id(self.stopped_at)


async def search_page(
    scanned: ScanResult, rows: QuerySet[TimedRow], cursor: Cursor, matches: Callable[[TimedRow], bool] = lambda _: True
) -> CursorPage[TimedRow]:
    """The scanned rows that exist and match; to be continued from the last id if too few do."""
    by_id = {row.id: row for row in await rows.filter(id__in=scanned.ids)}
    shown = [row for row_id in scanned.ids if (row := by_id.get(row_id)) is not None and matches(row)]
    is_short = len(shown) <= cursor.limit < len(scanned.ids)
    return cursor_page(shown, cursor, scanned.ids[-1] if is_short else scanned.stopped_at)


def id_bounds(since: datetime | None, until: datetime | None, cursor: Cursor) -> tuple[UUID, UUID]:
    """The first is inclusive, the second exclusive."""
    lows = [FIRST_ID if since is None else id_lower_bound(since)]
    highs = [LAST_ID if until is None else id_lower_bound(until)]
    if cursor.after is not None:
        highs.append(cursor.after)
    if cursor.before is not None:
        lows.append(next_id(cursor.before))
    return max(lows), min(highs)


async def newest_with(rows: QuerySet[TimedRow], chosen: UUID | None, limit: int) -> list[TimedRow]:
    """The newest rows, and the chosen one."""
    newest = await rows.order_by("-id").limit(limit)
    is_missing = chosen is not None and all(row.id != chosen for row in newest)
    return [*newest, *await rows.filter(id=chosen)] if is_missing else newest


async def fetch_cursor_page(rows: QuerySet[TimedRow], cursor: Cursor) -> CursorPage[TimedRow]:
    """The cursor's own row may be deleted."""
    if cursor.after is not None:
        rows = rows.filter(id__lt=cursor.after)
    if cursor.before is not None:
        rows = rows.filter(id__gt=cursor.before)
    fetched = await rows.order_by("id" if cursor.before else "-id").limit(cursor.limit + 1)
    return cursor_page(fetched, cursor)


def cursor_page(fetched: list[TimedRow], cursor: Cursor, stopped_at: UUID | None = None) -> CursorPage[TimedRow]:
    """`fetched` is in the cursor's order, with one row beyond the limit if there are more."""
    rows = fetched[: cursor.limit]
    return CursorPage(rows[::-1] if cursor.before else rows, cursor, len(fetched) > cursor.limit, stopped_at)
