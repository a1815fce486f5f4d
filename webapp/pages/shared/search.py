"""Searches in long lists: what is looked for stands in the address, and stays there from one part to the next."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Annotated, Any, Generic, TypeVar
from urllib.parse import urlencode

from pydantic import BeforeValidator
from quart import request

from webapp import clock
from webapp.domain.inputs import Id, Input
from webapp.domain.pagination import Cursor, SearchPage
from webapp.errors import ValidationError
from webapp.http.forms import Form

DAY = re.compile(r"2[0-9]{3}-[0-9]{2}-[0-9]{2}")
MAX_LENGTH = 200  # characters
CURSORS = {"after": "The place in the list", "before": "The place in the list"}  # what says which part it is


def _day(value: Any) -> date:
    if isinstance(value, date):
        return value
    try:
        if DAY.fullmatch(value):
            return date.fromisoformat(value)
    except ValueError:
        pass  # the 30th of February, which is as little a day
    raise ValueError("must be a day like 2026-11-20")


Day = Annotated[date, BeforeValidator(_day)]


def _searchable(value: Any) -> str:
    """What was typed, as a search box takes it: what no row can hold and what is too long finds nothing."""
    plain = "".join(character if character.isprintable() else " " for character in str(value))
    return plain.strip()[:MAX_LENGTH]


Words = Annotated[str, BeforeValidator(_searchable)]  # of a search box that filters a list in pages


class Search(Input):
    """What every search takes: the first and the last day, and where to go on."""

    since: Day | None = None
    until: Day | None = None
    after: Id | None = None
    before: Id | None = None

    @property
    def cursor(self) -> Cursor:
        """Which part of the list it is."""
        return Cursor(after=self.after, before=None if self.after else self.before)

    def begin(self, timezone: str) -> datetime | None:
        """The first instant of the first day."""
        return None if self.since is None else clock.start_of_day(self.since, timezone)

    def end(self, timezone: str) -> datetime | None:
        """The first instant behind the last day."""
        return None if self.until is None else clock.start_of_day(self.until + timedelta(days=1), timezone)


ASearch = TypeVar("ASearch", bound=Search)


@dataclass(frozen=True)
class SearchState(Generic[ASearch]):
    """What is looked for: as it was typed, and what it means, which is None where it means nothing."""

    form: Form
    search: ASearch | None

    @property
    def valid_search(self) -> ASearch:
        """What it means, for what has no form to mend it in. Raises ValidationError where it means nothing."""
        if self.search is None:
            raise ValidationError("Mend what the search says first.")
        return self.search

    @property
    def status(self) -> int:
        """How the page is answered."""
        return 400 if self.search is None else 200

    @property
    def is_first(self) -> bool:
        """Whether this is the newest part."""
        return not self.has(*CURSORS)

    @property
    def is_filtered(self) -> bool:
        """Whether anything is looked for."""
        return self.has(*(name for name in self.form.values if name not in CURSORS))

    def is_bare(self, listed: SearchPage[Any] | None) -> bool:
        """Whether there is nothing in all of the list, so that there is nothing to look for either."""
        if listed is None or self.is_filtered or not self.is_first:
            return False
        return not listed.found.rows and listed.stopped_at is None

    def has(self, *names: str) -> bool:
        """Whether one of these was given."""
        return any(name in self.form.values for name in names)

    def at(self, path: str, **changes: Any) -> str:
        """The address at `path` of the same search with these changes, from its newest part on; None takes away."""
        values = {name: text for name, text in self.form.values.items() if name not in CURSORS} | changes
        text = urlencode({name: str(value) for name, value in values.items() if value is not None})
        return f"{path}?{text}" if text else path


def read_search(model: type[ASearch], labels: Mapping[str, str]) -> SearchState[ASearch]:
    """The search in the address of this request; what is wrong with it stands at the form's fields."""
    given = {name: request.args.get(name, "").strip() for name in model.model_fields}
    form = Form({name: text for name, text in given.items() if text})
    try:
        return SearchState(form, form.read(model))
    except ValidationError as refusal:
        form.refuse(refusal, {**CURSORS, **labels})
        form.gather_strays(tuple(name for name in given if name not in CURSORS))
        return SearchState(form, None)
