"""Opening received messages: never an error, never without bound."""

import pytest

from webapp.domain.sandbox.message_view import INLINE_BYTES, TEXT_SHOWN, parse, render


def nested(depth: int) -> bytes:
    head = b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n"
    return b"".join(head % (level, level) for level in range(depth)) + b"\r\nhello\r\n"


@pytest.mark.parametrize(
    "data",
    [
        b"", b"no header at all", b"Subject: \xff\xfe\r\n\r\nx",
        b"Content-Type: text/html; charset=none-such\r\n\r\n<p>x</p>",
        b"Content-Type: text/plain; charset*=x'y'%ff\r\n\r\nx",
        b"Content-Transfer-Encoding: base64\r\n\r\n!!!not base64!!!",
        b"Content-Disposition: attachment; filename*=UTF-16''%ff%fe\r\n\r\nx",
        b"From: " + b"(" * 10_000 + b"\r\n\r\nx", nested(2_000),
    ],
)  # fmt: skip
def test_junk_is_opened(data: bytes) -> None:
    opened = parse(data)
    assert isinstance(opened.raw, str)
    for name, value in opened.headers:
        assert "\n" not in name + value


def test_a_long_text_is_cut() -> None:
    opened = parse(b"Subject: x\r\n\r\n" + b"y" * (TEXT_SHOWN * 2))
    assert opened.is_cut
    assert len(opened.text or "") == TEXT_SHOWN


def related(html: bytes, image: bytes) -> bytes:
    """A page and an image that it may name as `cid:a`."""
    page = b"--b\r\nContent-Type: text/html\r\n\r\n" + html + b"\r\n"
    inline = b"--b\r\nContent-Type: image/png\r\nContent-ID: <a>\r\n\r\n" + image + b"\r\n"
    return b"Content-Type: multipart/related; boundary=b\r\n\r\n" + page + inline + b"--b--"


def test_an_image_named_many_times_makes_no_endless_page() -> None:
    message = related(b"cid:a " * 60_000, b"x" * (INLINE_BYTES // 2))
    html = render(message)
    assert "data:image/png;base64,eHh4" in html
    assert len(html) <= INLINE_BYTES + 60_000 * len("data:, ")
    assert parse(message).html == "cid:a " * 60_000


def test_names_of_files_are_harmless() -> None:
    opened = parse(b'Content-Disposition: attachment; filename="../../etc/pass\x00wd"\r\n\r\nx')
    (file,) = opened.attachments
    assert "/" not in file.filename
    assert "\0" not in file.filename
    assert not file.filename.startswith(".")
