"""One account's messages in this process: they wait in line and go over a few connections at a time.

A new lane, and one whose account has had trouble, sends one message at a time until one goes through: a server that
does not answer, or refuses the login, is asked once.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from itertools import islice
from typing import NamedTuple

from webapp import clock
from webapp.domain.delivery.deliver import Message
from webapp.models import Account
from webapp.sending.outcomes import Outcome
from webapp.sending.smtp.session import Envelope, MayFollow

AHEAD_SECONDS = 0.3  # of sending are claimed ahead, so that no connection waits for the database
MOST_AHEAD = 1_200  # messages
MADE_TOGETHER, MADE_BYTES = 16, 256 * 1024  # messages, and what is enough of them
LIMIT_SHARE = 125  # of the daily limit so much may be lost with a worker: 8 of 1,000, or one for each connection
KEPT_SECONDS = 1.0  # after its last message
PACE_SECONDS = 0.05  # short, or a lane that begins would run dry before it knows its pace

GiveBack = Callable[[Iterable[Message]], Awaitable[None]]


class Lane:
    """Sends its messages in order; what is left when the account has trouble goes back."""

    def __init__(self, concurrency: int, send: "Send", give_back: GiveBack, onward: "Onward | None" = None) -> None:
        """With `onward` a message is offered while the one before it is under way."""
        self._concurrency = concurrency
        self._send = send
        self._give_back = give_back
        self._onward = onward
        self._line: deque[Message] = deque()
        self._is_proven = False
        self._pace = Pace()
        self._most_ahead = 0
        self.is_alone = False  # what is under way: nothing else must be there if the process dies of it
        self.offered = 0  # messages that are taken out of the line and not under way yet
        self.tasks: set[asyncio.Task[None]] = set()

    @property
    def size(self) -> int:
        """Messages that wait, are offered or are under way."""
        return len(self._line) + self.offered + len(self.tasks)

    @property
    def is_used(self) -> bool:
        """Whether it has messages, or had some just now: what is known of its pace is worth keeping."""
        return self.size > 0 or self._pace.idle_seconds < KEPT_SECONDS

    @property
    def held(self) -> int:
        """The bytes of emails that wait in line."""
        return sum(message.held for message in self._line)

    @property
    def room(self) -> int:
        """How many more messages may be claimed, 0 until it is time to.

        Those claimed ahead go within a moment: what others could send does not wait here, and who leaves meanwhile is
        asked about soon enough.
        """
        return self._room_beside(self.size)

    @property
    def will_have_room(self) -> bool:
        """Whether more may be claimed once the message whose outcome was just kept is let go of."""
        return self._room_beside(self.size - 1) > 0

    def _room_beside(self, size: int) -> int:
        if self.is_alone and size:
            return 0
        wanted = max(2 * self._concurrency, int(self._pace.rate * AHEAD_SECONDS))
        ahead = max(self._concurrency, min(wanted, self._most_ahead))
        return ahead - size if size <= max(self._concurrency, ahead // 2) else 0

    def allow(self, connections: int) -> None:
        """Go over so many connections at a time from now on; where there are more, they end after their message."""
        self._concurrency = connections
        self._start()

    def bound(self, daily_limit: int) -> None:
        """Hold no more than a share of the account's limit: what a killed worker held counts as used."""
        self._most_ahead = min(daily_limit // LIMIT_SHARE, MOST_AHEAD)

    def add(self, messages: Iterable[Message]) -> None:
        """Line messages up, emails before what campaigns have in line: somebody waits for those."""
        if not self.size:
            self._pace.go_on()
        self._line.extend(messages)
        self.is_alone = bool(self._line) and self._line[0].is_suspect  # which is claimed for an empty lane alone
        if not all(map(_is_of_run, self._line)):
            self._line = deque(sorted(self._line, key=_is_of_run))
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
        message = self._pop()
        while message is not None:
            turn = Turn(message, self._onward, self)
            self.note(is_well=await self._send(turn) and turn.is_well)
            if not self._is_proven:
                await self._give_up(turn)
            message = turn.take() or self._pop()
        # The callback comes a step later: who adds to the line before it would believe that this task still serves it.
        self.tasks -= {asyncio.current_task()}

    def note(self, *, is_well: bool) -> None:
        """A message has gone, or could not; whether the account is well."""
        self._is_proven = is_well
        self._pace.note()
        if is_well:
            self._start()

    def _pop(self) -> Message | None:
        """The next in line; None also for a task that is one too many by now: the others serve the line."""
        return self._line.popleft() if self._line and len(self.tasks) <= self._concurrency else None

    async def _give_up(self, turn: "Turn") -> None:
        """Trouble: what is left goes back, with what was offered already."""
        offered = turn.take()
        if offered is not None:
            self._line.appendleft(offered)
        await self.empty()

    def next_if(self, may_follow: Callable[[Message], bool]) -> Message | None:
        """Take the next in line where it can be made at once and may follow."""
        if not (self._line and self._is_proven and self._line[0].is_quick and may_follow(self._line[0])):
            return None
        if self._line[0].made is None:
            self._make_some()
        self.offered += 1
        return self._line.popleft()

    def _make_some(self) -> None:
        """Make the first few in line together, no more than there are connections for.

        One at a time takes an eighth more of the worker: the processor's caches have forgotten how by the next.
        """
        size = 0
        for message in islice(self._line, min(self._concurrency, MADE_TOGETHER)):
            size += message.make_ahead()
            if size >= MADE_BYTES:
                return


def _is_of_run(message: Message) -> bool:
    return message.rows[0].campaign_run_id is not None


class Pace:
    """How many messages a second have gone lately."""

    def __init__(self) -> None:
        self.rate = 0.0
        self._count, self._since = 0, clock.elapsed()
        self._latest = self._since

    @property
    def idle_seconds(self) -> float:
        """Since the last one went."""
        return clock.elapsed() - self._latest

    def go_on(self) -> None:
        """There are more: a while without any is not its pace."""
        if self.idle_seconds > PACE_SECONDS:
            self._count, self._since = 0, clock.elapsed()

    def note(self) -> None:
        """One has gone."""
        self._count += 1
        now = self._latest = clock.elapsed()
        if now - self._since >= PACE_SECONDS:
            self.rate = self._count / (now - self._since)
            self._count, self._since = 0, now


class Onward(NamedTuple):
    """How messages follow one another over a connection."""

    may_follow: Callable[["Turn", Message], bool]  # whether a message may be offered behind the one under way
    conclude: Callable[["Turn", dict[str, Outcome]], Awaitable[bool]]  # whether the account is well


class Turn:
    """Who sends one message after another over a connection: a Stream."""

    def __init__(self, message: Message, onward: Onward | None, lane: Lane) -> None:
        """Begin with `message`."""
        self.message = message
        self.account: Account = message.account
        self.is_well = True
        self._onward, self._lane = onward, lane
        self._offered: Message | None = None

    def take(self) -> Message | None:
        """The message that comes next because it was taken out of the line to be offered, once."""
        offered, self._offered = self._offered, None
        self._lane.offered -= offered is not None
        return offered

    def following(self, may_follow: MayFollow) -> tuple[Envelope, bytes] | None:
        """The next in line, made, where it can be offered at once. What has been taken comes next in any case."""
        if self._onward is None or not self.is_well:
            return None
        self._offered = self._lane.next_if(partial(self._onward.may_follow, self))
        made = None if self._offered is None else self._offered.take_made()
        if self._offered is None or made is None or may_follow(*made):
            return made
        self._offered.made = made  # for its own turn
        return None

    async def concluded(self, outcomes: dict[str, Outcome]) -> None:
        """Keep what became of the message under way, and go on with the one that was offered."""
        if self._onward is None:
            raise RuntimeError("nothing was offered")
        self.is_well = await self._onward.conclude(self, outcomes)
        self._lane.note(is_well=self.is_well)
        self.message = self.take() or self.message


Send = Callable[[Turn], Awaitable[bool]]  # whether the account is well
