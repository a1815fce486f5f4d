"""Turns what views return into response bodies, which have only declared fields."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import cache, partial, wraps
from http import HTTPStatus
from typing import Annotated, Any, Generic, Literal, NotRequired, TypeVar, cast, get_args, get_origin
from uuid import UUID

from pydantic import Field, WithJsonSchema
from quart import Response, ResponseReturnValue, g, request
from quart_schema import document_response
from typing_extensions import TypedDict, is_typeddict

from webapp.clock import timestamp
from webapp.domain.pagination import CursorPage, Listed
from webapp.http.body.json_body import LARGE_BYTES
from webapp.json_encoder import encode

T = TypeVar("T")
View = Callable[..., Awaitable[Any]]
Make = TypeVar("Make", bound=Callable[[Any], Any])

_makers: dict[type, Callable[[Any], Any]] = {}

HasMore = Annotated[bool, Field(description="Whether there are more results in this direction.")]
Time = Annotated[
    str, WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2026-11-20T09:30:00.000Z"]})
]


class Meta(TypedDict):
    """The position of a page in its list."""

    page: int
    page_size: int
    total: int
    total_is_at_least: NotRequired[
        Annotated[bool, Field(description="True if there are more rows than `total`, which were not counted.")]
    ]


class One(TypedDict, Generic[T]):
    """One resource."""

    data: T


class Many(TypedDict, Generic[T]):
    """A page of resources."""

    data: list[T]
    meta: Meta


class Done(TypedDict):
    """Success."""

    ok: Literal[True]


class Created(TypedDict):
    """The id of the queued email."""

    id: UUID


def answers(shape: Any, *statuses: int) -> Callable[[View], View]:
    """Responds with what the view returns, as `shape`; encodes it in a thread if its `size` exceeds LARGE_BYTES.

    With two statuses, the view also returns True for the first one, or False for the second.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        async def answered(*args: Any, **kwargs: Any) -> ResponseReturnValue:
            result = await view(*args, **kwargs)
            if isinstance(result, Response):
                return result
            result, is_first = result if len(statuses) > 1 else (result, True)
            status = (statuses or (200,))[0 if is_first else 1]
            if getattr(result, "size", 0) > LARGE_BYTES:
                body = await asyncio.to_thread(lambda: encode(body_of(shape, result)))
                return Response(body, status, content_type="application/json")
            body = body_of(shape, result)
            if warnings := g.get("warnings"):
                body |= {"warnings": warnings}
            if status == HTTPStatus.CREATED:
                return body, status, {"Location": f"{request.path.removesuffix('/upsert')}/{body['data']['id']}"}
            return body, status

        for status in reversed(statuses or (200,)):
            answered = document_response(shape, status)(answered)
        return answered

    return decorate


def body_of(shape: Any, result: Any) -> Any:
    if shape is Done:
        return {"ok": True}
    if isinstance(result, Listed):
        meta = {"page": result.page.number, "page_size": result.page.size, "total": result.total}
        if not result.is_total_exact:
            meta["total_is_at_least"] = True
        return shaped(shape, {"data": result.rows, "meta": meta})
    if isinstance(result, CursorPage):
        return shaped(shape, {"data": result.rows, "has_more": result.has_more})
    return shaped(shape, {"data": result}) if get_origin(shape) is One else make(shape, result)


def makes(shape: type) -> Callable[[Make], Make]:
    """Registers the function that makes values of `shape`, whose fields are not all attributes of a row."""

    def register(function: Make) -> Make:
        _makers[shape] = function
        return function

    return register


def make(shape: Any, row: Any) -> Any:
    maker = _makers.get(shape)
    return maker(row) if maker else shaped(shape, row)


def shaped(shape: type[T], row: Any, **own: Any) -> T:
    """The fields of `shape`, in its order, from `own` or else from the row; times in UTC with milliseconds."""
    values, is_dict = (row | own, True) if isinstance(row, dict) else (own, False)
    body: dict[str, Any] = {}
    for name, make_inner in _fields_of(cast("Any", shape)):
        if is_dict and name not in values:  # an optional field
            continue
        value = values[name] if name in values else getattr(row, name)
        if make_inner is not None and value is not None:
            value = make_inner(value)
        elif isinstance(value, datetime):
            value = timestamp(value)
        body[name] = value
    return cast("T", body)


@cache
def _fields_of(shape: Any) -> list[tuple[str, Callable[[Any], Any] | None]]:
    """The names of the fields, with the functions that make their values if these are shapes."""
    arguments = get_args(shape)
    kinds: dict[str, Any] = (get_origin(shape) or shape).__annotations__
    filled = {name: kind[arguments] if getattr(kind, "__parameters__", ()) else kind for name, kind in kinds.items()}
    return [(name, _inner_maker(arguments[0] if isinstance(kind, TypeVar) else kind)) for name, kind in filled.items()]


def _inner_maker(kind: Any) -> Callable[[Any], Any] | None:
    if is_typeddict(kind):
        return partial(make, kind)
    inner = next(filter(None, map(_inner_maker, get_args(kind))), None)
    if inner is not None and get_origin(kind) is list:
        return lambda values: [inner(value) for value in values]
    return inner


def cursor_list(shape: type, description: str) -> Any:
    """The shape of a CursorPage: a list of `shape`, and whether there are more."""
    listed: Any = TypedDict(f"{shape.__name__.removesuffix('Outline')}List", {"data": list[shape], "has_more": HasMore})  # type: ignore[misc, valid-type]  # built at run time
    listed.__doc__ = description
    return listed
