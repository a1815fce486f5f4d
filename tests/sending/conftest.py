"""Servers, time-outs and logins for the tests of sending."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.fakes.google_server import GoogleServer
from tests.fakes.smtp_server import SmtpServer, client_context
from tests.fakes.stream_server import HOST
from webapp.sending.api_session import ApiSession
from webapp.sending.host_policy import HostPolicy, Lookup, ResolvedAddress
from webapp.sending.http_client import HttpClient
from webapp.sending.outcomes import Outcome
from webapp.sending.smtp.connect import Dialer, SmtpLogin, Timeouts, Unreachable, dial
from webapp.sending.smtp.pool import SmtpPool
from webapp.sending.smtp.session import SmtpSession, Stale
from webapp.sending.smtp.transaction import Envelope, Transaction

LoginTo = Callable[..., SmtpLogin]

SHORT = Timeouts(connect=1, command=1, data=1, dot=1, message=5)  # where a test waits for one of them
PATIENT = Timeouts(connect=60, command=60, data=60, dot=60, message=60)  # everywhere else, however slow the machine is
MESSAGE = b"Subject: Hello\r\n\r\nHi\r\n"
ADA = Envelope("me@example.com", ("ada@example.org",))


async def open_session(login: SmtpLogin, dialer: Dialer, timeouts: Timeouts = PATIENT, host: str = "mx") -> SmtpSession:
    """A session with the server of a login, which is called `host` in sentences."""
    return SmtpSession(replace(login, host=host), await dial(login, dialer), timeouts)


async def send(session: SmtpSession | ApiSession, envelope: Envelope, message: bytes) -> dict[str, Outcome]:
    """The outcomes of one message over a session."""
    transaction = Transaction(envelope, message)
    async with asyncio.timeout(60):
        if await session.begin(transaction):
            await session.finish(transaction)
    return transaction.outcomes


async def deliver(pool: SmtpPool, login: SmtpLogin, message: bytes = MESSAGE) -> Outcome:
    """The outcome for Ada of a message over a connection of a pool, or another one where that is stale."""
    while True:
        try:
            session = await pool.connect(login)
        except Unreachable as error:
            return error.outcome
        try:
            (outcome,) = (await send(session, ADA, message)).values()
        except Stale as error:
            pool.discard(session, error)
            continue
        pool.release(session)
        return outcome


def lookup_of(*addresses: str) -> Lookup:
    """A look-up that finds these addresses for every name."""

    async def lookup(_: str, port: int) -> list[ResolvedAddress]:
        return [ResolvedAddress(socket.AF_INET, (address, port)) for address in addresses]

    return lookup


@pytest.fixture
def dialer() -> Dialer:
    """Trusts the tests' authority."""
    return Dialer(PATIENT, client_context)


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
        policy = HostPolicy(allow_private=True)
        values: dict[str, Any] = {"account_id": "account", "host": HOST, "port": server.port, "policy": policy}
        return SmtpLogin(**(values | changes))

    return login_to


@pytest.fixture
async def google() -> AsyncIterator[GoogleServer]:
    async with GoogleServer() as google:
        yield google


@pytest.fixture
async def http() -> AsyncIterator[HttpClient]:
    http = HttpClient()
    yield http
    await http.aclose()
