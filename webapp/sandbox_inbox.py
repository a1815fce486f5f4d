"""The sandbox inbox: an SMTP server that stores the mail of sandbox accounts and simulates difficult recipients.

* `bounce+x@` is answered 550 at RCPT: the address does not exist
* `tempfail+x@` is answered 451 at RCPT: try later
* `slow+x@` takes SLOW_SECONDS to answer the final dot
"""

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator
from typing import Any, cast
from uuid import UUID

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from webapp.db.errors import is_outage
from webapp.domain.sandbox import sandbox
from webapp.errors import KeyMissing

log = logging.getLogger(__name__)

MAX_BYTES = 40 * 1024 * 1024
SLOW_SECONDS = 3
CLOSE_SECONDS = 1
AWAY = "451 4.3.0 the inbox cannot keep mail just now, try again later"


@contextlib.asynccontextmanager
async def sandbox_inbox(listener: socket.socket) -> AsyncIterator[None]:
    """Receives mail inside the block; the database must be open."""
    inbox = _Inbox()
    connections: set[_Connection] = set()
    server = await asyncio.get_running_loop().create_server(lambda: _Connection(inbox, connections), sock=listener)
    try:
        yield
    finally:
        server.close()
        inbox.is_closed = True
        if inbox.storing:
            await asyncio.wait(inbox.storing, timeout=CLOSE_SECONDS)
        for connection in list(connections):
            if connection.transport is not None:
                connection.transport.close()


class _Inbox:
    def __init__(self) -> None:
        self.storing = set[asyncio.Task[Any]]()
        self.is_closed = False

    async def handle_EHLO(  # noqa: N802 - aiosmtpd calls it by this name, like those below
        self, _server: SMTP, session: Session, _envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        return [responses[0], "250-PIPELINING", *responses[1:]]

    async def handle_MAIL(  # noqa: N802 - aiosmtpd calls it by this name
        self, _server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if not session.authenticated:
            return "530 5.7.0 sign in with the key and the password of a sandbox account"
        if not address.isprintable():
            return "553 5.1.7 the address has characters that none may have"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(  # noqa: N802 - aiosmtpd calls it by this name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if not address.isprintable():
            return "553 5.1.3 the address has characters that none may have"
        if _plays(address, "bounce"):
            return "550 5.1.1 no such user"
        if _plays(address, "tempfail"):
            return "451 4.3.0 try again later"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, _server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd calls it by this name
        if any(_plays(address, "slow") for address in envelope.rcpt_tos):
            await asyncio.sleep(SLOW_SECONDS)
        org_id, data = cast("UUID", session.auth_data), envelope.original_content or b""
        task = asyncio.create_task(sandbox.store_mail(org_id, envelope.mail_from or "", envelope.rcpt_tos, data))
        self.storing.add(task)
        task.add_done_callback(self.storing.discard)
        return f"250 2.0.0 OK {(await task).id.hex}"


class _Connection(SMTP):
    """One client. aiosmtpd checks logins synchronously, so this class checks them again by the database."""

    def __init__(self, inbox: _Inbox, connections: "set[_Connection]") -> None:
        super().__init__(
            inbox,
            data_size_limit=MAX_BYTES,
            enable_SMTPUTF8=True,
            hostname="sandbox.pennypost",
            ident="Pennypost sandbox inbox",
            auth_require_tls=False,  # it listens on loopback
            authenticator=lambda _server, _session, _envelope, _mechanism, login: AuthResult(
                success=True, auth_data=login
            ),
            loop=asyncio.get_running_loop(),
        )
        self._inbox = inbox
        self._connections = connections

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._connections.add(self)
        if self._inbox.is_closed:  # the connection was accepted just before
            transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        self._connections.discard(self)
        super().connection_lost(error)

    async def handle_exception(self, error: Exception) -> str:
        """Starts a new envelope: aiosmtpd would answer the next MAIL with 503 and add its recipients to the old one."""
        self.envelope = Envelope()
        if is_outage(error):
            log.warning("the sandbox inbox cannot reach the database: %s", str(error) or type(error).__name__)
        else:
            log.error("the sandbox inbox failed", exc_info=error)
        return AWAY

    async def auth_PLAIN(self, server: Any, args: list[str]) -> AuthResult:  # noqa: N802 - aiosmtpd calls it by this name
        return await self._check(await super().auth_PLAIN(server, args))

    async def auth_LOGIN(self, server: Any, args: list[str]) -> AuthResult:  # noqa: N802 - aiosmtpd calls it by this name
        return await self._check(await super().auth_LOGIN(server, args))

    async def _check(self, parsed: AuthResult) -> AuthResult:
        if not parsed.success or not isinstance(parsed.auth_data, LoginPassword):
            return parsed
        login, password = (part.decode("utf-8", "replace") for part in parsed.auth_data)
        try:
            org_id = await sandbox.sign_in(login, password)
        except Exception as error:
            if not is_outage(error) and not isinstance(error, KeyMissing):
                raise
            return AuthResult(success=False, handled=False, message="454 4.7.0 the login cannot be checked just now")
        return AuthResult(success=org_id is not None, handled=org_id is not None, auth_data=org_id)


def _plays(address: str, part: str) -> bool:
    return address.lower().startswith(f"{part}+")
