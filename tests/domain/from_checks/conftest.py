"""A name server with the records of a From domain that passes, and an account that sends from it."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.fakes.name_server import NameServer
from webapp import config
from webapp.config import Settings

DOMAIN = "northwind.example"
GOOGLES = "v=spf1 include:_spf.google.com ~all"
POLICY = "v=DMARC1; p=none"


@pytest.fixture
async def names() -> AsyncIterator[NameServer]:
    async with NameServer() as server:
        server.add(DOMAIN, "MX", "10 mx.northwind.example.")
        server.text(DOMAIN, "another text", GOOGLES)
        server.text(f"_dmarc.{DOMAIN}", POLICY)
        server.text("_spf.google.com", "v=spf1 ip4:192.0.2.0/24 ~all")
        yield server


@pytest.fixture(autouse=True)
def configured(settings: Settings, names: NameServer) -> Iterator[Settings]:
    """Settings with this name server."""
    found = replace(settings, dns_servers=(names.address,))
    config.configure(found)
    yield found
    config.configure(settings)


async def check(api: Api, account_id: object, **fields: Any) -> dict[str, Any]:
    """The check of an account after DNS was looked at."""
    status, answer = await api.post(f"/v1/accounts/{account_id}/from-check", {"send_probe": False, **fields})
    assert status == 200, answer
    found: dict[str, Any] = answer["data"]
    return found
