"""The bytes of a message: what a parser reads back is what went in, and nothing slips past the headers (S33, S35, S36)."""

import email
import email.policy
from dataclasses import replace
from datetime import UTC, datetime
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.utils import getaddresses
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webapp.addresses import Address
from webapp.sending.mime.headers import check_header
from webapp.sending.mime.line_endings import dot_stuff, is_ascii
from webapp.sending.mime.message import AttachedFile, MessageContent, MessageFields, MessageTemplate, needs_smtputf8

ME = Address("Pennypost", "news@example.com")
ADA = Address("Ada Lovelace", "ada@example.org")
HELLO = MessageContent(ME, "Hello", text="Hi")
BREAKS = ["\r", "\n", "\r\n", "\0", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1b"]

WORDS = [".", "\n.", "\r\n..", "\r.", "x" * 75, " ", "é", "=", "\n--", "\nFrom ", "a\0"]
written = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=400),
    st.lists(st.sampled_from(WORDS), max_size=20).map("".join),
)
one_line = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=300)


def slots(**changes: Any) -> MessageFields:
    values = {"to": (ADA,), "message_id": "<1@example.com>", "date": datetime(2026, 3, 1, 9, 30, tzinfo=UTC)}
    return MessageFields(**(values | changes))


def read(data: bytes) -> EmailMessage:
    """What the standard library's parser makes of a message, which must be free of defects and of long lines."""
    assert data.count(b"\n") == data.count(b"\r") == data.count(b"\r\n")
    assert max(map(len, data.split(b"\r\n"))) <= 998
    assert dot_stuff(data) is data
    assert is_ascii(data) == bytes(data).isascii()
    assert dot_stuff(bytes(data)) == data  # no line begins with a dot
    message = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    assert not [defect for part in message.walk() for defect in part.defects]
    return message


def made(content: MessageContent, **changes: Any) -> EmailMessage:
    return read(MessageTemplate(content).render(slots(**changes)))


def lines(text: str) -> str:
    """Text as it comes back: line ends made one, and one at the end."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if text.endswith("\n") else text + "\n"


def body(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    assert part is not None
    return lines(part.get_payload(decode=True).decode())


def mailboxes(message: EmailMessage, field: str) -> list[tuple[str, str]]:
    """Names and addresses; get_phrase() of Python 3.11 leaves the gap between two encoded words (RFC 2047, 6.2)."""
    raw = email.message_from_bytes(message.as_bytes(policy=email.policy.compat32.clone(max_line_length=0)))[field]
    found = getaddresses([raw])
    return [(" ".join(str(make_header(decode_header(name))).split()), address) for name, address in found]


def shape(part: EmailMessage) -> str:
    if not part.is_multipart():
        return part.get_content_type().partition("/")[2]
    return f"{part.get_content_subtype()}({' '.join(map(shape, part.iter_parts()))})"


def test_inline_images_stand_beside_the_html_and_files_around_all() -> None:
    logo = AttachedFile("logo.png", "image/png", b"\x89PNG", content_id="logo@1")
    file = AttachedFile("price list.pdf", "application/pdf", b"%PDF")
    message = made(MessageContent(ME, "Hello", html='<img src="cid:logo@1">', text="Hi", attachments=(logo, file)))
    assert shape(message) == "mixed(alternative(plain related(html png)) pdf)"
    parts = {part.get_filename(): part for part in message.walk() if part.get_filename()}
    assert parts["logo.png"]["Content-ID"] == "<logo@1>"
    assert parts["logo.png"].get_content_disposition() == "inline"
    assert parts["price list.pdf"].get_content_disposition() == "attachment"


@pytest.mark.parametrize("name", ["請求書" * 83 + ".pdf", "a b" + "é" * 149, "é" * 151])
def test_a_long_file_name_of_any_letters_is_kept_on_lines_that_any_server_takes(name: str) -> None:
    message = made(replace(HELLO, attachments=(AttachedFile(name, "application/pdf", b"%PDF"),)))
    assert [part.get_filename() for part in message.iter_attachments()] == [name]


@settings(deadline=None)  # other tests share the machine
@given(subject=one_line, text=written, html=written, name=one_line, filename=one_line, data=st.binary(max_size=300))
def test_what_goes_in_comes_out(subject: str, text: str, html: str, name: str, filename: str, data: bytes) -> None:
    filename = filename.strip()[:255].strip() or "x"
    file = AttachedFile(filename, "application/octet-stream", data)
    to = (Address(name, "ada@example.org"),)
    message = made(MessageContent(ME, subject, html=html, text=text, attachments=(file,)), to=to)
    assert " ".join(message["Subject"].split()) == " ".join(subject.split())
    assert body(message, "html") == lines(html)
    assert body(message, "plain") == lines(text)
    (attached,) = message.iter_attachments()
    assert attached.get_payload(decode=True) == data
    assert attached.get_filename() == filename
    assert mailboxes(message, "To") == [(" ".join(name.split()), "ada@example.org")]


@settings(deadline=None)  # other tests share the machine
@given(text=written, html=written, subject=one_line)
def test_slots_give_the_same_as_content(text: str, html: str, subject: str) -> None:
    whole = MessageTemplate(MessageContent(ME, subject, html=html, text=text)).render(slots())
    spliced = MessageTemplate(MessageContent(ME, "-", html="-", text="-")).render(
        slots(subject=subject, html=html, text=text)
    )
    assert spliced == whole


def test_a_long_link_in_a_header_is_never_an_encoded_word() -> None:
    link = f"<https://example.com/unsubscribe/{'a' * 300}>"
    data = MessageTemplate(HELLO).render(slots(headers={"List-Unsubscribe": link}))
    assert link.encode() in data
    assert read(data)["List-Unsubscribe"] == link


def test_fifty_recipients_are_folded() -> None:
    people = tuple(Address("Łukasz, the " + "x" * 30, f"person{index}@example.org") for index in range(50))
    message = made(HELLO, to=people[:25], cc=people[25:])
    assert mailboxes(message, "To") == list(people[:25])
    assert mailboxes(message, "Cc") == list(people[25:])


def test_no_visible_recipient_is_an_empty_group() -> None:
    assert made(HELLO, to=())["To"] == "undisclosed-recipients:;"


def test_an_encoded_word_in_a_value_is_shown_as_it_is() -> None:
    trick = "=?utf-8?q?=0D=0ABcc:_evil@example.org?="
    message = made(MessageContent(ME, trick, text="Hi"), to=(Address(trick, "ada@example.org"),))
    assert message["Subject"] == trick
    assert message["To"].addresses[0].display_name == trick
    assert message["Bcc"] is None


@pytest.mark.parametrize("brk", BREAKS)
def test_a_line_break_is_refused_wherever_it_stands(brk: str) -> None:
    evil = f"x{brk}Bcc: evil@example.org"
    someone, file = (Address(evil, "a@example.org"),), AttachedFile(evil, "text/plain", b"")
    contents = [{"subject": evil}, {"from_": someone[0]}, {"reply_to": someone}, {"attachments": (file,)}]
    fields = [{"subject": evil}, {"message_id": evil}, {"headers": {"X-A": evil}}]
    fields += [{"to": someone}, {"cc": someone}, {"to": (Address("", evil),)}]
    for content, field in [*((one, {}) for one in contents), *(({}, one) for one in fields)]:
        with pytest.raises(ValueError, match="must not contain line breaks"):
            MessageTemplate(replace(HELLO, **content)).render(slots(**field))


@pytest.mark.parametrize("name", ["", "X\r\nBcc", "X Y", "X:", "Ünï", "x" * 77, "X\0"])
def test_a_header_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="a header name takes letters"):
        check_header(name, "x")


@pytest.mark.parametrize(
    "name", ["From", "Bcc", "Reply-To", "Return-Path", "Message-ID", "Date", "content-transfer-encoding", "CONTENT-X"]
)
def test_headers_of_ours_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"the header {name} may not be set here"):
        check_header(name, "x")


@pytest.mark.parametrize("content_type", ["", "png", "image/png\r\nX: y", "image/png; a=\r\n", "a b/c", "image/ü"])
def test_a_content_type_that_is_none_is_refused(content_type: str) -> None:
    with pytest.raises(ValueError, match="must look like image/png"):
        MessageTemplate(replace(HELLO, attachments=(AttachedFile("a", content_type, b""),)))


@pytest.mark.parametrize("content_id", ["", "a b", "a>\r\nX: y", "ü", "a\0"])
def test_a_content_id_that_is_none_is_refused(content_id: str) -> None:
    with pytest.raises(ValueError, match="content id"):
        MessageTemplate(replace(HELLO, html="Hi", attachments=(AttachedFile("a", "image/png", b"", content_id),)))


def test_an_attached_message_cannot_break_the_structure() -> None:
    inner = b"--=_mixed--\r\n--=_alternative\r\nContent-Type: text/html\r\n\r\n<script>"
    files = (AttachedFile("a.eml", "message/rfc822", inner), AttachedFile("b", "multipart/mixed", inner))
    message = made(MessageContent(ME, "Hello", html=inner.decode(), text=inner.decode(), attachments=files))
    assert shape(message) == "mixed(alternative(plain html) octet-stream octet-stream)"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Hello.\n .a", "7bit"),
        ("a\n.\n..\nb", "quoted-printable"),
        ("x" * 75 + "." * 1_000, "quoted-printable"),
        ("Hello\n<p style='a=b'>\n", "7bit"),
        ("x" * 900, "7bit"),
        ("x" * 1_000, "quoted-printable"),
        ("caf\u00e9 " + "x" * 99, "quoted-printable"),
        ("a\nFrom me", "quoted-printable"),
        ("a\n--=_alternative--\nb", "quoted-printable"),
        ("a\0" + "b" * 99, "quoted-printable"),
        ("\u65e5\u672c\u8a9e", "base64"),
    ],
)
def test_a_body_is_encoded_as_little_as_it_allows(text: str, encoding: str) -> None:
    message = made(MessageContent(ME, "Hello", text=text, html=text))
    part = message.get_body(("html",))
    assert part is not None
    assert part["Content-Transfer-Encoding"] == encoding
    assert body(message, "html") == lines(text)


def test_an_address_beyond_ascii_stays_and_asks_for_smtputf8() -> None:
    jose = Address("José", "josé@example.org")
    assert needs_smtputf8(ADA, jose)
    assert not needs_smtputf8(ADA, Address("José", "jose@xn--exmple-cua.org"))
    data = MessageTemplate(HELLO).render(slots(to=(jose,)))
    assert "<josé@example.org>".encode() in data
    assert not is_ascii(data)
    assert is_ascii(MessageTemplate(HELLO).render(slots()))
