"""Reads query strings and headers: `page`, `page_size` and filters of lists; remembers a browser's page size."""

import re
from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import datetime
from functools import wraps
from typing import Annotated, Any, ClassVar, Literal, TypeVar
from urllib.parse import urlencode

from pydantic import BeforeValidator, Field, ValidationInfo, WithJsonSchema, field_validator
from quart import Quart, Request, Response, ResponseReturnValue, g, request
from quart_schema import document_querystring
from quart_schema.validation import QUART_SCHEMA_QUERYSTRING_ATTRIBUTE

from webapp.domain.inputs import MAX_FAULTS, MAX_FIELD_NAME, Id, Input, Instant, names_in, nearest, read_input
from webapp.domain.pagination import MAX_PAGE_SIZE, PAGE_SIZE, Cursor, Page
from webapp.errors import FieldError, InvalidValue, ValidationError
from webapp.http.auth.cookies import read_cookie, set_cookie
from webapp.http.hooks import hooks_of

AnInput = TypeVar("AnInput", bound=Input)
View = Callable[..., Awaitable[ResponseReturnValue]]

PAGE_SIZES = {"25": 25, "50": 50, "100": 100}  # offered on pages
SIZE_COOKIE = "page_size"
SIZE_SECONDS = 365 * 24 * 3600
INTEGER = re.compile(r"[+-]?[0-9]{1,4000}")  # only ASCII digits, while int() accepts those of all scripts


def _integer(value: Any) -> int:
    if isinstance(value, int):
        return value
    if not INTEGER.fullmatch(value):
        raise InvalidValue("must be an integer", "int_type")
    return int(value)


QueryInteger = Annotated[int, BeforeValidator(_integer)]
PageNumber = Annotated[QueryInteger, Field(ge=1), WithJsonSchema({"type": "integer", "minimum": 1, "default": 1})]
PageSize = Annotated[
    int,
    BeforeValidator(lambda value: min(_integer(value), MAX_PAGE_SIZE)),
    Field(ge=1),
    WithJsonSchema({"type": "integer", "minimum": 1, "default": PAGE_SIZE}),
]


class Paging(Input):
    page: PageNumber = Field(default=1, description="The page number, starting at 1.")
    page_size: PageSize = Field(default=PAGE_SIZE, description=f"Results per page, max {MAX_PAGE_SIZE}.")

    @property
    def wanted(self) -> Page:
        return Page(self.page, self.page_size)


class CursorPaging(Input):
    """For lists whose views say what the ids are of."""

    limit: Annotated[QueryInteger, Field(ge=1, le=MAX_PAGE_SIZE)] = Field(
        default=20, description="Maximum number of results."
    )
    after: Id | None = Field(default=None, description="Only rows older than this id.")
    before: Id | None = Field(default=None, description="Only rows newer than this id.")

    @property
    def cursor(self) -> Cursor:
        return Cursor(self.limit, self.after, self.before)


class BatchHeaders(Input):
    mode: Literal["strict", "permissive"] = Field(
        default="strict",
        alias="X-Batch-Validation",
        description="`strict`: one invalid email rejects all. `permissive`: valid emails are sent.",
    )


class CreatedBetween(Input):
    created_after: Instant | None = Field(default=None, description="Only those created at this time or later.")
    created_before: Instant | None = Field(default=None, description="Only those created before this time.")

    @field_validator("created_before")
    @classmethod
    def _is_later(cls, value: datetime | None, info: ValidationInfo) -> datetime | None:
        after = info.data.get("created_after")
        if value is not None and after is not None and value <= after:
            raise ValueError("must be later than created_after")
        return value


def register(app: Quart) -> None:
    app.jinja_env.globals["page_sizes"] = list(PAGE_SIZES.values())
    hooks_of(app).after_pages.append(_remember_page_size)


def page_size() -> int:
    """The rows on a page of the dashboard, from the URL or the browser's last choice."""
    chosen = request.args.get("page_size"), read_cookie(SIZE_COOKIE)
    return next((PAGE_SIZES[text] for text in chosen if text in PAGE_SIZES), PAGE_SIZE)


async def _remember_page_size(request: Request, response: Response) -> None:
    chosen = request.args.get("page_size")
    if chosen in PAGE_SIZES and g.get("visit") is not None:
        set_cookie(response, SIZE_COOKIE, chosen, max_age=SIZE_SECONDS)


class ListPaging(Input):
    """A page of a list on the dashboard, sorted by one of `columns`: `name` ascending, `-name` descending."""

    columns: ClassVar[Collection[str]] = ()
    default_sort: ClassVar[str] = ""

    page: PageNumber = 1
    sort: str = ""

    @field_validator("sort")
    @classmethod
    def _ignore_unknown(cls, value: str) -> str:
        return value if value.removeprefix("-") in cls.columns else ""

    @property
    def order(self) -> str:
        return self.sort or self.default_sort

    @property
    def wanted(self) -> Page:
        return Page(self.page, page_size(), is_clamped=True)

    def at(self, path: str, **changes: Any) -> str:
        """The URL of the first page of the same search."""
        values = {name: getattr(self, name) for name in type(self).model_fields if name != "page"} | changes
        text = urlencode({name: str(value) for name, value in values.items() if value})
        return f"{path}?{text}" if text else path


def query(model: type[Input]) -> Callable[[View], View]:
    """Passes the query string to the view as `query_args`, a `model`. Raises ValidationError."""

    def decorate(view: View) -> View:
        @wraps(view)
        async def with_query(*args: Any, **kwargs: Any) -> ResponseReturnValue:
            values = {name: request.args[name] for name in names_in(model) if name in request.args}
            return await view(*args, **kwargs, query_args=read_input(model, values, strict=False))

        documented: View = document_querystring(model)(with_query)
        return documented

    return decorate


# What other services call the parameters of pages.
ELSEWHERE = {
    **dict.fromkeys(("per_page", "pagesize", "limit", "size"), "page_size"),
    **dict.fromkeys(("starting_after", "cursor"), "after"),
    "ending_before": "before",
    "offset": "page",
}


def check_query(view: View) -> None:
    """Raises ValidationError for the parameters of the query string that the view does not take."""
    if not request.query_string:
        return
    documented = getattr(view, QUART_SCHEMA_QUERYSTRING_ATTRIBUTE, None)
    names = names_in(documented) if documented else []
    unknown = [name for name in request.args if name not in names][:MAX_FAULTS]
    if unknown:
        raise ValidationError(details=[FieldError.at(name[:MAX_FIELD_NAME], _hint(name, names)) for name in unknown])


def _hint(name: str, names: Sequence[str]) -> str:
    near = ELSEWHERE.get(name) if ELSEWHERE.get(name) in names else nearest(name, names)
    if near:
        return f"is not a query parameter here: did you mean {near}?"
    return f"is not a query parameter here: use {', '.join(names)}" if names else "is not a query parameter here"


def read_headers(model: type[AnInput]) -> AnInput:
    """The headers named by the aliases of `model`. Raises ValidationError."""
    names = [field.alias for field in model.model_fields.values() if field.alias]
    values = {name: ", ".join(request.headers.getlist(name)) for name in names if name in request.headers}
    return read_input(model, values, strict=False)
