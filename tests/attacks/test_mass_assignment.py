"""Fields that are not a caller's to set, in every body that makes or changes a row (S10, ASVS 15.3.3)."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from tests.api.conftest import Api
from tests.api.every_route.test_matrix import PATHS, everything_of
from tests.factories import make_account, make_one_of_each
from webapp import clock, models
from webapp.clock import timestamp
from webapp.models import Organization

CREATES: Mapping[str, dict[str, Any]] = {
    "/v1/accounts": {"name": "Main", "provider_type": "smtp", "smtp_host": "127.0.0.1", "smtp_port": 2525},
    "/v1/segments": {"name": "Readers"},
    "/v1/forms": {"name": "Newsletter"},
    "/v1/topics": {"name": "Products", "default_subscription": "opt_in"},
    "/v1/contacts": {"email": "ada@example.org"},
    "/v1/templates": {"name": "Welcome", "subject": "Hi", "body": "Hello"},
    "/v1/campaigns": {"title": "News"},
    "/v1/suppressions": {"email": "ada@example.org"},
    "/v1/webhooks": {"url": "https://example.com/hooks", "events": ["*"]},
}
HOUR = timedelta(hours=1)
CHANGES = sorted(route.split()[1] for route in PATHS if route.startswith("PATCH") and route.endswith(">"))  # of a row
# What each row has of its own making.
ITS_OWN = ("id", "key", "url", "account_key", "signing_secret", "secret", "created_at", "updated_at")
TABLES = {
    path: models.SignUpForm if path == "/v1/forms" else getattr(models, path.split("/")[2][:-1].title())
    for path in (*CREATES, "/v1/emails")
}


def forged(path: str, rival: Organization) -> dict[str, Any]:
    """The fields that an attacker adds; `status` is a caller's own of contacts, accounts and webhooks."""
    status = {} if path.startswith(("/v1/contacts", "/v1/accounts", "/v1/webhooks")) else {"status": "sent"}
    return status | {
        "org_id": str(rival.id), "org": str(rival.id), "organization_id": str(rival.id), "id": str(uuid4()),
        "created_at": "2001-01-01T00:00:00Z", "updated_at": "2001-01-01T00:00:00Z", "plan": "enterprise",
        "role": "owner", "is_admin": True, "is_sandbox": True, "used": 0, "sent_today": 0, "remaining_today": 10**9,
        "account_key": "acc_mine", "contact_count": 9, "unsubscribed_at": None,
        "bounced_at": "2001-01-01T00:00:00Z", "halted_reason": "forged", "next_run_at": "2001-01-01T00:00:00Z",
        "last_error": "forged", "has_smtp_password": True, "key_hash": "0" * 64, "failing_since": None,
    }  # fmt: skip


@pytest.fixture
async def own(acme: Organization) -> dict[str, str]:
    return await make_one_of_each(acme, await make_account(acme))


@pytest.mark.parametrize("path", CREATES)
async def test_what_is_made_is_as_if_nothing_had_been_added(
    api: Api, acme: Organization, rival: Organization, own: dict[str, str], path: str
) -> None:
    body = CREATES[path] | ({"segment_id": own["segment_id"]} if path == "/v1/campaigns" else {})
    theirs = await everything_of(rival)
    found = []
    for extra in ({}, forged(path, rival)):
        status, answer = await api.post(path, body | extra)
        assert status == 201, answer
        row = await TABLES[path].across_orgs().get(id=answer["data"]["id"])
        assert row.org_id == acme.id
        assert row.id != extra.get("id")
        columns = {name: value for name, value in dict(row).items() if name not in ITS_OWN}
        shown = {name: value for name, value in answer["data"].items() if name not in ITS_OWN}
        assert answer["data"]["created_at"] > "2002"
        assert answer["data"].get("account_key") != "acc_mine"
        found.append((shown, columns))
        await row.delete()
    assert found[0] == found[1]
    assert await everything_of(rival) == theirs


@pytest.mark.parametrize("path", CHANGES)
async def test_what_is_changed_stays_as_if_nothing_had_been_added(
    api: Api, acme: Organization, rival: Organization, own: dict[str, str], path: str
) -> None:
    name = path.rpartition("<")[2].rstrip(">")
    place, table = f"/v1{path}".replace(f"<{name}>", own[name]), TABLES[f"/v1/{path.split('/')[1]}"]
    needed = {"segment_id": {"name": "Readers"}, "email_id": {"scheduled_at": timestamp(clock.now() + HOUR)}}.get(
        name, {}
    )
    await models.Email.of(acme).filter(id=own["email_id"]).update(scheduled_at=clock.now() + HOUR)
    rows = []
    for extra in ({}, forged(f"/v1{path}", rival)):
        status, answer = await api.patch(place, needed | extra)
        assert status == 200, answer
        row = await table.across_orgs().get(id=own[name])
        rows.append({column: value for column, value in dict(row).items() if column != "updated_at"})
        assert answer["data"].get("updated_at", "2003") > "2002"
    assert rows[0] == rows[1]
    assert (await api.get(place))[0] == 200
