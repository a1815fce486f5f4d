"""Forms of the pages: what was typed, what is wrong with it, and that it counts once."""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar
from uuid import UUID

from quart import Response, current_app, render_template, request

from webapp import crypto
from webapp.domain.inputs import Input, read_input
from webapp.errors import ApiError, FieldError, PlanLimitExceeded, RateLimitExceeded, ValidationError

AnInput = TypeVar("AnInput", bound=Input)
T = TypeVar("T")
SUBMITS_KEPT = 2_000


@dataclass
class Form:
    """A form on a page. `errors` are sentences by field, under "" what concerns no single field."""

    values: dict[str, Any] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    id: str = field(default_factory=crypto.new_token)

    @classmethod
    async def sent(cls) -> "Form":
        """The form of this request; an empty field counts as left out."""
        return cls.of(dict((await request.form).items()))

    @classmethod
    def of(cls, fields: Mapping[str, str]) -> "Form":
        """The form of these fields; an empty field counts as left out."""
        given = {name: _repaired(text) for name, text in fields.items()}
        form_id = given.pop("form_id", "")[:64]
        given.pop("csrf_token", None)
        return cls({name: text for name, text in given.items() if text.strip()}, id=form_id or crypto.new_token())

    def read(self, model: type[AnInput]) -> AnInput:
        """The form as `model`. Raises ValidationError with what is wrong, in words."""
        values = {name: _trimmed(name, value) for name, value in self.values.items()}
        return read_input(model, values, strict=False)

    def require(self, *names: str) -> None:
        """Raise ValidationError for each of these fields that is left empty."""
        faults = [FieldError(name, f"{name} is required") for name in names if self.values.get(name) is None]
        if faults:
            raise ValidationError(details=faults)

    def refuse(self, refusal: ApiError, labels: Mapping[str, str] | None = None) -> None:
        """Put each sentence of a refusal at its field, and forget the secrets.

        `labels` say how a sentence names a field: {"smtp_host": "The host"}.
        """
        details = refusal.details if isinstance(refusal, ValidationError) else []
        for fault in details:
            name = fault.field.partition(".")[0]
            self.errors.setdefault(name, _at_field(name, fault.message, labels or {}))
        if not self.errors:
            self.errors[""] = in_words(refusal)
        self.values = {name: text for name, text in self.values.items() if not _is_secret(name)}

    @property
    def first_error(self) -> str | None:
        """The field to put the cursor in."""
        return next(iter(self.errors), None)

    def gather_strays(self, shown: tuple[str, ...]) -> None:
        """Say the faults of fields that this form does not show above it, so that none stays unseen."""
        strays = [self.errors.pop(name) for name in list(self.errors) if name and name not in shown]
        if strays:
            self.errors[""] = " ".join([*strays, *filter(None, [self.errors.get("")])])


def in_words(refusal: ApiError) -> str:
    """What a person reads of a refusal: of a plan's limit also what to do, and not what programs call it."""
    if not isinstance(refusal, PlanLimitExceeded):
        return refusal.message or "That did not work."
    said = (refusal.message or "").replace(f" ({refusal.limit})", "")
    return (
        f"{said[:1].upper()}{said[1:]}. Remove what you no longer need, or ask the operator of this server "
        "for a larger plan; the page Usage shows all its limits."
    )


def _repaired(text: str) -> str:
    """What no database can hold is shown as the sign for what cannot be read."""
    return text.encode(errors="replace").decode().replace("\0", "\ufffd")


def _trimmed(name: str, value: Any) -> Any:
    return value.strip() if isinstance(value, str) and not _is_secret(name) else value


def _is_secret(name: str) -> bool:
    """Whether the field is taken as it was typed, and never sent back to the browser."""
    return name.endswith("password")


def _at_field(name: str, message: str, labels: Mapping[str, str]) -> str:
    """`email is required` as it reads under a field: its label is above it."""
    words = message.removeprefix(f"{name} ")
    if words == "is required":
        return "Fill this in."
    if words != message and name in labels:
        words = f"{labels[name]} {words}"
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "?", "!")) else ".")


async def ticked(name: str) -> list[UUID]:
    """The rows that were ticked: the ids under `name` in the form of this request."""
    found = []
    for text in (await request.form).getlist(name):
        with suppress(ValueError):
            found.append(UUID(text))
    return found


async def refused(template: str, fragment: str, /, **context: Any) -> Response:
    """The form again with what was typed and what is wrong: 422; htmx gets the fragment alone."""
    return Response(
        await render_template(fragment if wants_fragment() else template, **context), 422, mimetype="text/html"
    )


async def refused_try(template: str, refusal: ApiError, **context: Any) -> Response:
    """The whole page again after a wrong password: 422, or 429 with when to try again after too many."""
    status = refusal.status if isinstance(refusal, RateLimitExceeded) else 422
    return Response(await render_template(template, **context), status, dict(refusal.headers()), mimetype="text/html")


def done(place: str) -> Response:
    """Go on to `place`, a path of ours, after a form has been taken."""
    if wants_fragment():
        return Response("", 204, {"HX-Redirect": place})
    return see_other(place)


def see_other(place: str) -> Response:
    """Send the browser on to a page of ours, with GET."""
    return Response("", 303, {"Location": place})


def wants_fragment() -> bool:
    """Whether htmx asks for a part of the page."""
    return "HX-Request" in request.headers


class Submits:
    """The forms taken lately, so that sending one twice does the thing once. In the memory of this process."""

    def __init__(self) -> None:
        self._places: OrderedDict[str, asyncio.Future[Any]] = OrderedDict()

    async def once(self, key: str, act: Callable[[], Awaitable[T]]) -> T:
        """Where `act` led; a second call with the same key waits for the first and leads there too."""
        known: asyncio.Future[T] | None = self._places.get(key)
        if known is not None:
            return await asyncio.shield(known)
        taken = self._places[key] = asyncio.get_running_loop().create_future()
        try:
            place = await act()
        except BaseException as error:
            del self._places[key]
            taken.set_exception(_Untaken())
            taken.exception()  # nobody may be waiting for it
            raise error from None
        taken.set_result(place)
        while len(self._places) > SUBMITS_KEPT:
            self._places.popitem(last=False)
        return place


class _Untaken(ValidationError):
    """The first of two submits was refused; so is the second."""

    def __init__(self) -> None:
        super().__init__("Check the form and send it again.")


async def once(form: Form, who: str, act: Callable[[], Awaitable[T]]) -> T:
    """Do `act` for this form once, however often it is sent by `who`, and return where it led.

    The form sent again with other content, after going back to it, is another one.
    """
    submits: Submits = current_app.extensions.setdefault("submits", Submits())
    content = crypto.digest(json.dumps(sorted(form.values.items())))
    return await submits.once(f"{who} {form.id} {content}", act)
