"""Messages for providers' APIs, which take the recipients from their headers."""

import pytest

from webapp.sending.api_session import addressed


@pytest.mark.parametrize(
    ("recipients", "head"),
    [
        (("ada@example.org", "Bob@example.org"), b"To: Ada <ada@example.org>\r\nCc: bob@example.org\r\nX: 1\r\n"),
        (("ada@example.org",), b"X: 1\r\nTo: ada@example.org\r\n"),
        (("eve@example.org",), b"X: 1\r\nBcc: eve@example.org\r\n"),
    ],
)
def test_a_message_names_those_who_get_it_and_nobody_else(recipients: tuple[str, ...], head: bytes) -> None:
    message = b"To: Ada <ada@example.org>\r\nCc: bob@example.org\r\nX: 1\r\n\r\nTo: nobody@example.org\r\n"
    assert addressed(message, recipients) == head + b"\r\nTo: nobody@example.org\r\n"


@pytest.mark.parametrize(
    "field",
    [
        b"To: eve@example.org <ada@example.org>",
        b"To: ada@example.org (eve@example.org)",
        b"To: everybody:eve@example.org, ada@example.org;",
        b"To: <eve@example.org>, <ada@example.org",
        b"TO: ada@example.org,\r\n\teve@example.org",
        b'Cc: "ada@example.org" <eve@example.org>',
        b"To: eve@example.org,,@ada@example.org",
    ],
)
def test_a_field_that_an_api_may_read_in_another_way_is_replaced(field: bytes) -> None:
    message = addressed(field + b"\r\nX: 1\r\n\r\nHi\r\n", ["ada@example.org"])
    head = message.partition(b"\r\n\r\n")[0]
    assert (b"eve" in head, head.count(b"ada@example.org")) == (False, 1)


@pytest.mark.parametrize("nested", [b"(" * 5_000 + b")" * 5_000, b"a:" * 5_000 + b";" * 5_000])
def test_deeply_nested_comments_and_groups_name_nobody(nested: bytes) -> None:
    message = b"To: bob@example.org\r\nCc: " + nested + b" ada@example.org\r\n\r\nHi\r\n"
    assert addressed(message, ["ada@example.org", "bob@example.org"]) == message.replace(
        b"\r\n\r\n", b"\r\nBcc: ada@example.org\r\n\r\n"
    )
