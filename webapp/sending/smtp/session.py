"""One SMTP connection that carries one message after another, each in three steps: begin, then finish or abandon.

Where the server offers PIPELINING (RFC 2920) MAIL, RCPT and DATA travel together, behind the final dot of the message
before where there is one: a message takes one round trip. Between `begin` and `finish` the caller may still decide
against the message: its body has not been written.
"""

import time
from asyncio import Future

from webapp.sending.mime.line_endings import DOT
from webapp.sending.outcomes import CLOSING, DONE, GO_AHEAD, Halted, Outcome, Phase, classify, lost
from webapp.sending.smtp.connect import Connection, SmtpLogin, Timeouts
from webapp.sending.smtp.protocol import CHUNK, TIMED_OUT, Lost, Reply
from webapp.sending.smtp.transaction import Transaction, is_out_of_step, is_over, unsupported

RESET_SECONDS = 10.0


class Stale(Exception):
    """A reused connection was gone, or out of step, before the server took anything: try again on a fresh one."""


class Discarded(Stale):
    """A server answered the beginning of a group and then nothing: try again, one command at a time."""


class Session:
    """A connection of one account. Every method that talks closes it where it raises."""

    def __init__(self, login: SmtpLogin, connection: Connection, timeouts: Timeouts) -> None:
        self.login, self._timeouts = login, timeouts
        self._wire, self._extensions = connection.wire, connection.extensions
        self.messages = 0
        self._deadline = 0.0
        self._pipelined: Transaction | None = None  # written behind the dot of the message before

    @property
    def is_usable(self) -> bool:
        """True while another message may begin."""
        return self._wire.is_usable and self._pipelined is None

    @property
    def closed(self) -> Future[None]:
        """Done once the socket is closed."""
        return self._wire.closed

    def close(self, *, politely: bool = False) -> None:
        """Closes the connection at once; `politely` with a QUIT whose answer nobody waits for."""
        self._pipelined = None
        self._wire.hang_up(politely=politely)

    def can_pipeline(self, transaction: Transaction) -> bool:
        """True where the beginning of a transaction may be written behind the dot of the message before."""
        return (
            "pipelining" in self._extensions
            and len(transaction.message) < CHUNK // 2  # dots may be added
            and not unsupported(transaction, self._extensions, self._host)
        )

    async def begin(self, transaction: Transaction) -> bool:
        """Says MAIL and RCPT, unless they were pipelined, and reads the answers; True when the body may follow.

        The recipients who will not get the message have their outcomes then. Raises Stale.
        """
        self._deadline = time.monotonic() + self._timeouts.message
        is_written, self._pipelined = transaction is self._pipelined, None
        if not is_written:
            transaction.start(unsupported(transaction, self._extensions, self._host))
        if not transaction.accepted:
            return False
        try:
            if "pipelining" in self._extensions and len(transaction.data) <= CHUNK:
                await self._begin_group(transaction, is_written=is_written)
            else:
                await self._begin_step_by_step(transaction)
        except BaseException:  # a cancelled transaction too: a late answer would be taken for the next one's
            self.close()
            raise
        self.messages += not transaction.accepted
        return bool(transaction.accepted)

    async def abandon(self, transaction: Transaction) -> None:
        """Ends a transaction that was begun without its message."""
        if transaction.is_in_data:
            self.close()  # in the middle of DATA there is no other way to send nothing
        else:
            await self._reset()
        transaction.end_for_accepted(Halted())
        self.messages += 1

    async def finish(self, transaction: Transaction, following: Transaction | None = None) -> None:
        """Sends the body to those who were accepted; behind its dot the beginning of `following`, which comes next.

        All recipients have their outcomes then. Raises Stale.
        """
        if transaction.is_in_data and not self._wire.is_usable and self.messages:
            self.close()
            raise Stale  # it went while the outcome before was saved
        try:
            if not transaction.is_in_data:
                outcome = await self._hand_over(transaction.data)
            else:
                outcome = await self._end_data(transaction.data, following)
        except BaseException:
            self.close()
            raise
        transaction.end_for_accepted(outcome)
        self.messages += 1

    @property
    def _host(self) -> str:
        return self.login.host

    def _group(self, transaction: Transaction) -> bytes:
        return b"".join((*transaction.commands(self._extensions), b"DATA\r\n"))

    async def _begin_group(self, transaction: Transaction, *, is_written: bool) -> None:
        """MAIL, RCPT and DATA together."""
        wanted, trouble = len(transaction.accepted) + 1, "closed the connection"
        try:
            if not is_written:
                self._wire.say(self._group(transaction), wanted + 1)
            *replies, answer = await self._wire.hear(wanted + 1, self._within(self._timeouts.command))
        except Lost as error:
            self.close()
            replies, answer, trouble = error.replies[:wanted], None, str(error)
            self._check_discarded(trouble, is_begun=is_written or bool(replies))
        self._check_stale(replies)
        transaction.judge(replies, trouble, self._host)
        if answer is None:
            transaction.end_for_accepted(lost(f"{self._host} {trouble}", Phase.DATA))
        elif answer.code != GO_AHEAD:
            transaction.end_for_accepted(classify(*answer, Phase.DATA, self._host))
            await self._start_over(transaction.outcomes, is_closing=answer.code == CLOSING)
        elif not transaction.accepted:
            await self._send_nothing(transaction.outcomes, is_ours=replies[0].code == DONE)
        else:
            transaction.is_in_data = True

    async def _send_nothing(self, outcomes: dict[str, Outcome], *, is_ours: bool) -> None:
        """End DATA that the server allowed although it refused everybody (RFC 2920, 3.1).

        Where it refused MAIL it may still be at the message before, whose recipients would get an empty one.
        """
        try:
            if is_ours:
                await self._wire.ask(DOT, self._within(self._timeouts.data))
        except Lost:
            is_ours = False
        if not is_ours:
            self.close()
        await self._start_over(outcomes)

    async def _end_data(self, data: bytes, following: Transaction | None) -> Outcome:
        """The message and its dot, and behind it the beginning of the next one."""
        group, replies = b"", 1
        if following is not None:
            following.start({})
            group, replies = self._group(following), len(following.accepted) + 3
        phase = Phase.DATA
        try:
            self._wire.say(b"".join((data, DOT, group)), replies)
            self._pipelined, phase = following, Phase.DOT
            (reply,) = await self._wire.hear(1, self._within(self._timeouts.dot))
        except Lost as error:
            self.close()
            return lost(f"{self._host} {error}", phase)
        outcome = classify(*reply, Phase.DOT, self._host)
        if is_over(outcome):
            self.close()
        elif reply.code != DONE and following is None:
            await self._reset()
        return outcome

    async def _begin_step_by_step(self, transaction: Transaction) -> None:
        """MAIL and RCPT: without PIPELINING each waits for its answer; a large message waits for that to DATA."""
        commands = transaction.commands(self._extensions)
        groups = [commands] if "pipelining" in self._extensions else [[command] for command in commands]
        replies: list[Reply] = []
        trouble = "closed the connection"
        for group in groups:
            try:
                replies += await self._wire.ask(b"".join(group), self._within(self._timeouts.command), len(group))
            except Lost as error:
                replies += error.replies
                trouble = str(error)
                self._check_discarded(trouble, is_begun=len(group) > 1 and bool(replies))
                break
            if replies[0].code != DONE or replies[-1].code == CLOSING:
                break
        self._check_stale(replies)
        transaction.judge(replies, trouble, self._host)
        if not transaction.accepted:
            await self._start_over(transaction.outcomes)

    def _check_discarded(self, trouble: str, *, is_begun: bool) -> None:
        """Some firewalls and servers say PIPELINING and empty what has come in with a command (RFC 2920, 1)."""
        if is_begun and trouble == TIMED_OUT:
            raise Discarded

    def _check_stale(self, replies: list[Reply]) -> None:
        if self.messages and (not replies or replies[0].code == CLOSING):
            raise Stale

    def _within(self, seconds: float) -> float:
        """A step's time, cut where the whole message's time ends."""
        return max(0.0, min(seconds, self._deadline - time.monotonic()))

    async def _hand_over(self, data: bytes) -> Outcome:
        """DATA, the message and the dot: one outcome for everybody who was accepted."""
        phase = Phase.DATA
        try:
            (reply,) = await self._wire.ask(b"DATA\r\n", self._within(self._timeouts.data))
            if reply.code == GO_AHEAD:
                if len(data) > CHUNK:
                    await self._wire.transfer(data, self._timeouts.data, self._deadline)
                    data = b""
                if self._wire.is_usable:
                    phase = Phase.DOT
                (reply,) = await self._wire.ask(data + DOT, self._within(self._timeouts.dot))
        except Lost as error:
            self.close()
            if error.replies:
                return classify(*error.replies[0], Phase.DATA, self._host)
            return lost(f"{self._host} {error}", phase)
        outcome = classify(*reply, phase, self._host)
        if phase is Phase.DATA:
            await self._start_over({"": outcome})
        elif is_over(outcome):
            self.close()
        elif reply.code != DONE:
            await self._reset()
        return outcome

    async def _start_over(self, outcomes: dict[str, Outcome], *, is_closing: bool = False) -> None:
        """Make ready for another transaction after one without a message; a connection that is over is closed.

        Raises Stale where it was out of step and had carried messages: the last of these may have left it so.
        """
        if is_closing or any(map(is_over, outcomes.values())):
            self.close()
            if self.messages and any(map(is_out_of_step, outcomes.values())):
                raise Stale
        else:
            await self._reset()

    async def _reset(self) -> None:
        """RSET after a failed transaction; a connection that cannot do that is closed."""
        if not self._wire.is_usable:
            self.close()
            return
        try:
            (reply,) = await self._wire.ask(b"RSET\r\n", min(RESET_SECONDS, self._timeouts.command))
        except Lost:
            self.close()
        else:
            if reply.code != DONE:
                self.close()
