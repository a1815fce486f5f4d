"""One account's messages in this process: they wait in line and go over a few connections at a time.

A new lane, and one whose account has had trouble, sends one message at a time until one goes through: a server that
does not answer, or refuses the login, is asked once.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable

from webapp import clock
from webapp.domain.deliveries import Message
from webapp.sending.berth import Berth, MayFollow
from webapp.sending.smtp import Envelope

AHEAD_SECONDS = 0.5  # of sending are claimed ahead, so that no connection waits for the database
MOST_AHEAD = 2_000  # messages
LIMIT_SHARE = 50  # a fiftieth of the daily limit may be lost with a worker
PACE_SECONDS = 0.1

MaySend = Callable[[Message], bool]
GiveBack = Callable[[Iterable[Message]], Awaitable[None]]


class Lane:
    """Sends its messages in order; what is left when the account has trouble goes back."""

    def __init__(self, concurrency: int, send: "Send", give_back: GiveBack, may_send: MaySend | None = None) -> None:
        """`may_send` judges a message that is offered while the one before it is under way; without it none is."""
        self._concurrency = concurrency
        self._send = send
        self._give_back = give_back
        self._may_send = may_send
        self._line: deque[Message] = deque()
        self._is_proven = False
        self._pace = Pace()
        self._most_ahead = 0
        self.tasks: set[asyncio.Task[None]] = set()

    @property
    def size(self) -> int:
        """Messages that wait or are under way."""
        return len(self._line) + len(self.tasks)

    @property
    def room(self) -> int:
        """How many more messages may be claimed, 0 until it is time to.

        Those claimed ahead go within a moment: what others could send does not wait here, and who leaves meanwhile is
        asked about soon enough.
        """
        ahead = max(2 * self._concurrency, min(int(self._pace.rate * AHEAD_SECONDS), self._most_ahead))
        return ahead - self.size if self.size <= max(self._concurrency, ahead // 2) else 0

    def allow(self, connections: int) -> None:
        """Go over so many connections at a time from now on."""
        self._concurrency = connections

    def bound(self, daily_limit: int) -> None:
        """Claim no more ahead than a share of the account's limit: what a killed worker held counts as used."""
        self._most_ahead = min(daily_limit // LIMIT_SHARE, MOST_AHEAD)

    def add(self, messages: Iterable[Message]) -> None:
        """Line messages up."""
        self._line.extend(messages)
        self._start()

    def withdraw(self, is_unwanted: Callable[[Message], bool]) -> list[Message]:
        """Take these out of the line; they are the caller's to give back."""
        found = [message for message in self._line if is_unwanted(message)]
        if found:
            self._line = deque(message for message in self._line if not is_unwanted(message))
        return found

    async def empty(self) -> None:
        """Give back what has not been started."""
        left = list(self._line)
        self._line.clear()
        if left:
            await self._give_back(left)

    def _start(self) -> None:
        allowed = self._concurrency if self._is_proven else 1
        while self._line and len(self.tasks) < allowed:
            task = asyncio.create_task(self._run())
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def _run(self) -> None:
        turn = Turn(self._next_to_offer)
        try:
            while (message := turn.take() or self._pop()) is not None:
                self._is_proven = await self._send(message, turn)
                self._pace.note()
                if self._is_proven:
                    self._start()
                else:
                    await self._give_up(turn)
        finally:
            turn.berth.leave()

    def _pop(self) -> Message | None:
        return self._line.popleft() if self._line else None

    async def _give_up(self, turn: "Turn") -> None:
        """Trouble: what is left goes back, with what was offered already."""
        offered = turn.take()
        turn.berth.leave()
        if offered is not None:
            self._line.appendleft(offered)
        await self.empty()

    def _next_to_offer(self) -> Message | None:
        """The next in line where it can be offered at once."""
        message = self._line[0] if self._line and self._is_proven and self._may_send is not None else None
        if message is None or not message.is_quick or self._may_send is None or not self._may_send(message):
            return None
        return self._line.popleft()


class Pace:
    """How many messages a second have gone lately."""

    def __init__(self) -> None:
        self.rate = 0.0
        self._count, self._since = 0, clock.elapsed()

    def note(self) -> None:
        """One has gone."""
        self._count += 1
        now = clock.elapsed()
        if now - self._since >= PACE_SECONDS:
            self.rate = self._count / (now - self._since)
            self._count, self._since = 0, now


class Turn:
    """Who sends one message after another over a connection, and the message that is offered already."""

    def __init__(self, next_to_offer: Callable[[], Message | None]) -> None:
        """Offer what `next_to_offer` takes out of the line."""
        self._next_to_offer = next_to_offer
        self._offered: Message | None = None
        self.berth = Berth(self._offer)

    def take(self) -> Message | None:
        """The message that comes next because it is offered already, once; it was made for that."""
        offered, self._offered = self._offered, None
        return offered

    def _offer(self, may_follow: MayFollow) -> tuple[Envelope, bytes] | None:
        message = self._next_to_offer()
        if message is None:
            return None
        self._offered = message
        made = message.made_now()
        if made is None or not may_follow(*made):
            return None  # it comes next all the same, and then it is told why
        self._offered = message.with_bytes(*made)
        return made


Send = Callable[[Message, Turn], Awaitable[bool]]  # whether the account is well
