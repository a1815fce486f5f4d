"""Every refusal of the service, with the status and the name it has on the wire; http/error_pages.py renders them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, NamedTuple


class PennypostError(Exception):
    """`str()` of it is a sentence for a person."""


class ConfigError(PennypostError):
    """A setting or a part of the environment is wrong; the message says what to do."""


class ApiError(PennypostError):
    """A refusal with a status and the `error` name of the contract."""

    status: ClassVar[int] = 500
    name: ClassVar[str] = "InternalServerError"

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or self.name)
        self.message = message

    def extra(self) -> Mapping[str, Any]:
        return {}

    def headers(self) -> Mapping[str, str]:
        return {}


class FieldError(NamedTuple):
    field: str
    message: str


class ValidationError(ApiError):
    """400: a value is not what it should be; `message` names the first fault, `details` all of them."""

    status, name = 400, "ValidationError"

    def __init__(
        self,
        message: str | None = None,
        details: Sequence[FieldError] = (),
        missing_variables: Sequence[str] = (),
    ) -> None:
        super().__init__(message or (details[0].message if details else None))
        self.details = list(details)
        self.missing_variables = list(missing_variables)

    @classmethod
    def of(cls, field: str, message: str) -> "ValidationError":
        return cls(details=[FieldError(field, message)])

    def extra(self) -> Mapping[str, Any]:
        body: dict[str, Any] = {"details": [detail._asdict() for detail in self.details]}
        if self.missing_variables:
            body["missing_variables"] = self.missing_variables
        return body


@dataclass(frozen=True)
class ItemError:
    """One item of a batch, counted from 0, and what is wrong with it in words."""

    index: int
    message: str


class BatchError(ValidationError):
    """400: the bad items of a batch in `errors`, beside `details` with their fields."""

    def __init__(
        self, errors: Sequence[ItemError], details: Sequence[FieldError], missing_variables: Sequence[str] = ()
    ) -> None:
        super().__init__(details=details, missing_variables=missing_variables)
        self.errors = list(errors)

    def extra(self) -> Mapping[str, Any]:
        return {**super().extra(), "errors": [asdict(error) for error in self.errors]}


class Unauthorized(ApiError):
    """401: the key is missing, wrong, expired or revoked; the answer never says which."""

    status, name = 401, "Unauthorized"

    def __init__(self) -> None:
        super().__init__("Invalid API key")

    def headers(self) -> Mapping[str, str]:
        return {"WWW-Authenticate": "Bearer"}


class Forbidden(ApiError):
    """403: the caller's role is too low; `message` names the one that is needed."""

    status, name = 403, "Forbidden"


class PlanLimitExceeded(ApiError):
    """403: a limit of the plan is used up; `limit` names it; `max` and `current` are null for an `allow_` flag."""

    status, name = 403, "PlanLimitExceeded"

    def __init__(self, message: str, limit: str, maximum: int | None, current: int | None) -> None:
        super().__init__(message)
        self.limit, self.maximum, self.current = limit, maximum, current

    def extra(self) -> Mapping[str, Any]:
        return {"limit": self.limit, "max": self.maximum, "current": self.current}


class NotFound(ApiError):
    """404: there is no such path, or no such resource in the organization."""

    status, name = 404, "Not found"


class RequestTimeout(ApiError):
    """408: the body took too long to arrive."""

    status, name = 408, "RequestTimeout"


class Conflict(ApiError):
    """409: the resource's state forbids it."""

    status, name = 409, "Conflict"


class IdempotencyConflict(ApiError):
    """409: the `Idempotency-Key` was used with another body within the last 24 hours."""

    status, name = 409, "IdempotencyConflict"


class IdempotencyInProgress(ApiError):
    """409: a request with the same `Idempotency-Key` is still under way; try again in a moment."""

    status, name = 409, "IdempotencyInProgress"


class PayloadTooLarge(ApiError):
    """413: the body is larger than this address takes."""

    status, name = 413, "PayloadTooLarge"


class UnsupportedMediaType(ApiError):
    """415: the body is not `application/json`."""

    status, name = 415, "UnsupportedMediaType"


class RateLimitExceeded(ApiError):
    """429: too many requests at once; the caller may try again after `Retry-After` seconds."""

    status, name = 429, "RateLimitExceeded"

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after

    def headers(self) -> Mapping[str, str]:
        return {"Retry-After": str(self.retry_after)}


class ServiceUnavailable(ApiError):
    """503: the service cannot do this just now; nothing was kept."""

    status, name = 503, "ServiceUnavailable"


class Busy(ServiceUnavailable):
    """503: too much is under way; the caller may try again after `Retry-After` seconds."""

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after

    def headers(self) -> Mapping[str, str]:
        return {"Retry-After": str(self.retry_after)}
