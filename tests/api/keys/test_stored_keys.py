"""What is kept of a key, which roles it may have, and how long it works."""

import asyncio
import hashlib
import re
from datetime import timedelta

import pytest
from pydantic import ValidationError as InvalidInput
from quart import Quart

from tests.api.conftest import Api, make_api
from tests.fakes.worker import eventually
from tests.pages.conftest import make_person
from webapp import clock
from webapp.app import create_app
from webapp.config import Settings
from webapp.domain.api_keys import NewKey, issue_key, revoke_key
from webapp.domain.roles import KEY_ROLES, Role
from webapp.errors import Forbidden
from webapp.models import ApiKey, Organization

REFUSED = (401, {"error": "Unauthorized", "message": "Invalid API key"})
FORM = re.compile(r"svc_live_[0-9A-Za-z]{40}")


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
    for role in KEY_ROLES:
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
    assert Role.OWNER not in KEY_ROLES


async def test_roles_are_one_ladder() -> None:
    ladder = [Role.VIEWER, Role.SENDER, Role.EDITOR, Role.ADMIN, Role.OWNER]
    for place, role in enumerate(ladder):
        assert [role.allows(needed) for needed in ladder] == [other <= place for other in range(len(ladder))]


async def test_a_revoked_and_an_expired_key_are_refused_everywhere_within_a_second(
    app: Quart, settings: Settings, acme: Organization
) -> None:
    keys = [await issue_key(acme, NewKey(name=name, role="admin")) for name in ("revoked", "expired")]
    processes, good = (app, create_app(settings)), await make_api(app, acme)
    for issued in keys:
        assert [(await Api(one, issued.secret).get("/v1/accounts"))[0] for one in processes] == [200, 200]
    await revoke_key(keys[0].key)
    await ApiKey.filter(id=keys[1].key.id).update(expires_at=clock.now())
    await asyncio.sleep(1)
    for issued in keys:
        for path in ("/v1/accounts", "/api/v1/accounts", "/v1/emails", "/v1/nothing"):
            assert [await Api(one, issued.secret).get(path) for one in processes] == [REFUSED, REFUSED]
    assert (await good.get("/v1/accounts"))[0] == 200


async def test_a_key_ends_at_the_second_it_was_made_for(app: Quart, acme: Organization, rival_api: Api) -> None:
    issued = await issue_key(acme, NewKey(name="x", role="viewer", expires_at=clock.now() + timedelta(seconds=1)))
    api = Api(app, issued.secret)
    assert (await api.get("/v1/accounts"))[0] == 200

    async def is_refused() -> bool:
        return (await api.send("GET", "/v1/accounts")).status_code == 401

    await eventually(is_refused, 20)
    assert issued.key.expires_at is not None
    assert clock.now() >= issued.key.expires_at
    assert (await rival_api.get("/v1/accounts"))[0] == 200
