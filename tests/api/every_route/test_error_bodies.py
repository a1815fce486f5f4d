"""The contract's "Errors": which names there are, and what each body has beside `error` and `message`."""

from tests.api.conftest import Api
from tests.factories import make_account, make_template
from webapp.http.openapi.errors import ERROR_SCHEMAS
from webapp.models import Organization

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
MAIL = {"from": "hello@acme.example", "to": "ada@example.org", "subject": "Hello", "text": "Hello"}


def test_no_error_is_documented_with_more_than_the_contract_says() -> None:
    """The tests' client holds every answer against the same schemas."""
    documented = {
        schema["properties"]["error"]["const"]: set(schema["properties"])
        for schema in ERROR_SCHEMAS.values()
        if "error" in schema["properties"]
    }
    assert documented == {name: fields for name, fields in ADDED.items() if name != "MethodNotAllowed"}


async def test_missing_variables_stand_beside_the_details(api: Api, acme: Organization, rival: Organization) -> None:
    account = await make_account(acme)
    await make_template(rival)
    template = await make_template(acme, subject="{{ city }}", body="<p>{{ first_name }}</p>",
                                   variables=["city", "first_name"])  # fmt: skip
    mail = {"from": "hello@acme.example", "to": "ada@example.org", "template": {"id": str(template.id)}}
    compose = {
        "account_key": account.account_key,
        "template_id": str(template.id),
        "recipients": {"emails": ["ada@example.org"]},
    }
    for path, body in (("/v1/emails", mail), ("/api/v1/compose", compose)):
        status, answer = await api.post(path, body)
        assert (status, set(answer)) == (400, ALONE | {"details", "missing_variables"}), path
        assert (answer["error"], sorted(answer["missing_variables"])) == ("ValidationError", ["city", "first_name"])
