"""What an SMTP answer means, as the table of delivery.md has it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webapp.sending.outcomes import (
    TEXT_LIMIT,
    Blame,
    Delivered,
    Phase,
    Refused,
    TryLater,
    Unknown,
    classify,
    clean,
    lost,
)

TRANSACTION = (Phase.MAIL, Phase.RCPT, Phase.DATA, Phase.DOT)


def test_250_after_the_dot_is_delivered_and_keeps_the_servers_words() -> None:
    assert classify(250, "2.0.0 Ok: queued as 4F1", Phase.DOT) == Delivered(250, "2.0.0 Ok: queued as 4F1")


@pytest.mark.parametrize("phase", TRANSACTION)
@pytest.mark.parametrize(
    ("code", "text", "blame"),
    [
        (450, "4.2.0 greylisted, come back in 5 minutes", Blame.MESSAGE),
        (451, "4.3.0 local error", Blame.MESSAGE),
        (452, "4.2.2 mailbox full", Blame.MESSAGE),
        (454, "4.7.1 relay access denied", Blame.MESSAGE),
        (421, "4.7.0 try again later, closing connection", Blame.THROTTLED),
        (421, "", Blame.THROTTLED),
        (450, "4.2.1 receiving mail at a rate that prevents delivery", Blame.THROTTLED),
        (454, "Throttling failure: Maximum sending rate exceeded", Blame.THROTTLED),
        (454, "Throttling failure: Daily message quota exceeded", Blame.FULL),
        (550, "5.4.5 Daily user sending quota exceeded", Blame.FULL),
        (550, "5.7.1 hourly limit of this account reached", Blame.FULL),
        (552, "outgoing mail limit reached", Blame.FULL),
        (530, "5.7.0 Authentication required", Blame.BROKEN),
        (535, "5.7.8 session expired", Blame.BROKEN),
    ],
)
def test_a_delay_is_blamed_on_the_right_one(phase: Phase, code: int, text: str, blame: Blame | None) -> None:
    assert classify(code, text, phase) == TryLater(code, f"{code} {text}".strip(), phase, blame)


@pytest.mark.parametrize("phase", TRANSACTION)
@pytest.mark.parametrize(
    ("code", "text"),
    [
        (550, "5.1.1 no such user"),
        (550, "5.2.1 mailbox disabled"),
        (552, "5.2.2 mailbox over its daily quota"),
        (552, "5.3.4 message too big"),
        (553, "5.1.3 bad address"),
        (554, "5.7.1 spam"),
        (501, "5.5.4 syntax"),
    ],
)
def test_other_5xx_are_final_in_the_servers_own_words(phase: Phase, code: int, text: str) -> None:
    assert classify(code, text, phase) == Refused(code, f"{code} {text}", phase)


@pytest.mark.parametrize(
    ("code", "phase", "blame", "words"),
    [
        (421, Phase.CONNECT, Blame.REST, "mx turned the connection away: 421 busy"),
        (450, Phase.CONNECT, Blame.REST, "mx turned the connection away: 450 busy"),
        (554, Phase.CONNECT, Blame.BROKEN, "mx turned the connection away: 554 busy"),
        (454, Phase.TLS, Blame.REST, "mx would not start TLS: 454 busy"),
        (502, Phase.TLS, Blame.BROKEN, "mx would not start TLS: 502 busy"),
        (535, Phase.LOGIN, Blame.BROKEN, "mx refused the login: 535 busy"),
        (534, Phase.LOGIN, Blame.BROKEN, "mx refused the login: 534 busy"),
        (530, Phase.LOGIN, Blame.BROKEN, "mx refused the login: 530 busy"),
        (421, Phase.LOGIN, Blame.THROTTLED, "mx refused the login: 421 busy"),
        (454, Phase.LOGIN, Blame.REST, "mx refused the login: 454 busy"),
    ],
)
def test_before_mail_it_is_the_accounts_trouble_in_a_sentence(
    code: int, phase: Phase, blame: Blame | None, words: str
) -> None:
    assert classify(code, "busy", phase, "mx") == TryLater(code, words, phase, blame)


def test_throttled_logins_are_no_wrong_passwords() -> None:
    outcome = classify(454, "4.7.0 Too many login attempts", Phase.LOGIN, "mx")
    assert isinstance(outcome, TryLater)
    assert outcome.blame is Blame.THROTTLED


@pytest.mark.parametrize(
    ("phase", "blame"),
    [
        (Phase.CONNECT, Blame.REST),
        (Phase.TLS, Blame.REST),
        (Phase.LOGIN, Blame.REST),
        (Phase.MAIL, Blame.REST),
        (Phase.RCPT, Blame.REST),
        (Phase.DATA, Blame.MESSAGE),
    ],
)
def test_no_answer_before_the_dot_is_safe_to_repeat(phase: Phase, blame: Blame | None) -> None:
    assert lost("mx closed the connection", phase) == TryLater(None, "mx closed the connection", phase, blame)


def test_no_answer_after_the_dot_is_unknown() -> None:
    assert lost("mx did not answer", Phase.DOT) == Unknown("mx did not answer", Phase.DOT)


@pytest.mark.parametrize("code", [354, 334])
def test_an_answer_that_does_not_fit_is_no_acceptance(code: int) -> None:
    assert isinstance(classify(code, "what", Phase.DOT), Unknown)
    assert isinstance(classify(code, "what", Phase.RCPT), TryLater)


def test_the_servers_words_are_one_clean_line() -> None:
    text = clean("5.1.1 \x1b[31mred\x1b[0m\r\nBcc: x\u2028y\u202e" + "a" * 5_000)
    assert text.startswith("5.1.1 [31mred [0m Bcc: x y a")
    assert len(text) == TEXT_LIMIT


@settings(deadline=None)  # other tests share the machine
@given(st.integers(200, 599), st.text(), st.sampled_from(list(Phase)))
def test_every_answer_has_a_bounded_printable_outcome(code: int, text: str, phase: Phase) -> None:
    outcome = classify(code, text, phase)
    assert len(outcome.text) <= TEXT_LIMIT + len("550 ")
    assert not any(ord(character) < 32 or 127 <= ord(character) < 160 for character in outcome.text)
    outcome.text.encode()
    assert isinstance(outcome, Delivered) == (phase is Phase.DOT and code < 300)
