"""Errors with the statuses and names of Resend: https://resend.com/docs/api-reference/errors."""

from collections.abc import Mapping
from typing import Any

from quart import request

from webapp import errors
from webapp.errors import ApiError, PlanLimitExceeded, ValidationError
from webapp.http.idempotency import HEADER

MISSING = "missing"  # the code of a required field
PER_MONTH = ("monthly_email_quota", "api_requests_per_month")
KINDS: Mapping[type[ApiError], tuple[int, str]] = {
    ValidationError: (422, "validation_error"),
    errors.Unauthorized: (403, "invalid_api_key"),
    errors.Forbidden: (401, "restricted_api_key"),
    errors.OutsideScope: (403, "restricted_api_key"),
    PlanLimitExceeded: (403, "validation_error"),
    errors.NotFound: (404, "not_found"),
    errors.MethodNotAllowed: (404, "not_found"),  # because operations that are missing here have paths that are not
    errors.Conflict: (422, "validation_error"),
    errors.IdempotencyConflict: (409, "invalid_idempotent_request"),
    errors.IdempotencyInProgress: (409, "concurrent_idempotent_requests"),
    errors.PayloadTooLarge: (413, "validation_error"),
    errors.UnsupportedMediaType: (415, "validation_error"),
    errors.RateLimitExceeded: (429, "rate_limit_exceeded"),
    errors.InternalServerError: (500, "internal_server_error"),
}


def shape(error: ApiError) -> tuple[int, Mapping[str, Any]]:
    status, name = _kind_of(error)
    return status, {"statusCode": status, "name": name, "message": _message_of(error)}


def _kind_of(error: ApiError) -> tuple[int, str]:
    if isinstance(error, errors.Unauthorized) and "Authorization" not in request.headers:
        return 401, "missing_api_key"
    if isinstance(error, PlanLimitExceeded) and error.limit in PER_MONTH:
        return 429, "monthly_quota_exceeded"
    if isinstance(error, ValidationError):
        if any(fault.code == MISSING for fault in error.details):
            return 422, "missing_required_field"
        if any(fault.field == HEADER for fault in error.details):
            return 400, "invalid_idempotency_key"
    return next((KINDS[kind] for kind in type(error).__mro__ if kind in KINDS), (error.status, "application_error"))


def _message_of(error: ApiError) -> str:
    faults = error.details if isinstance(error, ValidationError) else []
    missing = next((fault.message for fault in faults if fault.code == MISSING), None)
    return missing or error.message or error.name
