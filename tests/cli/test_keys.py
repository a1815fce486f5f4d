"""Keys from the command line, held against the API."""

import asyncio
from datetime import timedelta

from tests.api.conftest import Api
from tests.apps import app_of
from tests.cli.conftest import Pennypost
from tests.cli.test_admin import make_org
from webapp import clock
from webapp.config import Settings
from webapp.models import ApiKey, AuditEntry, Organization


async def test_a_key_lasts_for_the_seconds_that_were_asked_for(
    pennypost: Pennypost, settings: Settings, database: str
) -> None:
    org = await asyncio.to_thread(make_org, pennypost)
    words = ("create-key", org, "--name", "robot", "--role", "viewer", "--expires-in-seconds")
    key = await asyncio.to_thread(pennypost.prints, *words, "3600")
    row = await ApiKey.get(prefix=key[:12])
    assert row.expires_at is not None
    assert timedelta(minutes=58) < row.expires_at - clock.now() <= timedelta(hours=1)
    assert (await Api(app_of(settings), key).get("/v1/accounts"))[0] == 200


def test_days_and_seconds_together_are_refused(pennypost: Pennypost) -> None:
    words = ("create-key", "x", "--name", "robot", "--role", "viewer")
    line = pennypost.refuses(*words, "--expires-in-days", "1", "--expires-in-seconds", "1")
    assert line.startswith("use --expires-in-days or --expires-in-seconds, not both")


async def test_a_key_revoked_by_the_command_is_refused_by_a_running_app_within_a_second(
    pennypost: Pennypost, settings: Settings, database: str
) -> None:
    org = await asyncio.to_thread(make_org, pennypost)
    words = ("create-key", org, "--name", "robot", "--role", "viewer")
    key = await asyncio.to_thread(pennypost.prints, *words)
    api = Api(app_of(settings), key)
    assert (await api.get("/v1/accounts"))[0] == 200
    await asyncio.to_thread(pennypost.prints, "revoke-key", key)
    await asyncio.sleep(1)
    assert (await api.get("/v1/accounts"))[0] == 401


async def test_what_the_operator_does_is_in_the_audit_log(
    pennypost: Pennypost, settings: Settings, database: str
) -> None:
    org = await asyncio.to_thread(make_org, pennypost)
    assert (await Organization.get(id=org)).plan == "enterprise"
    key = await asyncio.to_thread(pennypost.prints, "create-key", org, "--name", "robot", "--role", "viewer")
    await asyncio.to_thread(pennypost.prints, "revoke-key", key)
    await asyncio.to_thread(pennypost.prints, "set-plan", org, "scale")
    entries = await AuditEntry.all().order_by("id")
    assert [(entry.action, entry.target) for entry in entries] == [
        ("key.issued", "robot"),
        ("key.revoked", "robot"),
        ("plan.changed", "Acme"),
    ]
    assert {(str(entry.org_id), entry.actor, entry.actor_id, entry.address) for entry in entries} == {
        (org, "the operator", None, "")
    }
    assert key not in str(await AuditEntry.all().values())
