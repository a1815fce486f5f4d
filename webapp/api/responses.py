"""The response bodies of the API but those of nouns with a file of their own; other fields are never sent."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Annotated, Any, Generic, Literal, TypeVar, cast
from uuid import UUID

from pydantic import Field, WithJsonSchema
from typing_extensions import TypedDict

from webapp import models
from webapp.clock import timestamp
from webapp.contact_fields import CONTACT_FIELDS, FieldKind
from webapp.domain.events.events import EventView
from webapp.domain.pagination import Listed

T = TypeVar("T")
ARow = TypeVar("ARow")

Time = Annotated[
    str, WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2026-11-20T09:30:00.000Z"]})
]


class Meta(TypedDict):
    """The position of a page in its list."""

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
    """Success."""

    ok: Literal[True]


class Created(TypedDict):
    """The id of the queued email."""

    id: UUID


def shaped(shape: type[T], row: Any, **own: Any) -> T:
    """The fields of `shape`, in its order: from `own`, or else the row's; times in UTC with milliseconds."""
    found: dict[str, Any] = {}
    for name in shape.__annotations__:
        value = own[name] if name in own else getattr(row, name)
        found[name] = timestamp(value) if isinstance(value, datetime) else value
    return cast("T", found)


def one(shape: T) -> One[T]:
    return {"data": shape}


def many(listed: Listed[ARow], shape: Callable[[ARow], T]) -> Many[T]:
    page = listed.page
    return {
        "data": [shape(row) for row in listed.rows],
        "meta": {"page": page.number, "page_size": page.size, "total": listed.total},
    }


class Resource(TypedDict):
    """A resource, its path and its methods."""

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


class Segment(TypedDict):
    """An audience and its number of contacts."""

    id: UUID
    name: str
    kind: Literal["static", "dynamic"]
    filter: dict[str, Any] | None
    contact_count: int
    created_at: Time
    updated_at: Time


def segment(row: models.Segment) -> Segment:
    return shaped(Segment, row, filter=row.member_filter)


CONTACT_TYPES: Mapping[FieldKind, Any] = {
    FieldKind.EMAIL: str,
    FieldKind.TEXT: str | None,
    FieldKind.CUSTOM: dict[str, str | int | float | bool | None],
    FieldKind.STATUS: Literal["subscribed", "unsubscribed"],
    FieldKind.BOOLEAN: bool,
    FieldKind.TIME: Time | None,
}


def _with_contact_fields(shape: type[T]) -> type[T]:
    """The shape with the declared fields between its first, the id, and its others."""
    declared: dict[str, Any] = {}
    for field in CONTACT_FIELDS:
        declared[field.name] = Annotated[CONTACT_TYPES[field.kind], Field(description=field.description)]
    (id_, of_id), *others = shape.__annotations__.items()
    whole: Any = TypedDict(shape.__name__, {id_: of_id, **declared, **dict(others)})  # type: ignore[misc]  # built at run time
    whole.__doc__, whole.__module__ = shape.__doc__, shape.__module__
    return cast("type[T]", whole)


@_with_contact_fields
class Contact(TypedDict):
    """A person you send to."""

    id: UUID
    created_at: Time
    updated_at: Time


def contact(row: models.Contact) -> Contact:
    return shaped(Contact, row)


class Event(TypedDict):
    """Something that happened; `data` depends on its type."""

    id: UUID
    type: Annotated[str, Field(description="One of the types that webhooks subscribe to.")]
    created_at: Time
    data: dict[str, Any]


class EventList(TypedDict):
    """Events, newest first."""

    data: list[Event]
    has_more: Annotated[bool, Field(description="Whether there may be more results in this direction.")]
    cursor: Annotated[
        UUID | None, Field(description="The id to go on from, as `after` or `before`; a long search stops on its way.")
    ]


def event(view: EventView) -> Event:
    return shaped(Event, view.event, data=dict(view.data))
