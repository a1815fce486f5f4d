"""The official Python package, unmodified but for its base URL: every method, with its status and its shape."""

import asyncio
import inspect
import warnings
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, NamedTuple, get_type_hints

import pydantic
import pytest
import resend
from pydantic import TypeAdapter
from quart import Quart
from resend.exceptions import ResendError

from tests.api.mails import MAIL
from tests.factories import make_account
from tests.fakes.served import served
from tests.fakes.worker import eventually
from tests.resend.conftest import Door
from webapp.models import ApiRequest, Organization

Ids = dict[str, Any]
SOON = {"scheduled_at": "in 2 hours"}
FILE = {"filename": "a.txt", "content": "aGVsbG8="}
NEWS = {"from": "news@acme.example", "subject": "News", "html": "<p>Hello {{{FIRST_NAME|there}}}</p>"}
ADA, BOB = "ada@example.org", "bob+news@example.org"


class Step(NamedTuple):
    """A call, with the name under which its answer's id is for later ones."""

    method: str
    arguments: Callable[[Ids], tuple[Any, ...]] = lambda _: ()
    remembered: str = ""


STEPS = [
    Step(
        "Webhooks.create",
        lambda _: ({"endpoint": "https://example.com/hooks", "events": ["contact.created"]},),
        "webhook",
    ),
    Step("Segments.create", lambda _: ({"name": "Readers"},), "segment"),
    Step("Segments.update", lambda ids: (ids["segment"], {"name": "All readers"})),
    Step("Segments.get", lambda ids: (ids["segment"],)),
    Step("Segments.list"),
    Step("Audiences.create", lambda _: ({"name": "Writers"},), "audience"),
    Step("Audiences.get", lambda ids: (ids["audience"],)),
    Step("Audiences.list"),
    Step("ContactProperties.create", lambda _: ({"key": "company", "type": "string"},), "property"),
    Step("ContactProperties.get", lambda ids: (ids["property"],)),
    Step("ContactProperties.list"),
    Step("ContactProperties.remove", lambda ids: (ids["property"],)),
    Step(
        "Contacts.create",
        lambda ids: ({"email": ADA, "properties": {"seats": 3}, "segments": [{"id": ids["segment"]}]},),
        "contact",
    ),
    Step("Contacts.create", lambda ids: ({"email": BOB, "audience_id": ids["audience"]},)),
    Step("Contacts.get", lambda ids: (None, ids["contact"])),
    Step("Contacts.get", lambda ids: (ids["audience"], None, BOB)),
    Step("Contacts.update", lambda ids: ({"id": ids["contact"], "first_name": "Ada"},)),
    Step("Contacts.update", lambda _: ({"email": BOB, "unsubscribed": True},)),
    Step("Contacts.list"),
    Step("Contacts.list", lambda ids: (ids["audience"],)),
    Step("ContactSegments.add", lambda ids: ({"email": ADA, "segment_id": ids["audience"]},)),
    Step("ContactSegments.list", lambda ids: ({"contact_id": ids["contact"]},)),
    Step("ContactSegments.remove", lambda ids: ({"contact_id": ids["contact"], "segment_id": ids["audience"]},)),
    Step("Topics.create", lambda _: ({"name": "News", "default_subscription": "opt_in"},), "topic"),
    Step("Topics.get", lambda ids: (ids["topic"],)),
    Step("Topics.list"),
    Step("Topics.update", lambda ids: (ids["topic"], {"name": "Product news", "description": "Once a month."})),
    Step("ContactsTopics.list", lambda ids: (ids["contact"],)),
    Step(
        "ContactsTopics.update",
        lambda ids: ({"id": ids["contact"], "topics": [{"id": ids["topic"], "subscription": "opt_out"}]},),
    ),
    Step("Topics.remove", lambda ids: (ids["topic"],)),
    Step("Contacts.remove", lambda ids: (ids["audience"], None, BOB)),
    Step("Audiences.remove", lambda ids: (ids["audience"],)),
    Step("Emails.send", lambda _: (MAIL | {"attachments": [FILE]}, {"idempotency_key": "order-1"}), "email"),
    Step("Emails.get", lambda ids: (ids["email"],)),
    Step("Emails.list", lambda _: ({"limit": 10},)),
    Step("EmailAttachments.list", lambda ids: (ids["email"],), "attachment"),
    Step("EmailAttachments.get", lambda ids: (ids["email"], ids["attachment"])),
    Step("Emails.send", lambda _: (MAIL | SOON,), "later"),
    Step("Emails.update", lambda ids: ({"id": ids["later"], "scheduled_at": "in 3 hours"},)),
    Step("Emails.cancel", lambda ids: (ids["later"],)),
    Step("Batch.send", lambda _: ([MAIL, MAIL],)),
    Step("Batch.send", lambda _: ([MAIL, {}], {"batch_validation": "permissive"})),
    Step("Templates.create", lambda _: ({"name": "Order", "alias": "order", **NEWS},), "template"),
    Step("Templates.get", lambda _: ("order",)),
    Step("Templates.list"),
    Step("Templates.update", lambda ids: ({"id": ids["template"], "subject": "Other"},)),
    Step("Templates.publish", lambda ids: (ids["template"],)),
    Step("Templates.duplicate", lambda ids: (ids["template"],)),
    Step("Templates.remove", lambda ids: (ids["template"],)),
    Step("Broadcasts.create", lambda ids: ({"segment_id": ids["segment"], "name": "June", **NEWS},), "broadcast"),
    Step("Broadcasts.update", lambda ids: ({"broadcast_id": ids["broadcast"], "subject": "Other"},)),
    Step("Broadcasts.get", lambda ids: (ids["broadcast"],)),
    Step("Broadcasts.list"),
    Step("Broadcasts.duplicate", lambda ids: (ids["broadcast"],), "copy"),
    Step("Broadcasts.send", lambda ids: ({"broadcast_id": ids["copy"], **SOON},)),
    Step("Broadcasts.cancel", lambda ids: (ids["copy"],)),
    Step("Broadcasts.remove", lambda ids: (ids["copy"],)),
    Step("Broadcasts.send", lambda ids: ({"broadcast_id": ids["broadcast"]},)),
    Step("Webhooks.get", lambda ids: (ids["webhook"],)),
    Step("Webhooks.list"),
    Step("Webhooks.list_events", lambda ids: (ids["webhook"],), "event"),
    Step("Webhooks.get_event", lambda ids: (ids["webhook"], ids["event"])),
    Step("Webhooks.replay_event", lambda ids: (ids["webhook"], ids["event"])),
    Step("Webhooks.list_event_attempts", lambda ids: (ids["webhook"], ids["event"])),
    Step("Webhooks.rotate_signing_secret", lambda ids: (ids["webhook"],)),
    Step("Webhooks.update", lambda ids: ({"webhook_id": ids["webhook"], "status": "disabled"},)),
    Step("Webhooks.remove", lambda ids: (ids["webhook"],)),
    Step("Suppressions.add", lambda _: ({"email": BOB},), "suppression"),
    Step("Suppressions.get", lambda _: (BOB,)),
    Step("Suppressions.list", lambda _: ({"origin": "manual"},)),
    Step("Suppressions.remove", lambda ids: (ids["suppression"],)),
    Step("SuppressionsBatch.add", lambda _: ({"emails": [ADA, BOB]},)),
    Step("SuppressionsBatch.remove", lambda _: ({"emails": [ADA, BOB]},)),
    Step("ApiKeys.create", lambda _: ({"name": "shop", "permission": "sending_access"},), "key"),
    Step("ApiKeys.list"),
    Step("ApiKeys.remove", lambda ids: (ids["key"],)),
    Step("Domains.list", remembered="domain"),
    Step("Domains.get", lambda ids: (ids["domain"],)),
    Step("Segments.remove", lambda ids: (ids["segment"],)),
    Step("Logs.list", remembered="log"),
    Step("Logs.get", lambda ids: (ids["log"],)),
]
METHODS = {step.method for step in STEPS}
LOCAL = {"Webhooks.verify"}  # asks nobody
# What the package itself checks.
CHECKED: dict[str, Sequence[Any]] = {
    "ContactImports.create": [{"file": b"email"}],
}


class Anything(dict[str, Any]):
    """Parameters that have every name."""

    def __missing__(self, name: str) -> str:
        return "x"


@pytest.fixture(autouse=True)
async def client(app: Quart, door: Door, acme: Organization) -> AsyncIterator[None]:
    """The package, pointed to the door with an admin's key."""
    await make_account(acme, from_email="news@acme.example")
    async with served(app) as address:
        before = resend.api_url, resend.api_key
        resend.api_url, resend.api_key = f"{address}/resend", door.key
        yield
        resend.api_url, resend.api_key = before


def methods() -> Iterator[str]:
    """All that ask the service, in the form that waits for the answer."""
    for name, kind in vars(resend).items():
        for method in dir(kind) if inspect.isclass(kind) else ():
            if (
                inspect.ismethod(getattr(kind, method))
                and not method.startswith("_")
                and f"{method}_async" in dir(kind)
            ):
                yield f"{name}.{method}"


def named(method: str) -> Any:
    kind, _, name = method.partition(".")
    return getattr(getattr(resend, kind), name)


async def call(method: str, *arguments: Any) -> Any:
    """What the package answers; it waits for its answers, so it has a thread."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of audiences
        return await asyncio.to_thread(named(method), *arguments)


async def test_the_answers_have_the_shapes_of_the_package() -> None:
    ids: Ids = {}
    for step in STEPS:
        if step.method == "Logs.list":
            await eventually(lambda: ApiRequest.all().exists())  # they are written each second
        answer = await call(step.method, *step.arguments(ids))
        check(get_type_hints(named(step.method))["return"], answer, step.method)
        if step.remembered:
            ids[step.remembered] = answer["id"] if "id" in answer else answer["data"][0]["id"]
    assert len(METHODS) >= 60


async def test_what_is_not_there_is_not_found() -> None:
    absent = sorted(set(methods()) - METHODS - LOCAL)
    refusals = {method: await refusal(method, *arguments_of(method)) for method in absent}
    assert set(refusals.values()) == {(404, "not_found")}, refusals


def arguments_of(method: str) -> Sequence[Any]:
    """Something for each parameter that is required."""
    required = [
        parameter
        for parameter in inspect.signature(named(method)).parameters.values()
        if parameter.default is parameter.empty
    ]
    return CHECKED.get(method) or ["x" if parameter.annotation is str else Anything() for parameter in required]


async def refusal(method: str, *arguments: Any) -> tuple[int, str]:
    with pytest.raises(ResendError) as refused:
        await call(method, *arguments)
    return refused.value.code, refused.value.error_type


@pytest.mark.parametrize(
    ("changes", "code", "error"),
    [
        ({"to": []}, 422, "validation_error"),
        ({"to": "nobody"}, 422, "validation_error"),
        ({"subject": None}, 422, "missing_required_field"),
    ],
)
async def test_a_wrong_email_is_refused_by_its_names(changes: dict[str, Any], code: int, error: str) -> None:
    assert await refusal("Emails.send", MAIL | changes) == (code, error)


async def test_a_wrong_key_is_refused_by_its_name() -> None:
    resend.api_key = "re_123"
    assert await refusal("Emails.list") == (403, "invalid_api_key")


def check(kind: Any, value: Any, method: str) -> None:
    """Fail unless the value has the fields of the package's type, each of its type or null."""
    try:
        TypeAdapter(kind).validate_python(value, strict=True)
    except pydantic.ValidationError as error:
        faults = [fault for fault in error.errors() if fault["input"] is not None and not is_left_out(fault)]
        assert not faults, (method, value)


def is_left_out(fault: Any) -> bool:
    """Lists have the type of a single object, whose bodies they leave out; `payload` is what webhooks are posted."""
    is_missing = fault["type"] == "missing" and ("data" in fault["loc"] or fault["loc"] == ("deleted",))
    return is_missing or fault["loc"][0] == "payload"
