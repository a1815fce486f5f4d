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
    is_one_too_many,
    lost,
)

TRANSACTION = (Phase.MAIL, Phase.RCPT, Phase.DATA, Phase.DOT)


def test_250_after_the_dot_is_delivered_and_keeps_the_servers_words() -> None:
    assert classify(250, "2.0.0 Ok: queued as 4F1", Phase.DOT) == Delivered(250, "2.0.0 Ok: queued as 4F1")


@pytest.mark.parametrize("phase", TRANSACTION)
@pytest.mark.parametrize(
    ("code", "text", "blame"),
    [
        (450, "4.7.1 greylisted, come back in 5 minutes", Blame.MESSAGE),
        (452, "4.2.2 mailbox full", Blame.MESSAGE),
        (452, "4.5.3 too many recipients", Blame.MESSAGE),
        (450, "4.2.1 The user you are trying to contact is receiving mail at a rate that prevents it", Blame.MESSAGE),
        (450, "4.2.121 hourly message limit of the recipient from this sender exceeded", Blame.MESSAGE),
        (450, "4.2.1 Peak SMTP relay limit exceeded for customer. This is a temporary error.", Blame.THROTTLED),
        (421, "4.7.0 try again later, closing connection", Blame.THROTTLED),
        (454, "Throttling failure: Maximum sending rate exceeded", Blame.THROTTLED),
        (454, "Throttling failure: Daily message quota exceeded", Blame.QUOTA_EXHAUSTED),
        (550, "5.4.5 Daily user sending quota exceeded", Blame.QUOTA_EXHAUSTED),
        (
            550,
            "5.7.233 your tenant exceeded its daily limit for sending email to external recipients",
            Blame.QUOTA_EXHAUSTED,
        ),
        (550, "5.7.1 Daily SMTP relay limit exceeded for customer", Blame.QUOTA_SUSPECTED),
        (451, "4.7.1 sending limit exceeded, 200 messages per hour", Blame.QUOTA_SUSPECTED),
        (
            550,
            "Domain example.com has exceeded the max emails per hour (500/500 (100%)) allowed",
            Blame.QUOTA_SUSPECTED,
        ),
        (503, "5.5.1 bad sequence of commands", Blame.CONNECTION),
    ],
)
def test_a_delay_is_blamed_on_the_right_one(phase: Phase, code: int, text: str, blame: Blame | None) -> None:
    assert classify(code, text, phase) == TryLater(code, f"{code} {text}".strip(), phase, blame)


@pytest.mark.parametrize("phase", TRANSACTION)
@pytest.mark.parametrize(
    ("code", "text"),
    [
        (550, "5.1.1 no such user"),
        (552, "5.2.2 mailbox over its daily quota"),
        (552, "5.3.4. Sending limit exceeded"),
        (552, "5.3.4 Message size exceeds the sending limit"),
        (552, "5.5.3 Maximum limit of 2 recipients per hour reached"),
        (550, "5.7.1 Relaying denied. You have exceeded the daily mail limit of the recipient domain"),
        (554, "5.7.26 unauthenticated sender, daily limit 0"),
        (503, "5.1.1 no such user"),
    ],
)
def test_other_5xx_are_final_in_the_servers_own_words(phase: Phase, code: int, text: str) -> None:
    assert classify(code, text, phase) == Refused(code, f"{code} {text}", phase)


@pytest.mark.parametrize(
    ("code", "text", "phase", "blame"),
    [
        (500, "5.5.2 command unrecognized", Phase.MAIL, Blame.CONNECTION),
        (501, "5.1.7 bad sender address syntax", Phase.MAIL, None),
        (501, "5.5.4 syntax", Phase.RCPT, None),
        (500, "Error: (ValueError) no room", Phase.DOT, Blame.MESSAGE),
        (500, "5.6.0 bad header", Phase.DOT, None),
    ],
)
def test_an_answer_that_the_command_does_not_have_is_about_the_connection(
    code: int, text: str, phase: Phase, blame: Blame | None
) -> None:
    outcome = classify(code, text, phase)
    assert outcome == (TryLater(code, outcome.text, phase, blame) if blame else Refused(code, outcome.text, phase))


@pytest.mark.parametrize("phase", TRANSACTION)
@pytest.mark.parametrize(
    ("code", "text"),
    [
        (530, ""),
        (530, "5.7.0 Authentication required"),
        (535, "5.7.8 session expired"),
    ],
)
def test_who_must_sign_in_first_is_the_account_at_mail_and_may_be_one_message_later(
    phase: Phase, code: int, text: str
) -> None:
    outcome = classify(code, text, phase)
    assert isinstance(outcome, TryLater)
    assert outcome.blame is (Blame.MISCONFIGURED if phase is Phase.MAIL else Blame.SIGN_IN)


@pytest.mark.parametrize("phase", TRANSACTION)
@pytest.mark.parametrize(
    ("code", "text"),
    [
        (450, "Too many messages, slow down"),
        (450, "4.7.1 Error: too much mail from 192.0.2.1"),
        (432, "4.3.2 Concurrent connections limit exceeded."),
    ],
)
def test_too_fast_is_the_account_at_mail_and_may_be_the_recipient_later(phase: Phase, code: int, text: str) -> None:
    outcome = classify(code, text, phase)
    assert outcome == TryLater(code, outcome.text, phase, Blame.THROTTLED if phase is Phase.MAIL else Blame.MESSAGE)


SENDING_QUOTA = "You have exceeded your daily sending quota"


@given(
    st.sampled_from([*range(1, 8)]),
    st.integers(0, 99),
    st.integers(550, 559),
    st.sampled_from([SENDING_QUOTA, "outgoing limit per hour exceeded", "the account's monthly quota is used up"]),
    st.sampled_from(TRANSACTION),
)
def test_a_status_that_says_something_comes_before_words(
    subject: int, detail: int, code: int, words: str, phase: Phase
) -> None:
    said = (subject, detail) not in [(3, 0), (4, 0), (5, 0), (7, 0), (7, 1)]
    with_status, without = classify(code, f"5.{subject}.{detail} {words}", phase), classify(code, words, phase)
    if said:
        plain = classify(code, f"5.{subject}.{detail} no", phase)
        assert isinstance(with_status, Refused) == isinstance(plain, Refused)
        assert getattr(with_status, "blame", None) is getattr(plain, "blame", None)
    else:
        assert getattr(with_status, "blame", None) is getattr(without, "blame", None)


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        (452, "4.5.3 Too many recipients", True),
        (552, "5.5.3 Maximum limit of 2 recipients reached", True),
        (451, "4.3.0 Multiple destination domains per transaction is unsupported. Please try again.", True),
        (452, "", True),
        (452, "4.2.2 mailbox full", False),
        (552, "5.2.2 too many recipients share this mailbox", False),
        (550, "5.1.1 no such user", False),
    ],
)
def test_one_recipient_too_many_is_told_from_others(code: int, text: str, *, expected: bool) -> None:
    assert is_one_too_many(code, text) is expected


@pytest.mark.parametrize(
    ("code", "phase", "blame", "words"),
    [
        (421, Phase.CONNECT, Blame.UNREACHABLE, "mx rejected the connection: 421 busy"),
        (454, Phase.TLS, Blame.UNREACHABLE, "mx could not start TLS: 454 busy"),
        (535, Phase.LOGIN, Blame.MISCONFIGURED, "mx rejected the login: 535 busy"),
        (421, Phase.LOGIN, Blame.THROTTLED, "mx rejected the login: 421 busy"),
        (454, Phase.LOGIN, Blame.UNREACHABLE, "mx rejected the login: 454 busy"),
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
        (Phase.CONNECT, Blame.UNREACHABLE),
        (Phase.MAIL, Blame.UNREACHABLE),
        (Phase.RCPT, Blame.UNREACHABLE),
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
@given(
    st.integers(200, 599),
    st.text() | st.integers(TEXT_LIMIT - 5, TEXT_LIMIT + 5).map(lambda length: "a" * length),
    st.sampled_from(list(Phase)),
)
def test_every_answer_has_a_bounded_printable_outcome(code: int, text: str, phase: Phase) -> None:
    outcome = classify(code, text, phase)
    assert len(outcome.text) <= TEXT_LIMIT
    assert not any(ord(character) < 32 or 127 <= ord(character) < 160 for character in outcome.text)
    outcome.text.encode()
    assert isinstance(outcome, Delivered) == (phase is Phase.DOT and code < 300)
