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
)

TRANSACTION = (Phase.MAIL, Phase.RCPT, Phase.DATA, Phase.DOT)


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
        (550, "5.7.233 your tenant exceeded its daily limit to external recipients", Blame.QUOTA_EXHAUSTED),
        (550, "5.7.1 Daily SMTP relay limit exceeded for customer", Blame.QUOTA_SUSPECTED),
        (451, "4.7.1 sending limit exceeded, 200 messages per hour", Blame.QUOTA_SUSPECTED),
        (550, "Domain example.com has exceeded the max emails per hour (500/500) allowed", Blame.QUOTA_SUSPECTED),
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
    ("code", "text", "at_mail", "later"),
    [
        (530, "", Blame.MISCONFIGURED, Blame.SIGN_IN),
        (530, "5.7.0 Authentication required", Blame.MISCONFIGURED, Blame.SIGN_IN),
        (535, "5.7.8 session expired", Blame.MISCONFIGURED, Blame.SIGN_IN),
        (450, "Too many messages, slow down", Blame.THROTTLED, Blame.MESSAGE),
        (450, "4.7.1 Error: too much mail from 192.0.2.1", Blame.THROTTLED, Blame.MESSAGE),
        (432, "4.3.2 Concurrent connections limit exceeded.", Blame.THROTTLED, Blame.MESSAGE),
    ],
)
def test_what_is_about_the_account_at_mail_may_be_about_one_message_later(
    phase: Phase, code: int, text: str, at_mail: Blame, later: Blame
) -> None:
    outcome = classify(code, text, phase)
    assert outcome == TryLater(code, outcome.text, phase, at_mail if phase is Phase.MAIL else later)


@given(
    st.sampled_from([*range(1, 8)]),
    st.integers(0, 99),
    st.integers(550, 559),
    st.sampled_from(
        ["exceeded your daily sending quota", "outgoing limit per hour exceeded", "monthly quota is used up"]
    ),
    st.sampled_from(TRANSACTION),
)
def test_a_status_that_says_something_comes_before_words(
    subject: int, detail: int, code: int, words: str, phase: Phase
) -> None:
    says_nothing = (subject, detail) in [(3, 0), (4, 0), (5, 0), (7, 0), (7, 1)]
    expected = classify(code, words if says_nothing else f"5.{subject}.{detail} no", phase)
    outcome = classify(code, f"5.{subject}.{detail} {words}", phase)
    assert getattr(outcome, "blame", None) is getattr(expected, "blame", None)


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
    ("code", "text", "phase", "blame", "words"),
    [
        (421, "busy", Phase.CONNECT, Blame.UNREACHABLE, "rejected the connection"),
        (454, "busy", Phase.TLS, Blame.UNREACHABLE, "could not start TLS"),
        (535, "busy", Phase.LOGIN, Blame.MISCONFIGURED, "rejected the login"),
        (421, "busy", Phase.LOGIN, Blame.THROTTLED, "rejected the login"),
        (454, "busy", Phase.LOGIN, Blame.UNREACHABLE, "rejected the login"),
        (454, "4.7.0 Too many login attempts", Phase.LOGIN, Blame.THROTTLED, "rejected the login"),
    ],
)
def test_before_mail_it_is_the_accounts_trouble_in_a_sentence(
    code: int, text: str, phase: Phase, blame: Blame, words: str
) -> None:
    assert classify(code, text, phase, "mx") == TryLater(code, f"mx {words}: {code} {text}", phase, blame)


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
