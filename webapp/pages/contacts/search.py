"""Reads the search of the list of contacts from the URL: text, status, segment, and rows of conditions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

from pydantic import BeforeValidator
from quart import g

from webapp.domain.contacts.search import COLUMNS, ContactFilters
from webapp.domain.inputs import Id
from webapp.domain.segments.filters import check_references
from webapp.errors import ApiError, NotFound, ValidationError
from webapp.http.forms import Form
from webapp.http.paging import ListPaging
from webapp.models.contact import ContactStatus
from webapp.models.queries.contacts.segment_filter import Filter
from webapp.pages.segments.conditions import change_rows, condition_query, read_conditions, refuse_conditions
from webapp.pages.shared.filters import sentence
from webapp.pages.shared.search import Words

# The filters of the list: status, and whether the address bounced.
STATUSES: Mapping[str | None, tuple[ContactStatus, bool | None]] = {
    "subscribed": (ContactStatus.SUBSCRIBED, False),
    "unsubscribed": (ContactStatus.UNSUBSCRIBED, None),
    "bounced": (ContactStatus.SUBSCRIBED, True),
}


def _known_status(value: Any) -> Any:
    return value if value in STATUSES else None


class ContactListQuery(ListPaging):
    columns = COLUMNS
    default_sort = "-created"

    q: Words = ""
    status: Annotated[str | None, BeforeValidator(_known_status)] = None
    segment_id: Annotated[Id | None, BeforeValidator(lambda value: value or None)] = None


@dataclass(frozen=True)
class ContactSearch:
    """`fault` says why the conditions are invalid; new rows are not part of the search yet."""

    query: ContactListQuery
    form: Form
    row_change: str  # the button that adds or removes a row of conditions, if pressed
    filter: Filter | None
    fault: ApiError | None

    @property
    def filters(self) -> ContactFilters:
        """Raises ValidationError or NotFound for faulty conditions."""
        if self.fault is not None:
            raise self.fault
        query, q = self.query, self.query.q or None
        status, is_bounced = STATUSES.get(query.status, (None, None))
        return ContactFilters(query.segment_id, status, q, is_bounced=is_bounced, filter=self.filter)

    @property
    def sort(self) -> str:
        return self.query.sort

    @property
    def order(self) -> str:
        return self.query.default_sort if self.is_filtered else self.query.order

    def at(self, path: str, **changes: Any) -> str:
        """The URL of the first page of the same search."""
        return self.query.at(path, **condition_query(self.form), **changes)

    @property
    def as_segment(self) -> str:
        return f"/segments/new/dynamic?{urlencode(condition_query(self.form))}"

    @property
    def has_more_than_conditions(self) -> bool:
        return bool(self.query.q or self.query.status or self.query.segment_id)

    @property
    def fault_words(self) -> str | None:
        """None while rows are still being added or removed."""
        if self.fault is None or self.row_change:
            return None
        rows = [(name, text) for name, text in self.form.errors.items() if name.startswith("value-")]
        at_rows = [f"Condition {int(name.removeprefix('value-')) + 1}: {text}" for name, text in rows]
        return " ".join(at_rows) or f"{sentence(str(self.fault.message))}."

    @property
    def is_filtered(self) -> bool:
        return self.has_more_than_conditions or self.filter is not None or self.fault is not None


async def read_search(query: ContactListQuery, args: Mapping[str, str]) -> ContactSearch:
    form = Form.of(args)
    row_change = form.values.pop("do", "")
    change_rows(form, row_change)
    form.values |= {"q": query.q, "status": query.status or "", "segment_id": query.segment_id or ""}
    try:
        filter_ = read_conditions(form, ignores_new=row_change == "add")
        if filter_ is not None:
            await check_references(g.caller.org, filter_)
    except (ValidationError, NotFound) as fault:
        if not row_change:
            refuse_conditions(form, fault)
        return ContactSearch(query, form, row_change, None, fault)
    return ContactSearch(query, form, row_change, filter_, None)
