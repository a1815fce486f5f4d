"""Parts of lists: pages by their number, and stretches from one row on, which no length of the list makes slower."""

from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar
from uuid import UUID

from tortoise.models import Model
from tortoise.queryset import QuerySet

from webapp.models.queries.keyset_search import Found, next_id
from webapp.models.row import Row, first_id, made_at

T = TypeVar("T")
ARow = TypeVar("ARow", bound=Model)
TimedRow = TypeVar("TimedRow", bound=Row)

PAGE_SIZE = 50
MAX_PAGE_SIZE = 100
OLDEST, NEWEST = UUID(int=0), UUID(int=2**128 - 1)


@dataclass(frozen=True)
class Page:
    """Which rows of a list are wanted; the first page is 1."""

    number: int = 1
    size: int = PAGE_SIZE

    @property
    def offset(self) -> int:
        """How many rows stand before the page."""
        return (self.number - 1) * self.size


@dataclass(frozen=True)
class Listed(Generic[T]):
    """The rows of a page, and how many there are on all pages."""

    rows: list[T]
    page: Page
    total: int


async def fetch_page(rows: QuerySet[ARow], page: Page) -> Listed[ARow]:
    """The rows of `page`; a page behind the last one costs a count and is empty."""
    total = await rows.count()
    if page.offset >= total:
        return Listed([], page, total)
    return Listed(await rows.offset(page.offset).limit(page.size), page, total)


@dataclass(frozen=True)
class Cursor:
    """A part of a list, newest first: the rows older than `after`, or those newer than `before`, or the newest."""

    limit: int = PAGE_SIZE
    after: UUID | None = None
    before: UUID | None = None


@dataclass(frozen=True)
class CursorPage(Generic[TimedRow]):
    """The rows from a cursor on, newest first, and whether there are more in the direction that it looked."""

    rows: list[TimedRow]
    cursor: Cursor
    has_more: bool

    @property
    def older(self) -> UUID | None:
        """What comes after the last row, as a cursor; None at the end of the list."""
        return self.rows[-1].id if self.rows and (self.has_more or self.cursor.before) else None

    @property
    def newer(self) -> UUID | None:
        """What comes before the first row, as a cursor; None at the top of the list."""
        is_below_others = self.has_more if self.cursor.before else self.cursor.after is not None
        return self.rows[0].id if self.rows and is_below_others else None


@dataclass(frozen=True)
class SearchPage(Generic[TimedRow]):
    """What a search found. Where it stopped before its end: the cursor to go on from."""

    found: CursorPage[TimedRow]
    stopped_at: UUID | None

    @property
    def searched_until(self) -> datetime | None:
        """When the last row was made that the search has looked at; None where it looked at all."""
        return None if self.stopped_at is None else made_at(self.stopped_at)


def search_page(found: Found, rows: list[TimedRow], cursor: Cursor) -> SearchPage[TimedRow]:
    """The rows of what was found, up to one more than the limit; some may be gone meanwhile, or are not what was meant.

    Where no more than the limit are left of one more, the search has stopped at the last of them.
    """
    is_short = len(rows) <= cursor.limit < len(found.ids)
    return SearchPage(cursor_page(rows, cursor), found.ids[-1] if is_short else found.stopped_at)


def id_bounds(since: datetime | None, until: datetime | None, cursor: Cursor) -> tuple[UUID, UUID]:
    """The ids that a part of a search is among: from the first to below the second."""
    lows = [OLDEST if since is None else first_id(since)]
    highs = [NEWEST if until is None else first_id(until)]
    if cursor.after is not None:
        highs.append(cursor.after)
    if cursor.before is not None:
        lows.append(next_id(cursor.before))
    return max(lows), min(highs)


async def fetch_cursor_page(rows: QuerySet[TimedRow], cursor: Cursor) -> CursorPage[TimedRow]:
    """The rows from the cursor on; one that no row has is good too, for its row may be gone."""
    if cursor.after is not None:
        rows = rows.filter(id__lt=cursor.after)
    if cursor.before is not None:
        rows = rows.filter(id__gt=cursor.before)
    found = await rows.order_by("id" if cursor.before else "-id").limit(cursor.limit + 1)
    return cursor_page(found, cursor)


def cursor_page(found: list[TimedRow], cursor: Cursor) -> CursorPage[TimedRow]:
    """Rows as they were found from the cursor on, one more of them than its limit where there are more."""
    rows = found[: cursor.limit]
    return CursorPage(rows[::-1] if cursor.before else rows, cursor, has_more=len(found) > cursor.limit)
