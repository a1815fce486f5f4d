"""Email addresses, one rule for every door."""

from email.message import EmailMessage
from email.policy import SMTP

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.addresses import Address, normalize, parse


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ann@example.org", "ann@example.org"),
        ("Ann.Lee+News@EXAMPLE.org", "Ann.Lee+News@example.org"),
        ("ann@bücher.example", "ann@xn--bcher-kva.example"),
        (" ann@example.org ", "ann@example.org"),
        ("jürgen@example.org", "jürgen@example.org"),
        ("bounce+x@example.test", "bounce+x@example.test"),
        ("ops@mail.corp.local", "ops@mail.corp.local"),
    ],
)
def test_a_mailbox_is_normalized(text: str, expected: str) -> None:
    assert normalize(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ann",
        "a@b",
        "ann@",
        "@example.org",
        "ann@@example.org",
        "ann lee@example.org",
        '"ann lee"@example.org',
        "ann@[127.0.0.1]",
        "ann@example.org, bob@example.org",
        "friends: ann@example.org;",
        "ann@example.org\r\nBcc: x@example.org",
        "ann@exam\x00ple.org",
        "a" * 65 + "@example.org",
        "ann@" + "d" * 250 + ".org",
        "ann\u037e@example.org",
        "r@x>\r\nRCPT TO:<e@y.org",
        "ann@host.invalid",
    ],
)
def test_what_is_no_mailbox_is_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match=r"^(is not|must not)"):
        normalize(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Acme <hello@acme.example>", Address("Acme", "hello@acme.example")),
        ('"Lee, Ann" <ann@example.org>', Address("Lee, Ann", "ann@example.org")),
        ("<ann@example.org>", Address("", "ann@example.org")),
        ("Jürgen Groß <j@example.org>", Address("Jürgen Groß", "j@example.org")),
        ("A\u202enn\u200b <ann@example.org>", Address("Ann", "ann@example.org")),
    ],
)
def test_a_name_may_stand_before_the_address(text: str, expected: Address) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize(
    "text", ["Acme <hello@acme.example", "A <b> <ann@example.org>", "Ann\n<ann@example.org>", "<>"]
)
def test_other_forms_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^(is not|must not)"):
        parse(text)


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp"]), max_size=40))
def test_a_written_address_reads_back_the_same(name: str) -> None:
    address = Address(name.strip().replace("<", "").replace(">", ""), "ann@example.org")
    if address.name.startswith('"'):
        return
    assert parse(str(address)) == address


@given(st.text(max_size=60))
def test_whatever_is_accepted_stands_safely_in_a_header(text: str) -> None:
    try:
        address = parse(text)
    except ValueError:
        return
    message = EmailMessage(policy=SMTP)
    message["To"] = str(address)
    assert address.email.count("@") == 1
    assert b"\r\n" not in bytes(message).rstrip(b"\r\n").replace(b"\r\n ", b"")
