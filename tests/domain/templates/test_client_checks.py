"""A letter's pictures and links are checked before it is sent."""

from time import process_time

import pytest

from webapp.domain.templates.client_checks import find_faults

OURS = "http://post.example"
FINE = """<p><a href="https://acme.example">News</a> <a href='mailto:ada@acme.example'>Write</a>
<a name="top">Top</a> <a href="http://post.example/unsubscribe/x">Unsubscribe</a> <a href=https://acme.example/#a>A</a>
<a href="https://example.com.acme.example">B</a><img src="a.png" alt=""><img alt='Spring' src="b.png"/></p>"""


def test_a_letter_that_is_well_is_left_in_peace() -> None:
    assert list(find_faults(FINE, OURS)) == []
    assert list(find_faults("", OURS)) == []


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ('<img src="a.png">', "1 picture has no alt text."),
        ('<img src="a.png"><IMG data-alt="x"\nSRC=b>', "2 pictures have no alt text."),
        ('<a href="#">Read</a>', "1 link leads nowhere. Add the address."),
        ("<a class=b href=''>Read</a><a href=\"\">Read</a>", "2 links lead nowhere."),
        ('<a href="http://acme.example/?a=1&amp;b=2">Read</a>', "isn't encrypted: http://acme.example/?a=1&b=2. Use"),
        ('<a href="HTTP://post.example.acme.example">Read</a>', "A link isn't encrypted"),
        ('<a href="https://example.com/news">Read</a>', "the placeholder https://example.com/news."),
        ('<a href="https://www.example.com">Read</a>', "the placeholder https://www.example.com."),
    ],
)
def test_each_fault_is_said_once(html: str, said: str) -> None:
    (found,) = find_faults(html, OURS)
    assert said in found


@pytest.mark.parametrize("piece", ["<a ", "<a href", "<img ", "<a href='", "<img alt", "<a  href  "])
def test_what_is_written_to_take_long_takes_linear_time(piece: str) -> None:
    start = process_time()
    list(find_faults(piece * (500_000 // len(piece)), OURS))
    list(find_faults("<a " + piece.replace("<", "") * (500_000 // len(piece)), OURS))
    assert process_time() - start < 2
