"""What the requests and responses of all nouns have in common."""

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import partial
from typing import Annotated, Any, TypeVar, cast
from uuid import UUID

from pydantic import BaseModel, Field, PlainValidator

from webapp.clock import timestamp
from webapp.domain.inputs import Input, read_input
from webapp.domain.pagination import MAX_PAGE_SIZE, CursorPage
from webapp.http.body.json_body import BODY_BYTES, Find, View, json_body
from webapp.http.paging import CursorPaging, QueryInteger
from webapp.models.base.row import TableModel

Row = TypeVar("Row", bound=TableModel)
Body = dict[str, Any]


def _refuse(value: Any) -> None:
    if value not in (None, [], {}):
        raise ValueError("is not supported here")


Unsupported = Annotated[None, PlainValidator(_refuse)]  # because ignoring the field would change what is done


class ListQuery(CursorPaging):
    limit: Annotated[QueryInteger, Field(ge=1, le=MAX_PAGE_SIZE)] = MAX_PAGE_SIZE


def body(
    model: type[BaseModel],
    *,
    max_bytes: int = BODY_BYTES,
    read: Callable[[Any], Any] | None = None,
    find: Find | None = None,
) -> Callable[[View], View]:
    """Like `json_body`, but unknown fields are ignored without a warning."""
    reads = read or partial(read_input, cast("type[Input]", model), strict=True, is_lenient=True)
    return json_body(model, max_bytes=max_bytes, read=reads, find=find, ignored=lambda _: [])


def listed(rows: Iterable[Body], *, has_more: bool = False) -> Body:
    return {"object": "list", "has_more": has_more, "data": list(rows)}


def page_of(page: CursorPage[Row], shape: Callable[[Row], Body]) -> Body:
    return listed(map(shape, page.rows), has_more=page.has_more)


def created(noun: str, row_id: UUID, **more: Any) -> tuple[Body, int]:
    return named(noun, row_id, **more), 201


def named(noun: str, row_id: UUID, **more: Any) -> Body:
    return {"object": noun, "id": row_id, **more}


def deleted(noun: str, row_id: UUID) -> Body:
    return named(noun, row_id, deleted=True)


def time(at: datetime | None) -> str | None:
    return None if at is None else timestamp(at)
