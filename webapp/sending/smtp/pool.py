"""Warm connections, a few per account: signing in costs more than sending."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from webapp.sending.limits import Gate
from webapp.sending.outcomes import Blame, Outcome, Phase, TryLater
from webapp.sending.smtp.connect import Connection, Dialer, SmtpLogin, Unreachable, dial
from webapp.sending.smtp.known_servers import KnownServers
from webapp.sending.smtp.session import Discarded, Envelope, MayFollow, Proceed, Relay, Session, Stale

MESSAGES = 100  # per connection: many servers close it at the next one
IDLE_SECONDS = 50.0  # most servers drop a silent client after 60
CLOSE_SECONDS = 5.0
STOPPING = TryLater(None, "the worker is stopping", Phase.CONNECT, Blame.UNREACHABLE)


class SmtpPool:
    """Sends messages of many accounts over connections that are kept; one per process."""

    def __init__(
        self,
        dialer: Dialer | None = None,
        *,
        messages: int = MESSAGES,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        """Connect with `dialer`; a connection sends `messages` and waits `idle_seconds` for the next, at most."""
        self._dialer = dialer or Dialer()
        self._messages, self._idle_seconds = messages, idle_seconds
        self._accounts: dict[str, _Account] = {}
        self._dials: set[asyncio.Future[Connection]] = set()
        self._servers = KnownServers()
        self._closed = False

    async def deliver(
        self, login: SmtpLogin, envelope: Envelope, message: bytes, proceed: Proceed, relay: Relay | None = None
    ) -> dict[str, Outcome]:
        """The outcome for each recipient; waits while `login.concurrency` messages of the account are under way.

        `proceed` is awaited right before DATA, and False halts the message; what it raises comes through. Who sends
        one message after another brings a `relay`; what is returned is the last one's then.
        """
        account = self._account(login)
        errand = _Errand(account, account.login, account.failures, envelope, message, proceed, relay)
        message = b""  # let go: the errand has it, and those that follow it
        account.users += 1
        try:
            async with account.gate:
                return await self._deliver(errand)
        except Unreachable as error:
            return dict.fromkeys(errand.envelope.recipients, error.outcome)
        finally:
            account.users -= 1
            self._forget_unused(login.account_id)

    async def close(self, seconds: float = CLOSE_SECONDS) -> None:
        """Close what is idle, give what is under way `seconds` to end, and cut the rest."""
        self._closed = True
        sessions = [session for account in self._accounts.values() for session in account.sessions()]
        for account in self._accounts.values():
            account.drop_idle()
        is_closed = await _all_closed(sessions, seconds)
        for dialing in self._dials:
            dialing.cancel()
        if not is_closed:
            for session in sessions:
                session.close()
            await _all_closed(sessions, 1)

    def _account(self, login: SmtpLogin) -> "_Account":
        account = self._accounts.setdefault(login.account_id, _Account(login))
        account.allow(login.concurrency)
        if account.login != login:
            account.change(login)
        return account

    async def _deliver(self, errand: "_Errand") -> dict[str, Outcome]:
        session = errand.account.take_idle()
        while True:  # a connection goes stale after a message, so that each round sends one; or discards, once
            if session is None:
                session = await self._open(errand)
            try:
                return await self._send(errand, session)
            except Stale as error:
                errand.account.drop_idle()  # they have waited longer than the one that had gone
                session = None
                if isinstance(error, Discarded):
                    self._servers.note_discards(errand.login.server)

    async def _send(self, errand: "_Errand", session: Session) -> dict[str, Outcome]:
        relay = (
            None if errand.relay is None else _Onward(errand, errand.relay, lambda: self._may_go_on(errand, session))
        )
        errand.account.busy.add(session)
        try:
            return await session.send(errand.envelope, errand.message, errand.proceed, relay)
        finally:
            errand.account.busy.discard(session)
            self._give_back(errand, session)

    def _may_go_on(self, errand: "_Errand", session: Session) -> bool:
        """Whether the connection may carry another message behind the one under way."""
        account = errand.account
        return (
            session.messages + 1 < self._messages
            and account.login is errand.login
            and not (account.gate.is_overfull or self._closed)
        )

    async def _open(self, errand: "_Errand") -> Session:
        """A new connection; the first of an account signs in alone, and who waited meanwhile shares its failure."""
        account = errand.account
        if not account.is_proven:
            async with account.first:
                if account.failures != errand.failures and account.trouble is not None:
                    raise Unreachable(account.trouble)
                if not account.is_proven:
                    return await self._dial(errand)
        return await self._dial(errand)

    async def _dial(self, errand: "_Errand") -> Session:
        if self._closed:
            raise Unreachable(STOPPING)
        account, login = errand.account, errand.login
        server = self._servers.of(login.server)
        dialing = asyncio.ensure_future(dial(login, self._dialer, server.mechanism))
        self._dials.add(dialing)
        try:
            connection = await dialing
        except Unreachable as error:
            account.note_failure(login, error.outcome)
            raise
        except asyncio.CancelledError:
            if dialing.cancelled() and not _is_cancelled():  # by close()
                raise Unreachable(STOPPING) from None
            raise
        finally:
            self._dials.discard(dialing)
        account.is_proven = account.is_proven or account.login == login
        server.mechanism = connection.mechanism
        if server.discards:
            connection.extensions.pop("pipelining", None)
        return Session(login.host, connection, self._dialer.timeouts)

    def _give_back(self, errand: "_Errand", session: Session) -> None:
        account = errand.account
        is_done = session.messages >= self._messages or account.login != errand.login or self._closed
        if is_done or account.gate.is_overfull or not session.is_usable:
            session.close(politely=session.is_usable)
        else:
            account.keep(session, self._idle_seconds, self._forget_unused)

    def _forget_unused(self, account_id: str) -> None:
        account = self._accounts.get(account_id)
        if account is not None and not account.users and not account.idle and not account.busy:
            del self._accounts[account_id]


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _all_closed(sessions: list[Session], seconds: float) -> bool:
    if not sessions:
        return True
    _, open_still = await asyncio.wait([session.closed for session in sessions], timeout=seconds)
    return not open_still


async def try_login(login: SmtpLogin, dialer: Dialer | None = None) -> TryLater | None:
    """Connect, secure, sign in and quit: None when all went well, else what is wrong in words a person can act on."""
    try:
        connection = await dial(login, dialer or Dialer())
    except Unreachable as error:
        return error.outcome
    connection.wire.hang_up(politely=True)
    await asyncio.wait([connection.wire.closed], timeout=CLOSE_SECONDS)
    return None


@dataclass(eq=False, slots=True)
class _Errand:
    """The message on its way; `failures` are those its account had had when it came."""

    account: "_Account"
    login: SmtpLogin
    failures: int
    envelope: Envelope
    message: bytes
    proceed: Proceed
    relay: Relay | None


class _Onward:
    """A session's relay: what the caller's gives may follow as long as `may_go_on` says so."""

    def __init__(self, errand: _Errand, relay: Relay, may_go_on: Callable[[], bool]) -> None:
        self._errand, self._relay, self._may_go_on = errand, relay, may_go_on
        self._offered: tuple[Envelope, bytes] | None = None

    def following(self, may_follow: MayFollow) -> tuple[Envelope, bytes] | None:
        self._offered = self._relay.following(may_follow) if self._may_go_on() else None
        return self._offered

    async def concluded(self, outcomes: dict[str, Outcome]) -> None:
        await self._relay.concluded(outcomes)
        if self._offered is not None:
            self._errand.envelope, self._errand.message = self._offered


@dataclass(eq=False)
class _Idle:
    """A connection that waits, and the timer that ends it."""

    session: Session
    timer: asyncio.TimerHandle


@dataclass(eq=False)
class _Account:
    """The connections of one account, and whether its login is known to work."""

    login: SmtpLogin
    gate: Gate = field(init=False)
    first: asyncio.Lock = field(default_factory=asyncio.Lock)
    idle: list[_Idle] = field(default_factory=list)
    busy: set[Session] = field(default_factory=set)
    users: int = 0
    is_proven: bool = False
    failures: int = 0
    trouble: TryLater | None = None

    def __post_init__(self) -> None:
        self.gate = Gate(self.login.concurrency)

    def allow(self, connections: int) -> None:
        """Have so many connections at a time from now on; where there are more, they close after their message."""
        if connections < self.gate.size:
            self.drop_idle()
        self.gate.resize(connections)

    def change(self, login: SmtpLogin) -> None:
        """Start anew with an edited login; messages under way end on their old connections, which close then."""
        self.login = login
        self.is_proven, self.trouble = False, None
        self.first = asyncio.Lock()
        self.drop_idle()

    def take_idle(self) -> Session | None:
        """The connection that was used last and is still there."""
        while self.idle:
            waiting = self.idle.pop()
            waiting.timer.cancel()
            if waiting.session.is_usable:
                return waiting.session
            waiting.session.close()
        return None

    def keep(self, session: Session, seconds: float, then: Callable[[str], None]) -> None:
        """Let a connection wait for the next message, `seconds` at most; `then` is told the account's id."""

        def expire() -> None:
            self.idle.remove(waiting)
            session.close(politely=True)
            then(self.login.account_id)

        waiting = _Idle(session, asyncio.get_running_loop().call_later(seconds, expire))
        self.idle.append(waiting)

    def sessions(self) -> list[Session]:
        """Every connection there is, idle or not."""
        return [*self.busy, *(waiting.session for waiting in self.idle)]

    def drop_idle(self) -> None:
        """Close all connections that wait."""
        for waiting in self.idle:
            waiting.timer.cancel()
            waiting.session.close(politely=True)
        self.idle.clear()

    def note_failure(self, login: SmtpLogin, outcome: TryLater) -> None:
        """Remember why nobody got in, unless the login has been edited meanwhile."""
        if self.login == login:
            self.is_proven, self.trouble = False, outcome
            self.failures += 1
