"""Each sample report gets its verdict, and no bytes make the parser raise or linger."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sending.reports.samples import ANN, BOB, OURS, Right, Sample, no_email, report
from tests.sending.reports.samples.others import NO_REPORTS, NOTHING_HAPPENED
from tests.sending.reports.samples.providers import REPORTS as OF_PROVIDERS
from tests.sending.reports.samples.providers import exchange, gmail
from tests.sending.reports.samples.servers import POSTFIX, postfix, postfix_group, qmail
from tests.sending.reports.samples.servers import REPORTS as OF_SERVERS
from webapp.sending.reports.mime_parts import MAX_BYTES, MAX_PARTS, read_fields, read_parts
from webapp.sending.reports.parse import MAX_IDS, MAX_RECIPIENTS, may_be_report, parse

REPORTS = OF_SERVERS + OF_PROVIDERS
UNKNOWN_USER = postfix(postfix_group(ANN, "5.1.1", "smtp; 550 5.1.1 unknown"))
GROUP = b"Final-Recipient: rfc822; a@b.org\n\n"
RUN = MAX_BYTES // 8  # what takes more than linear time would take longer than a test may


def rights(message: bytes) -> list[Right]:
    return [Right.of(verdict) for verdict in parse(message)]


@pytest.mark.parametrize("sample", REPORTS)
def test_a_report_gives_the_right_verdicts(sample: Sample) -> None:
    assert rights(sample.message) == sample.verdicts


@pytest.mark.parametrize("sample", NO_REPORTS + NOTHING_HAPPENED)
def test_what_is_no_report_of_a_failure_gives_none(sample: Sample) -> None:
    assert parse(sample.message) == []


@pytest.mark.parametrize("sample", REPORTS)
def test_a_report_is_known_by_its_header(sample: Sample) -> None:
    assert may_be_report(read_fields(sample.message))


def test_persons_messages_are_not_read_further() -> None:
    names = [one.name for one in NO_REPORTS if not may_be_report(read_fields(one.message))]
    assert names == ["a reply that quotes a report", "a report that somebody forwards", "a newsletter about bounces"]


def test_a_verdict_says_where_it_comes_from() -> None:
    (verdict,) = parse(gmail("5.1.1", "550-5.1.1 The account does not exist.\n\t550 5.1.1 Learn more"))
    assert verdict.diagnostics == ("550-5.1.1 The account does not exist. 550 5.1.1 Learn more",)
    assert (verdict.reporter, verdict.references, verdict.tags) == ("googlemail.com", (OURS,), ())
    (of_postfix,) = parse(UNKNOWN_USER)
    assert (of_postfix.reporter, of_postfix.tags) == ("mx.example.com", ())


def test_a_forwarded_recipient_is_known_by_both_addresses() -> None:
    group = f"Original-Recipient: rfc822; {ANN}\nFinal-Recipient: rfc822; <{BOB}>\nAction: failed\nStatus: 5.1.1\n"
    (verdict,) = parse(postfix(group))
    assert (verdict.recipient, verdict.original_recipient, verdict.addresses) == (BOB, ANN, (ANN, BOB))


def test_a_forged_report_names_none_of_our_messages() -> None:
    forged = UNKNOWN_USER.replace(OURS.encode(), b"<guess@example.com>")
    assert rights(forged) == [no_email(ANN, original=ANN)._replace(message_ids=("<guess@example.com>",))]


def test_a_message_inside_the_returned_one_is_not_read() -> None:
    inner = exchange("5.1.1", "550 5.1.1 no").decode().replace("\r\n", "\n")
    assert rights(exchange("4.2.2", "452 4.2.2 full", returned=inner)) == [
        Right(ANN, "4.2.2", "Transient", "MailboxFull", message_ids=("<9f2e@EX01.corp.example.org>",))
    ]


class TestBadInput:
    def test_a_report_of_30_mb_is_read_up_to_its_limit(self) -> None:
        head, gap, rest = UNKNOWN_USER.partition(b"Dear Ann, ...")
        assert rights(head + b"x" * 30_000_000 + gap + rest) == [no_email(ANN, original=ANN)]

    def test_2000_nested_parts_end_nothing(self) -> None:
        levels = range(2_000)
        opened = b"".join(b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n" % (one, one) for one in levels)
        assert parse(opened + UNKNOWN_USER + b"".join(b"\n--%d--" % one for one in reversed(levels))) == []

    def test_thousands_of_parts_are_not_all_read(self) -> None:
        parts = [("text/plain", "x")] * 5_000
        assert len(read_parts(report(POSTFIX, *parts))) == MAX_PARTS

    def test_thousands_of_recipients_are_not_all_read(self) -> None:
        groups = "\n\n".join(f"Final-Recipient: rfc822; a{one}@example.org\nAction: failed" for one in range(5_000))
        assert len(parse(postfix(groups))) == MAX_RECIPIENTS

    @pytest.mark.parametrize("encoding", ["BASE64", "quoted-printable", "x-unknown"])
    def test_a_transfer_encoding_may_be_true_or_not(self, encoding: str) -> None:
        start = UNKNOWN_USER.index(b"Reporting-MTA")
        end = UNKNOWN_USER.index(b"--3C0F", start)
        fields = UNKNOWN_USER[start:end]
        told = b"Content-Transfer-Encoding: " + encoding.encode() + b"\r\n\r\n"
        head, rest = UNKNOWN_USER[: start - 2], UNKNOWN_USER[end:]
        coded = base64.encodebytes(fields) + b"\r\n" if encoding.lower() == "base64" else fields
        assert rights(head + told + coded + rest) == [no_email(ANN, original=ANN)]

    @pytest.mark.parametrize("charset", ["utf-16", "klingon", "unicode_escape", ""])
    def test_a_charset_may_lie(self, charset: str) -> None:
        text = qmail(f"<{ANN}>:\nKein Postfach für diese Adresse. (#5.1.1)\n")
        for coded in (text, text.decode().encode("latin-1")):
            assert rights(b'Content-Type: text/plain; charset="' + charset.encode() + b'"\n' + coded) == [no_email(ANN)]

    @pytest.mark.parametrize(
        "message",
        [
            b"",
            b"Content-Type: multipart/report",
            b'Content-Type: multipart/report; boundary="\n\n--\n',
            b"Content-Type: message/delivery-status\n\nFinal-Recipient: \nAction: \nStatus: \n",
            b"Content-Type: message/delivery-status\n\nFinal-Recipient: utf-8; \\x{110000}@\\x{D800}.org\nAction: failed\n",
            b"Content-Type: message/delivery-status\nContent-Transfer-Encoding: base64\n\nA",
            b"From: mailer-daemon\nX-Failed-Recipients: ,,,<>\n\n550 5.1.1",
            b"From: mailer-daemon\n\nHi. This is the\n\n<>:\n\n<@>:\n\n-",
        ],
    )
    def test_odd_bytes_give_nothing(self, message: bytes) -> None:
        assert parse(message) == []

    @pytest.mark.parametrize(
        "piece",
        [b"\n", b"--b\n", b"<a@", b"<a>", b'"', b"\\x{41}", b"550 5.1.1 ", b"a@b.org, ", b"x: y\n", b" \n", GROUP],
    )
    def test_no_piece_that_is_repeated_takes_long(self, piece: bytes) -> None:
        run = piece * (RUN // len(piece))
        for head in (
            b"Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n",
            b"From: mailer-daemon\n\nHi. This is the\n\n<a@b.org>:\n",
            b"From: mailer-daemon\nX-Failed-Recipients: a@b.org\nReferences: ",
            b"Content-Type: multipart/report; boundary=",
        ):
            parse(head + run)

    def test_ids_are_bounded(self) -> None:
        head = "".join(f"References: <{one}@example.com>\n" for one in range(1_000)).encode()
        assert len(parse(head + UNKNOWN_USER)[0].references) == MAX_IDS

    @given(st.binary(max_size=2_000))
    def test_any_bytes_are_read(self, message: bytes) -> None:
        parse(message)

    @given(st.sampled_from(REPORTS), st.integers(0, 5_000), st.integers(0, 60), st.binary(max_size=60))
    def test_a_report_that_was_damaged_is_read(self, sample: Sample, at: int, length: int, instead: bytes) -> None:
        parse(sample.message[:at] + instead + sample.message[at + length :])
