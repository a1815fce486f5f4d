"""API keys: where a request may carry them, how they are stored, their roles and their expiry."""

import asyncio
import hashlib
import json
import re
from datetime import timedelta

import pytest
from pydantic import ValidationError as InvalidInput
from quart import Quart

from tests.api.conftest import Api, make_api
from tests.pages.conftest import make_person
from tests.queries import count_queries
from webapp import clock, crypto
from webapp.app import create_app
from webapp.config import Settings
from webapp.domain.api_keys import NewKey, issue_key, revoke_key, revoke_named_key
from webapp.domain.key_checks import KEY_SECONDS
from webapp.domain.roles import Role
from webapp.errors import Conflict, Forbidden
from webapp.models import ApiKey, Organization

REFUSED = (401, {"error": "Unauthorized", "message": "Invalid API key"})
FORM = re.compile(r"svc_live_[0-9A-Za-z]{40}")


async def test_without_a_key_the_answer_is_the_documented_one(keyless: Api) -> None:
    response = await keyless.send("GET", "/v1/accounts")
    assert response.headers["WWW-Authenticate"] == "Bearer"
    assert await keyless.get("/v1/accounts") == REFUSED


HEADERS = [
    "",
    "Bearer ",
    "bearer {key}",
    "Bearer  {key}",
    "Bearer {key} ",
    "Basic {key}",
    "Bearer svc_live_" + "é" * 40,
    "Bearer " + "x" * 10_000,
    "Bearer {key}, Bearer {key}",
]


async def test_a_header_that_is_not_exactly_right_is_refused(api: Api, keyless: Api, app: Quart) -> None:
    for value in HEADERS:
        headers = {"Authorization": value.format(key=api.key)}
        assert await keyless.get("/v1/accounts", headers=headers) == REFUSED, value
    header = ("Authorization", f"Bearer {api.key}")
    assert (await app.test_client().get("/v1/accounts", headers=[header, header])).status_code == 401


async def test_a_key_in_the_query_or_a_cookie_opens_nothing(api: Api, keyless: Api) -> None:
    assert await keyless.get(f"/v1/accounts?api_key={api.key}&access_token={api.key}") == REFUSED
    assert await keyless.get("/v1/accounts", headers={"Cookie": f"Authorization=Bearer {api.key}"}) == REFUSED


async def test_a_flood_of_wrong_keys_is_slowed_down_for_its_address_alone(app: Quart, api: Api, keyless: Api) -> None:
    flood = {"client": ("203.0.113.7", 50_000)}
    wrong = Api(app, crypto.new_api_key())  # well-formed, and nobody's
    found = [await (wrong, keyless)[number % 2].send("GET", "/v1/accounts", scope_base=flood) for number in range(62)]
    assert [response.status_code for response in found] == [401] * 60 + [429] * 2
    assert json.loads(await found[-1].get_data()) == {
        "error": "RateLimitExceeded",
        "message": "too many requests without a valid API key",
    }
    assert 1 <= int(found[-1].headers["Retry-After"]) <= 60
    assert "WWW-Authenticate" not in found[-1].headers
    assert (await api.send("GET", "/v1/accounts", scope_base=flood)).status_code == 200
    forged = {"X-Forwarded-For": "192.0.2.1"}
    assert (await keyless.send("GET", "/v1/accounts", headers=forged, scope_base=flood)).status_code == 429
    assert await keyless.get("/v1/accounts") == REFUSED


async def test_a_flood_of_well_formed_keys_costs_few_look_ups_and_good_ones_still_work(
    app: Quart, api: Api, acme: Organization
) -> None:
    flood = {"client": ("203.0.113.7", 50_000)}

    async def ask(key: str) -> int:
        return (await Api(app, key).send("GET", "/v1/accounts", scope_base=flood)).status_code

    assert await ask(api.key or "") == 200
    assert [await ask(crypto.new_api_key()) for _ in range(60)] == [401] * 60
    fresh = await make_api(app, acme)
    assert await ask(fresh.key or "") == 200
    began = clock.elapsed()
    with count_queries(with_keys=True) as queries:
        statuses = [await ask(crypto.new_api_key()) for _ in range(100)]
    assert set(statuses) == {429}
    assert len([query for query in queries if "api_keys" in query]) <= 5 * (clock.elapsed() - began + 3)
    assert [await ask(one.key or "") for one in (api, fresh)] == [200, 200]


async def test_a_mistyped_key_is_refused_without_a_look_up(keyless: Api, acme: Organization) -> None:
    mistyped = crypto.new_api_key()[:-1] + "_"
    await ApiKey.create(org=acme, name="x", role="admin", key_hash=crypto.digest(mistyped), prefix=mistyped[:12])
    with count_queries(with_keys=True) as queries:
        assert await keyless.get("/v1/accounts", headers={"Authorization": f"Bearer {mistyped}"}) == REFUSED
    assert queries == []


async def test_a_busy_key_is_looked_up_once_a_second(api: Api) -> None:
    began = clock.elapsed()
    with count_queries(with_keys=True) as queries:
        for _ in range(20):
            await api.get("/v1/accounts")
    assert len([query for query in queries if "api_keys" in query]) <= 1 + (clock.elapsed() - began) / KEY_SECONDS


async def test_a_beginning_that_two_keys_share_revokes_neither(acme: Organization, rival: Organization) -> None:
    for org in (acme, rival):
        issued = await issue_key(org, NewKey(name="same", role="viewer"))
        await ApiKey.filter(id=issued.key.id).update(prefix="svc_live_AAA")
    with pytest.raises(Conflict, match="same of Acme, same of Rival"):
        await revoke_named_key("svc_live_AAA")
    assert await ApiKey.filter(revoked_at=None).count() == 2


async def test_the_hash_the_first_12_characters_and_what_the_key_is_for_are_kept(
    app: Quart, acme: Organization
) -> None:
    ada = await make_person(acme, "ada@acme.example", Role.ADMIN)
    expires_at = clock.now() + timedelta(days=1)
    issued = await issue_key(acme, NewKey(name="Shop", role="sender", expires_at=expires_at), ada)
    assert FORM.fullmatch(issued.secret)
    async with app.test_app():
        assert (await Api(app, issued.secret).get("/v1/accounts"))[0] == 200
    row = await ApiKey.get()
    assert row.key_hash == hashlib.sha256(issued.secret.encode()).hexdigest()
    assert row.prefix == issued.secret[:12]
    assert (row.name, row.role, row.maker_id, row.org_id) == ("Shop", "sender", ada.id, acme.id)
    assert row.expires_at == expires_at
    assert row.last_used_at is not None
    assert issued.secret not in str(await ApiKey.all().values())


@pytest.mark.parametrize("maker", Role)
async def test_a_keys_role_is_at_most_its_makers(app: Quart, acme: Organization, maker: Role) -> None:
    person = await make_person(acme, "ada@acme.example", maker)
    for role in list(Role)[:-1]:
        if maker.allows(role):
            assert (await issue_key(acme, NewKey(name="x", role=role.value), person)).key.role == role
        else:
            with pytest.raises(Forbidden, match="can't exceed yours"):
                await issue_key(acme, NewKey(name="x", role=role.value), person)


async def test_who_is_not_in_the_organization_makes_no_key(acme: Organization, rival: Organization) -> None:
    stranger = await make_person(rival, "rita@rival.example")
    with pytest.raises(Forbidden, match="can't exceed yours"):
        await issue_key(acme, NewKey(name="x", role="viewer"), stranger)
    assert await ApiKey.of(acme).count() == 0


async def test_no_key_is_owner(acme: Organization) -> None:
    with pytest.raises(InvalidInput):
        NewKey(name="x", role="owner")  # type: ignore[arg-type]  # what the type forbids, too


async def test_roles_are_one_ladder() -> None:
    ladder = [Role.VIEWER, Role.SENDER, Role.EDITOR, Role.ADMIN, Role.OWNER]
    for place, role in enumerate(ladder):
        assert [role.allows(needed) for needed in ladder] == [other <= place for other in range(len(ladder))]


async def test_a_revoked_and_an_expired_key_are_refused_everywhere_within_a_second(
    app: Quart, settings: Settings, acme: Organization
) -> None:
    processes, good = (app, create_app(settings)), await make_api(app, acme)
    ends_at = clock.now() + timedelta(seconds=4)
    keys = [await issue_key(acme, NewKey(name="x", role="admin", expires_at=at)) for at in (ends_at, None)]
    for issued in keys:
        assert [(await Api(one, issued.secret).get("/v1/accounts"))[0] for one in processes] == [200, 200]
    await revoke_key(keys[1].key)
    await asyncio.sleep((ends_at - clock.now()).total_seconds() + 1)
    for issued in keys:
        for path in ("/v1/accounts", "/api/v1/accounts", "/v1/emails", "/v1/nothing"):
            assert [await Api(one, issued.secret).get(path) for one in processes] == [REFUSED, REFUSED]
    assert (await good.get("/v1/accounts"))[0] == 200
