"""What becomes of a row: the contract's "Mail log states", as a table."""

from datetime import date
from typing import Any
from uuid import UUID

import pytest
from uuid_utils.compat import uuid7

from webapp.domain.delivery import retry_policy
from webapp.domain.delivery.retry_policy import release
from webapp.models.mail_log import FAILED, PENDING, SENT
from webapp.models.outbox.claims import Claimed
from webapp.models.outbox.settlements import Settlement
from webapp.sending.outcomes import (
    Blame,
    Delivered,
    Halted,
    Outcome,
    Phase,
    Refused,
    TryLater,
    Unknown,
)

MINUTE, HOUR = 60, 3600
GREYLISTED = TryLater(450, "450 4.2.0 greylisted", Phase.RCPT, Blame.MESSAGE)
OUT_OF_STEP = TryLater(503, "503 5.5.1 bad sequence of commands", Phase.RCPT, Blame.CONNECTION)
AWAY = TryLater(None, "mail.example.org cannot be reached", Phase.CONNECT, Blame.UNREACHABLE)
DROPPED = Unknown("mail.example.org gave no answer", Phase.DOT)


def claimed(address: str = "ann@example.org", **fields: Any) -> Claimed:
    one: UUID = uuid7()
    plain: dict[str, Any] = {
        "id": one,
        "org_id": one,
        "kind": "transactional",
        "email_id": one,
        "account_id": one,
        "campaign_id": None,
        "campaign_run_id": None,
        "contact_id": None,
        "content_id": one,
        "variables": {},
        "from_email": "hello@acme.example",
        "to_email": address,
        "recipient_type": "to",
        "message_id": "<1@acme.example>",
        "attempts": 0,
        "unknowns": 0,
        "crashes": 0,
        "run_epoch": None,
        "cap_day": date(2026, 11, 20),
        "token": one,
        "seconds_since_first_try": None,
        "seconds_waiting": None,
    }
    return Claimed(**(plain | fields))


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


def test_one_that_was_out_of_step_lets_others_go_first_and_no_attempt_is_counted() -> None:
    (one,) = settlements([claimed()], {"ann@example.org": OUT_OF_STEP})
    assert (one.status, one.attempted, one.waits_for_account) == (PENDING, False, True)
    assert 0.8 * MINUTE <= (one.delay or 0) <= 1.2 * MINUTE


def test_the_rows_of_a_message_that_wait_become_due_together() -> None:
    rows = [claimed("a@example.org"), claimed("b@example.org", attempts=1), claimed("c@example.org")]
    outcomes = {"a@example.org": GREYLISTED, "b@example.org": GREYLISTED, "c@example.org": Delivered(250, "ok")}
    first, second, third = settlements(rows, outcomes)
    assert first.delay == second.delay
    assert first.delay is not None
    assert first.delay >= 4 * MINUTE
    assert (third.status, third.delay) == (SENT, None)


def test_an_unknown_delivery_is_tried_once_more_after_half_an_hour() -> None:
    for _ in range(50):  # some time later, as chance has it, and never earlier
        (one,) = settlements([claimed()], {"ann@example.org": DROPPED})
        assert one.delay is not None
        assert 30 * MINUTE <= one.delay <= 36 * MINUTE
    (again,) = settlements([claimed(unknowns=1)], {"ann@example.org": DROPPED})
    assert again.error == "connection lost, may have been delivered: mail.example.org gave no answer"


@pytest.mark.parametrize(
    ("outcome", "status", "error", "refund_quota"),
    [
        (Refused(550, "550 5.1.1 no such user", Phase.RCPT), FAILED, "550 5.1.1 no such user", True),
        (GREYLISTED, FAILED, "450 4.2.0 greylisted", True),
        (AWAY, FAILED, "mail.example.org cannot be reached", True),
        (
            DROPPED, FAILED, "connection lost, may have been delivered: mail.example.org gave no answer", False,
        ),
        (Halted("it could not be sent in time"), FAILED, "it could not be sent in time", True),
        (Halted(), PENDING, None, True),  # it was not tried: who waits for it withdraws it in the end
        (Delivered(250, "ok"), SENT, None, False),
    ],
)  # fmt: skip
def test_a_row_of_a_compose_fails_where_it_would_be_tried_again(
    outcome: Outcome, status: str, error: str | None, *, refund_quota: bool
) -> None:
    (one,) = settlements([claimed(kind="compose")], {"ann@example.org": outcome})
    assert (one.status, one.error, one.refund_quota) == (status, error, refund_quota)
    assert (one.delay, one.waits_for_account) == (None, False)


def test_what_was_not_tried_waits_as_before() -> None:
    one = release(claimed(attempts=3))
    assert (one.status, one.keep_history, one.refund_quota) == (PENDING, True, True)
