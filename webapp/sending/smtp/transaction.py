"""One message as a server hears of it: MAIL, RCPT and DATA as bytes, and what the answers to them mean."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from webapp.sending.mime.line_endings import dot_stuff, is_ascii
from webapp.sending.outcomes import (
    CLOSING,
    DONE,
    Blame,
    Halted,
    Outcome,
    Phase,
    Refused,
    TryLater,
    classify,
    is_one_too_many,
    lost,
)
from webapp.sending.smtp.protocol import Reply

NOT_IN_A_PATH = re.compile(r"[\x00-\x20<>\x7f-\xa0\u2028\u2029\ud800-\udfff]")
ACCEPTED = (DONE, 251)  # 251: will be forwarded (RFC 5321, 3.4)


class Envelope(NamedTuple):
    """Who sends to whom (RFC 5321, 2.3.1). `utf8` where a header needs SMTPUTF8 (RFC 6531)."""

    mail_from: str
    recipients: tuple[str, ...]
    utf8: bool = False


@dataclass(eq=False, slots=True)
class Transaction:
    """A message with its envelope, and what has become of each recipient so far (RFC 5321, 3.3).

    `accepted` are the recipients without an outcome; `is_in_data` after the server's go-ahead for the body.
    """

    envelope: Envelope
    message: bytes
    accepted: list[str] = field(default_factory=list)
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    is_in_data: bool = False
    _data: bytes | None = None

    @property
    def data(self) -> bytes:
        """The message as it is written before the final dot."""
        if self._data is None:
            self._data = dot_stuff(self.message)
        return self._data

    def start(self, outcomes: dict[str, Outcome]) -> None:
        """Begins anew on some connection; `outcomes` are of the recipients whom its server can never take."""
        self.outcomes, self.is_in_data = outcomes, False
        self.accepted = [path for path in self.envelope.recipients if path not in outcomes]

    def commands(self, extensions: Mapping[str, str]) -> list[bytes]:
        """MAIL and each RCPT."""
        return [self._mail(extensions), *(b"RCPT TO:<%s>\r\n" % path.encode() for path in self.accepted)]

    def _mail(self, extensions: Mapping[str, str]) -> bytes:
        envelope, options = self.envelope, b""
        if "size" in extensions:
            options += b" SIZE=%d" % len(self.data)
        if "8bitmime" in extensions and (envelope.utf8 or not is_ascii(self.data)):
            options += b" BODY=8BITMIME"
        if "smtputf8" in extensions and (envelope.utf8 or not _paths_of(envelope).isascii()):
            options += b" SMTPUTF8"
        return b"MAIL FROM:<%s>%s\r\n" % (envelope.mail_from.encode(), options)

    def judge(self, replies: list[Reply], trouble: str, host: str) -> None:
        """Gives outcomes to the recipients that will not get the message, from the answers to MAIL and RCPT.

        A recipient that is one too many waits for another transaction where others had answers of their own
        (RFC 5321, 4.5.3.1.10). Where answers are missing, `trouble` says why: "closed the connection".
        """
        if not replies:
            self.end_for_accepted(lost(f"{host} {trouble}", Phase.MAIL))
        elif replies[0].code != DONE:
            self.end_for_accepted(classify(*replies[0], Phase.MAIL, host))
        elif len(replies) <= len(self.accepted) or any(reply.code != DONE for reply in replies):
            self._judge_each(replies[1:], trouble, host)

    def _judge_each(self, replies: list[Reply], trouble: str, host: str) -> None:
        recipients, answers = self.accepted, dict(zip(self.accepted, replies, strict=False))
        may_split = not all(is_one_too_many(*reply) for reply in answers.values())  # some have an outcome already
        closed = next((reply for reply in answers.values() if reply.code == CLOSING), None)
        for path in recipients:
            reply = answers.get(path, closed)
            if reply is None:
                self.outcomes[path] = lost(f"{host} {trouble}", Phase.RCPT)
            elif may_split and is_one_too_many(*reply):
                self.outcomes[path] = Halted()
            elif reply.code not in ACCEPTED:
                self.outcomes[path] = classify(*reply, Phase.RCPT, host)
            elif closed is not None or len(answers) < len(recipients):
                # This one was fine, and the connection is gone all the same.
                self.outcomes[path] = TryLater(None, f"{host} {trouble}", Phase.RCPT, Blame.UNREACHABLE)
        self.accepted = [path for path in recipients if path not in self.outcomes]

    def end_for_accepted(self, outcome: Outcome) -> None:
        """Gives the outcome to each recipient that has none yet."""
        self.outcomes |= dict.fromkeys(self.accepted, outcome)
        self.accepted = []


def is_over(outcome: Outcome) -> bool:
    """A server wants no more over the connection, or has lost its place."""
    return isinstance(outcome, TryLater) and (outcome.code == CLOSING or outcome.blame is Blame.CONNECTION)


def is_out_of_step(outcome: Outcome) -> bool:
    """A server has lost its place in the dialogue."""
    return isinstance(outcome, TryLater) and outcome.blame is Blame.CONNECTION


def unsupported(transaction: Transaction, extensions: Mapping[str, str], host: str) -> dict[str, Outcome]:
    """The recipients that this server can never send the message to, found before a word is said."""
    envelope, size = transaction.envelope, len(transaction.message)
    paths = _paths_of(envelope)
    if NOT_IN_A_PATH.search(paths):
        text = "an address holds a character that no address has"
        return dict.fromkeys(envelope.recipients, Refused(None, text, Phase.MAIL))
    limit = extensions.get("size", "")
    if limit.isdecimal() and 0 < int(limit) < size:
        text = f"the message has {size:,} bytes, {host} takes {int(limit):,} at most"
        return dict.fromkeys(envelope.recipients, Refused(None, text, Phase.MAIL))
    if "smtputf8" in extensions or (paths.isascii() and not envelope.utf8):
        return {}
    text = f"{host} takes no addresses beyond ASCII (it does not offer SMTPUTF8)"
    is_needed = envelope.utf8 or not envelope.mail_from.isascii()
    beyond = [path for path in envelope.recipients if is_needed or not path.isascii()]
    return dict.fromkeys(beyond, Refused(None, text, Phase.MAIL))


def _paths_of(envelope: Envelope) -> str:
    """All addresses of the envelope, to be searched at once."""
    return "".join((envelope.mail_from, *envelope.recipients))
