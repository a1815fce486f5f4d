"""What the worker's tests share."""

from collections.abc import AsyncIterator

import pytest

from tests.fakes.smtp_server import SmtpServer


@pytest.fixture
async def smtp_server() -> AsyncIterator[SmtpServer]:
    """A server that takes all mail until it is told otherwise."""
    async with SmtpServer() as server:
        yield server
