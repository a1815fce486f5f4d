"""The links of a content, rewritten once for all who get it."""

from typing import Any
from uuid import uuid4

import pytest

from webapp.domain.campaigns.tracked_links import track
from webapp.domain.merge_tags.lexer import TAGS
from webapp.domain.tracking.placeholders import PIXEL_ELEMENT
from webapp.models import Content, TrackedLink

pytestmark = pytest.mark.usefixtures("database")  # its models need one to be made at all
BOTH = {"opens": True, "clicks": True}
CLICKS = {"opens": False, "clicks": True}


def tracked_in(html: str | None, tracking: dict[str, bool], **fields: Any) -> tuple[Content, list[TrackedLink]]:
    content = Content(id=uuid4(), org_id=uuid4(), subject="Hi", html=html, **fields)
    return content, track(content, tracking)


@pytest.mark.parametrize(
    ("link", "rewritten"),
    [
        ('<a href="https://x.example/">', '<a href="{{ pennypost_link_1 }}">'),
        ("<A class=x HREF = 'HTTP://x.example/a?b=1&amp;c=2'>", '<A class=x HREF = "{{ pennypost_link_1 }}">'),
        ("<a href=https://x.example/>", '<a href="{{ pennypost_link_1 }}">'),
        ('<v:roundrect href="https://x.example/">', '<v:roundrect href="{{ pennypost_link_1 }}">'),
        (
            '<a title="{{ a | append: \'>\' }}" href="https://x.example">',
            '<a title="{{ a | append: \'>\' }}" href="{{ pennypost_link_1 }}">',
        ),
    ],
)
def test_links_to_the_web_are_rewritten(link: str, rewritten: str) -> None:
    content, links = tracked_in(f"<p>{link}x</a></p>", CLICKS)
    assert content.html == f"<p>{rewritten}x</a></p>"
    assert [link.number for link in links] == [1]
    assert {(link.org_id, link.content_id) for link in links} == {(content.org_id, content.id)}
    assert content.is_template


@pytest.mark.parametrize(
    "link",
    [
        '<a href="mailto:ann@x.example">', '<a href="javascript:alert(1)">', '<a href="//x.example/">',
        '<a href="{{ unsubscribe_url }}">', '<a href="https://x.example/{{ email }}">',
        '<a data-no-track href="https://x.example/">', '<a href="https://x.example/\u2028x">',
        '<a href="https://x.example\\@evil.example">', f'<a href="https://x.example/{"x" * 2_000}">',
        '<!-- <a href="https://x.example/"> -->', '<img src="https://x.example/a.png">',
    ],
)  # fmt: skip
def test_others_stay_as_they_are(link: str) -> None:
    content, links = tracked_in(f"<p>{link}x</a></p>", CLICKS)
    assert (content.html, links) == (f"<p>{link}x</a></p>", [])


def test_the_pixel_is_the_last_of_the_body() -> None:
    content, _ = tracked_in("<html><!-- </body> --><body><p>x</p></body></html>", {"opens": True, "clicks": False})
    assert content.html == f"<html><!-- </body> --><body><p>x</p>{PIXEL_ELEMENT}</body></html>"


def test_what_has_as_many_tags_as_may_be_stays() -> None:
    html = "{{ a }}" * TAGS
    assert tracked_in(html, BOTH)[0].html == html
    assert tracked_in(html[len("{{ a }}") :], BOTH)[0].html == html[len("{{ a }}") :] + PIXEL_ELEMENT


def test_a_target_has_one_link_however_often_it_is_linked() -> None:
    html = '<a href="https://x.example/?a=1&amp;b=2">x</a><a href="https://y.example">y</a>'
    content, links = tracked_in(html + html, CLICKS)
    assert [(link.number, link.url) for link in links] == [(1, "https://x.example/?a=1&b=2"), (2, "https://y.example")]
    assert [content.html.count(f"pennypost_link_{number}") for number in (1, 2, 3)] == [2, 2, 0]
