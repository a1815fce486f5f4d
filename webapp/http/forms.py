"""Forms of the pages: values, errors, and protection from double submits."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar
from uuid import UUID

from quart import Response, g, render_template, request

from webapp import crypto
from webapp.domain.api_requests.idempotency import act_once
from webapp.domain.inputs import Input, read_input, storable
from webapp.domain.pagination import MAX_PAGE_SIZE
from webapp.errors import ApiError, FieldError, NotFound, PlanLimitExceeded, RateLimitExceeded, ValidationError
from webapp.hosts import HIGHEST_PORT
from webapp.http.flashes import flash
from webapp.models.api_request import KeyedRequest

AnInput = TypeVar("AnInput", bound=Input)
FORM = ("GET", "POST")  # the methods of a page that is a form
GONE = "Your selection was deleted. Choose another one."  # for a row that the form names
# The words of a field's error on a page, by its code, which is pydantic's or from one of our validators.
PLAIN = {
    **dict.fromkeys(("missing", "string_too_short", "smtp_username is missing"), "This field is required."),
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), "Enter a whole number."),
    "smtp_password is missing": "Enter the password for this username.",
    "greater_than_equal": "Enter at least {ge}.",
    "less_than_equal": "Enter at most {le}.",
    "length": "Enter at {bound} {amount}.",
    "example": "Enter a {kind} like {example}.",
    "choice": "Select {choices}.",
    "common_password": "This password is too common. Choose another one.",
    "email_address": "Enter a valid email address, like ada@example.org.",
}


@dataclass
class Form:
    """A form on a page; `errors` has sentences by field, and those about no single field under ""."""

    values: dict[str, Any] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    id: str = field(default_factory=crypto.new_token)
    focus: str | None = None
    refusal: ApiError | None = None

    @classmethod
    async def sent(cls, initial: Mapping[str, Any] | None = None) -> "Form":
        """The submitted form, or one with the `initial` values if its page is opened."""
        return cls.of(dict((await request.form).items())) if request.method == "POST" else cls(dict(initial or {}))

    @classmethod
    def of(cls, fields: Mapping[str, str]) -> "Form":
        values = {name: storable(text) for name, text in fields.items()}
        form_id = values.pop("form_id", "")[:64]
        values.pop("csrf_token", None)
        return cls({name: text for name, text in values.items() if text.strip()}, id=form_id or crypto.new_token())

    def read(self, model: type[AnInput], *required: str, faults: Sequence[FieldError] = ()) -> AnInput:
        """The form as a `model`. Raises ValidationError, also for `faults` and empty `required` fields."""
        values = {
            name: value.strip() if isinstance(value, str) and not _is_secret(name) else value
            for name, value in self.values.items()
        }
        empty = [name for name in required if self.values.get(name) is None]
        known = [*faults, *(FieldError.at(name, "is required", "missing") for name in empty)]
        try:
            data = read_input(model, values, strict=False)
        except ValidationError as refusal:
            raise ValidationError(details=[*known, *refusal.details]) from None
        if known:
            raise ValidationError(details=known)
        return data

    def require(self, *names: str) -> None:
        """Raises ValidationError for the empty ones of these fields."""
        self.read(Input, *names)

    def refusing(self, labels: Mapping[str, str] | None = None, shown: tuple[str, ...] | None = None) -> "_Refusing":
        """Shows an ApiError of a `with` block as `refuse` does, and goes on below the block."""
        return _Refusing(self, labels, shown)

    def refuse(
        self, refusal: ApiError, labels: Mapping[str, str] | None = None, shown: tuple[str, ...] | None = None
    ) -> "Form":
        """The form without passwords and with an error's sentences: at their fields, or at the top if not `shown`.

        Raises NotFound for the row of the page itself.
        """
        if _is_of_page(refusal):
            raise refusal
        self.refusal = refusal
        details = refusal.details if isinstance(refusal, ValidationError) else []
        for fault in details:
            is_field = "[" in fault.field or fault.field in self.values  # of an item, or of the form
            name = fault.field if is_field else fault.field.partition(".")[0]
            self.errors.setdefault(name, _at_field(name, fault, labels or {}))
        if not self.errors:
            self.errors[""] = GONE if isinstance(refusal, NotFound) else in_words(refusal)
        self.values = {name: text for name, text in self.values.items() if text is not None and not _is_secret(name)}
        strays = [self.errors.pop(name) for name in list(self.errors) if shown is not None and name not in ("", *shown)]
        if strays:
            self.errors[""] = " ".join([*strays, *filter(None, [self.errors.get("")])])
        return self

    def takes_focus(self, name: str) -> bool:
        """True for the first faulty field on the page."""
        if name in self.errors and self.focus is None:
            self.focus = name
        return self.focus == name


@dataclass
class _Refusing:
    form: Form
    labels: Mapping[str, str] | None
    shown: tuple[str, ...] | None

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, traceback: object) -> bool:
        if not isinstance(error, ApiError) or _is_of_page(error):
            return False
        self.form.refuse(error, self.labels, self.shown)
        return True


def _is_of_page(refusal: ApiError) -> bool:
    """True if the row of the page was deleted; a message would be about a row that the form names."""
    return isinstance(refusal, NotFound) and refusal.message is None


def in_words(refusal: ApiError) -> str:
    if isinstance(refusal, ValidationError) and refusal.details and not refusal.details[0].is_named:
        return refusal.details[0].words or refusal.details[0].message
    if not isinstance(refusal, PlanLimitExceeded):
        return refusal.message or "Something went wrong."
    text = refusal.words
    return f"{text[:1].upper()}{text[1:]}. Delete what you no longer need, or ask your administrator for a larger plan."


def _is_secret(name: str) -> bool:
    return name.endswith(("password", "_secret", "_token"))


def _at_field(name: str, fault: FieldError, labels: Mapping[str, str]) -> str:
    words = fault.message if fault.words is None or fault.field != name else fault.words
    if fault.is_named and fault.field == name:
        if fault.code == "less_than_equal" and fault.values["le"] == HIGHEST_PORT:
            return f"Enter a port from 1 to {HIGHEST_PORT}."
        if fault.code in PLAIN:
            return PLAIN[fault.code].format_map(fault.values)
        words = f"{labels[name]} {words}" if name in labels else words
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "?", "!")) else ".")


async def checked_ids(name: str) -> list[UUID]:
    ids = []
    for text in (await request.form).getlist(name):
        with suppress(ValueError):
            ids.append(UUID(text))
    return ids


async def ticked_ids(name: str) -> list[UUID]:
    """The ticked rows of a list."""
    return list(dict.fromkeys(await checked_ids(name)))[:MAX_PAGE_SIZE]


async def render_page(page: str, fragment: str | None = None, /, **context: Any) -> Response:
    """The page, or its `fragment` for htmx, with 422 if a form of it has errors.

    Pages without a fragment have the headers of the refusal, and the status of RateLimitExceeded.
    """
    forms = [value for value in context.values() if isinstance(value, Form)]
    template = fragment if fragment and wants_fragment() else page
    status = 422 if any(form.errors for form in forms) else 200
    response = Response(await render_template(template, **context), status, mimetype="text/html")
    for refusal in [form.refusal for form in forms if form.refusal and fragment is None]:
        response.headers.update(refusal.headers())
        if isinstance(refusal, RateLimitExceeded) and not wants_fragment():
            response.status_code = refusal.status
    return response


async def render_dialog(page: str, /, **context: Any) -> Response:
    folder, _, name = page.rpartition("/")
    return await render_page(page, f"{folder}/_{name}", **context)


def redirect(path: str, message: str | None = None, kind: str = "good") -> Response:
    if message is not None:
        flash(message, kind)
    if wants_fragment():
        return Response("", 204, {"HX-Redirect": path})
    return see_other(path)


def see_other(path: str) -> Response:
    return Response("", 303, {"Location": path})


def wants_fragment() -> bool:
    """False for htmx's request on Back, which replaces the whole page."""
    return "HX-Request" in request.headers and "HX-History-Restore-Request" not in request.headers


async def submit_once(form: Form, act: Callable[[], Awaitable[str]]) -> str:
    """Runs `act` once for a session's form and content; later calls wait for its result. Raises Conflict."""
    content = crypto.digest(json.dumps(sorted(form.values.items())))
    key = crypto.digest(f"{g.visit.session.id} {form.id} {content}")
    return await act_once(KeyedRequest(g.caller.org, request.path, key, content), act)
