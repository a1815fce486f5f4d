"""Reports in the shapes that servers write them, with what is right to read in each, and messages that are none.

They are written after the documented form of each server, with names and addresses of examples, and without
the fields that say nothing of a failure.
"""

from textwrap import dedent
from typing import NamedTuple

from webapp.sending.reports.parse import Kind, Verdict

OURS = "<019a9f6e5c1a7cc39d6e0f6f5f3b2a10@example.com>"
ANN, BOB = "ann@example.org", "bob@example.net"
RETURNED = f"""
    Received: from sender.example.com by mx.example.org; Mon, 5 Oct 2026 10:00:00 +0000
    From: News <news@example.com>
    To: Ann <{ANN}>
    Subject: Our offers of October
    Message-ID: {OURS}
    Content-Type: text/plain

    Dear Ann, ...
    """


class Right(NamedTuple):
    """The verdict that is right: what `status` says, and whether it is about the mailbox or about the sender."""

    recipient: str | None
    status: str = ""
    type: str | None = None
    sub_type: str | None = None
    suppresses: bool = False
    blames_sender: bool = False
    kind: Kind = Kind.BOUNCE
    original: str | None = None
    feedback: str = ""
    message_ids: tuple[str, ...] = (OURS,)

    @classmethod
    def of(cls, verdict: Verdict) -> "Right":
        bounce = verdict.bounce
        return cls(
            verdict.recipient,
            bounce.status if bounce else "",
            bounce.type if bounce else None,
            bounce.sub_type if bounce else None,
            suppresses=bounce.suppresses if bounce else False,
            blames_sender=bounce.blames_sender if bounce else False,
            kind=verdict.kind,
            original=verdict.original_recipient,
            feedback=verdict.feedback_type,
            message_ids=verdict.message_ids,
        )


class Sample(NamedTuple):
    name: str
    message: bytes
    verdicts: list[Right]

    def __repr__(self) -> str:
        return self.name


def no_email(recipient: str, status: str = "5.1.1", original: str | None = None) -> Right:
    return Right(recipient, status, "Permanent", "NoEmail", suppresses=True, original=original)


def mail(text: str, end: str = "\r\n") -> bytes:
    return dedent(text).lstrip("\n").replace("\n", end).encode()


def report(
    head: str,
    *parts: tuple[str, str],
    kind: str = "delivery-status",
    boundary: str = "=_9B095B5ADSN",
    end: str = "\r\n",
    field: str = "Content-Type",
) -> bytes:
    """A multipart/report with this header, of parts by their header fields and bodies."""
    top = dedent(head).strip("\n")
    text = f'{top}\nMIME-Version: 1.0\n{field}: multipart/report; report-type={kind};\n\tboundary="{boundary}"\n\n'
    text += "This is a MIME-encapsulated message.\n\n"
    for header, body in parts:
        fields = f"{field}: {header}" if header.partition(";")[0].count("/") else header
        text += f"--{boundary}\n{fields}\n\n{dedent(body).lstrip(chr(10))}\n"
    return (text + f"--{boundary}--\n").replace("\n", end).encode()
