"""One message on its way to a server: its MAIL and RCPT commands, and the outcomes of their replies."""

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
    """Sender and recipients (RFC 5321, 2.3.1); `utf8` if a header needs SMTPUTF8 (RFC 6531)."""

    mail_from: str
    recipients: tuple[str, ...]
    utf8: bool = False


@dataclass(eq=False, slots=True)
class Transaction:
    """A message with its envelope and its recipients' outcomes so far (RFC 5321, 3.3)."""

    envelope: Envelope
    message: bytes
    accepted: list[str] = field(default_factory=list)  # recipients without an outcome
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    is_in_data: bool = False  # after the server's go-ahead for the body
    data: bytes = field(init=False)  # the dot-stuffed message

    def __post_init__(self) -> None:
        self.data = dot_stuff(self.message)

    def start(self, outcomes: dict[str, Outcome]) -> None:
        """Starts on a connection; `outcomes` belong to the recipients that its server does not support."""
        self.outcomes, self.is_in_data = outcomes, False
        recipients = self.envelope.recipients
        self.accepted = [path for path in recipients if path not in outcomes] if outcomes else list(recipients)

    def commands(self, extensions: Mapping[str, str]) -> list[bytes]:
        envelope, options = self.envelope, b""
        if "size" in extensions:
            options += b" SIZE=%d" % len(self.data)
        if "8bitmime" in extensions and (envelope.utf8 or not is_ascii(self.data)):
            options += b" BODY=8BITMIME"
        if "smtputf8" in extensions and (envelope.utf8 or not _paths_of(envelope).isascii()):
            options += b" SMTPUTF8"
        mail = b"MAIL FROM:<%s>%s\r\n" % (envelope.mail_from.encode(), options)
        return [mail, *(b"RCPT TO:<%s>\r\n" % path.encode() for path in self.accepted)]

    def apply_replies(self, replies: list[Reply], failure: str, host: str) -> None:
        """Records outcomes for the recipients that will not get the message; `failure` explains missing replies."""
        if not replies:
            self.end_for_accepted(lost(f"{host} {failure}", Phase.MAIL))
        elif replies[0].code != DONE:
            self.end_for_accepted(classify(*replies[0], Phase.MAIL, host))
        elif len(replies) <= len(self.accepted) or [reply for reply in replies if reply.code != DONE]:
            self._apply_to_each(replies[1:], failure, host)

    def _apply_to_each(self, replies: list[Reply], failure: str, host: str) -> None:
        recipients, answers = self.accepted, dict(zip(self.accepted, replies, strict=False))
        # Recipients beyond a server's maximum go into another transaction (RFC 5321, 4.5.3.1.10).
        may_split = not all(is_one_too_many(*reply) for reply in answers.values())
        closed = next((reply for reply in answers.values() if reply.code == CLOSING), None)
        for path in recipients:
            reply = answers.get(path, closed)
            if reply is None:
                self.outcomes[path] = lost(f"{host} {failure}", Phase.RCPT)
            elif may_split and is_one_too_many(*reply):
                self.outcomes[path] = Halted()
            elif reply.code not in ACCEPTED:
                self.outcomes[path] = classify(*reply, Phase.RCPT, host)
            elif closed is not None or len(answers) < len(recipients):
                # The server accepted this one but closed the connection.
                self.outcomes[path] = TryLater(None, f"{host} {failure}", Phase.RCPT, Blame.UNREACHABLE)
        self.accepted = [path for path in recipients if path not in self.outcomes]

    def end_for_accepted(self, outcome: Outcome) -> None:
        self.outcomes |= dict.fromkeys(self.accepted, outcome)
        self.accepted = []


def ends_connection(outcome: Outcome) -> bool:
    return is_out_of_step(outcome) or (isinstance(outcome, TryLater) and outcome.code == CLOSING)


def is_out_of_step(outcome: Outcome) -> bool:
    return isinstance(outcome, TryLater) and outcome.blame is Blame.CONNECTION


def unsupported(transaction: Transaction, extensions: Mapping[str, str], host: str) -> dict[str, Outcome]:
    """Outcomes for the recipients to whom this server can never send the message."""
    envelope, size = transaction.envelope, len(transaction.message)
    paths = _paths_of(envelope)
    if NOT_IN_A_PATH.search(paths):
        text = "an address contains an invalid character"
        return dict.fromkeys(envelope.recipients, Refused(None, text, Phase.MAIL))
    limit = extensions.get("size", "")
    if limit.isdecimal() and 0 < int(limit) < size:
        text = f"the message has {size:,} bytes, but {host} accepts at most {int(limit):,}"
        return dict.fromkeys(envelope.recipients, Refused(None, text, Phase.MAIL))
    if "smtputf8" in extensions or (paths.isascii() and not envelope.utf8):
        return {}
    text = f"{host} does not accept non-ASCII addresses (no SMTPUTF8 support)"
    is_needed = envelope.utf8 or not envelope.mail_from.isascii()
    beyond = [path for path in envelope.recipients if is_needed or not path.isascii()]
    return dict.fromkeys(beyond, Refused(None, text, Phase.MAIL))


def _paths_of(envelope: Envelope) -> str:
    return "".join((envelope.mail_from, *envelope.recipients))
