"""The provider of a recipient, by the mail servers of its domain."""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from tests.fakes.name_server import NameServer
from webapp import config
from webapp.config import Settings
from webapp.sending.mx import FAILED_SECONDS, KEPT_SECONDS, Provider, RecipientProviders

SHOP = "shop.example"


@pytest.fixture
async def names(settings: Settings) -> AsyncIterator[NameServer]:
    async with NameServer() as server:
        server.add(SHOP, "MX", "10 aspmx.l.google.com.")
        config.configure(replace(settings, dns_servers=(server.address,)))
        yield server
        config.configure(settings)


@pytest.mark.parametrize(
    ("domain", "server", "provider"),
    [
        ("Gmail.com", None, Provider.GOOGLE),
        ("one.example", "10 one-example.mail.protection.outlook.com.", Provider.MICROSOFT),
        ("two.example", "10 mta5.am0.yahoodns.net.", Provider.YAHOO),
        ("three.example", "10 notgoogle.com.", Provider.OTHERS),
        ("four.example", None, Provider.OTHERS),
    ],
)
async def test_a_provider_is_known_by_its_servers(
    names: NameServer, domain: str, server: str | None, provider: Provider
) -> None:
    if server is not None:
        names.add(domain, "MX", server)
    assert await RecipientProviders().of(f"ann@{domain}", "acme") == provider


async def test_a_failure_is_remembered_for_a_minute_and_an_answer_for_a_day(
    names: NameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    providers, read, passed = RecipientProviders(), time.clock_gettime, 0.0
    monkeypatch.setattr(time, "clock_gettime", lambda clock: read(clock) + passed)
    names.fail(SHOP)
    assert await providers.of(f"ann@{SHOP}", "acme") == Provider.OTHERS
    names.heal()
    names.asked.clear()
    assert await providers.of(f"ann@{SHOP}", "acme") == Provider.OTHERS
    assert names.asked == []
    passed += FAILED_SECONDS + 1
    assert await providers.of(f"ann@{SHOP}", "acme") == Provider.GOOGLE
    names.fail(SHOP)
    passed += KEPT_SECONDS - 60
    assert await providers.of(f"ann@{SHOP}", "acme") == Provider.GOOGLE
    passed += 61
    assert await providers.of(f"ann@{SHOP}", "acme") == Provider.OTHERS


async def test_an_organization_that_uses_up_its_share_decides_nothing_for_others(names: NameServer) -> None:
    providers, slow = RecipientProviders(), [f"slow{number}.example" for number in range(8)]
    for domain in slow:
        names.hang(domain)
    tasks = [asyncio.create_task(providers.of(f"ann@{domain}", "acme")) for domain in slow]
    await asyncio.sleep(0)
    assert await providers.of(f"ann@{SHOP}", "acme") == Provider.OTHERS
    assert await providers.of(f"ann@{SHOP}", "rival") == Provider.GOOGLE
    assert set(await asyncio.gather(*tasks)) == {Provider.OTHERS}
