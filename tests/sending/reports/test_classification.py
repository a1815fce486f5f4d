"""A refusal is judged by the server's own words: what systems in use say, in their reports and in the dialogue."""

import pytest

from tests.sending.reports.samples import OURS
from tests.sending.reports.samples.systems import BAD, FULL, GONE, LATER, SAID, Said
from webapp.sending.outcomes import Phase, Refused, bounce_of, classify
from webapp.sending.reports.classification import classify as judge
from webapp.sending.reports.parse import Kind, parse

SUPPRESSED = ("Permanent", "Suppressed")


@pytest.mark.parametrize("said", SAID, ids=lambda said: f"{said.system}: {said.text[:60]}")
def test_what_systems_say_has_its_verdict(said: Said) -> None:
    (verdict,) = parse(said.message)
    assert verdict.kind is Kind.BOUNCE
    assert verdict.bounce is not None
    assert (verdict.bounce.type, verdict.bounce.sub_type) == said.verdict
    assert verdict.bounce.suppresses is (said.verdict == GONE)
    assert verdict.message_ids == (OURS,)


@pytest.mark.parametrize(
    ("phase", "text", "verdict"),
    [
        (Phase.RCPT, "<ann@example.org>: User unknown", GONE),
        (Phase.RCPT, "5.1.3 bad address syntax", BAD),
        (Phase.RCPT, "mailbox is inactive", BAD),
        (Phase.RCPT, "5.2.2 mailbox full", FULL),
        (Phase.RCPT, "5.2.1 The user you are trying to contact is receiving mail at a rate that prevents it", LATER),
        (Phase.RCPT, "a reason in no words that are known", ("Undetermined", "Undetermined")),
        (Phase.RCPT, "5.7.1 Client host [5.1.1.20] blocked using list.example", None),
        (Phase.RCPT, "5.1.1 Sender address rejected: User unknown", None),
        (Phase.MAIL, "5.1.1 no such user", None),
        (Phase.DOT, "5.1.1 no such user", GONE),
        (Phase.DOT, "unknown user", BAD),  # as networks of mobile phones say of a recipient with a filter
        (Phase.DOT, "a reason in no words that are known", None),
    ],
)
def test_a_refusal_of_the_recipient_is_judged_as_a_report_is(
    phase: Phase, text: str, verdict: tuple[str, str] | None
) -> None:
    outcome = classify(550, text, phase)
    assert isinstance(outcome, Refused)
    bounce = bounce_of(outcome)
    assert (bounce and (bounce.type, bounce.sub_type)) == verdict


@pytest.mark.parametrize("phase", [Phase.RCPT, Phase.DATA, Phase.DOT])
@pytest.mark.parametrize(
    "text",
    [
        "5.7.1 Outbound message rejected: attachment limit exceeded",
        "5.7.1 The sender exceeds the maximum of recipients per message",
        "Outgoing mail rejected: spam threshold exceeded",
    ],
)
def test_a_limit_of_one_message_is_not_the_account_s_quota(text: str, phase: Phase) -> None:
    assert isinstance(classify(550, text, phase), Refused)


@pytest.mark.parametrize(
    ("status", "words", "verdict"),
    [
        ("5.1.1", "550 5.1.1 spam is not a word of user@spam.example: no such user", ("Transient", "ContentRejected")),
        ("5.1.1", "550 5.1.1 <spam@spamfilter.example>: User unknown, see https://spamhaus.example/spam", GONE),
        ("5.1.1", "", GONE),
        ("5.1.1", "550 something else", BAD),  # Sendmail makes 5.1.1 of every 550
        ("5.2.1", "AOL will not accept delivery of this message", LATER),
        ("5.0.0", "550 Message suppressed: spam", ("Transient", "ContentRejected")),
        ("5.1.1", "has suppressed sending to this address", SUPPRESSED),
        ("4.4.7", "550 5.1.1 no such user", GONE),
        ("5.1.1", "450 4.1.1 user unknown", LATER),
    ],
)
def test_words_come_before_statuses_and_data_is_not_words(status: str, words: str, verdict: tuple[str, str]) -> None:
    found = judge(status, words)
    assert (found.type, found.sub_type) == verdict
