"""The text part for an html body: what it says, and what it may cost."""

import tracemalloc
from html import escape

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from webapp.sending.mime.html_text import text_of

TABLE = "<table>{}</table>".format
WORDS = st.text(max_size=12)
PIECES = st.one_of(
    WORDS,
    WORDS.map(escape),
    st.sampled_from(
        [
            *("<p>", "</p>", "<br>", "<div>", "</div>", "<b>", "</b>", "</font>", "<a href=x>", "</a>", "<img alt=a>"),
            *("<table>", "</table>", "<tr>", "<td>", "</td>", "<th>", "<ul>", "<ol start=9>", "<li>", "</li>", "</ul>"),
            *("<pre>", "</pre>", "<style>", "</style>", "<title>", "<script>", "</script>", "<!--", "-->", "<![CDATA["),
            *("<", ">", "</", "<p", "<a href='", "'", '"', "&", "&#", "&#x", "&amp", "&nbsp;", "&lt;b", "\0", "\ud800"),
            *("<div style='display:none'>", '<i style="white-space:pre">', "<div hidden>", "<body>", "</html>", "\n "),
            *("<div style='padding-left:99999em'>", "<q>", "<hr>", "<svg>", "<select>", "<h1>", "</ol>"),
        ]
    ),
)
HTML = st.lists(st.tuples(PIECES, st.integers(1, 40)), max_size=12).map(
    lambda found: "".join(piece * times for piece, times in found)
)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        # what stands there once is decoded once
        (
            '<a href="https://e.example/?a=1&amp;region=eu&amp;copy=2">go</a>',
            "go <https://e.example/?a=1&region=eu&copy=2>",
        ),
        ("<p>&amp;lt;b&amp;gt; &amp;amp; &lt;i&gt;</p>", "&lt;b&gt; &amp; <i>"),
        (TABLE("<tr><td>&amp;amp;lt;<td>" + TABLE("<tr><td>&amp;amp;")), "&amp;lt;\n&amp;"),
        # no spaces and lines but those of the html
        ("a<b> b </b>c\u00a0 <i></i> d", "a b c\u00a0 d"),
        ('<div style="padding-left:9em">a<br>b</div>', "a\nb"),
        (f'<p style="margin-top:{"9" * 400}px">a</p>', "a"),
        ("<p>a<br></p><p>b</p><br><br><br>c", "a\n\nb\n\nc"),
        ("<h1>Title</h1>\n<p>Two\nwords</p>", "Title\n\nTwo words"),
        ("<pre>a\n  b\n\n\nc</pre>d", "a\n  b\n\nc\n\nd"),
        ('<div style="white-space: pre-wrap">a\n  b</div>', "a\n  b"),
        ("a &lt; b\n\n  c", "a < b\n\n  c"),  # no tag: the lines are those that somebody wrote
        # what is hidden
        ('<div style="display:none !important">PRE</div>x', "x"),
        ('<div style="display:none;color:red;display:block">a</div>', "a"),
        ("<div hidden>a</div><!-- b --><script>c</script><style>d</style><title>e</title>x", "x"),
        # links and pictures
        ('<a href="https://x.example/1"><img src="a.png"></a>', "<https://x.example/1>"),
        ('<a href=" https://x.example/1\n "><div> Words </div></a>', "Words <https://x.example/1>"),
        ('<a href="mailto:a@x.example">a@x.example</a>, <a href="mailto:b@y.de">Bob</a>', "a@x.example, Bob <b@y.de>"),
        ('<a href="#">Home</a> <a href="#top">Up</a> <a href="mailto:">us@x.example</a>', "Home Up us@x.example"),
        ('<a href="https://x.example/?a=1&region=2&copy=3&lt">Go</a>', "Go <https://x.example/?a=1&region=2&copy=3<>"),
        ("<a href=x><b><a href=y>w</a><a></a></b></a>", "w <y> <x>"),
        # lists
        ("<ul><li>One<ul><li>deep</li></ul></li></ul>", "  * One\n      + deep"),
        ("<ol start=9><li>a<li>b<li value=3>c</ol>d", " 9. a\n10. b\n 3. c\nd"),
        # tables of figures, and those that lay out
        (TABLE("<tr><td>Item</td><td>Price</td></tr><tr><td>Tea</td><td>1.00</td></tr>"), "Item  Price\nTea   1.00"),
        (TABLE(f"<tr><td>{'a' * 50}<td>b"), f"{'a' * 50}\nb"),
        # no tags, and no words
        ("<p>\0\ud800</p>", "\ufffd?"),
        ("&#" + "9" * 5000, "\ufffd"),
        ("&#" + "0" * 5000 + "65;&#x" + "0" * 5000 + "42;&#" + "0" * 5000 + ";&#0a", "AB\ufffd\ufffda"),
    ],
)
def test_the_text_says_what_the_html_shows(html: str, text: str) -> None:
    assert text_of(html) == text


def test_html_that_is_nested_too_deeply_or_too_long_loses_its_tags() -> None:
    assert text_of("<div>" * 50_000 + "deep &amp; down") == "deep & down"
    assert text_of("<b>x</b><br>\n" * 500_000).split() == ["x"] * 500_000


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(HTML, st.text(max_size=40))
def test_any_html_has_a_text_and_escaped_words_are_those_words(html: str, words: str) -> None:
    assert len(text_of(html)) <= 20 * len(html)
    assert text_of(escape(words)) == words
    shown = words.translate({0: "\ufffd", 13: "\n"} | dict.fromkeys(range(0xD800, 0xE000), "?"))
    assert text_of(f"<p>{escape(words)}</p>").split() == shown.split()


@pytest.mark.parametrize(
    "piece",
    [
        "<p",
        "<!--",
        "<div>",
        "</b>",
        "<tr><td>",
        "<ul><li>x",
        "&#9",
        "<a href=x>y</a>",
        "<p style='padding-left:99999em'>x<br>",
    ],
)
@pytest.mark.parametrize("before", ["", "<pre>", "<table><tr><td>", "<font>" * 400])
def test_no_html_takes_more_memory_than_its_length_says(before: str, piece: str) -> None:
    html = before + piece * (10_000 // len(piece))
    tracemalloc.start()
    try:
        text = text_of(html)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(text) <= 20 * len(html)
    assert most <= 60 * len(html)
