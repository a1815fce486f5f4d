"""Envelopes, times and ids of the response bodies."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Generic, Literal, TypeVar
from uuid import UUID

from pydantic import WithJsonSchema
from typing_extensions import TypedDict

from webapp.domain.pagination import Listed

T = TypeVar("T")
ARow = TypeVar("ARow")

Time = Annotated[
    str, WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2026-11-20T09:30:00.000Z"]})
]
MailState = Literal["pending", "sending", "sent", "failed", "deferred", "halted"]


class Meta(TypedDict):
    """Where a page stands in its list."""

    page: int
    page_size: int
    total: int


class One(TypedDict, Generic[T]):
    """One resource."""

    data: T


class Many(TypedDict, Generic[T]):
    """A page of resources."""

    data: list[T]
    meta: Meta


class Done(TypedDict):
    """It is done."""

    ok: Literal[True]


class Created(TypedDict):
    """The id of the queued mail."""

    id: UUID


class Resource(TypedDict):
    """A kind of resource, where it is, and what can be done with it."""

    name: str
    path: str
    methods: list[str]


class Discovery(TypedDict):
    """The service and its resources."""

    name: str
    version: str
    documentation_url: str
    openapi_url: str
    resources: list[Resource]


def one(shape: T) -> One[T]:
    return {"data": shape}


def many(listed: Listed[ARow], shape: Callable[[ARow], T]) -> Many[T]:
    page = listed.page
    return {
        "data": [shape(row) for row in listed.rows],
        "meta": {"page": page.number, "page_size": page.size, "total": listed.total},
    }


def created(row_id: UUID) -> Created:
    return {"id": row_id}


def done() -> Done:
    return {"ok": True}


def time(at: datetime) -> Time:
    """ISO 8601 in UTC with milliseconds."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def maybe_time(at: datetime | None) -> Time | None:
    return None if at is None else time(at)
