"""Who may do what: every route of both doors, with a key and a person of every role, and strangers."""

import re
from uuid import uuid4

import pytest
from quart import Quart

from tests.api.conftest import make_api
from tests.apps import app_of
from tests.pages.conftest import Visitor, make_person, visitor_for
from tests.routes import GUARDED, PUBLIC, Route, lines_of, routes_of
from tests.support.path_ids import make_path_ids
from webapp.config import Settings
from webapp.domain.roles import Action, Role
from webapp.models import Organization

# The contract's ladder: what each role may do beside what those before it may.
CONTRACT = {
    Role.VIEWER: {"read"},
    Role.SENDER: {"send"},
    Role.EDITOR: {"contacts", "segments", "templates", "campaigns"},
    Role.ADMIN: {"accounts", "keys", "team", "request log"},
    Role.OWNER: {"plan", "organization"},
}
LADDER = list(CONTRACT)
NEEDED = {str(action): action.needed for action in Action}
WITHOUT_A_ROUTE = {"plan"}  # nobody may do yet what is nowhere done
# What the contract does not speak of.
BESIDE = {"oneself": Role.VIEWER, **dict.fromkeys(("forms", "media", "sandbox", "topics"), Role.EDITOR)}
BESIDE |= dict.fromkeys(("audit", "personal data", "webhooks"), Role.ADMIN)
ACTIONS = {line: action for action, lines in GUARDED.items() for line in lines_of(lines)}
REFUSAL = r"insufficient role: you need the {needed} role \(yours is {role}\)"


@pytest.fixture
def app(settings: Settings, database: str) -> Quart:
    return app_of(settings)


def test_the_table_is_the_contracts() -> None:
    ladder = {action: role for role, actions in CONTRACT.items() for action in actions - WITHOUT_A_ROUTE}
    assert ladder | BESIDE == NEEDED


def test_every_route_wears_the_guard_of_what_it_does_or_is_public(app: Quart) -> None:
    """A route that is in no table fails here, and so does one that is there and has lost its guard."""
    guards = {(str(route), getattr(app.view_functions[route.endpoint], "guard", "public")) for route in routes_of(app)}
    assert guards == set(ACTIONS.items()) | {(line, "public") for line in lines_of(PUBLIC)}
    assert set(ACTIONS.values()) == set(NEEDED)


def guarded_routes(app: Quart, *, is_api_path: bool) -> list[Route]:
    return [route for route in routes_of(app) if str(route) in ACTIONS and route.is_api_path == is_api_path]


def routes_at(app: Quart, role: Role, *, is_api_path: bool) -> list[Route]:
    """The routes that this is the lowest role for, and those for which it is one too low; the others follow from the ladder."""
    routes = guarded_routes(app, is_api_path=is_api_path)
    return [route for route in routes if LADDER.index(NEEDED[ACTIONS[str(route)]]) - LADDER.index(role) in (0, 1)]


def unknown_ids(route: Route) -> dict[str, str]:
    return {name: "1" if name == "number" else str(uuid4()) for name in route.ids}


@pytest.mark.parametrize("role", LADDER[:-1])
async def test_a_key_may_what_its_role_may(app: Quart, acme: Organization, rival: Organization, role: Role) -> None:
    api, stranger = await make_api(app, acme, role), await make_api(app, rival, role)
    ids = await make_path_ids(acme) | {"number": "1"}
    for route in routes_at(app, role, is_api_path=True):
        needed = NEEDED[ACTIONS[str(route)]]
        for caller, path in ((api, route.at(unknown_ids(route))), (stranger, route.at(ids))):
            status, body = await caller.answer(route.method, path)
            if LADDER.index(role) >= LADDER.index(needed):
                expected = {404} if route.ids else {200, 400, 422}
                assert status in expected, (str(route), body)
                continue
            if route.is_resend:
                assert (status, body["name"]) == (401, "restricted_api_key"), str(route)
            else:
                assert (status, set(body), body["error"]) == (403, {"error", "message"}, "Forbidden"), str(route)
            assert re.fullmatch(REFUSAL.format(needed=needed, role=role), body["message"])


async def test_a_key_from_elsewhere_opens_no_route(app: Quart, acme: Organization) -> None:
    api = await make_api(app, acme, allowed_networks=["203.0.113.0/24"])
    ids = await make_path_ids(acme) | {"number": "1"}
    for route in guarded_routes(app, is_api_path=True):
        for path in (route.at(ids), route.at(unknown_ids(route))):
            status, body = await api.answer(route.method, path)
            assert status == 403, str(route)
            assert body["message"] == "this API key may not be used from <local>, only from 203.0.113.0/24"


@pytest.mark.parametrize("role", Role)
async def test_a_person_may_what_their_role_may(
    app: Quart, acme: Organization, rival: Organization, role: Role
) -> None:
    ours = await visitor_for(app, acme, await make_person(acme, "ada@acme.example", role))
    stranger = await visitor_for(app, rival, await make_person(rival, "rita@rival.example", role))
    ids = await make_path_ids(acme) | {"number": "1"}
    for visitor, is_stranger in ((ours, False), (stranger, True)):
        token = (await visitor.get("/accounts")).token
        for route in routes_at(app, role, is_api_path=False):
            needed = NEEDED[ACTIONS[str(route)]]
            form = {"csrf_token": token} if route.method == "POST" else None
            path = route.at(ids if is_stranger else unknown_ids(route))
            page = await visitor.send(route.method, path, follow=False, form=form)
            if LADDER.index(role) >= LADDER.index(needed):
                assert page.status in ({404} if route.ids else {200, 204, 303, 422}), (str(route), page.text)
                continue
            assert page.status == 403, str(route)
            refusal = REFUSAL.removeprefix("insufficient role: ").format(needed=needed, role=role)
            assert re.search(refusal, page.data.decode(), re.IGNORECASE), str(route)


async def test_a_key_opens_no_page_and_a_session_no_route_of_the_api(app: Quart, acme: Organization) -> None:
    key = (await make_api(app, acme)).key
    person, program = await visitor_for(app, acme, await make_person(acme, "ada@acme.example")), Visitor(app)
    program.headers["Authorization"] = f"Bearer {key}"
    for number, route in enumerate(guarded_routes(app, is_api_path=True)):
        place = {"client": (f"10.0.{number}.1", 50_000)}  # one address may be refused no more than 60 times a minute
        page = await person.send(route.method, route.at(unknown_ids(route)), follow=False, scope_base=place)
        assert page.status == 401, str(route)
    for route in guarded_routes(app, is_api_path=False):
        page = await program.send(route.method, route.at(unknown_ids(route)), follow=False)
        assert (page.status, page.response.headers["Location"][:8]) == (303, "/sign-in"), str(route)
