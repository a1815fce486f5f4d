"""Changing the key that seals secrets, while the service goes on (S45)."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from uuid import uuid4

import pytest

from tests.factories import account_on, make_account, make_contact, make_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import working
from tests.faults.support.world import until_sent
from tests.pages.conftest import make_person
from webapp import config, crypto
from webapp.config import Settings
from webapp.domain.accounts.accounts import change_account
from webapp.domain.accounts.credentials import SECRETS, open_secret, seal_secret
from webapp.domain.accounts.inputs import AccountChanges
from webapp.domain.auth import two_step
from webapp.domain.contacts.unsubscribe import find_subscription, token_for
from webapp.domain.instance.secret_rotation import check_keys, check_secrets, rotate_secrets
from webapp.errors import ConfigError, NotFound
from webapp.models import Account, Instance, Organization, User, instance

OLD, NEW = b"o" * 32, b"n" * 32
Keys = Callable[..., Settings]


@pytest.fixture
def keys(settings: Settings) -> Keys:
    """Sets the secret keys of this process."""

    def use(*found: bytes) -> Settings:
        changed = replace(settings, secret_keys=found)
        config.configure(changed)
        return changed

    return use


async def make_sealed(org: Organization, name: str) -> Account:
    account = await make_account(org, name=name)
    for column in SECRETS:
        setattr(account, column, seal_secret(account, column, f"{column} of {name}"))
    await account.save()
    return account


async def key_ids() -> set[str]:
    """By which keys the stored secrets are sealed."""
    rows = await Account.across_orgs().values_list(*SECRETS)
    return {text.partition(".")[0] for row in rows for text in row if text}


async def test_what_the_old_key_sealed_is_sealed_by_the_new_one(
    acme: Organization, rival: Organization, keys: Keys
) -> None:
    keys(OLD)
    accounts = [await make_sealed(org, f"{org.name} {number}") for org in (acme, rival) for number in range(3)]
    before = {row.id: (row.updated_at, row.smtp_password) for row in await Account.across_orgs()}
    person = await make_person(acme, "ada@acme.example")
    await User.filter(id=person.id).update(totp_secret=crypto.seal("KRSXG5A", two_step.binding(person)))
    keys(NEW, OLD)
    await check_secrets()
    fresh = await make_sealed(acme, "fresh")
    assert await rotate_secrets() == len(SECRETS) * len(accounts) + 1
    assert await key_ids() == {crypto.sealing_key_id()}
    assert await rotate_secrets() == 0
    keys(NEW)
    await check_keys()
    await person.refresh_from_db()
    assert crypto.unseal(person.totp_secret or "", two_step.binding(person)) == "KRSXG5A"
    for account in [*accounts, fresh]:
        found = await Account.get(id=account.id)
        for column in SECRETS:
            assert open_secret(found, column) == f"{column} of {account.name}"
        if account.id in before:
            updated_at, sealed = before[account.id]
            assert found.updated_at == updated_at  # nobody has changed it
            assert found.smtp_password != sealed


async def test_without_the_old_key_nothing_is_lost_or_half_done(acme: Organization, keys: Keys) -> None:
    keys(OLD)
    account = await make_sealed(acme, "Main")
    keys(NEW)
    with pytest.raises(ConfigError, match="add the old key"):
        await rotate_secrets()
    keys(NEW, OLD)
    assert open_secret(await Account.get(id=account.id), "smtp_password") == "smtp_password of Main"
    assert await rotate_secrets() == len(SECRETS)


async def test_mail_goes_out_and_accounts_are_changed_meanwhile(
    acme: Organization, keys: Keys, smtp_server: SmtpServer
) -> None:
    keys(OLD)
    others = [await make_sealed(acme, f"No {number}") for number in range(30)]
    smtp_server.users = {"ada": "open sesame"}
    account = await account_on(smtp_server, acme, smtp_username="ada", password="open sesame")
    settings = keys(NEW, OLD)
    for _ in range(20):
        await make_mail(acme, account)

    async def rename(one: Account) -> None:
        changes = AccountChanges(name=f"{one.name}, renamed", smtp_password="changed", smtp_username="x")
        await change_account(one, changes)

    async with working(settings):
        works: list[Awaitable[object]] = [rotate_secrets(), until_sent(acme), *map(rename, others[::5])]
        await asyncio.gather(*works)
    await rotate_secrets()
    keys(NEW)
    dropped = 5 * len(others[::5])  # a change drops what an account with a password does not sign in with
    assert await check_secrets() == len(SECRETS) * len(others) + 1 - dropped
    for number, one in enumerate(others):
        found = await Account.get(id=one.id)
        is_renamed = number % 5 == 0
        assert open_secret(found, "smtp_password") == ("changed" if is_renamed else f"smtp_password of {one.name}")
        assert found.name.endswith("renamed") == is_renamed


@pytest.fixture
def own_key() -> Iterator[None]:
    """Lets this process sign by its instance's key, as one that serves does."""
    instance.SigningKey.value = None  # an earlier test may have served here
    yield
    instance.SigningKey.value = None


@pytest.mark.usefixtures("own_key")
async def test_links_and_codes_outlive_the_secret_keys(acme: Organization, rival: Organization, keys: Keys) -> None:
    contact, stranger = await make_contact(acme), await make_contact(rival)
    keys(OLD)
    before = token_for(contact.id, uuid4())  # of the time when links were signed by the secret keys
    await instance.load_signing_key()
    token, theirs = token_for(contact.id, uuid4()), token_for(stranger.id, uuid4())
    kept = (await Instance.get()).signing_key
    keys(NEW, OLD)
    assert await rotate_secrets() == 1
    assert (await Instance.get()).signing_key != kept
    assert (await find_subscription(before)).email == contact.email
    keys(NEW)
    await check_keys()
    for _ in range(2):  # the process goes on, and is started again
        assert (await find_subscription(token)).email == contact.email
        assert (await find_subscription(theirs)).email == stranger.email
        instance.SigningKey.value = None
        await instance.load_signing_key()
    with pytest.raises(NotFound):
        await find_subscription(before)
    with pytest.raises(NotFound):  # another's signature
        await find_subscription(f"{token.partition('.')[0]}.{theirs.partition('.')[2]}")
