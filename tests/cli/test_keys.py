"""Keys from the command line, held against the API."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.api.conftest import Api
from tests.apps import app_of
from tests.cli.conftest import OTHER_KEY, Pennypost, make_org
from tests.factories import make_account, make_webhook
from tests.pages.conftest import make_person
from webapp import clock, config, crypto
from webapp.config import Settings
from webapp.config.secret_keys import parse_secret_keys
from webapp.domain.accounts import credentials
from webapp.domain.auth import two_step
from webapp.domain.webhooks import webhooks
from webapp.models import Account, ApiKey, AuditEntry, Organization, Tombstone, User, Webhook, instance
from webapp.models.suppression import address_digest
from webapp.sending.smtp.connect import Unreachable


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


async def test_an_instance_whose_key_is_lost_starts_without_its_secrets(
    pennypost: Pennypost, settings: Settings, acme: Organization, rival: Organization
) -> None:
    """The rival's secrets are sealed by a key that is still there."""
    lost = [
        await make_account(acme, name="Mail", smtp_host="mail.acme.example", smtp_username="ada", password="hush"),
        await make_account(acme, name="Office", smtp_auth="oauth2", oauth_provider="microsoft"),
    ]
    lost[1].oauth_refresh_token = credentials.seal_secret(lost[1], "oauth_refresh_token", "token")
    await lost[1].save()
    webhook, person = await make_webhook(acme), await make_person(acme, "bob@acme.example")
    await User.filter(id=person.id).update(totp_secret=crypto.seal("KRSXG5A", two_step.binding(person)))
    await instance.load_signing_key()
    await Tombstone.create(org=acme, digest=address_digest(acme.id, "gone@example.org"))
    instance.SigningKey.value = None  # of this process, whose later tests sign by the secret keys
    config.configure(replace(settings, secret_keys=parse_secret_keys(OTHER_KEY)))
    theirs = await make_account(rival, smtp_host="mail.rival.example", smtp_username="eve", password="quiet")
    pennypost.environ["PENNYPOST_SECRET_KEYS"] = OTHER_KEY
    assert "add the old key" in await asyncio.to_thread(pennypost.refuses, "web")

    declined = await asyncio.to_thread(pennypost.run, "forget-secrets", stdin="n\n")
    assert declined.returncode == 1
    assert "2 accounts lose their passwords" in declined.stdout
    assert "1 erased addresses are no longer recognized" in declined.stdout
    assert "add the old key" in await asyncio.to_thread(pennypost.refuses, "web")
    assert (await run(pennypost, "forget-secrets", "--yes")).endswith("deleted")
    assert await run(pennypost, "forget-secrets", "--yes") == "the secret keys decrypt every stored secret"

    states = [(row.status, row.last_error) for row in await Account.of(acme).order_by("id")]
    assert states == [("error", "enter the password again for mail.acme.example"), ("error", "sign in again")]
    (mail, _) = await Account.of(acme).order_by("id")
    with pytest.raises(Unreachable):  # neither the lost password nor an empty one is used
        credentials.smtp_login(mail)
    unharmed = await Account.one_of(rival, theirs.id)
    assert (unharmed.status, credentials.open_secret(unharmed, "smtp_password")) == ("active", "quiet")
    (kept,) = await Webhook.of(acme)
    assert (kept.id, len(webhooks.open_secrets(kept))) == (webhook.id, 1)
    assert (await User.get(id=person.id)).totp_secret is None
    await asyncio.to_thread(lambda: pennypost.start("web").wait_for("the web is ready"))


async def test_a_key_is_limited_by_repeated_options(pennypost: Pennypost, settings: Settings, org: str) -> None:
    account = await make_account(await Organization.get(id=org))
    limits = (
        "--allowed-from",
        "@shop.example",
        "--allowed-from",
        "hi@acme.example",
        "--allowed-account",
        str(account.id),
    )
    key = await make_key(pennypost, org, *limits, "--allowed-network", "10.0.0.0/8")
    row = await ApiKey.get(prefix=key[:12])
    assert row.allowed_from == ["@shop.example", "hi@acme.example"]
    assert (row.allowed_account_ids, row.allowed_networks) == ([str(account.id)], ["10.0.0.0/8"])
    status, answer = await Api(app_of(settings), key).get("/v1/accounts")
    assert (status, answer["message"].partition(", ")[2]) == (403, "only from 10.0.0.0/8")


async def test_a_limit_that_means_nothing_is_refused(pennypost: Pennypost, org: str) -> None:
    words = ("create-key", org, "--name", "robot", "--role", "sender")
    refused = await asyncio.to_thread(pennypost.refuses, *words, "--allowed-account", org)
    assert "allowed_account_ids must be accounts of this organization" in refused
    refused = await asyncio.to_thread(pennypost.refuses, *words, "--allowed-network", "10.0.0.1/8")
    assert "allowed_networks must be a network or address like 203.0.113.0/24" in refused
