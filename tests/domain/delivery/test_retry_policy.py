"""What becomes of a row: the contract's "Mail log states", as a table."""

from datetime import date
from typing import Any

import pytest
from uuid_utils.compat import uuid7

from webapp.domain.delivery import retry_policy
from webapp.models.mail_log import FAILED, PENDING, SENT
from webapp.models.outbox.claims import Claimed
from webapp.models.outbox.settlements import Settlement
from webapp.sending.outcomes import Blame, Delivered, Halted, Outcome, Phase, Refused, TryLater, Unknown

MINUTE, HOUR = 60, 3600
GREYLISTED = TryLater(450, "450 4.2.0 greylisted", Phase.RCPT, Blame.MESSAGE)
AWAY = TryLater(None, "mail.example.org cannot be reached", Phase.CONNECT, Blame.UNREACHABLE)
DROPPED = Unknown("mail.example.org gave no answer", Phase.DOT)


def claimed(address: str = "ann@example.org", **fields: Any) -> Claimed:
    """A row of an email at its first try."""
    ids = dict.fromkeys(("id", "org_id", "email_id", "account_id", "content_id", "token"), uuid7())
    counts = dict.fromkeys(("attempts", "unknowns", "crashes"), 0)
    words = {"kind": "transactional", "recipient_type": "to", "from_email": "hello@acme.example"}
    row = {"to_email": address, "variables": {}, "message_id": "<1@acme.example>", "cap_day": date(2026, 11, 20)}
    return Claimed(**dict.fromkeys(Claimed._fields) | ids | counts | words | row | fields)


def settlements(rows: list[Claimed], outcomes: dict[str, Outcome], hours: float = 24) -> list[Settlement]:
    return retry_policy.settlements(rows, outcomes, hours)


@pytest.mark.parametrize(
    ("history", "outcome", "status", "attempted", "refund_quota"),
    [
        ({}, Delivered(250, "2.0.0 queued as 42"), SENT, False, False),
        ({}, Refused(550, "550 5.1.1 no such user", Phase.RCPT), FAILED, False, True),
        ({}, GREYLISTED, PENDING, True, True),
        ({"attempts": 40, "seconds_since_first_try": 23.9 * HOUR}, GREYLISTED, PENDING, True, True),
        ({"attempts": 9, "seconds_since_first_try": 24.0 * HOUR}, GREYLISTED, FAILED, True, True),
        ({}, AWAY, PENDING, False, True),
        ({"attempts": 9, "seconds_since_first_try": 30.0 * HOUR}, AWAY, PENDING, False, True),
        ({"seconds_waiting": 71.9 * HOUR}, AWAY, PENDING, False, True),
        ({"seconds_waiting": 72.0 * HOUR}, AWAY, FAILED, False, True),
        ({}, DROPPED, PENDING, False, False),
        ({"unknowns": 1}, DROPPED, FAILED, False, False),
        ({}, Halted(), PENDING, False, True),
    ],
)
def test_an_outcome_moves_a_row(
    history: dict[str, object], outcome: Outcome, status: str, *, attempted: bool, refund_quota: bool
) -> None:
    (one,) = settlements([claimed(**history)], {"ann@example.org": outcome})
    assert (one.status, one.attempted, one.refund_quota) == (status, attempted, refund_quota)


@pytest.mark.parametrize(("attempts", "minutes"), [(0, 1), (1, 5), (2, 15), (3, 60), (4, 240), (5, 240), (30, 240)])
def test_the_pauses_grow_and_jitter_by_a_fifth(attempts: int, minutes: int) -> None:
    delays = [settlements([claimed(attempts=attempts)], {"ann@example.org": GREYLISTED})[0].delay for _ in range(200)]
    assert all(delay is not None and 0.8 * minutes * MINUTE <= delay <= 1.2 * minutes * MINUTE for delay in delays)
    assert len(set(delays)) > 100


def test_the_rows_of_a_message_that_wait_become_due_together() -> None:
    rows = [claimed("a@example.org"), claimed("b@example.org", attempts=1), claimed("c@example.org")]
    outcomes = {"a@example.org": GREYLISTED, "b@example.org": GREYLISTED, "c@example.org": Delivered(250, "ok")}
    first, second, third = settlements(rows, outcomes)
    assert first.delay == second.delay
    assert first.delay >= 4 * MINUTE
    assert (third.status, third.delay) == (SENT, None)
