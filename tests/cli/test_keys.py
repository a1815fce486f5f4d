"""Keys from the command line, held against the API."""

import asyncio
from datetime import timedelta

import pytest

from tests.api.conftest import Api
from tests.apps import app_of
from tests.cli.conftest import Pennypost, make_org
from webapp import clock
from webapp.config import Settings
from webapp.models import ApiKey, AuditEntry, Organization


@pytest.fixture
async def org(pennypost: Pennypost, database: str) -> str:
    """The id of an organization."""
    return await asyncio.to_thread(make_org, pennypost)


async def run(pennypost: Pennypost, *words: str) -> str:
    """What the command prints, while this process goes on."""
    return await asyncio.to_thread(pennypost.prints, *words)


async def make_key(pennypost: Pennypost, org: str, *more: str) -> str:
    return await run(pennypost, "create-key", org, "--name", "robot", "--role", "viewer", *more)


async def test_a_key_lasts_for_the_seconds_that_were_asked_for(
    pennypost: Pennypost, settings: Settings, org: str
) -> None:
    key = await make_key(pennypost, org, "--expires-in-seconds", "3600")
    row = await ApiKey.get(prefix=key[:12])
    assert timedelta(minutes=58) < row.expires_at - clock.now() <= timedelta(hours=1)
    assert (await Api(app_of(settings), key).get("/v1/accounts"))[0] == 200


def test_days_and_seconds_together_are_refused(pennypost: Pennypost) -> None:
    words = ("create-key", "x", "--name", "robot", "--role", "viewer")
    line = pennypost.refuses(*words, "--expires-in-days", "1", "--expires-in-seconds", "1")
    assert line.startswith("use --expires-in-days or --expires-in-seconds, not both")


async def test_a_key_revoked_by_the_command_is_refused_by_a_running_app_within_a_second(
    pennypost: Pennypost, settings: Settings, org: str
) -> None:
    key = await make_key(pennypost, org)
    api = Api(app_of(settings), key)
    assert (await api.get("/v1/accounts"))[0] == 200
    await run(pennypost, "revoke-key", key)
    await asyncio.sleep(1)
    assert (await api.get("/v1/accounts"))[0] == 401


async def test_what_the_operator_does_is_in_the_audit_log(pennypost: Pennypost, org: str) -> None:
    assert (await Organization.get(id=org)).plan == "enterprise"
    key = await make_key(pennypost, org)
    await run(pennypost, "revoke-key", key)
    await run(pennypost, "set-plan", org, "scale")
    entries = await AuditEntry.all().order_by("id")
    done = [("key.issued", "robot"), ("key.revoked", "robot"), ("plan.changed", "Acme")]
    assert [(entry.action, entry.target) for entry in entries] == done
    assert {(str(entry.org_id), entry.actor, entry.actor_id, entry.address) for entry in entries} == {
        (org, "the operator", None, "")
    }
    assert key not in str(await AuditEntry.all().values())
