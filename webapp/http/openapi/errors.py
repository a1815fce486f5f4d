"""The errors in the OpenAPI document: a schema for each, a response for each status, and their operations."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from typing import Any

from webapp.domain.plans.plans import Plan
from webapp.domain.roles import Role
from webapp.http.auth.permissions import needed_role

Schema = dict[str, Any]

LIMITS = [field.name for field in fields(Plan) if field.name.startswith(("max_", "monthly_", "api_", "allow_"))]


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
    "FieldError": _pair("field", {"type": "string", "description": "As the caller wrote it; `to.0` inside an array."}),
    "ItemError": _pair("index", {"type": "integer", "minimum": 0, "description": "Which item of the batch, from 0."}),
    "ValidationError": _error(
        "ValidationError",
        "name is required",
        {
            "details": _objects("FieldError", "Every bad field."),
            "missing_variables": {
                "type": "array",
                "items": {"type": "string"},
                "description": "The merge tags of the template that have no value.",
            },
            "errors": _objects("ItemError", "The bad items of a batch."),
        },
        optional=("missing_variables", "errors"),
        details=[{"field": "name", "message": "name is required"}],
    ),
    "UnauthorizedError": _error("Unauthorized", "Invalid API key"),
    "ForbiddenError": _error("Forbidden", "insufficient role: this needs an admin, you are viewer"),
    "PlanLimitError": _error(
        "PlanLimitExceeded",
        "the plan free allows 3,000 API requests a month (api_requests_per_month), and 3,000 are used",
        {
            "limit": {"type": "string", "enum": LIMITS},
            "max": {"type": ["integer", "null"], "description": "What the plan allows; null for an `allow_` flag."},
            "current": {"type": ["integer", "null"], "description": "How much is used; null for an `allow_` flag."},
        },
        limit="api_requests_per_month",
        max=3_000,
        current=3_000,
    ),
    "NotFoundError": _error("Not found", None, optional=("message",)),
    "TimeoutError": _error("RequestTimeout", "the body took too long to arrive"),
    "ConflictError": _error("Conflict", "a run of this campaign is under way"),
    "IdempotencyConflictError": _error("IdempotencyConflict", "this Idempotency-Key came with another body before"),
    "IdempotencyInProgressError": _error(
        "IdempotencyInProgress", "the first request with this Idempotency-Key is still running"
    ),
    "TooLargeError": _error("PayloadTooLarge", "the body is larger than 1 MiB"),
    "MediaTypeError": _error("UnsupportedMediaType", "the body must be application/json"),
    "RateLimitError": _error("RateLimitExceeded", "too many requests at once"),
    "ServerError": _error("InternalServerError", "something went wrong on our side"),
    "UnavailableError": _error("ServiceUnavailable", "the service cannot do this just now; try again in a moment"),
}

REUSED = "the `Idempotency-Key` came with another body before, or its first request is still at work."

# By the names of the responses in the document: the status, when it comes, the errors that it may be.
RESPONSES: dict[str, tuple[int, str, Sequence[str]]] = {
    "BadRequest": (400, "A value is not what it should be; `message` names the first fault.", ["ValidationError"]),
    "Unauthorized": (401, "The key is missing, wrong, expired or revoked.", ["UnauthorizedError"]),
    "AllowanceUsedUp": (403, "The plan's API requests of the month are used up.", ["PlanLimitError"]),
    "Forbidden": (
        403,
        "The key's role is not enough (`Forbidden`), or a limit of the plan is used up (`PlanLimitExceeded`).",
        ["ForbiddenError", "PlanLimitError"],
    ),
    "NotFound": (404, "There is no such resource in the organization.", ["NotFoundError"]),
    "RequestTimeout": (408, "The body took over 60 seconds to arrive.", ["TimeoutError"]),
    "Conflict": (409, "The state of the resource forbids it.", ["ConflictError"]),
    "IdempotencyConflict": (
        409,
        "The" + REUSED.removeprefix("the"),
        ["IdempotencyConflictError", "IdempotencyInProgressError"],
    ),
    "AnyConflict": (
        409,
        f"The state of the resource forbids it; or {REUSED}",
        ["ConflictError", "IdempotencyConflictError", "IdempotencyInProgressError"],
    ),
    "PayloadTooLarge": (413, "The body is too large.", ["TooLargeError"]),
    "UnsupportedMediaType": (415, "The body is not application/json.", ["MediaTypeError"]),
    "RateLimitExceeded": (
        429,
        "Too many requests at once; try again after the seconds in `Retry-After`.",
        ["RateLimitError"],
    ),
    "InternalServerError": (500, "A fault of ours; try again with growing pauses.", ["ServerError"]),
    "ServiceUnavailable": (503, "The service cannot do this just now; nothing was kept.", ["UnavailableError"]),
}
# The operations that the state of a resource may forbid, and when it does.
CONFLICTS = {
    "accounts_change": "The built-in sandbox account can be neither changed nor deleted.",
    "accounts_remove": "The built-in sandbox account can be neither changed nor deleted.",
    "campaigns_resume": "The campaign is not halted, or lacks what it needs to go on.",
    "campaigns_runs_retry": "A run is under way, or there is nothing of this one to retry.",
    "campaigns_send": "A run is under way already, or the campaign is halted.",
    "campaigns_stop": "No run is under way, and no schedule armed.",
    "contacts_change": "One of the `segments` is dynamic.",
    "contacts_create": "One of the `segments` is dynamic.",
    "emails_cancel": "It is too late: sending has begun.",
    "segments_add_contact": "The segment is dynamic, or the contact was deleted at the same moment: try again.",
    "segments_remove_contact": "The segment is dynamic.",
}
WITH_REFERENCES = "The path, or a resource that the request names, does not exist in the organization."

HEADERS = {
    "X-Request-Id": ("string", "The id of this request in our log; one that you send comes back."),
    "RateLimit-Limit": ("integer", "How many requests may come at once."),
    "RateLimit-Remaining": ("integer", "How many of these are left."),
    "RateLimit-Reset": ("integer", "Seconds until all of them are back."),
    "Retry-After": ("integer", "Seconds to wait before the next try."),
    "WWW-Authenticate": ("string", "How to authenticate: `Bearer`."),
    "Idempotency-Replayed": ("string", "`true` where this is the stored answer to an earlier request."),
}
REQUIRED = ("X-Request-Id", "WWW-Authenticate")  # there is no rate without Redis, nor always a Retry-After
RATE = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
MORE_HEADERS = {401: ("WWW-Authenticate",), 429: ("Retry-After", *RATE), 503: ("Retry-After", *RATE)}


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
    found: Schema = {}
    for name in _names_of(view, operation, has_references=has_references):
        found[str(RESPONSES[name][0])] = {"$ref": f"#/components/responses/{name}"}
    if has_references:
        found["404"]["description"] = WITH_REFERENCES
    state = CONFLICTS.get(operation["operationId"])
    if state is not None:
        found["409"]["description"] = (
            f"{state.removesuffix('.')}; or {REUSED}" if hasattr(view, "idempotent") else state
        )
    return dict(sorted(found.items()))


def _names_of(view: Callable[..., Any], operation: Schema, *, has_references: bool) -> Iterator[str]:
    yield "InternalServerError"
    role = needed_role(view)
    if role is None:
        return
    yield from ("Unauthorized", "RateLimitExceeded", "ServiceUnavailable")
    yield "AllowanceUsedUp" if role is Role.VIEWER else "Forbidden"
    sources = {parameter["in"] for parameter in operation["parameters"]}
    has_body = "requestBody" in operation
    if has_body:
        yield from ("RequestTimeout", "PayloadTooLarge", "UnsupportedMediaType")
    if has_body or sources & {"query", "header"}:
        yield "BadRequest"
    if "path" in sources or has_references:
        yield "NotFound"
    has_state = operation["operationId"] in CONFLICTS
    if hasattr(view, "idempotent"):
        yield "AnyConflict" if has_state else "IdempotencyConflict"
    elif has_state:
        yield "Conflict"
