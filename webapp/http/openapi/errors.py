"""The errors in the OpenAPI document: schemas, responses, and the responses of each operation."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from typing import Any

from webapp.domain.plans.plans import Plan
from webapp.domain.roles import Role
from webapp.errors import SEND_JSON
from webapp.http.auth.permissions import needed_role

Schema = dict[str, Any]

LIMITS = [
    field.name for field in fields(Plan) if field.name.startswith(("max_", "media_", "monthly_", "api_", "allow_"))
]


def _error(
    error: str, message: str | None, added: Schema | None = None, optional: Sequence[str] = (), **example: Any
) -> Schema:
    properties = {"error": {"type": "string", "const": error}, "message": {"type": "string"}, **(added or {})}
    return {
        "type": "object",
        "required": [field for field in properties if field not in optional],
        "properties": properties,
        "examples": [{"error": error} | ({"message": message} if message else {}) | example],
    }


def _objects(name: str, description: str) -> Schema:
    return {"type": "array", "items": {"$ref": f"#/components/schemas/{name}"}, "description": description}


def _pair(name: str, schema: Schema) -> Schema:
    properties = {name: schema, "message": {"type": "string"}}
    return {"type": "object", "required": [name, "message"], "properties": properties}


# By their names in the document.
ERROR_SCHEMAS: Schema = {
    "FieldError": _pair("field", {"type": "string", "description": "The field as sent; `to.0` for an array item."}),
    "ItemError": _pair("index", {"type": "integer", "minimum": 0, "description": "Index in the batch, from 0."}),
    "ValidationError": _error(
        "ValidationError",
        "name is required",
        {
            "details": _objects("FieldError", "All invalid fields."),
            "missing_variables": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Merge tags in the template that have no value.",
            },
            "errors": _objects("ItemError", "Invalid items of a batch."),
            "contact_id": {"type": "string", "format": "uuid", "description": "The contact that has the address."},
        },
        optional=("missing_variables", "errors", "contact_id"),
        details=[{"field": "name", "message": "name is required"}],
    ),
    "UnauthorizedError": _error("Unauthorized", "Invalid API key"),
    "ForbiddenError": _error("Forbidden", "insufficient role: you need the admin role (yours is viewer)"),
    "PlanLimitError": _error(
        "PlanLimitExceeded",
        "the free plan allows 3,000 API requests per month (api_requests_per_month), and 3,000 are used",
        {
            "limit": {"type": "string", "enum": LIMITS},
            "max": {"type": ["integer", "null"], "description": "Maximum on the plan; null for `allow_` flags."},
            "current": {"type": ["integer", "null"], "description": "Current usage; null for `allow_` flags."},
        },
        limit="api_requests_per_month",
        max=3_000,
        current=3_000,
    ),
    "NotFoundError": _error("Not found", None, optional=("message",)),
    "TimeoutError": _error("RequestTimeout", "the request body took too long to arrive"),
    "ConflictError": _error("Conflict", "this campaign is already sending"),
    "IdempotencyConflictError": _error("IdempotencyConflict", "this Idempotency-Key was used with another body"),
    "IdempotencyInProgressError": _error(
        "IdempotencyInProgress", "a request with this Idempotency-Key is in progress: send it again in a moment"
    ),
    "TooLargeError": _error("PayloadTooLarge", "the request body is larger than 1 MiB"),
    "MediaTypeError": _error("UnsupportedMediaType", SEND_JSON),
    "RateLimitError": _error("RateLimitExceeded", "too many requests at once"),
    "ServerError": _error("InternalServerError", "something went wrong on our side"),
    "UnavailableError": _error("ServiceUnavailable", "the service is temporarily unavailable; try again in a moment"),
}

REUSED = "the `Idempotency-Key` was used with another body, or its first request is still in progress."

# By the name of the response in the document: its status, its cause, and its possible errors.
RESPONSES: dict[str, tuple[int, str, Sequence[str]]] = {
    "BadRequest": (400, "A value is invalid; `message` describes the first problem.", ["ValidationError"]),
    "Unauthorized": (401, "The API key is missing, invalid, expired or revoked.", ["UnauthorizedError"]),
    "AllowanceUsedUp": (
        403,
        "The key is used from elsewhere (`Forbidden`), or the plan's requests are used up (`PlanLimitExceeded`).",
        ["ForbiddenError", "PlanLimitError"],
    ),
    "Forbidden": (
        403,
        "The key's role or scope is insufficient (`Forbidden`), or a plan limit is reached (`PlanLimitExceeded`).",
        ["ForbiddenError", "PlanLimitError"],
    ),
    "NotFound": (404, "The resource does not exist in the organization.", ["NotFoundError"]),
    "RequestTimeout": (408, "The request body took over 60 seconds to arrive.", ["TimeoutError"]),
    "Conflict": (409, "The resource's state does not allow this.", ["ConflictError"]),
    "IdempotencyConflict": (
        409,
        "The" + REUSED.removeprefix("the"),
        ["IdempotencyConflictError", "IdempotencyInProgressError"],
    ),
    "AnyConflict": (
        409,
        f"The resource's state does not allow this; or {REUSED}",
        ["ConflictError", "IdempotencyConflictError", "IdempotencyInProgressError"],
    ),
    "PayloadTooLarge": (413, "The request body is too large.", ["TooLargeError"]),
    "UnsupportedMediaType": (415, "The request body is not application/json.", ["MediaTypeError"]),
    "RateLimitExceeded": (429, "Too many requests; retry after `Retry-After` seconds.", ["RateLimitError"]),
    "InternalServerError": (500, "Server error; retry with exponential backoff.", ["ServerError"]),
    "ServiceUnavailable": (503, "The service is temporarily unavailable; nothing was saved.", ["UnavailableError"]),
}
# Operations that the state of a resource may forbid, and when.
CONFLICTS = {
    "from_checks_create": "The account has no From address, or its bounces are not read.",
    "accounts_change": "The built-in sandbox account cannot be changed or deleted.",
    "accounts_remove": "The built-in sandbox account cannot be changed or deleted.",
    "campaigns_resume": "The campaign is not halted, or is missing something it needs to resume.",
    "campaigns_runs_retry": "A run is under way, or this run has nothing to retry.",
    "campaigns_send": "A run is already under way, or the campaign is halted.",
    "campaigns_stop": "No run is under way and no schedule is active.",
    **dict.fromkeys(
        ("contacts_change", "contacts_create", "contacts_upsert", "contacts_upsert_many"),
        "One of the `segments` is dynamic.",
    ),
    "emails_change": "Sending has already started, or the email was not scheduled.",
    "emails_cancel": "Sending has already started.",
    "forms_change": "A segment is dynamic, so that nobody can join it.",
    "forms_add_sign_up": "The form is closed, or no account can send its confirmations.",
    "forms_create": "A segment is dynamic, so that nobody can join it, or there are 100 forms.",
    "media_remove": "A template or a sent campaign uses the image, and `force` is not true.",
    "segments_add_contact": "The segment is dynamic, or the contact was deleted at the same time; try again.",
    "segments_remove": "A campaign excludes the segment.",
    "segments_remove_contact": "The segment is dynamic.",
    "topics_create": "The organization has as many topics as there can be.",
    **dict.fromkeys(("webhooks_replay", "webhooks_replay_one", "webhooks_test"), "The webhook is disabled."),
}
WITH_REFERENCES = "The path, or a resource named in the request, does not exist in the organization."

HEADERS = {
    "X-Request-Id": ("string", "The id of this request in our log; if you send one, it is returned."),
    "RateLimit-Limit": ("integer", "Number of requests you can make at once."),
    "RateLimit-Remaining": ("integer", "Number of requests left."),
    "RateLimit-Reset": ("integer", "Seconds until the limit fully resets."),
    "Location": ("string", "The path of the created resource."),
    "Retry-After": ("integer", "Seconds to wait before retrying."),
    "WWW-Authenticate": ("string", "How to authenticate: `Bearer`."),
    "Idempotency-Replayed": ("string", "`true` if this is the stored response to an earlier request."),
}
REQUIRED = ("X-Request-Id", "WWW-Authenticate", "Location")  # the others are missing without Redis, or in some cases
RATE = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
MORE_HEADERS = {
    201: ("Location",),
    401: ("WWW-Authenticate",),
    429: ("Retry-After", *RATE),
    503: ("Retry-After", *RATE),
}


def error_components() -> Schema:
    return {
        "schemas": ERROR_SCHEMAS,
        "responses": {name: _response(*parts) for name, parts in RESPONSES.items()},
        "headers": {
            name: {"description": text, "required": name in REQUIRED, "schema": {"type": kind}}
            for name, (kind, text) in HEADERS.items()
        },
    }


def _response(status: int, description: str, kinds: Sequence[str]) -> Schema:
    refs = [{"$ref": f"#/components/schemas/{kind}"} for kind in kinds]
    schema: Schema = refs[0] if len(refs) == 1 else {"oneOf": refs}
    return {
        "description": description,
        "headers": headers_of(*MORE_HEADERS.get(status, RATE)),
        "content": {"application/json": {"schema": schema, "example": ERROR_SCHEMAS[kinds[0]]["examples"][0]}},
    }


def headers_of(*names: str) -> Schema:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in ("X-Request-Id", *names)}


def refusals_of(view: Callable[..., Any], operation: Schema, *, has_references: bool) -> Schema:
    responses: Schema = {}
    for name in _names_of(view, operation, has_references=has_references):
        responses[str(RESPONSES[name][0])] = {"$ref": f"#/components/responses/{name}"}
    if has_references:
        responses["404"]["description"] = WITH_REFERENCES
    if "multipart/form-data" in operation.get("requestBody", {}).get("content", ()):
        responses["415"]["description"] = "The request body is not multipart/form-data."
    state = CONFLICTS.get(operation["operationId"])
    if state is not None:
        responses["409"]["description"] = (
            f"{state.removesuffix('.')}; or {REUSED}" if hasattr(view, "idempotent") else state
        )
    return dict(sorted(responses.items()))


def _names_of(view: Callable[..., Any], operation: Schema, *, has_references: bool) -> Iterator[str]:
    yield "InternalServerError"
    role = needed_role(view)
    if role is None:
        return
    yield from ("BadRequest", "Unauthorized", "RateLimitExceeded", "ServiceUnavailable")
    yield "AllowanceUsedUp" if role is Role.VIEWER else "Forbidden"
    sources = {parameter["in"] for parameter in operation["parameters"]}
    has_body = "requestBody" in operation
    if has_body:
        yield from ("RequestTimeout", "PayloadTooLarge", "UnsupportedMediaType")
    if "path" in sources or has_references:
        yield "NotFound"
    has_state = operation["operationId"] in CONFLICTS
    if hasattr(view, "idempotent"):
        yield "AnyConflict" if has_state else "IdempotencyConflict"
    elif has_state:
        yield "Conflict"
