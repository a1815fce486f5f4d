"""Pages of rows."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from tortoise.models import Model
from tortoise.queryset import QuerySet

T = TypeVar("T")
ARow = TypeVar("ARow", bound=Model)

PAGE_SIZE = 50
MAX_PAGE_SIZE = 100


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
