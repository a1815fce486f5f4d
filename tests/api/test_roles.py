"""Who may do what: every route of the API with a key of every role."""

import re

import pytest
from quart import Quart

from tests.api.conftest import make_api
from webapp.domain.roles import KEY_ROLES, Role
from webapp.models import Organization

# The contract's ladder: what each role may do beside what those before it may. Both addresses have the same.
MAY = {
    Role.VIEWER: """
        GET /v1/accounts
        GET /v1/accounts/{}
        GET /v1/segments
        GET /v1/segments/{}
        GET /v1/segments/{}/contacts
        GET /v1/contacts
        GET /v1/contacts/{}
        GET /v1/templates
        GET /v1/templates/{}
        GET /v1/campaigns
        GET /v1/campaigns/{}
        GET /v1/campaigns/{}/runs
        GET /v1/campaigns/{}/runs/{}
        GET /v1/emails
        GET /v1/emails/{}
        GET /v1/mail-logs
        GET /v1/mail-logs/{}
    """,
    Role.SENDER: """
        POST /v1/emails
        POST /v1/emails/batch
        POST /v1/emails/{}/cancel
        POST /v1/campaigns/{}/send
        POST /v1/campaigns/{}/stop
        POST /v1/campaigns/{}/resume
        POST /v1/campaigns/{}/runs/{}/retry
        POST /v1/compose
    """,
    Role.EDITOR: """
        POST /v1/segments
        PATCH /v1/segments/{}
        DELETE /v1/segments/{}
        POST /v1/segments/{}/contacts
        DELETE /v1/segments/{}/contacts/{}
        POST /v1/contacts
        PATCH /v1/contacts/{}
        DELETE /v1/contacts/{}
        POST /v1/templates
        PATCH /v1/templates/{}
        DELETE /v1/templates/{}
        POST /v1/campaigns
        PATCH /v1/campaigns/{}
        DELETE /v1/campaigns/{}
        POST /v1/campaigns/{}/test
    """,
    Role.ADMIN: """
        POST /v1/accounts
        PATCH /v1/accounts/{}
        DELETE /v1/accounts/{}
    """,
}
NEEDED = {line.strip(): role for role, lines in MAY.items() for line in lines.strip().splitlines()}
RANDOM = "019a9f6e-5c1a-7cc3-9d6e-0f6f5f3b2a10"


def routes(app: Quart) -> list[tuple[str, str, str]]:
    """Endpoint, method and path of all that needs a key."""
    return [
        (rule.endpoint, method, re.sub(r"<[^>]+>", "{}", rule.rule))
        for rule in app.url_map.iter_rules()
        for method in sorted((rule.methods or set()) - {"HEAD"})
        if re.match(r"(/api)?/v1/", rule.rule)
    ]


def test_every_route_needs_the_role_that_the_contract_says(app: Quart) -> None:
    found = {
        f"{method} {path.removeprefix('/api')}": app.view_functions[endpoint].needed_role  # type: ignore[attr-defined]  # role_required puts it there
        for endpoint, method, path in routes(app)
    }
    assert found == NEEDED


@pytest.mark.parametrize("role", KEY_ROLES)
async def test_a_key_may_what_its_role_may(app: Quart, acme: Organization, role: Role) -> None:
    api = await make_api(app, acme, role)
    for _, method, path in routes(app):
        needed = NEEDED[f"{method} {path.removeprefix('/api')}"]
        status, body = await api.answer(method, path.replace("{}", RANDOM))
        if role.allows(needed):
            assert status in (200, 400, 404), f"{method} {path}: {body}"
            continue
        assert (status, set(body), body["error"]) == (403, {"error", "message"}, "Forbidden")
        assert re.fullmatch(f"insufficient role: this needs an? {needed}, you are {role}", body["message"])
