"""What an IMAP server is asked to search for (RFC 3501, 6.4.4)."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

WINDOW = 10_000  # messages per SEARCH, whose response is one line
MAYBE_REPORT = (
    *("OR", ["FROM", "mailer-daemon"], "OR", ["FROM", "postmaster"], "OR", ["FROM", "mail delivery"]),
    *("OR", ["FROM", "microsoftexchange"], "OR", ["FROM", "staff@hotmail."]),
    *("OR", ["HEADER", "Content-Type", "multipart/report"], ["HEADER", "Auto-Submitted", "auto-"]),
)  # like may_be_report, but only for what mailers write


class OpenedMailbox(NamedTuple):
    validity: int
    next_uid: int  # 0 if the server does not say
    size: int  # in messages


def may_be_read_keys(subjects: Sequence[str]) -> list[Any]:
    """Finds messages that may be reports, and those with one of these subjects."""
    return [*(key for subject in subjects for key in ("OR", ["SUBJECT", subject])), *MAYBE_REPORT]


def windows(box: OpenedMailbox, last: int | None) -> Iterator[list[Any]]:
    """Search keys for sections of the mailbox, so that no response is too long; gaps between UIDs have any size."""
    first = (last or 0) + 1
    if 0 < box.next_uid <= first + WINDOW:
        if first < box.next_uid:
            yield ["UID", f"{first}:{box.next_uid - 1}"]
        return
    for start in range(1, box.size + 1, WINDOW):
        yield [f"{start}:{min(start + WINDOW - 1, box.size)}", "UID", f"{first}:*"]
