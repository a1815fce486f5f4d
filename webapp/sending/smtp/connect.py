"""Opens a connection that may send: resolve, connect, start TLS, sign in."""

import asyncio
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal, NoReturn

import aiosmtplib

from webapp.config import Settings
from webapp.config.mail import helo_name_of
from webapp.sending import host_policy
from webapp.sending.outcomes import CLOSING, REFUSALS, Blame, Phase, TryLater, classify, clean, within_limit
from webapp.sending.smtp.protocol import SmtpProtocol
from webapp.sending.smtp.sign_in import advice, sign_in, sign_in_with_token

Security = Literal["auto", "tls", "starttls", "none"]

ServerKey = tuple[str, str, int, str]  # account, host, port, security

TLS_PORT = 465
CLOSE_DELAY = 0.1  # seconds
UNIFORM_FAILURE_DELAY = 4.0  # seconds: two TCP attempts, and tolerable for a person who mistyped the port


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds: to connect, per command, per chunk of DATA, for the final dot, and for a whole message."""

    connect: float = 15
    command: float = 60
    data: float = 120
    dot: float = 600
    message: float = 900


@dataclass(frozen=True, slots=True)
class SmtpLogin:
    """An account's server and login: a username and a password, a username and an OAuth token, or neither."""

    account_id: str
    host: str
    port: int
    security: Security = "auto"
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False, compare=False)  # renewed while connections stay open
    policy: host_policy.HostPolicy = field(default_factory=host_policy.HostPolicy)
    concurrency: int = field(default=4, compare=False)  # not part of the login

    @property
    def server(self) -> ServerKey:
        return self.account_id, self.host, self.port, self.security


@cache
def shared_tls_context() -> ssl.SSLContext:
    """Verifies certificates. Shared, because making one takes 16 ms."""
    return ssl.create_default_context()


@dataclass(frozen=True, slots=True)
class Dialer:
    timeouts: Timeouts = field(default_factory=Timeouts)
    tls: Callable[[], ssl.SSLContext] = shared_tls_context
    lookup: host_policy.Lookup | None = None  # the system's by default
    uniform_failure_delay: float | None = None  # seconds; None reveals closed ports by timing
    helo_name: str | None = None  # in EHLO, by default our address (RFC 5321, 4.1.4)

    @classmethod
    def of(cls, settings: Settings, uniform_failure_delay: float | None = None) -> "Dialer":
        helo_name = settings.helo_name or helo_name_of(settings.base_url)
        return cls(Timeouts(*settings.smtp_timeouts), uniform_failure_delay=uniform_failure_delay, helo_name=helo_name)


@dataclass(frozen=True, slots=True)
class SignedInConnection:
    """`extensions` are the server's parameters by lower-case EHLO keyword."""

    protocol: SmtpProtocol
    extensions: dict[str, str]
    mechanism: str | None = None


class Unreachable(Exception):
    """`outcome` says why, in words that a person can act on."""

    def __init__(self, outcome: TryLater) -> None:
        super().__init__(outcome.text)
        self.outcome = outcome


async def dial(login: SmtpLogin, dialer: Dialer, mechanism: str | None = None) -> SignedInConnection:
    """Connects, starts TLS and signs in, trying `mechanism` first. Raises Unreachable."""
    sock, is_private_peer = await open_socket(login.host, login.port, login.policy, dialer)
    try:
        handshake = _Handshake(login, sock, dialer, mechanism, is_private_peer=is_private_peer)
        return await handshake.run(dialer.timeouts)
    except BaseException:
        # A transport notices the shutdown and closes without waiting 30 s for the other side's TLS end. Closing a
        # socket under its transport is an error, so the delayed close is for sockets that never had one.
        with suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)
        asyncio.get_running_loop().call_later(CLOSE_DELAY, sock.close)
        raise


async def open_socket(
    host: str, port: int, policy: host_policy.HostPolicy, dialer: Dialer, ports: tuple[int, ...] = host_policy.PORTS
) -> tuple[socket.socket, bool]:
    """A socket connected to one of the host's addresses; True if that is private. Raises Unreachable."""
    try:
        endpoints = await host_policy.resolve(
            host, port, policy, ports=ports, lookup=dialer.lookup, timeout=dialer.timeouts.connect
        )
    except host_policy.HostRefused as error:
        subject = host if error.about == "host" else f"the port {port} of {host}"
        _fail(Phase.CONNECT, Blame.MISCONFIGURED, f"{subject} {error}")
    except host_policy.HostUnknown:
        _fail(Phase.CONNECT, Blame.MISCONFIGURED, f"host {host} not found")
    except host_policy.LookupFailed:
        _fail(Phase.CONNECT, Blame.UNREACHABLE, f"host {host} could not be looked up")
    return await _connect(f"{host}:{port}", endpoints, dialer)


def _fail(phase: Phase, blame: Blame, text: str) -> NoReturn:
    raise Unreachable(TryLater(None, clean(text), phase, blame)) from None


async def _connect(
    server: str, endpoints: list[host_policy.ResolvedAddress], dialer: Dialer
) -> tuple[socket.socket, bool]:
    # Neither words nor timing reveal why a connection failed, because that would help port scans.
    loop = asyncio.get_running_loop()
    began, seconds = loop.time(), dialer.uniform_failure_delay or dialer.timeouts.connect
    for endpoint in endpoints:
        try:
            async with asyncio.timeout(seconds / len(endpoints)):
                return await _connect_to(endpoint), host_policy.is_private(endpoint.address)
        except OSError:  # which includes TimeoutError
            continue
    if dialer.uniform_failure_delay is not None:
        await asyncio.sleep(began + dialer.uniform_failure_delay - loop.time())
    _fail(Phase.CONNECT, Blame.UNREACHABLE, f"could not connect to {server}. Check the host and port")


async def _connect_to(endpoint: host_policy.ResolvedAddress) -> socket.socket:
    sock = socket.socket(endpoint.family, socket.SOCK_STREAM)
    try:
        sock.setblocking(False)
        await asyncio.get_running_loop().sock_connect(sock, endpoint.sockaddr)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        sock.close()
        raise
    return sock


def _address_literal(sock: socket.socket) -> str:
    address = sock.getsockname()[0].partition("%")[0]
    return f"[IPv6:{address}]" if ":" in address else f"[{address}]"


class _Handshake:
    def __init__(
        self, login: SmtpLogin, sock: socket.socket, dialer: Dialer, mechanism: str | None, *, is_private_peer: bool
    ) -> None:
        self._login, self._host = login, login.host
        self._mechanism, self._is_private_peer = mechanism, is_private_peer
        starts_with_tls = login.security == "tls" or (login.security == "auto" and login.port == TLS_PORT)
        self._phase = Phase.TLS if starts_with_tls else Phase.CONNECT
        self._smtp = aiosmtplib.SMTP(
            hostname=login.host.rstrip("."),
            sock=sock,
            use_tls=starts_with_tls,
            start_tls=False,  # aiosmtplib would fall back to clear text
            tls_context=dialer.tls(),
            local_hostname=dialer.helo_name or _address_literal(sock),
            timeout=dialer.timeouts.command,
        )

    async def run(self, timeouts: Timeouts) -> SignedInConnection:
        try:
            async with asyncio.timeout(timeouts.command):  # for everything, because some servers drip
                await self._smtp.connect(timeout=timeouts.connect)
                self._phase = Phase.CONNECT
                await self._greet()
                await self._secure()
                await self._sign_in()
            return self._signed_in()
        except BaseException as error:
            self._smtp.close()
            if isinstance(error, (aiosmtplib.SMTPException, OSError, ValueError)):
                raise self._unreachable(error) from None
            raise

    async def _greet(self) -> None:
        try:
            await self._smtp.ehlo()
        except aiosmtplib.SMTPHeloError as error:
            if error.code == CLOSING or not self._smtp.is_connected:
                raise
            await self._smtp.helo()

    async def _secure(self) -> None:
        """STARTTLS if wanted and offered; if it fails, nothing is sent in clear."""
        if self._login.security not in ("auto", "starttls") or self._is_secure:
            return
        self._phase = Phase.TLS
        if self._smtp.supports_extension("starttls"):
            await self._smtp.starttls()
            await self._greet()  # extensions offered in clear do not count (RFC 3207, 4.2)
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
            reason = "encryption is set to none" if self._login.security == "none" else "it does not offer STARTTLS"
            _fail(Phase.LOGIN, Blame.MISCONFIGURED, f"the password was not sent to {self._host} without TLS: {reason}")
        token = self._login.token
        self._mechanism = await (
            sign_in_with_token(self._smtp, username, token)
            if token is not None
            else sign_in(self._smtp, username, password or "", is_secure=self._is_secure, known=self._mechanism)
        )
        if self._mechanism is None:
            kind = "OAuth" if token is not None else "password"
            _fail(Phase.LOGIN, Blame.MISCONFIGURED, f"{self._host} does not support {kind} sign-in")

    def _signed_in(self) -> SignedInConnection:
        if self._smtp.transport is None:
            raise aiosmtplib.SMTPServerDisconnected("connection lost")
        protocol, extensions = SmtpProtocol(self._smtp.transport), dict(self._smtp.esmtp_extensions)
        return SignedInConnection(protocol, extensions, self._mechanism)

    def _unreachable(self, error: Exception) -> Unreachable:
        """Hides the words of a server that does not speak SMTP, because they would help port scans."""
        certificate = certificate_error(error)
        if certificate is not None:
            text = f"the certificate of {self._host} is not valid: {certificate.verify_message}"
            return Unreachable(TryLater(None, clean(text), Phase.TLS, Blame.MISCONFIGURED))
        if isinstance(error, aiosmtplib.SMTPResponseException) and error.code in REFUSALS:
            outcome = classify(error.code, error.message, self._phase, self._host)
            if isinstance(outcome, TryLater):
                is_oauth = self._login.token is not None
                after = advice(error.code, error.message, is_oauth=is_oauth) if self._phase is Phase.LOGIN else ""
                text = outcome.text.removesuffix("." if after else "")
                return Unreachable(replace(outcome, text=within_limit(text, after=after)))
        if isinstance(error, TimeoutError):
            words = "did not respond in time"
        elif isinstance(error, aiosmtplib.SMTPResponseException):
            words = "did not respond like an SMTP server"
        else:
            words = "ended the TLS handshake" if self._phase is Phase.TLS else "closed the connection"
        return Unreachable(TryLater(None, f"{self._host} {words}", self._phase, Blame.UNREACHABLE))


def certificate_error(error: BaseException | None) -> ssl.SSLCertVerificationError | None:
    """The certificate error behind an error, if any."""
    while error is not None and not isinstance(error, ssl.SSLCertVerificationError):
        error = error.__cause__ or error.__context__
    return error
