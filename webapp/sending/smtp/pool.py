"""Keeps each account's connections open for the next messages, because signing in costs more than sending."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from time import monotonic

from webapp.sending.outcomes import Blame, Outcome, Phase, TryLater
from webapp.sending.smtp.connect import Dialer, ServerKey, SmtpLogin, Unreachable, dial
from webapp.sending.smtp.session import Discarded, SmtpSession, Stale
from webapp.sending.smtp.transaction import Envelope, Transaction

MESSAGES = 100  # per connection; many servers close it after that
IDLE_SECONDS = 50.0  # most servers drop idle clients after 60
CLOSE_SECONDS = 5.0
STOPPING = TryLater(None, "the worker is shutting down", Phase.CONNECT, Blame.UNREACHABLE)
LEARNED_SECONDS = 3_600.0  # relearning costs a time-out or a rejected password


@dataclass
class KnownServer:
    """Facts learned about an account's server: whether it `discards` pipelined input, and a working mechanism."""

    until: float
    discards: bool = False
    mechanism: str | None = None


class SmtpPool:
    """Opens and reuses the connections of many accounts; callers bound how many are in use."""

    def __init__(
        self, dialer: Dialer | None = None, *, messages: int = MESSAGES, idle_seconds: float = IDLE_SECONDS
    ) -> None:
        self._dialer = dialer or Dialer()
        self._messages, self._idle_seconds = messages, idle_seconds
        self._accounts: dict[str, _Account] = {}
        self._dials = set[asyncio.Timeout]()
        self._servers: dict[ServerKey, KnownServer] = {}
        self._closed = False

    async def connect(self, login: SmtpLogin) -> SmtpSession:
        """Returns an idle connection or a new one. Raises Unreachable."""
        account = self._accounts.setdefault(login.account_id, _Account(login))
        account.change_login(login)
        session = account.pop_idle()
        account.dialling += 1
        try:
            session = session or await self._open(account, login)
            account.busy.add(session)
        finally:
            account.dialling -= 1
            self._forget_unused(login.account_id)
        return session

    def may_continue(self, session: SmtpSession, messages: int = 0) -> bool:
        account = self._accounts[session.login.account_id]
        return session.messages + messages < self._messages and account.login == session.login and not self._closed

    def release(self, session: SmtpSession) -> None:
        account = self._accounts[session.login.account_id]
        account.busy.discard(session)
        is_one_too_many = len(account.busy) + len(account.idle) >= account.login.concurrency
        if is_one_too_many or not session.is_usable or not self.may_continue(session):
            session.close(politely=session.is_usable)
            self._forget_unused(session.login.account_id)
        else:
            timer = asyncio.get_running_loop().call_later(self._idle_seconds, self._expire, session)
            account.idle[session] = timer

    def discard(self, session: SmtpSession, error: Stale) -> None:
        """Closes a stale connection and the account's idle ones, which are older."""
        account = self._accounts[session.login.account_id]
        account.busy.discard(session)
        account.close_idle()
        session.close()
        if isinstance(error, Discarded):
            server = self._known_server(session.login.server)
            server.discards, server.until = True, monotonic() + LEARNED_SECONDS

    async def close(self, seconds: float = CLOSE_SECONDS) -> None:
        """Closes all connections; those in use get at most `seconds`."""
        self._closed = True
        sessions = [session for account in self._accounts.values() for session in (*account.busy, *account.idle)]
        for account in self._accounts.values():
            account.close_idle()
        is_closed = await _all_closed(sessions, seconds)
        for limit in self._dials:
            if not limit.expired():
                limit.reschedule(0)
        if not is_closed:
            for session in sessions:
                session.close()
            await _all_closed(sessions, 1)

    async def _open(self, account: "_Account", login: SmtpLogin) -> SmtpSession:
        # An account's first connection signs in alone; the ones that wait for it share its failure, unless they have a
        # newer token.
        failures = account.failures
        if not account.has_signed_in:
            async with account.first_login_lock:
                is_same = account.failed_token == login.token
                if account.failures != failures and account.failure is not None and is_same:
                    raise Unreachable(account.failure)
                if not account.has_signed_in:
                    return await self._dial(account, login)
        return await self._dial(account, login)

    async def _dial(self, account: "_Account", login: SmtpLogin) -> SmtpSession:
        if self._closed:
            raise Unreachable(STOPPING)
        server = self._known_server(login.server)
        limit = asyncio.timeout(None)  # only `close` ends it
        self._dials.add(limit)
        try:
            async with limit:
                connection = await dial(login, self._dialer, server.mechanism)
        except Unreachable as error:
            account.record_failure(login, error.outcome)
            raise
        except TimeoutError:
            raise Unreachable(STOPPING) from None
        finally:
            self._dials.discard(limit)
        account.has_signed_in = account.has_signed_in or account.login == login
        server.mechanism = connection.mechanism
        if server.discards:
            connection.extensions.pop("pipelining", None)
        return SmtpSession(login, connection, self._dialer.timeouts)

    def _known_server(self, key: ServerKey) -> KnownServer:
        now = monotonic()
        if key not in self._servers or self._servers[key].until < now:
            self._servers = {key: server for key, server in self._servers.items() if server.until >= now}
            self._servers[key] = KnownServer(now + LEARNED_SECONDS)
        return self._servers[key]

    def _expire(self, session: SmtpSession) -> None:
        del self._accounts[session.login.account_id].idle[session]
        session.close(politely=True)
        self._forget_unused(session.login.account_id)

    def _forget_unused(self, account_id: str) -> None:
        account = self._accounts.get(account_id)
        if account is not None and not (account.dialling or account.idle or account.busy):
            del self._accounts[account_id]


async def _all_closed(sessions: list[SmtpSession], seconds: float) -> bool:
    if not sessions:
        return True
    _, still_open = await asyncio.wait([session.closed for session in sessions], timeout=seconds)
    return not still_open


@contextlib.asynccontextmanager
async def single_session(login: SmtpLogin, dialer: Dialer) -> AsyncIterator[SmtpSession]:
    """A connection for one message, without pipelining, which some servers garble. Raises Unreachable."""
    connection = await dial(login, dialer)
    connection.extensions.pop("pipelining", None)
    session = SmtpSession(login, connection, dialer.timeouts)
    try:
        yield session
    finally:
        session.close(politely=session.is_usable)
        await asyncio.wait([session.closed], timeout=CLOSE_SECONDS)


async def try_login(login: SmtpLogin, dialer: Dialer | None = None) -> TryLater | None:
    """Connects, signs in and quits; returns the failure, if any."""
    try:
        async with single_session(login, dialer or Dialer()):
            return None
    except Unreachable as error:
        return error.outcome


async def try_sender(login: SmtpLogin, address: str, dialer: Dialer | None = None) -> Outcome | None:
    """Offers an email from the address to itself without sending it; None if the server accepts sender and recipient.

    Many servers judge the sender only at RCPT, and know whether the address is theirs. Raises Unreachable.
    """
    transaction = Transaction(Envelope(address, (address,), utf8=not address.isascii()), b"")
    async with single_session(login, dialer or Dialer()) as session:
        if await session.begin(transaction):  # without pipelining, DATA is not sent
            await session.abandon(transaction)
            transaction.outcomes.clear()
    return transaction.outcomes.get(address)


@dataclass(eq=False)
class _Account:
    login: SmtpLogin
    first_login_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    idle: dict[SmtpSession, asyncio.TimerHandle] = field(default_factory=dict)  # least recently used first
    busy: set[SmtpSession] = field(default_factory=set)
    dialling: int = 0
    has_signed_in: bool = False
    failures: int = 0
    failure: TryLater | None = None
    failed_token: str | None = field(default=None, repr=False)

    def change_login(self, login: SmtpLogin) -> None:
        """Uses an edited login from now on; connections in use finish their messages and then close."""
        if login.concurrency < self.login.concurrency:
            self.close_idle()
        if login != self.login:
            self.has_signed_in, self.failure = False, None
            self.first_login_lock = asyncio.Lock()
            self.close_idle()
        self.login = login

    def pop_idle(self) -> SmtpSession | None:
        while self.idle:
            session, timer = self.idle.popitem()
            timer.cancel()
            if session.is_usable:
                return session
            session.close()
        return None

    def close_idle(self) -> None:
        for session, timer in self.idle.items():
            timer.cancel()
            session.close(politely=True)
        self.idle.clear()

    def record_failure(self, login: SmtpLogin, outcome: TryLater) -> None:
        if self.login == login:
            self.has_signed_in, self.failure, self.failed_token = False, outcome, login.token
            self.failures += 1
