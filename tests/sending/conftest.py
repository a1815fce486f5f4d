"""What the tests that send share: a server, short time-outs, and a login that may dial home."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from tests.fakes.smtp_server import HOST, SmtpServer, client_context
from webapp.sending.host_policy import HostPolicy
from webapp.sending.smtp.connect import Dialer, SmtpLogin, Timeouts
from webapp.sending.smtp.pool import SmtpPool
from webapp.sending.smtp.session import Envelope

LoginTo = Callable[..., SmtpLogin]

SHORT = Timeouts(connect=2, command=2, data=2, dot=2, message=5)
MESSAGE = b"Subject: Hello\r\n\r\nHi\r\n"
ADA = Envelope("me@example.com", ("ada@example.org",))


async def go() -> bool:
    return True


async def until(condition: Callable[[], bool]) -> None:
    """Wait for what another task does, however slow the machine is."""
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110 - what is waited for happens in a server's lists, which tell nobody
            await asyncio.sleep(0.005)


@pytest.fixture
def dialer() -> Dialer:
    """Trusts the tests' authority and waits seconds, not minutes."""
    return Dialer(SHORT, client_context)


@pytest.fixture
async def server() -> AsyncIterator[SmtpServer]:
    """Speaks clear text and wants no login."""
    async with SmtpServer() as server:
        yield server
        assert server.violations == []


@pytest.fixture
async def pool(dialer: Dialer) -> AsyncIterator[SmtpPool]:
    pool = SmtpPool(dialer)
    yield pool
    await pool.close(0.5)


@pytest.fixture
def login_to() -> LoginTo:
    """A login to a server on this machine, which the policy allows unless told otherwise."""

    def login_to(server: SmtpServer, **changes: Any) -> SmtpLogin:
        values = {"account_id": "account", "host": HOST, "port": server.port, "policy": HostPolicy(allow_private=True)}
        return SmtpLogin(**(values | changes))

    return login_to
