"""Sends messages over one SMTP connection: `begin`, then `finish` or `abandon`; pipelines (RFC 2920) if offered."""

import time
from asyncio import Future

from webapp.sending.mime.line_endings import DOT
from webapp.sending.outcomes import CLOSING, DONE, GO_AHEAD, Halted, Outcome, Phase, classify, lost
from webapp.sending.smtp.connect import SignedInConnection, SmtpLogin, Timeouts
from webapp.sending.smtp.protocol import CHUNK, TIMED_OUT, ConnectionLost, Reply
from webapp.sending.smtp.transaction import Transaction, ends_connection, is_out_of_step, unsupported

RESET_SECONDS = 10.0


class Stale(Exception):
    """The connection was gone or out of step before the server accepted anything: retry over a new one."""


class Discarded(Stale):
    """The server replied to the first commands of a group only: retry over a new connection without pipelining."""


class SmtpSession:
    """A connection of one account; it is closed if a method that sends commands raises."""

    def __init__(self, login: SmtpLogin, connection: SignedInConnection, timeouts: Timeouts) -> None:
        self.login, self._host, self._timeouts = login, login.host, timeouts
        self._protocol, self._extensions = connection.protocol, connection.extensions
        self.closed: Future[None] = connection.protocol.closed
        self.messages = 0
        self._deadline = 0.0
        self._pipelined: Transaction | None = None  # written behind the previous message's dot

    @property
    def is_usable(self) -> bool:
        return self._protocol.is_usable and self._pipelined is None

    def close(self, *, politely: bool = False) -> None:
        self._pipelined = None
        self._protocol.close(politely=politely)

    def can_pipeline(self, transaction: Transaction) -> bool:
        """True if MAIL, RCPT and DATA may be written behind the previous message's dot."""
        return (
            "pipelining" in self._extensions
            and len(transaction.message) < CHUNK // 2  # dot-stuffing may add bytes
            and not unsupported(transaction, self._extensions, self._host)
        )

    async def begin(self, transaction: Transaction) -> bool:
        """Writes MAIL and RCPT unless pipelined and reads the replies; True if the body may follow. Raises Stale."""
        self._deadline = time.monotonic() + self._timeouts.message
        is_written, self._pipelined = transaction is self._pipelined, None
        if not is_written:
            transaction.start(unsupported(transaction, self._extensions, self._host))
        if not transaction.accepted:
            return False
        try:
            if "pipelining" in self._extensions and len(transaction.data) <= CHUNK:
                await self._begin_pipelined(transaction, is_written=is_written)
            else:
                await self._begin_step_by_step(transaction)
        except BaseException:  # a late reply would be read as one to the next transaction
            self.close()
            raise
        self.messages += not transaction.accepted
        return bool(transaction.accepted)

    async def abandon(self, transaction: Transaction) -> None:
        if transaction.is_in_data:
            self.close()  # after the go-ahead, closing is the only way to send no message
        else:
            await self._reset()
        transaction.end_for_accepted(Halted())
        self.messages += 1

    async def finish(self, transaction: Transaction, following: Transaction | None = None) -> None:
        """Sends the body, followed by the commands of `following`, which must come next. Raises Stale."""
        if transaction.is_in_data and not self._protocol.is_usable and self.messages:
            self.close()
            raise Stale  # the connection dropped while the previous outcome was saved
        try:
            if not transaction.is_in_data:
                outcome = await self._send_data(transaction.data)
            else:
                outcome = await self._finish_data(transaction.data, following)
        except BaseException:
            self.close()
            raise
        transaction.end_for_accepted(outcome)
        self.messages += 1

    def _group(self, transaction: Transaction) -> bytes:
        return b"".join((*transaction.commands(self._extensions), b"DATA\r\n"))

    async def _begin_pipelined(self, transaction: Transaction, *, is_written: bool) -> None:
        wanted, failure = len(transaction.accepted) + 1, "closed the connection"
        try:
            if not is_written:
                self._protocol.write(self._group(transaction), wanted + 1)
            *replies, answer = await self._protocol.read_replies(wanted + 1, self._limited(self._timeouts.command))
        except ConnectionLost as error:
            self.close()
            replies, answer, failure = error.replies[:wanted], None, str(error)
            self._check_discarded(failure, is_begun=is_written or bool(replies))
        self._check_stale(replies)
        transaction.apply_replies(replies, failure, self._host)
        if answer is None:
            transaction.end_for_accepted(lost(f"{self._host} {failure}", Phase.DATA))
        elif answer.code != GO_AHEAD:
            transaction.end_for_accepted(classify(*answer, Phase.DATA, self._host))
            await self._reset_or_close(transaction.outcomes, is_closing=answer.code == CLOSING)
        elif not transaction.accepted:
            await self._send_empty(transaction.outcomes, is_mail_accepted=replies[0].code == DONE)
        else:
            transaction.is_in_data = True

    async def _send_empty(self, outcomes: dict[str, Outcome], *, is_mail_accepted: bool) -> None:
        """Ends DATA that the server allowed although it refused all recipients (RFC 2920, 3.1)."""
        # If it refused MAIL, it may still be at the previous message, whose recipients would get an empty one.
        try:
            if is_mail_accepted:
                await self._protocol.command(DOT, self._limited(self._timeouts.data))
        except ConnectionLost:
            is_mail_accepted = False
        if not is_mail_accepted:
            self.close()
        await self._reset_or_close(outcomes)

    async def _finish_data(self, data: bytes, following: Transaction | None) -> Outcome:
        group, replies = b"", 1
        if following is not None:
            following.start({})
            group, replies = self._group(following), len(following.accepted) + 3
        phase = Phase.DATA
        try:
            self._protocol.write(b"".join((data, DOT, group)), replies)
            self._pipelined, phase = following, Phase.DOT
            (reply,) = await self._protocol.read_replies(1, self._limited(self._timeouts.dot))
        except ConnectionLost as error:
            self.close()
            return lost(f"{self._host} {error}", phase)
        outcome = classify(*reply, Phase.DOT, self._host)
        if ends_connection(outcome):
            self.close()
        elif reply.code != DONE and following is None:
            await self._reset()
        return outcome

    async def _begin_step_by_step(self, transaction: Transaction) -> None:
        commands = transaction.commands(self._extensions)
        groups = [commands] if "pipelining" in self._extensions else [[command] for command in commands]
        replies: list[Reply] = []
        failure = "closed the connection"
        for group in groups:
            try:
                replies += await self._protocol.command(
                    b"".join(group), self._limited(self._timeouts.command), len(group)
                )
            except ConnectionLost as error:
                replies += error.replies
                failure = str(error)
                self._check_discarded(failure, is_begun=len(group) > 1 and bool(replies))
                break
            if replies[0].code != DONE or replies[-1].code == CLOSING:
                break
        self._check_stale(replies)
        transaction.apply_replies(replies, failure, self._host)
        if not transaction.accepted:
            await self._reset_or_close(transaction.outcomes)

    def _check_discarded(self, failure: str, *, is_begun: bool) -> None:
        """Some servers offer PIPELINING but discard input that came with a command (RFC 2920, 1)."""
        if is_begun and failure == TIMED_OUT:
            raise Discarded

    def _check_stale(self, replies: list[Reply]) -> None:
        if self.messages and (not replies or replies[0].code == CLOSING):
            raise Stale

    def _limited(self, seconds: float) -> float:
        return max(0.0, min(seconds, self._deadline - time.monotonic()))

    async def _send_data(self, data: bytes) -> Outcome:
        phase = Phase.DATA
        try:
            (reply,) = await self._protocol.command(b"DATA\r\n", self._limited(self._timeouts.data))
            if reply.code == GO_AHEAD:
                if len(data) > CHUNK:
                    await self._protocol.transfer(data, self._timeouts.data, self._deadline)
                    data = b""
                if self._protocol.is_usable:
                    phase = Phase.DOT
                (reply,) = await self._protocol.command(data + DOT, self._limited(self._timeouts.dot))
        except ConnectionLost as error:
            self.close()
            if error.replies:
                return classify(*error.replies[0], Phase.DATA, self._host)
            return lost(f"{self._host} {error}", phase)
        outcome = classify(*reply, phase, self._host)
        if phase is Phase.DATA:
            await self._reset_or_close({"": outcome})
        elif ends_connection(outcome):
            self.close()
        elif reply.code != DONE:
            await self._reset()
        return outcome

    async def _reset_or_close(self, outcomes: dict[str, Outcome], *, is_closing: bool = False) -> None:
        """Resets or closes the connection after a transaction without a message. Raises Stale."""
        if is_closing or any(map(ends_connection, outcomes.values())):
            self.close()
            if self.messages and any(map(is_out_of_step, outcomes.values())):
                raise Stale  # an earlier message may be the cause
        else:
            await self._reset()

    async def _reset(self) -> None:
        if not self._protocol.is_usable:
            self.close()
            return
        try:
            (reply,) = await self._protocol.command(b"RSET\r\n", min(RESET_SECONDS, self._timeouts.command))
        except ConnectionLost:
            self.close()
        else:
            if reply.code != DONE:
                self.close()
