"""What a receiving server found out about the sender is read from its own header alone, whatever else there is."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.sending.reports.authentication import Authentication, Judgement, Result, judge, read_authentication

PASSING, FAILING, UNKNOWN = Judgement
DOMAIN = "northwind.example"
BY_RECEIVER = (
    "Received: from smtp.sender.example (smtp.sender.example [192.0.2.1])\n\tby mx.receiver.example with ESMTPS;\n"
)
BY_SENDER = "Received: from [10.0.0.1] (unknown) by smtp.sender.example with ESMTPSA;\n"
SENT = "Message-ID: <1@northwind.example>\nFrom: hello@northwind.example\nSubject: A check\n\nhi\n"
ALIGNED = "dkim=pass header.d=northwind.example; spf=pass smtp.mailfrom=hello@northwind.example"
OTHERS = "dkim=pass header.i=@sender.example; spf=pass smtp.mailfrom=bounce@sender.example"


def results(text: str, server: str = "mx.receiver.example") -> str:
    return f"Authentication-Results: {server};\n\t{text}\n"


def received(*fields: str, sent: str = SENT) -> bytes:
    """A message as the receiving server stores it, with these fields of its own on top."""
    return ("".join(fields) + BY_RECEIVER + BY_SENDER + sent).encode()


def judged(message: bytes) -> Judgement:
    return judge(read_authentication(message), DOMAIN)


# The fields of the receiving server, what the sender wrote on top of its message, and what follows from them.
EIGHT_KINDS = {
    "pass and aligned": (results(f"{ALIGNED}; dmarc=pass header.from=northwind.example"), "", PASSING),
    "pass, not aligned": (results(OTHERS), "", FAILING),
    "fail": (results("spf=fail smtp.mailfrom=northwind.example; dkim=fail; dmarc=fail"), "", FAILING),
    "none": ("Authentication-Results: mx.receiver.example; none\n", "", UNKNOWN),
    "temperror": (results("spf=temperror smtp.mailfrom=northwind.example; dkim=none"), "", UNKNOWN),
    "two results": (results(f"dkim=fail header.d=northwind.example; {ALIGNED}"), "", PASSING),
    "forged by the sender": ("", results(ALIGNED), UNKNOWN),
    "another server's": (results(ALIGNED, "filter.other.example"), "", UNKNOWN),
}


@pytest.mark.parametrize(("fields", "forged", "expected"), EIGHT_KINDS.values(), ids=EIGHT_KINDS)
def test_each_of_eight_kinds_is_judged_right(fields: str, forged: str, expected: Judgement) -> None:
    assert judged(received(fields, sent=forged + SENT)) == expected


GMAIL = (
    "Delivered-To: ann@receiver.example\n"
    "Received: by 2002:a05:6a10:8784:b0:4d5 with SMTP id px4;\n        Sun, 29 Nov 2026 03:04:05 -0800 (PST)\n"
    "X-Received: by 2002:a17:906:f0c9 with SMTP id dk9;\n"
    "ARC-Authentication-Results: i=1; mx.google.com; dkim=fail\n"
    "Return-Path: <hello@northwind.example>\n"
    "Received: from smtp.sender.example (smtp.sender.example. [192.0.2.1])\n"
    "        by mx.google.com with ESMTPS id e9 for <ann@receiver.example>\n"
    "        (version=TLS1_3 cipher=TLS_AES_256_GCM_SHA384 bits=256/256);\n"
    "Received-SPF: pass (google.com: domain of hello@northwind.example designates 192.0.2.1) client-ip=192.0.2.1;\n"
    "Authentication-Results: mx.google.com;\n"
    '       dkim=pass header.i=@northwind.example header.s=s1 header.b="ab/c=";\n'
    "       spf=pass (google.com: domain of hello@northwind.example designates 192.0.2.1 as permitted; by (x) sender)"
    " smtp.mailfrom=hello@northwind.example;\n"
    "       dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=northwind.example\n"
)
MICROSOFT = (
    "Received: from DM6PR11.namprd11.prod.outlook.com (2603:10b6:5::1) by\n CH3PR11.namprd11.prod.outlook.com with HTTPS\n"
    "Authentication-Results: spf=pass (sender IP is 192.0.2.1)\n smtp.mailfrom=northwind.example; dkim=none (message not\n"
    " signed) header.d=none;dmarc=pass action=none\n header.from=northwind.example;compauth=pass reason=100\n"
)
FASTMAIL = (
    "Received: from mx3 ([10.202.2.202]) by compute1.internal (LMTPProxy);\n"
    "Received: from mx3.messagingengine.com (localhost [127.0.0.1]) by mailmx.nyi.internal (Postfix)\n"
    "Authentication-Results: mx3.messagingengine.com;\n dkim=pass (2048-bit rsa key) header.d=northwind.example\n"
    "Received: from smtp.sender.example by mx3.messagingengine.com (Postfix)\n"
)


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        (
            GMAIL,
            Authentication(
                "mx.google.com",
                Result("pass", DOMAIN),
                (Result("pass", DOMAIN),),
                Result("pass", DOMAIN),
            ),
        ),
        (
            MICROSOFT,
            Authentication("outlook.com", Result("pass", DOMAIN), (Result("none", "none"),), Result("pass", DOMAIN)),
        ),
        (FASTMAIL, Authentication("mx3.messagingengine.com", dkim=(Result("pass", DOMAIN),))),
        (
            results("spf=pass smtp.mailfrom=northwind.example", "a.receiver.example")
            + results("spf=fail; dkim=pass header.d=northwind.example", "b.receiver.example")
            + BY_RECEIVER,
            Authentication("a.receiver.example", Result("pass", DOMAIN), (Result("pass", DOMAIN),)),
        ),
        (
            BY_RECEIVER
            + 'AUTHENTICATION-RESULTS: "MX.Receiver.example" 1; SPF / 1 = PASS reason="no; header.d=a.example" '
            "smtp . mailfrom = <hello@NORTHWIND.example>\n",
            Authentication("mx.receiver.example", Result("pass", DOMAIN)),
        ),
        ("Authentication-Results: spf=pass smtp.mailfrom=northwind.example\n" + BY_RECEIVER, None),
        (results(ALIGNED), None),
        (BY_RECEIVER + BY_SENDER + results(ALIGNED), None),
        ("", None),
    ],
    ids=[
        "Gmail",
        "Microsoft",
        "Fastmail",
        "two headers",
        "odd case",
        "no id",
        "no hop",
        "below another hop",
        "nothing",
    ],
)
def test_the_receiving_servers_own_header_is_read(headers: str, expected: Authentication | None) -> None:
    assert read_authentication((headers + SENT).encode()) == expected


@pytest.mark.parametrize(
    ("text", "strict", "expected"),
    [
        ("dkim=pass header.d=mail.northwind.example", False, PASSING),
        ("dkim=pass header.d=mail.northwind.example", True, FAILING),
        ("dkim=pass header.d=northwind.example", True, PASSING),
        ("spf=pass smtp.mailfrom=bounces.northwind.example", False, PASSING),
        ("spf=pass smtp.mailfrom=bounces.northwind.example", True, FAILING),
        ("spf=pass smtp.mailfrom=notnorthwind.example", False, FAILING),
        ("spf=pass smtp.helo=northwind.example", False, FAILING),
        ("spf=none; dkim=none", False, FAILING),
        (f"dmarc=none; {ALIGNED}", False, PASSING),
        (f"dmarc=bestguesspass header.from=northwind.example; {OTHERS}", False, FAILING),
        (f"dmarc=pass header.from=another.example; {OTHERS}", False, FAILING),
        ("dmarc=fail header.from=northwind.example; dkim=temperror", False, UNKNOWN),
        ("dmarc=temperror; spf=fail", False, UNKNOWN),
        ("iprev=pass; auth=pass smtp.auth=ann", False, UNKNOWN),
    ],
)
def test_alignment_follows_the_records_of_the_from_domain(text: str, *, strict: bool, expected: Judgement) -> None:
    found = read_authentication(received(results(text)))
    assert judge(found, DOMAIN, is_strict_spf=strict, is_strict_dkim=strict) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("(" * 100_000, '"' * 100_000, '\\"' * 50_000, "a" * 100_000, ";" * 100_000, "a.b=" * 25_000),
        *("dkim=pass;" * 10_000, '"\\' * 50_000, "() " * 33_000, "dkim=pass (" * 9_000, "by " * 33_000),
    ],
)
def test_a_huge_header_takes_no_time(text: str) -> None:
    began = time.process_time()
    for message in (received(results(text)), received(f"Received: {text}\n"), results(text).encode()):
        judged(message)
    assert time.process_time() - began < 1


@given(st.text(alphabet='abc.;=()"\\/ \n\tdkimspfpass\u00e9', max_size=200))
def test_no_words_make_it_fail(text: str) -> None:
    judged(received(f"Authentication-Results: {text}"))
    judged(received(results(text.replace("\n", " "))))


@given(st.binary(max_size=300))
def test_no_bytes_make_it_fail(data: bytes) -> None:
    judged(b"Authentication-Results: " + data)
    judged(data)
