"""From a host name to a connection that may send: resolve, connect, secure, sign in."""

import asyncio
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, NoReturn

import aiosmtplib

from webapp.config import Settings
from webapp.config.mail import helo_name_of
from webapp.sending import host_policy
from webapp.sending.outcomes import CLOSING, REFUSALS, Blame, Phase, TryLater, classify, clean
from webapp.sending.smtp.known_servers import Key
from webapp.sending.smtp.protocol import Wire, handed_over
from webapp.sending.smtp.sign_in import sign_in

Security = Literal["auto", "tls", "starttls", "none"]

TLS_PORT = 465
GIVE_UP_SECONDS = 0.1
TOLD_AFTER_SECONDS = 4.0  # two tries of TCP to reach a server, and what a person waits who mistyped the port


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds: to connect (TLS and greeting too), per command, per piece of DATA, for the final dot, for all of it."""

    connect: float = 15
    command: float = 60
    data: float = 120
    dot: float = 600
    message: float = 900

    @classmethod
    def of(cls, settings: Settings) -> "Timeouts":
        """The time-outs of this instance."""
        return cls(*settings.smtp_timeouts)


@dataclass(frozen=True, slots=True)
class SmtpLogin:
    """How an account reaches its server. Username and password come together or not at all."""

    account_id: str
    host: str
    port: int
    security: Security = "auto"
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    policy: host_policy.HostPolicy = field(default_factory=host_policy.HostPolicy)
    concurrency: int = field(default=4, compare=False)  # what it allows another time is the same login

    @property
    def server(self) -> Key:
        """The server as this account knows it."""
        return self.account_id, self.host, self.port, self.security


@cache
def shared_tls_context() -> ssl.SSLContext:
    """The TLS context of this process: certificates are verified, TLS 1.2 at least. Making one costs 16 ms."""
    return ssl.create_default_context()


@dataclass(frozen=True, slots=True)
class Dialer:
    """What every connection of a process shares."""

    timeouts: Timeouts = field(default_factory=Timeouts)
    tls: Callable[[], ssl.SSLContext] = shared_tls_context
    lookup: host_policy.Lookup = host_policy.system_lookup
    told_after: float | None = None  # seconds until any failure to connect is told: nobody learns which ports are open
    helo_name: str | None = None  # by which we greet; without one our address is said (RFC 5321, 4.1.4)

    @classmethod
    def of(cls, settings: Settings, told_after: float | None = None) -> "Dialer":
        """The dialer of this instance."""
        helo_name = settings.helo_name or helo_name_of(settings.base_url)
        return cls(Timeouts.of(settings), told_after=told_after, helo_name=helo_name)


@dataclass(frozen=True, slots=True)
class Connection:
    """A connection that may send, and what its server offered after EHLO: keyword in lower case to parameters.

    `mechanism` is the one that signed in.
    """

    wire: Wire
    extensions: dict[str, str]
    mechanism: str | None = None


class Unreachable(Exception):
    """There is no connection; `outcome` says why, in words a person can act on, and whose turn it is."""

    def __init__(self, outcome: TryLater) -> None:
        super().__init__(outcome.text)
        self.outcome = outcome


async def dial(login: SmtpLogin, dialer: Dialer, mechanism: str | None = None) -> Connection:
    """Connect, secure and sign in as the account says. Raises Unreachable; never leaves a socket behind.

    The `mechanism` that is known to sign in is tried first.
    """
    sock, endpoint = await _connect(login, await _resolve(login, dialer), dialer)
    try:
        smtp = _client(login, sock, dialer)
        return await _Handshake(login, smtp, endpoint, mechanism).run(dialer.timeouts)
    except BaseException:
        _give_up(sock)
        raise


async def _resolve(login: SmtpLogin, dialer: Dialer) -> list[host_policy.ResolvedAddress]:
    host = login.host
    try:
        return await host_policy.resolve(
            host, login.port, login.policy, lookup=dialer.lookup, timeout=dialer.timeouts.connect
        )
    except host_policy.HostRefused as error:
        subject = host if error.about == "host" else f"the port {login.port} of {host}"
        _fail(Phase.CONNECT, Blame.MISCONFIGURED, f"{subject} {error}")
    except host_policy.HostUnknown:
        _fail(Phase.CONNECT, Blame.MISCONFIGURED, f"there is no host named {host}")
    except host_policy.LookupFailed:
        _fail(Phase.CONNECT, Blame.UNREACHABLE, f"the name {host} could not be looked up")


def _fail(phase: Phase, blame: Blame, text: str) -> NoReturn:
    raise Unreachable(TryLater(None, clean(text), phase, blame)) from None


async def _connect(
    login: SmtpLogin, endpoints: list[host_policy.ResolvedAddress], dialer: Dialer
) -> tuple[socket.socket, host_policy.ResolvedAddress]:
    """A connected socket to the first address that answers. Why the others did not is told to nobody (port scans).

    Where the dialer has a `told_after`, how long it took does not tell it either.
    """
    loop = asyncio.get_running_loop()
    began, seconds = loop.time(), dialer.told_after or dialer.timeouts.connect
    for endpoint in endpoints:
        try:
            async with asyncio.timeout(seconds / len(endpoints)):
                return await _connected(endpoint), endpoint
        except OSError:  # a TimeoutError is one too
            continue
    if dialer.told_after is not None:
        await asyncio.sleep(began + dialer.told_after - loop.time())
    _fail(Phase.CONNECT, Blame.UNREACHABLE, f"no connection to {login.host} on port {login.port}")


async def _connected(endpoint: host_policy.ResolvedAddress) -> socket.socket:
    sock = socket.socket(endpoint.family, socket.SOCK_STREAM)
    try:
        sock.setblocking(False)
        await asyncio.get_running_loop().sock_connect(sock, endpoint.sockaddr)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        sock.close()
        raise
    return sock


def _give_up(sock: socket.socket) -> None:
    """End a connection at once, whoever owns it by now.

    A transport sees the end and closes; one that ends TLS in good manners would wait 30 s for the other side. Closing
    the socket under a transport is not allowed, so it is closed later, for the case that it never had one.
    """
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
    asyncio.get_running_loop().call_later(GIVE_UP_SECONDS, sock.close)


def _client(login: SmtpLogin, sock: socket.socket, dialer: Dialer) -> aiosmtplib.SMTP:
    return aiosmtplib.SMTP(
        hostname=login.host.rstrip("."),
        sock=sock,
        use_tls=_starts_with_tls(login),
        start_tls=False,  # its own opportunism falls back to clear text; _Handshake decides
        tls_context=dialer.tls(),
        local_hostname=dialer.helo_name or _address_literal(sock),
        timeout=dialer.timeouts.command,
    )


def _starts_with_tls(login: SmtpLogin) -> bool:
    return login.security == "tls" or (login.security == "auto" and login.port == TLS_PORT)


def _address_literal(sock: socket.socket) -> str:
    address = sock.getsockname()[0].partition("%")[0]
    return f"[IPv6:{address}]" if ":" in address else f"[{address}]"


class _Handshake:
    """The greeting, EHLO, STARTTLS and AUTH of one connection."""

    def __init__(
        self, login: SmtpLogin, smtp: aiosmtplib.SMTP, endpoint: host_policy.ResolvedAddress, mechanism: str | None
    ) -> None:
        self._login, self._smtp, self._host = login, smtp, login.host
        self._mechanism = mechanism
        self._phase = Phase.TLS if _starts_with_tls(login) else Phase.CONNECT
        self._is_private_peer = host_policy.is_private(endpoint.address)  # and allowed, or we would not be here

    async def run(self, timeouts: Timeouts) -> Connection:
        try:
            async with asyncio.timeout(timeouts.command):  # all of it: some servers drip
                await self._smtp.connect(timeout=timeouts.connect)
                self._phase = Phase.CONNECT
                await self._greet()
                await self._secure()
                await self._sign_in()
            return self._hand_over()
        except (aiosmtplib.SMTPException, OSError, ValueError) as error:
            self._smtp.close()
            raise self._unreachable(error) from None
        except BaseException:
            self._smtp.close()
            raise

    async def _greet(self) -> None:
        try:
            await self._smtp.ehlo()
        except aiosmtplib.SMTPHeloError as error:
            if error.code == CLOSING or not self._smtp.is_connected:
                raise
            await self._smtp.helo()

    async def _secure(self) -> None:
        """STARTTLS where it is wanted and offered. A server that offers it and fails is never spoken to in clear."""
        wanted = self._login.security in ("auto", "starttls") and not self._is_secure
        if not wanted:
            return
        self._phase = Phase.TLS
        if self._smtp.supports_extension("starttls"):
            await self._smtp.starttls()
            await self._greet()  # what was offered in clear counts for nothing (RFC 3207, 4.2)
        elif self._login.security == "starttls":
            _fail(Phase.TLS, Blame.MISCONFIGURED, f"{self._host} does not offer STARTTLS")

    @property
    def _is_secure(self) -> bool:
        return self._smtp.get_transport_info("sslcontext") is not None

    async def _sign_in(self) -> None:
        username, password = self._login.username, self._login.password
        if username is None:
            return
        self._phase = Phase.LOGIN
        if not self._is_secure and not self._is_private_peer:
            reason = "smtp_security is none" if self._login.security == "none" else "it does not offer STARTTLS"
            _fail(Phase.LOGIN, Blame.MISCONFIGURED, f"no password is sent to {self._host} without TLS: {reason}")
        self._mechanism = await sign_in(
            self._smtp, username, password or "", is_secure=self._is_secure, proven=self._mechanism
        )
        if self._mechanism is None:
            _fail(Phase.LOGIN, Blame.MISCONFIGURED, f"{self._host} offers no login that a user name and password fit")

    def _hand_over(self) -> Connection:
        extensions = dict(self._smtp.esmtp_extensions)
        if self._smtp.transport is None:
            raise aiosmtplib.SMTPServerDisconnected("Connection lost")
        return Connection(handed_over(self._smtp.transport), extensions, self._mechanism)

    def _unreachable(self, error: Exception) -> Unreachable:
        """Why there is no connection, in words. A banner that is no SMTP is never shown (port scans)."""
        certificate = _cause(error, ssl.SSLCertVerificationError)
        if certificate is not None:
            text = f"the certificate of {self._host} is not valid: {certificate.verify_message}"
            return Unreachable(TryLater(None, clean(text), Phase.TLS, Blame.MISCONFIGURED))
        if isinstance(error, aiosmtplib.SMTPResponseException) and error.code in REFUSALS:
            outcome = classify(error.code, error.message, self._phase, self._host)
            if isinstance(outcome, TryLater):
                return Unreachable(outcome)
        if isinstance(error, TimeoutError):
            words = "did not answer in time"
        elif isinstance(error, aiosmtplib.SMTPResponseException):
            words = "did not answer as an SMTP server does"
        else:
            words = "broke off the TLS handshake" if self._phase is Phase.TLS else "closed the connection"
        return Unreachable(TryLater(None, f"{self._host} {words}", self._phase, Blame.UNREACHABLE))


def _cause(
    error: BaseException | None, kind: type[ssl.SSLCertVerificationError]
) -> ssl.SSLCertVerificationError | None:
    while error is not None and not isinstance(error, kind):
        error = error.__cause__ or error.__context__
    return error
