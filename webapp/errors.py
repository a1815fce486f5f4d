"""Every refusal of the service, with the status and the name it has on the wire; http/error_pages.py renders them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, NamedTuple


class PennypostError(Exception):
    """`str()` of it is a sentence for a person."""


class ConfigError(PennypostError):
    """A setting or a part of the environment is wrong; the message says what to do."""


class KeyMissing(ConfigError):
    """The process lacks a secret key; what is encrypted with it may be fine, and another process may have the key."""


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
    """400: a value is invalid; `message` describes the first problem, `details` all of them."""

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


class WrongAddress(Forbidden):
    """403: a form that was opened at another address than `site`, the configured one."""

    def __init__(self, reason: str, site: str) -> None:
        super().__init__(f"{reason} This site is at {site}")
        self.site = site


class PlanLimitExceeded(ApiError):
    """403: a plan limit is reached; `limit` names it; `max` and `current` are null for `allow_` flags."""

    status, name = 403, "PlanLimitExceeded"

    def __init__(self, message: str, limit: str, maximum: int | None, current: int | None) -> None:
        super().__init__(message)
        self.limit, self.maximum, self.current = limit, maximum, current

    @property
    def words(self) -> str:
        """The message for people, without the API's name of the limit."""
        return (self.message or "").replace(f" ({self.limit})", "")

    def extra(self) -> Mapping[str, Any]:
        return {"limit": self.limit, "max": self.maximum, "current": self.current}


class NotFound(ApiError):
    """404: the path does not exist, or the resource does not exist in the organization."""

    status, name = 404, "Not found"


class RequestTimeout(ApiError):
    """408: the request body took too long to arrive."""

    status, name = 408, "RequestTimeout"


class Conflict(ApiError):
    """409: the resource's state does not allow this."""

    status, name = 409, "Conflict"


class IdempotencyConflict(ApiError):
    """409: the `Idempotency-Key` was used with another body within the last 24 hours."""

    status, name = 409, "IdempotencyConflict"


class IdempotencyInProgress(ApiError):
    """409: a request with the same `Idempotency-Key` is still in progress; try again in a moment."""

    status, name = 409, "IdempotencyInProgress"


class PayloadTooLarge(ApiError):
    """413: the request body is too large for this endpoint."""

    status, name = 413, "PayloadTooLarge"


class UnsupportedMediaType(ApiError):
    """415: the request body is not `application/json`."""

    status, name = 415, "UnsupportedMediaType"


class RateLimitExceeded(ApiError):
    """429: too many requests; retry after `Retry-After` seconds."""

    status, name = 429, "RateLimitExceeded"

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after

    def headers(self) -> Mapping[str, str]:
        return {"Retry-After": str(self.retry_after)}


class ServiceUnavailable(ApiError):
    """503: the service is temporarily unavailable; nothing was saved."""

    status, name = 503, "ServiceUnavailable"


class Busy(ServiceUnavailable):
    """503: the server is busy; retry after `Retry-After` seconds."""

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after

    def headers(self) -> Mapping[str, str]:
        return {"Retry-After": str(self.retry_after)}
