"""A part in pieces is the part that is made of the whole."""

import email
import email.policy

from hypothesis import example, given
from hypothesis import strategies as st

from webapp.sending.mime.entities import PLAIN_LINE, text_entity
from webapp.sending.mime.line_endings import dot_stuff
from webapp.sending.mime.preencoded import PreencodedPart, RenderedValues

HARD_TEXTS = [
    *("", ".", "x" * 75 + "." * 80, "--", "From ", "\r", "\n", "\r\n", "=", "é" * 40, "x" * 80, "--=_alternative"),
]
HARD_VALUES = ["", "From me", ".", "." * 90, "x" * 75 + ".", "Zoë", "a\nb", " ", "y" * 300, "z" * 75 + "." * 80]
TEXTS = st.sampled_from(HARD_TEXTS) | st.text(max_size=30)
VALUES = st.sampled_from(HARD_VALUES) | st.text(max_size=20)


def content_of(entity: bytes) -> str:
    message = email.message_from_bytes(b"MIME-Version: 1.0\r\n" + entity, policy=email.policy.default)
    content: str = message.get_content()
    return content


@given(st.lists(st.tuples(TEXTS, VALUES), min_size=1, max_size=5), TEXTS)
@example([("Hello\n", "")], "")
def test_pieces_say_what_the_whole_says(parts: list[tuple[str, str]], last: str) -> None:
    literals, values = [text for text, _ in parts] + [last], [value for _, value in parts]
    whole = "".join(text + value for text, value in parts) + last
    entity = b"".join(PreencodedPart("plain", literals).fill(RenderedValues(values)))
    assert content_of(entity) == content_of(text_entity("plain", whole))
    _, _, body = entity.partition(b"\r\n\r\n")
    assert b"\r\n--" not in b"\r\n" + body or b"quoted-printable" in entity
    assert b"\r\n--=_" not in b"\r\n" + body
    assert body.count(b"\n") == body.count(b"\r\n") == body.count(b"\r")
    assert max(map(len, body.split(b"\r\n"))) <= PLAIN_LINE
    assert body.isascii()
    assert not any(line.startswith(b".") for line in body.split(b"\r\n"))
    assert dot_stuff(body) == body


def test_long_values_count_in_their_own_line_alone() -> None:
    values = RenderedValues(["x" * 300] * 12)
    apart = PreencodedPart("plain", ["See", *["\nsee "] * 11, ".\n"])
    assert b"7bit" in b"".join(apart.fill(values))
    together = PreencodedPart("plain", ["See\n", *[" and "] * 2, *["\nsee "] * 9, ".\n"])
    assert b"quoted-printable" in b"".join(together.fill(values))


def test_values_come_in_the_order_of_the_places_and_more_than_once() -> None:
    pieces = PreencodedPart("plain", ("1 ", ", 2 ", ", 3 ", ".\n"), order=(1, 0, 1))
    assert content_of(b"".join(pieces.fill(RenderedValues(["Ada", "Bob", "Eve"])))) == "1 Bob, 2 Ada, 3 Bob.\r\n"
    entity = b"".join(pieces.fill(RenderedValues(["Ada", "x" * 500])))
    assert max(map(len, entity.split(b"\r\n"))) <= PLAIN_LINE
