"""The contract's "Errors": which names there are, and what each body has beside `error` and `message`."""

from webapp.http.openapi.errors import ERROR_SCHEMAS

ALONE = {"error", "message"}
ADDED = {
    "ValidationError": ALONE | {"details", "missing_variables", "errors"},  # `errors`: of a batch
    "Unauthorized": ALONE,
    "Forbidden": ALONE,
    "PlanLimitExceeded": ALONE | {"limit", "max", "current"},
    "Not found": ALONE,
    "MethodNotAllowed": ALONE,
    "RequestTimeout": ALONE,
    "Conflict": ALONE,
    "IdempotencyConflict": ALONE,
    "IdempotencyInProgress": ALONE,
    "PayloadTooLarge": ALONE,
    "UnsupportedMediaType": ALONE,
    "RateLimitExceeded": ALONE,
    "InternalServerError": ALONE,
    "ServiceUnavailable": ALONE,
}


def test_no_error_is_documented_with_more_than_the_contract_says() -> None:
    """The tests' client holds every answer against the same schemas."""
    documented = {
        schema["properties"]["error"]["const"]: set(schema["properties"])
        for schema in ERROR_SCHEMAS.values()
        if "error" in schema["properties"]
    }
    assert documented == {name: fields for name, fields in ADDED.items() if name != "MethodNotAllowed"}
