"""A message as it is offered to a server: MAIL, RCPT and DATA as bytes, and what the answers to them mean."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from webapp.sending.mime.line_endings import is_ascii
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
class Offer:
    """An envelope and the message as it is written before the final dot, for the server called `host`.

    One that `follows` is offered behind the dot of the message before. `refused` are recipients that are not in the
    envelope any more: the server cannot take them.
    """

    envelope: Envelope
    data: bytes
    host: str
    follows: bool = False
    refused: Mapping[str, Outcome] = field(default_factory=dict)

    def commands(self, extensions: Mapping[str, str]) -> list[bytes]:
        """MAIL and each RCPT."""
        rcpts = [b"RCPT TO:<%s>\r\n" % path.encode() for path in self.envelope.recipients]
        return [self._mail(extensions), *rcpts]

    def _mail(self, extensions: Mapping[str, str]) -> bytes:
        envelope, options = self.envelope, b""
        if "size" in extensions:
            options += b" SIZE=%d" % len(self.data)
        if "8bitmime" in extensions and (envelope.utf8 or not is_ascii(self.data)):
            options += b" BODY=8BITMIME"
        if "smtputf8" in extensions and (envelope.utf8 or not _paths_of(envelope).isascii()):
            options += b" SMTPUTF8"
        return b"MAIL FROM:<%s>%s\r\n" % (envelope.mail_from.encode(), options)

    def judge(self, replies: list[Reply], trouble: str) -> dict[str, Outcome]:
        """The outcomes of those recipients that will not get the message, from the answers to MAIL and RCPT.

        Who is one too many waits for another transaction where others had answers of their own (RFC 5321, 4.5.3.1.10).
        Where answers are missing, `trouble` says what happened: "closed the connection".
        """
        if not replies:
            return self.for_all(lost(f"{self.host} {trouble}", Phase.MAIL))
        if replies[0].code != DONE:
            return self.for_all(classify(*replies[0], Phase.MAIL, self.host))
        outcomes: dict[str, Outcome] = {}
        recipients = self.envelope.recipients
        if len(replies) == len(recipients) + 1 and all(reply.code == DONE for reply in replies):
            return outcomes
        answers = dict(zip(recipients, replies[1:], strict=False))
        may_split = not all(is_one_too_many(*reply) for reply in answers.values())  # some have an outcome already
        closed = next((reply for reply in answers.values() if reply.code == CLOSING), None)
        for path in recipients:
            reply = answers.get(path, closed)
            if reply is None:
                outcomes[path] = lost(f"{self.host} {trouble}", Phase.RCPT)
            elif may_split and is_one_too_many(*reply):
                outcomes[path] = Halted()
            elif reply.code not in ACCEPTED:
                outcomes[path] = classify(*reply, Phase.RCPT, self.host)
            elif closed is not None or len(answers) < len(recipients):
                # This one was fine, and the connection is gone all the same.
                outcomes[path] = TryLater(None, f"{self.host} {trouble}", Phase.RCPT, Blame.UNREACHABLE)
        return outcomes

    def for_all(self, outcome: Outcome) -> dict[str, Outcome]:
        """The same outcome for each recipient."""
        return dict.fromkeys(self.envelope.recipients, outcome)


def is_over(outcome: Outcome) -> bool:
    """A server wants no more over the connection, or has lost its place."""
    return isinstance(outcome, TryLater) and (outcome.code == CLOSING or outcome.blame is Blame.CONNECTION)


def is_out_of_step(outcome: Outcome) -> bool:
    """A server has lost its place in the dialogue."""
    return isinstance(outcome, TryLater) and outcome.blame is Blame.CONNECTION


def unsupported(envelope: Envelope, size: int, extensions: Mapping[str, str], host: str) -> dict[str, Outcome]:
    """The recipients that this server can never send the message to, found before a word is said."""
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
