"""Email addresses, one rule for every door."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.addresses import Address, normalize, parse

NESTED = "(" * 900 + ")" * 900


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann.Lee+News@EXAMPLE.org", "Ann.Lee+News@example.org"),
        ("ann@bücher.example", "ann@xn--bcher-kva.example"),
        (" ann@example.org ", "ann@example.org"),
        ("bounce+x@example.test", "bounce+x@example.test"),
        ("\ufeff \u200dann@example.org\u200c\u200b ", "ann@example.org"),
    ],
)
def test_a_mailbox_is_normalized(text: str, expected: str) -> None:
    assert normalize(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "", "a@b", "@example.org", "ann@@example.org", '"ann lee"@example.org', "ann@[127.0.0.1]",
        "friends: ann@example.org;", "ann@example.org\r\nBcc: x@example.org", "ann@exam\x00ple.org",
        "a" * 65 + "@example.org", "ann@" + "d" * 250 + ".org", "ann\u037e@example.org", "r@x>\r\nRCPT TO:<e@y.org",
        "ann@host.invalid",
    ],
)  # fmt: skip
def test_what_is_no_mailbox_is_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match=r"^(is not|must not)"):
        normalize(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Acme <hello@acme.example>", Address("Acme", "hello@acme.example")),
        ('"Lee, Ann" <ann@example.org>', Address("Lee, Ann", "ann@example.org")),
        ("Jürgen Groß <j@example.org>", Address("Jürgen Groß", "j@example.org")),
        ("A\u202enn\u200b <ann@example.org>", Address("Ann", "ann@example.org")),
        (
            "\U0001f469\u200d\U0001f4bb Ann <ann@example.org>",
            Address("\U0001f469\u200d\U0001f4bb Ann", "ann@example.org"),
        ),
        ('"Ann \\"A\\" Lee" <ann@example.org>', Address('Ann "A" Lee', "ann@example.org")),
        (f"{NESTED} <ann@example.org>", Address(NESTED, "ann@example.org")),
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


PIECES = st.sampled_from([*'()"\\<>@,;:a. ä=', "ann@example.org", "\u200b", "\u200d", "xn--"])


@given(
    st.text(max_size=60)
    | st.lists(PIECES, max_size=40).map("".join)
    | st.sampled_from('("<[\\@,:;').map(lambda sign: sign * 5_000)
)
def test_any_text_is_refused_or_an_address_that_reads_back_the_same_and_is_safe_in_a_header(text: str) -> None:
    for written in (
        text,
        f"{text}<ann@example.org>",
        f'"{text}" <ann@example.org>',
        f'"a" {text} "b" <ann@example.org>',
    ):
        try:
            address = parse(written)
        except ValueError:
            continue
        assert parse(str(address)) == address
        assert normalize(address.email) == address.email
        assert address.email.count("@") == 1
        assert not set("\r\n\0") & set(str(address))
