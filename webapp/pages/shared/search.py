"""Searches of long lists, with their state in the URL."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated, Any, Generic, TypeVar
from urllib.parse import urlencode

from pydantic import BeforeValidator
from quart import g, request

from webapp import clock
from webapp.domain.inputs import Id, Input
from webapp.domain.pagination import Cursor, CursorPage
from webapp.errors import InvalidValue, ValidationError
from webapp.http.forms import Form
from webapp.http.paging import ListPaging, page_size

DAY = re.compile(r"2[0-9]{3}-[0-9]{2}-[0-9]{2}")
MAX_LENGTH = 200  # characters
CURSORS = ("after", "before")
LABELS = {"after": "Page position", "before": "Page position", "since": "Start date", "until": "End date"}


def _day(value: Any) -> date:
    if isinstance(value, date):
        return value
    try:
        if DAY.fullmatch(value):
            return date.fromisoformat(value)
    except ValueError:
        pass  # for example February 30
    raise InvalidValue.example("date", "2026-11-20")


Day = Annotated[date, BeforeValidator(_day)]


def _searchable(value: Any) -> str:
    plain = "".join(character if character.isprintable() else " " for character in str(value))
    return plain.strip()[:MAX_LENGTH]


Words = Annotated[str, BeforeValidator(_searchable)]  # from the search box of a paged list


class ListSearch(ListPaging):
    """A page of a list with a search box."""

    q: Words = ""


class SearchForm(Input):
    since: Day | None = None
    until: Day | None = None
    after: Id | None = None
    before: Id | None = None


ASearch = TypeVar("ASearch", bound=SearchForm)


@dataclass(frozen=True)
class SearchState(Generic[ASearch]):
    """The `search` of a form, without any filters if the form has errors."""

    form: Form
    search: ASearch

    @property
    def cursor(self) -> Cursor:
        return Cursor(page_size(), after=self.search.after, before=None if self.search.after else self.search.before)

    @property
    def filters(self) -> dict[str, Any]:
        search, timezone = self.search, g.caller.org.timezone
        own = {name: getattr(search, name) for name in type(search).model_fields if name not in CURSORS}
        since = search.since and clock.start_of_day(search.since, timezone)
        until = search.until and clock.start_of_day(search.until + timedelta(days=1), timezone)
        return own | {"since": since, "until": until}

    @property
    def valid_filters(self) -> dict[str, Any]:
        """The filters, for exports, which have no form to correct. Raises ValidationError if it is invalid."""
        if not self.is_valid:
            raise ValidationError("Fix the search fields first.")
        return self.filters

    @property
    def is_valid(self) -> bool:
        return not self.form.errors

    @property
    def status(self) -> int:
        return 200 if self.is_valid else 400

    @property
    def is_first(self) -> bool:
        return not self.has(*CURSORS)

    @property
    def is_filtered(self) -> bool:
        return self.has(*(name for name in self.form.values if name not in CURSORS))

    def is_bare(self, listed: CursorPage[Any] | None) -> bool:
        if listed is None or self.is_filtered or not self.is_first:
            return False
        return not listed.rows and listed.stopped_at is None

    def has(self, *names: str) -> bool:
        return any(name in self.form.values for name in names)

    def at(self, path: str, **changes: Any) -> str:
        values = {name: text for name, text in self.form.values.items() if name not in CURSORS} | changes
        text = urlencode({name: str(value) for name, value in values.items() if value is not None})
        return f"{path}?{text}" if text else path


def read_search(model: type[ASearch], labels: dict[str, str]) -> SearchState[ASearch]:
    values = {name: request.args.get(name, "").strip() for name in model.model_fields}
    form = Form({name: text for name, text in values.items() if text})
    with form.refusing(LABELS | labels, tuple(name for name in values if name not in CURSORS)):
        return SearchState(form, form.read(model))
    return SearchState(form, model())
