"""One message over one SMTP connection, step by step, so that it is known which step broke.

Where the server offers PIPELINING (RFC 2920) MAIL, RCPT and DATA travel together, behind the final dot of the message
before where there is one: a message takes one round trip. The caller is asked at the last moment whether the message
may still leave: right before the body where DATA was said already, else before DATA.
"""

import time
from asyncio import Future
from collections.abc import Awaitable, Callable
from typing import Protocol

from webapp.sending.mime.line_endings import DOT, dot_stuff
from webapp.sending.outcomes import CLOSING, DONE, GO_AHEAD, Halted, Outcome, Phase, classify, lost
from webapp.sending.smtp.connect import Connection, Timeouts
from webapp.sending.smtp.protocol import CHUNK, TIMED_OUT, Lost, Reply
from webapp.sending.smtp.transaction import Envelope, Offer, is_out_of_step, is_over, unsupported

__all__ = ["Envelope", "MayFollow", "Proceed", "Relay", "Session", "Stale", "Transport"]

Proceed = Callable[[], Awaitable[bool]]
MayFollow = Callable[[Envelope, bytes], bool]

RESET_SECONDS = 10.0


class Relay(Protocol):
    """Who sends one message after another over the same connection."""

    def following(self, may_follow: MayFollow) -> tuple[Envelope, bytes] | None:
        """The next message, which `may_follow` must allow: it is offered behind the final dot of the one under way."""
        ...

    async def concluded(self, outcomes: dict[str, Outcome]) -> None:
        """Keep what became of the message under way; from then on the one that was offered behind it is."""
        ...


class Transport(Protocol):
    """A way for one message to leave."""

    async def send(self, envelope: Envelope, message: bytes, proceed: Proceed) -> dict[str, Outcome]:
        """The outcome for each recipient; `proceed` is awaited before the body is sent, and False halts the message."""
        ...


class Stale(Exception):
    """A reused connection had gone, or was out of step, before the server took anything: try on a fresh one."""


class Discarded(Stale):
    """A server answered the beginning of a group and then nothing: try again, one command at a time."""


class Session:
    """A connection that sends one message after another; a Transport."""

    def __init__(self, host: str, connection: Connection, timeouts: Timeouts) -> None:
        """Take over `connection`; `host` is how it is called in sentences."""
        self._host, self._timeouts = host, timeouts
        self._wire, self._extensions = connection.wire, connection.extensions
        self.messages = 0
        self._deadline = 0.0
        self._begun: Offer | None = None  # behind the dot of the message under way

    @property
    def is_usable(self) -> bool:
        """Whether another message may go this way."""
        return self._wire.is_usable

    @property
    def closed(self) -> Future[None]:
        """Done once the socket is closed."""
        return self._wire.closed

    async def send(
        self, envelope: Envelope, message: bytes, proceed: Proceed, relay: Relay | None = None
    ) -> dict[str, Outcome]:
        """The outcome for each recipient. Raises Stale, and what `proceed` raises; the connection is closed then.

        With a `relay` other messages follow; what is returned, asked and raised is the last one's then.
        """
        refused = unsupported(envelope, len(message), self._extensions, self._host)
        if len(refused) == len(envelope.recipients):
            return refused
        if refused:
            envelope = envelope._replace(recipients=tuple(path for path in envelope.recipients if path not in refused))
        self._deadline = time.monotonic() + self._timeouts.message
        offer = Offer(envelope, dot_stuff(message), self._host, refused=refused)
        message = b""  # let go: many may follow it
        try:
            outcomes = await self._transact(offer, proceed, relay)
            while relay is not None and self._begun is not None:
                await relay.concluded(outcomes)
                self._deadline = time.monotonic() + self._timeouts.message
                offer, self._begun = self._begun, None
                outcomes = await self._go_on(offer, proceed, relay)
        except BaseException:  # a cancelled transaction too: a late answer would be taken for the next one's
            self.close()
            raise
        return outcomes

    def close(self, *, politely: bool = False) -> None:
        """Close the connection, at once; `politely` with a QUIT whose answer nobody waits for."""
        self._wire.hang_up(politely=politely)

    async def _transact(self, offer: Offer, proceed: Proceed, relay: Relay | None) -> dict[str, Outcome]:
        if "pipelining" not in self._extensions or len(offer.data) > CHUNK:
            return self._counted(offer, await self._step_by_step(offer, proceed))
        group = self._group(offer)
        try:
            self._wire.say(group, len(offer.envelope.recipients) + 2)
        except Lost as error:
            if self.messages:
                raise Stale from None
            return self._counted(offer, offer.for_all(lost(f"{self._host} {error}", Phase.MAIL)))
        return await self._go_on(offer, proceed, relay)

    async def _go_on(self, offer: Offer, proceed: Proceed, relay: Relay | None) -> dict[str, Outcome]:
        return self._counted(offer, await self._after_offer(offer, proceed, relay))

    def _counted(self, offer: Offer, outcomes: dict[str, Outcome]) -> dict[str, Outcome]:
        """One message more, and its outcomes in the order of its recipients; who was refused before comes last."""
        self.messages += 1
        if len(outcomes) > 1:
            outcomes = {path: outcomes[path] for path in offer.envelope.recipients}
        return {**outcomes, **offer.refused} if offer.refused else outcomes

    def _group(self, offer: Offer) -> bytes:
        return b"".join((*offer.commands(self._extensions), b"DATA\r\n"))

    async def _after_offer(self, offer: Offer, proceed: Proceed, relay: Relay | None) -> dict[str, Outcome]:
        """From the answers to MAIL, RCPT and DATA, which have been written."""
        trouble, wanted = "closed the connection", len(offer.envelope.recipients) + 1
        try:
            *replies, answer = await self._wire.hear(wanted + 1, self._within(self._timeouts.command))
        except Lost as error:
            self.close()
            replies, answer, trouble = error.replies[:wanted], None, str(error)
            self._check_discarded(trouble, is_begun=offer.follows or bool(replies))
        self._check_stale(replies)
        outcomes = offer.judge(replies, trouble)
        accepted = [path for path in offer.envelope.recipients if path not in outcomes]
        if answer is None:
            return outcomes | dict.fromkeys(accepted, lost(f"{self._host} {trouble}", Phase.DATA))
        if answer.code != GO_AHEAD:
            outcomes |= dict.fromkeys(accepted, classify(*answer, Phase.DATA, self._host))
            await self._start_over(outcomes, is_closing=answer.code == CLOSING)
            return outcomes
        if not accepted:
            await self._send_nothing(outcomes, is_ours=replies[0].code == DONE)
            return outcomes
        if not await proceed():
            self.close()  # in the middle of DATA there is no other way to send nothing
            return outcomes | dict.fromkeys(accepted, Halted())
        if not self._wire.is_usable:
            if self.messages:
                raise Stale  # it went while the outcome before was kept
            return outcomes | dict.fromkeys(accepted, lost(f"{self._host} closed the connection", Phase.DATA))
        return outcomes | dict.fromkeys(accepted, await self._end(offer.data, relay))

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

    async def _end(self, data: bytes, relay: Relay | None) -> Outcome:
        """The message and its dot, and behind it what may follow."""
        offer, group = None, b""
        found = relay.following(self._may_follow) if relay is not None else None
        if found is not None:
            envelope, message = found
            offer = Offer(envelope, dot_stuff(message), self._host, follows=True)
            group = self._group(offer)
        try:
            self._wire.say(b"".join((data, DOT, group)), 1 if offer is None else len(offer.envelope.recipients) + 3)
            self._begun = offer
            (reply,) = await self._wire.hear(1, self._within(self._timeouts.dot))
        except Lost as error:
            self.close()
            return lost(f"{self._host} {error}", Phase.DOT)
        outcome = classify(*reply, Phase.DOT, self._host)
        if is_over(outcome):
            self.close()
        elif reply.code != DONE and offer is None:
            await self._reset()
        return outcome

    def _may_follow(self, envelope: Envelope, message: bytes) -> bool:
        """Whether a message may be offered behind the dot of another."""
        return (
            "pipelining" in self._extensions
            and len(message) < CHUNK // 2  # dots may be added
            and not unsupported(envelope, len(message), self._extensions, self._host)
        )

    async def _step_by_step(self, offer: Offer, proceed: Proceed) -> dict[str, Outcome]:
        """Without PIPELINING each command waits for its answer; a large message waits for that to DATA."""
        outcomes = await self._ask_each(offer)
        accepted = [path for path in offer.envelope.recipients if path not in outcomes]
        if not accepted:
            await self._start_over(outcomes)
            return outcomes
        if not await proceed():
            await self._reset()
            return outcomes | dict.fromkeys(accepted, Halted())
        return outcomes | dict.fromkeys(accepted, await self._hand_over(offer.data))

    async def _ask_each(self, offer: Offer) -> dict[str, Outcome]:
        """MAIL and RCPT: the outcomes of those recipients that will not get the message."""
        commands = offer.commands(self._extensions)
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
        return offer.judge(replies, trouble)

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
