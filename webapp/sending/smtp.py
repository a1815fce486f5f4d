"""One message over one SMTP connection, step by step, so that it is known which step broke.

MAIL and RCPT travel together where the server offers PIPELINING (RFC 2920); DATA goes alone, because the caller is
asked right before it whether the message may still leave.
"""

import re
import time
from asyncio import Future
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from webapp.sending.dial import Connection, Timeouts
from webapp.sending.lines import DOT, stuffed
from webapp.sending.outcomes import (
    CLOSING,
    DONE,
    GO_AHEAD,
    Blame,
    Halted,
    Outcome,
    Phase,
    Refused,
    TryLater,
    classify,
    lost,
)
from webapp.sending.wire import CHUNK, Lost, Reply

Proceed = Callable[[], Awaitable[bool]]

NOT_IN_A_PATH = re.compile(r"[\x00-\x20<>\x7f-\xa0\u2028\u2029\ud800-\udfff]")
ACCEPTED = (DONE, 251)  # 251: will be forwarded (RFC 5321, 3.4)
RESET_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Envelope:
    """Who sends to whom (RFC 5321, 2.3.1). `utf8` where an address or a header needs SMTPUTF8 (RFC 6531)."""

    mail_from: str
    recipients: tuple[str, ...]
    utf8: bool = False


class Transport(Protocol):
    """A way for one message to leave."""

    async def send(self, envelope: Envelope, message: bytes, proceed: Proceed) -> dict[str, Outcome]:
        """The outcome for each recipient; `proceed` is awaited right before DATA, and False halts the message."""
        ...


class Stale(Exception):
    """A reused connection had gone before the server took anything: try once more on a fresh one."""


class Session:
    """A connection that sends one message after another; a Transport."""

    def __init__(self, host: str, connection: Connection, timeouts: Timeouts) -> None:
        """Take over `connection`; `host` is how it is called in sentences."""
        self._host, self._timeouts = host, timeouts
        self._wire, self._extensions = connection.wire, connection.extensions
        self.messages = 0
        self._deadline = 0.0

    @property
    def is_usable(self) -> bool:
        """Whether another message may go this way."""
        return self._wire.is_usable

    @property
    def closed(self) -> Future[None]:
        """Done once the socket is closed."""
        return self._wire.closed

    async def send(self, envelope: Envelope, message: bytes, proceed: Proceed) -> dict[str, Outcome]:
        """The outcome for each recipient. Raises Stale, and what `proceed` raises; the connection is closed then."""
        refusal = self._unsupported(envelope, message)
        if refusal is not None:
            return dict.fromkeys(envelope.recipients, refusal)
        self._deadline = time.monotonic() + self._timeouts.message
        try:
            outcomes = await self._transact(envelope, stuffed(message), proceed)
        except BaseException:  # a cancelled transaction too: a late answer would be taken for the next one's
            self.close()
            raise
        self.messages += 1
        return {path: outcomes[path] for path in envelope.recipients}

    def close(self, *, politely: bool = False) -> None:
        """Close the connection, at once; `politely` with a QUIT whose answer nobody waits for."""
        self._wire.hang_up(politely=politely)

    def _unsupported(self, envelope: Envelope, message: bytes) -> Refused | None:
        """What this server can never take, found before a word is said."""
        if any(NOT_IN_A_PATH.search(path) for path in (envelope.mail_from, *envelope.recipients)):
            return Refused(None, "an address holds a character that no address has", Phase.MAIL)
        needs_utf8 = envelope.utf8 or not "".join((envelope.mail_from, *envelope.recipients)).isascii()
        if needs_utf8 and "smtputf8" not in self._extensions:
            text = f"{self._host} takes no addresses beyond ASCII (it does not offer SMTPUTF8)"
            return Refused(None, text, Phase.MAIL)
        limit = self._extensions.get("size", "")
        if limit.isdecimal() and 0 < int(limit) < len(message):
            text = f"the message has {len(message):,} bytes, {self._host} takes {int(limit):,} at most"
            return Refused(None, text, Phase.MAIL)
        return None

    async def _transact(self, envelope: Envelope, data: bytes, proceed: Proceed) -> dict[str, Outcome]:
        outcomes = await self._offer(envelope, data)
        accepted = [path for path in envelope.recipients if path not in outcomes]
        if not accepted:
            told_to_go = any(isinstance(outcome, TryLater) and outcome.code == CLOSING for outcome in outcomes.values())
            await self._reset(CLOSING if told_to_go else 0)
            return outcomes
        if not await proceed():
            await self._reset()
            return outcomes | dict.fromkeys(accepted, Halted())
        return outcomes | dict.fromkeys(accepted, await self._hand_over(data))

    async def _offer(self, envelope: Envelope, data: bytes) -> dict[str, Outcome]:
        """MAIL and RCPT: the outcomes of those recipients that will not get the message."""
        commands = [_mail(envelope, self._extensions, data)]
        commands += [b"RCPT TO:<%s>\r\n" % path.encode() for path in envelope.recipients]
        groups = [commands] if "pipelining" in self._extensions else [[command] for command in commands]
        replies: list[Reply] = []
        trouble = "closed the connection"
        for group in groups:
            try:
                replies += await self._wire.ask(b"".join(group), self._within(self._timeouts.command), len(group))
            except Lost as error:
                replies += error.replies
                trouble = str(error)
                break
            if replies[0].code != DONE or replies[-1].code == CLOSING:
                break
        return self._offered(envelope, replies, trouble)

    def _within(self, seconds: float) -> float:
        """A step's time, cut where the whole message's time ends."""
        return max(0.0, min(seconds, self._deadline - time.monotonic()))

    def _offered(self, envelope: Envelope, replies: list[Reply], trouble: str) -> dict[str, Outcome]:
        if self.messages and (not replies or replies[0].code == CLOSING):
            raise Stale
        if not replies:
            return self._all(envelope, lost(f"{self._host} {trouble}", Phase.MAIL))
        if replies[0].code != DONE:
            return self._all(envelope, classify(*replies[0], Phase.MAIL, self._host))
        outcomes: dict[str, Outcome] = {}
        answers = dict(zip(envelope.recipients, replies[1:], strict=False))
        closed = next((reply for reply in answers.values() if reply.code == CLOSING), None)
        for path in envelope.recipients:
            reply = answers.get(path, closed)
            if reply is None:
                outcomes[path] = lost(f"{self._host} {trouble}", Phase.RCPT)
            elif reply.code not in ACCEPTED:
                outcomes[path] = classify(*reply, Phase.RCPT, self._host)
            elif closed is not None or len(answers) < len(envelope.recipients):
                # This one was fine, and the connection is gone all the same.
                outcomes[path] = TryLater(None, f"{self._host} {trouble}", Phase.RCPT, Blame.REST)
        return outcomes

    @staticmethod
    def _all(envelope: Envelope, outcome: Outcome) -> dict[str, Outcome]:
        return dict.fromkeys(envelope.recipients, outcome)

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
        if reply.code != DONE:
            await self._reset(reply.code)
        return outcome

    async def _reset(self, code: int = 0) -> None:
        """RSET after a failed transaction; a connection that cannot do that, or was told 421, is closed."""
        if code == CLOSING or not self._wire.is_usable:
            self.close()
            return
        try:
            (reply,) = await self._wire.ask(b"RSET\r\n", min(RESET_SECONDS, self._timeouts.command))
        except Lost:
            self.close()
        else:
            if reply.code != DONE:
                self.close()


def _mail(envelope: Envelope, extensions: dict[str, str], data: bytes) -> bytes:
    options = b""
    if "size" in extensions:
        options += b" SIZE=%d" % len(data)
    if "8bitmime" in extensions and (envelope.utf8 or not data.isascii()):
        options += b" BODY=8BITMIME"
    if "smtputf8" in extensions and (envelope.utf8 or not _is_ascii(envelope)):
        options += b" SMTPUTF8"
    return b"MAIL FROM:<%s>%s\r\n" % (envelope.mail_from.encode(), options)


def _is_ascii(envelope: Envelope) -> bool:
    return "".join((envelope.mail_from, *envelope.recipients)).isascii()
