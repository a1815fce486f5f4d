"""Warm connections, a few per account: signing in costs more than sending."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from webapp.sending.berth import Berth
from webapp.sending.dial import Connection, Dialer, SmtpLogin, Unreachable, dial
from webapp.sending.outcomes import Blame, Outcome, Phase, TryLater
from webapp.sending.smtp import Envelope, Following, Proceed, Session, Stale

MESSAGES = 100  # per connection: many servers close it at the next one
IDLE_SECONDS = 50.0  # most servers drop a silent client after 60
CLOSE_SECONDS = 5.0
STOPPING = TryLater(None, "the worker is stopping", Phase.CONNECT, Blame.REST)


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
        self._closed = False

    async def deliver(
        self, login: SmtpLogin, envelope: Envelope, message: bytes, proceed: Proceed, berth: Berth | None = None
    ) -> dict[str, Outcome]:
        """The outcome for each recipient; waits while `login.concurrency` messages of the account are under way.

        `proceed` is awaited right before DATA, and False halts the message; what it raises comes through. Who sends
        one message after another brings a `berth`.
        """
        account = self._account(login)
        errand = _Errand(account, login, account.failures, envelope, message, proceed, berth)
        account.users += 1
        try:
            async with account.gate:
                return await self._deliver(errand)
        except Unreachable as error:
            return dict.fromkeys(envelope.recipients, error.outcome)
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
        if account.login != login:
            account.change(login)
        return account

    async def _deliver(self, errand: "_Errand") -> dict[str, Outcome]:
        session = self._begun_for(errand) or errand.account.take_idle()
        if session is not None:
            try:
                return await self._send(errand, session)
            except Stale:
                errand.account.drop_idle()  # they have waited longer than the one that had gone
        return await self._send(errand, await self._open(errand))

    def _begun_for(self, errand: "_Errand") -> Session | None:
        """The connection on which the message was offered behind the one before, unless that is of no use any more."""
        berth = errand.berth
        if berth is None or berth.session is None:
            return None
        if berth.envelope is errand.envelope and berth.login == errand.login and berth.session.is_usable:
            session, berth.session = berth.session, None
            return session
        berth.leave()
        return None

    async def _send(self, errand: "_Errand", session: Session) -> dict[str, Outcome]:
        errand.account.busy.add(session)
        try:
            return await session.send(errand.envelope, errand.message, errand.proceed, self._following(errand, session))
        finally:
            errand.account.busy.discard(session)
            self._give_back(errand, session)

    def _following(self, errand: "_Errand", session: Session) -> Following | None:
        """What session asks for the next message, where it may carry another."""
        berth = errand.berth
        if berth is None or session.messages + 1 >= self._messages:
            return None

        def following() -> tuple[Envelope, bytes] | None:
            if self._closed or errand.account.login != errand.login:
                return None
            found = berth.following(session.may_follow)
            berth.envelope = None if found is None else found[0]
            return found

        return following

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
        dialing = asyncio.ensure_future(dial(login, self._dialer))
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
        return Session(login.host, connection, self._dialer.timeouts)

    def _give_back(self, errand: "_Errand", session: Session) -> None:
        if session.has_begun and errand.berth is not None and session.is_usable:
            errand.berth.keep(session, errand.login, errand.account.busy)
            return
        is_done = session.messages >= self._messages or errand.account.login != errand.login or self._closed
        if is_done or not session.is_usable:
            session.close(politely=session.is_usable)
        else:
            errand.account.keep(session, self._idle_seconds, self._forget_unused)

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
    """One message on its way; `failures` are those its account had had when it came."""

    account: "_Account"
    login: SmtpLogin
    failures: int
    envelope: Envelope
    message: bytes
    proceed: Proceed
    berth: Berth | None


@dataclass(eq=False)
class _Idle:
    """A connection that waits, and the timer that ends it."""

    session: Session
    timer: asyncio.TimerHandle


@dataclass(eq=False)
class _Account:
    """The connections of one account, and whether its login is known to work."""

    login: SmtpLogin
    gate: asyncio.Semaphore = field(init=False)
    first: asyncio.Lock = field(default_factory=asyncio.Lock)
    idle: list[_Idle] = field(default_factory=list)
    busy: set[Session] = field(default_factory=set)
    users: int = 0
    is_proven: bool = False
    failures: int = 0
    trouble: TryLater | None = None

    def __post_init__(self) -> None:
        self.gate = asyncio.Semaphore(self.login.concurrency)

    def change(self, login: SmtpLogin) -> None:
        """Start anew with an edited login; messages under way end on their old connections, which close then."""
        if login.concurrency != self.login.concurrency:
            self.gate = asyncio.Semaphore(login.concurrency)
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
