"""Query strings: `page`, `page_size` and the filters of lists."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import wraps
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema
from quart import ResponseReturnValue, request
from quart_schema import document_querystring

from webapp.domain.inputs import Input, read_input
from webapp.domain.pagination import MAX_PAGE_SIZE, PAGE_SIZE, Page

View = Callable[..., Awaitable[ResponseReturnValue]]

INTEGER = re.compile(r"[+-]?[0-9]{1,4000}")  # ASCII digits; Python's int() reads every script's


def _integer(value: Any) -> int:
    if isinstance(value, int):
        return value
    if not INTEGER.fullmatch(value):
        raise ValueError("must be an integer")
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


class ListPaging(Paging):
    @property
    def wanted(self) -> Page:
        return replace(super().wanted, is_clamped=True)


def query(model: type[Input]) -> Callable[[View], View]:
    """Passes the query string to the view as `query_args`, a `model`. Raises ValidationError."""

    def decorate(view: View) -> View:
        @wraps(view)
        async def with_query(*args: Any, **kwargs: Any) -> ResponseReturnValue:
            given = {name: request.args[name] for name in model.model_fields if name in request.args}
            return await view(*args, **kwargs, query_args=read_input(model, given, strict=False))

        documented: View = document_querystring(model)(with_query)
        return documented

    return decorate
