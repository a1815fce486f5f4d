"""Roles on the pages: the ladder of the keys, for people."""

import re
from uuid import uuid4

import pytest
from quart import Quart

from tests.pages.conftest import make_person, visitor_for
from tests.pages.test_guards import PUBLIC, page_rules
from webapp.domain.roles import Role
from webapp.models import Organization

# What a role below the one named may not do; everything else on the pages is open to all who are signed in.
NEEDED = {
    Role.ADMIN: (
        r"POST /(accounts|api-keys)\b.*|GET /(accounts|api-keys)/(new|.*/(delete|revoke|secret))"
        r"|GET /accounts/(.*/)?google(/callback)?"
    ),
    Role.EDITOR: r"(GET|POST) /sandbox/(.*/)?(empty|delete).*",
}


def needed_for(method: str, path: str) -> Role:
    """The role that a page needs."""
    found = [role for role, pages in NEEDED.items() if re.fullmatch(pages, f"{method} {path}")]
    return found[0] if found else Role.VIEWER


@pytest.mark.parametrize("role", Role)
async def test_a_person_may_what_their_role_may(app: Quart, acme: Organization, role: Role) -> None:
    visitor = await visitor_for(app, acme, await make_person(acme, f"{role}@acme.example", role))
    token = (await visitor.get("/home")).soup.select_one("input[name=csrf_token]")["value"]  # type: ignore[index]  # every page has it
    for method, rule in page_rules(app):
        if rule in PUBLIC:
            continue
        path = re.sub(r"<uuid:\w+>", str(uuid4()), re.sub(r"<int:\w+>", "1", rule))
        form = {"csrf_token": token} if method == "POST" else None
        page = await visitor.send(method, path, follow=False, form=form)
        needed = needed_for(method, path)
        assert (page.status == 403) == (not role.allows(needed)), (method, rule, page.status, needed)
