"""Every error of the API with its status and name; http/error_pages.py renders them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, NamedTuple
from uuid import UUID

SEND_JSON = "send the body as JSON, with the header Content-Type: application/json"


class PennypostError(Exception):
    """`str()` is a sentence for a person."""


class ConfigError(PennypostError):
    """A setting or a part of the environment is wrong; the message says what to do."""


class KeyMissing(ConfigError):
    """The process lacks a secret key; the encrypted text may be valid, and another process may have the key."""


class ApiError(PennypostError):
    """An error with a status and the `error` name of the contract."""

    status: ClassVar[int] = 500
    name: ClassVar[str] = "InternalServerError"

    def __init__(self, message: str | None = None, retry_after: int | None = None) -> None:
        super().__init__(message or self.name)
        self.message, self.retry_after = message, retry_after

    def extra(self) -> Mapping[str, Any]:
        return {}

    def headers(self) -> Mapping[str, str]:
        return {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}


class InvalidValue(ValueError):
    """The value of a field is invalid; pages word the reason by `code`."""

    def __init__(self, words: str, code: str, **values: Any) -> None:
        super().__init__(words)
        self.code, self.values = code, values

    @classmethod
    def example(cls, kind: str, example: str) -> "InvalidValue":
        return cls(f"must be a {kind} like {example}", "example", kind=kind, example=example)

    @classmethod
    def choice(cls, choices: str) -> "InvalidValue":
        return cls(f"must be {choices}", "choice", choices=choices)

    @classmethod
    def bound(cls, bound: str, amount: str) -> "InvalidValue":
        """`bound` is least or most."""
        return cls(f"must have at {bound} {amount}", "length", bound=bound, amount=amount)


class FieldError(NamedTuple):
    """A fault of a field; `message` begins with the field's name if `is_named`, and `words` is the rest of it."""

    field: str
    message: str
    words: str | None = None
    is_named: bool = False
    code: str = ""
    values: Mapping[str, Any] = {}

    @classmethod
    def at(cls, field: str, words: str | Exception, code: str = "", **values: Any) -> "FieldError":
        if isinstance(words, InvalidValue):
            code, values = words.code, words.values
        return cls(field, f"{field} {words}", str(words), True, code, values)

    @classmethod
    def about(cls, field: str, words: str) -> "FieldError":
        return cls(field, f"{field}: {words}", words)


class ValidationError(ApiError):
    """400: a value is invalid; `message` describes the first problem, `details` all of them."""

    status, name = 400, "ValidationError"

    def __init__(
        self, message: str | None = None, details: Sequence[FieldError] = (), missing_variables: Sequence[str] = ()
    ) -> None:
        super().__init__(message or (details[0].message if details else None))
        self.details = list(details)
        self.missing_variables = list(missing_variables)

    @classmethod
    def of(cls, field: str, message: str) -> "ValidationError":
        return cls(details=[FieldError(field, message)])

    @classmethod
    def at(cls, field: str, words: str | Exception, code: str = "", **values: Any) -> "ValidationError":
        """The message is the field's name followed by these words."""
        return cls(details=[FieldError.at(field, words, code, **values)])

    @classmethod
    def about(cls, field: str, words: str) -> "ValidationError":
        """The message is the field's name, a colon and these words."""
        return cls(details=[FieldError.about(field, words)])

    def renamed(self, rename: Callable[[str], str]) -> "ValidationError":
        """With the fields' names in a form."""
        return ValidationError(details=[fault._replace(field=rename(fault.field)) for fault in self.details])

    def extra(self) -> Mapping[str, Any]:
        body: dict[str, Any] = {"details": [{"field": fault.field, "message": fault.message} for fault in self.details]}
        if self.missing_variables:
            body["missing_variables"] = self.missing_variables
        return body


class DuplicateContact(ValidationError):
    """400: another contact has the address; `contact_id` is its id."""

    def __init__(self, contact_id: UUID) -> None:
        super().__init__(details=[FieldError("email", "another contact already uses this email address")])
        self.contact_id = contact_id

    def extra(self) -> Mapping[str, Any]:
        return {**super().extra(), "contact_id": str(self.contact_id)}


@dataclass(frozen=True)
class ItemError:
    """The index of an invalid item in a batch, from 0, and the reason."""

    index: int
    message: str


class BatchError(ValidationError):
    """400: the invalid items of a batch in `errors`, and their fields in `details`."""

    def __init__(
        self, errors: Sequence[ItemError], details: Sequence[FieldError], missing_variables: Sequence[str] = ()
    ) -> None:
        super().__init__(details=details, missing_variables=missing_variables)
        self.errors = list(errors)

    def extra(self) -> Mapping[str, Any]:
        return {**super().extra(), "errors": [asdict(error) for error in self.errors]}


class Unauthorized(ApiError):
    """401: the API key is missing, invalid, expired or revoked; the response does not say which."""

    status, name = 401, "Unauthorized"

    def __init__(self) -> None:
        super().__init__("Invalid API key")

    def headers(self) -> Mapping[str, str]:
        return {"WWW-Authenticate": "Bearer"}


class Forbidden(ApiError):
    """403: the role is insufficient; `message` names the required role."""

    status, name = 403, "Forbidden"


class OutsideScope(Forbidden):
    """403: the API key is limited to other From addresses, accounts or networks; `message` names them."""


class WrongAddress(Forbidden):
    """403: a form that was opened at another address than `site`, the configured one."""

    def __init__(self, reason: str, site: str) -> None:
        super().__init__(f"{reason} This site is at {site}")
        self.site = site


class PlanLimitExceeded(ApiError):
    """403: a plan limit is reached; `limit` names it; `max` and `current` are null for `allow_` flags."""

    status, name = 403, "PlanLimitExceeded"

    def __init__(self, about: str, rest: str, limit: str, maximum: int | None, current: int | None) -> None:
        """The API's message has the name of the limit between `about` and `rest`; pages show `words`, without it."""
        super().__init__(f"{about} ({limit}){rest}")
        self.words = about + rest
        self.limit, self.maximum, self.current = limit, maximum, current

    def extra(self) -> Mapping[str, Any]:
        return {"limit": self.limit, "max": self.maximum, "current": self.current}


class NotFound(ApiError):
    """404: the path does not exist, or the resource does not exist in the organization."""

    status, name = 404, "Not found"


class MethodNotAllowed(ApiError):
    """405: the path does not support this method; `Allow` lists the methods it supports."""

    status, name = 405, "MethodNotAllowed"


class RequestTimeout(ApiError):
    """408: the request body took too long to arrive."""

    status, name = 408, "RequestTimeout"


class Conflict(ApiError):
    """409: the resource's state does not allow this."""

    status, name = 409, "Conflict"


class Outdated(Conflict):
    """409: `changed`, a row, was saved after the sender had read it."""

    def __init__(self, changed: Any) -> None:
        super().__init__("it was saved by others since")
        self.changed = changed


class IdempotencyConflict(ApiError):
    """409: the `Idempotency-Key` was used with another body within the last 24 hours."""

    status, name = 409, "IdempotencyConflict"


class IdempotencyInProgress(ApiError):
    """409: a request with the same `Idempotency-Key` is still in progress; try again in a moment."""

    status, name = 409, "IdempotencyInProgress"

    def __init__(
        self, message: str = "a request with this Idempotency-Key is in progress: send it again in a moment"
    ) -> None:
        super().__init__(message)


class PayloadTooLarge(ApiError):
    """413: the request body is too large for this endpoint."""

    status, name = 413, "PayloadTooLarge"


class UnsupportedMediaType(ApiError):
    """415: the request body is not `application/json`."""

    status, name = 415, "UnsupportedMediaType"


class RateLimitExceeded(ApiError):
    """429: too many requests; retry after `Retry-After` seconds."""

    status, name = 429, "RateLimitExceeded"


class InternalServerError(ApiError):
    """500: server error; the server log has details under the `X-Request-Id` of the response."""


class ServiceUnavailable(ApiError):
    """503: the service is temporarily unavailable; nothing was saved."""

    status, name = 503, "ServiceUnavailable"


class Busy(ServiceUnavailable):
    """503: the server is busy; retry after `Retry-After` seconds."""
