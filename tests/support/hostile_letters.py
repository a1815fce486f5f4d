"""MJML and HTML that crash compilers, or make them write many times what they read."""

from collections.abc import Iterator
from random import Random

HEAD_STYLE = "<mj-style>a { color: red }</mj-style>"
INLINE_STYLE = '<mj-style inline="inline">a { color: red }</mj-style>'
ICON = "https://pics.example/i.png"


def mjml_of(content: str, head: str = "") -> str:
    """A letter with this content in a column, which begins on line 2."""
    column = f"<mj-section><mj-column>\n{content}</mj-column></mj-section>"
    return f"<mjml><mj-head>{head}</mj-head><mj-body>{column}</mj-body></mjml>"


def attributes(elements: str) -> str:
    return f"<mj-attributes>{elements}</mj-attributes>"


LONG = "x" * 60_000
RULES = "".join(f"*{{c{number}:{'x' * 300}}}" for number in range(400))
PICTURES = f'<mj-carousel-image src="{ICON}" />'
ICONS = f'left-icon="{ICON}" right-icon="{ICON}"'

# Each with a part of the fault that it gets.
REFUSED: dict[str, tuple[str, str]] = {
    "comment that HTML ends early": (
        mjml_of(f"<mj-raw><!-->{'<div>' * 15_000}--></mj-raw>", HEAD_STYLE),
        "line 2: a comment is ended by HTML's rules before its -->",
    ),
    "comments that HTML ends early": (mjml_of(f"<mj-raw>{'<!--->' * 8_000}</mj-raw>"), "line 2: a comment is ended"),
    "comment that ends twice": (mjml_of("<mj-raw><!-- a --!> <b> --></mj-raw>"), "line 2: a comment is ended"),
    "open comment": (mjml_of("<mj-raw>\n<!-- a </mj-raw>"), "line 3: a comment is never closed"),
    "br-x": (mjml_of(f"<mj-text>{'<br-x>' * 15_000}</mj-text>"), "line 2: elements are nested more than 60 deep"),
    "INPUT-X": (mjml_of(f"<mj-text>{'<INPUT-X>' * 8_000}</mj-text>"), "line 2: elements are nested"),
    "hr:x": (mjml_of(f'<mj-text xmlns:hr="x">{"<hr:x>" * 8_000}</mj-text>'), "line 2: elements are nested"),
    "hr:x closed as XML": (mjml_of(f"<mj-text>{'<hr:x/>' * 8_000}</mj-text>", INLINE_STYLE), "line 2: a letter may"),
    "rules for all elements": (
        mjml_of(f"<mj-text>{'<i/>' * 10_000}</mj-text>", f'\n<mj-style inline="inline">{RULES}</mj-style>'),
        "line 2: too much CSS for its elements",
    ),
    "mj-all": (mjml_of("<mj-text/>" * 5_000, attributes(f'<mj-all css-class="{LONG}" />')), "bytes of attributes"),
    "mj-class": (
        mjml_of('<mj-text mj-class="a"/>' * 5_000, attributes(f'<mj-class name="a" css-class="{LONG}" />')),
        "bytes of attributes",
    ),
    "attributes of a kind": (
        mjml_of("<mj-text/>" * 5_000, attributes(f'<mj-text css-class="{LONG}" />')),
        "bytes of attributes",
    ),
    "inherited attributes": (
        mjml_of(
            f'<mj-social font-family="{LONG}">{f"<mj-social-element src={chr(34)}{ICON}{chr(34)} />" * 1_500}</mj-social>'
        ),
        "bytes of attributes",
    ),
    "merge tag in mj-all": (
        mjml_of("<mj-text/>" * 3_000, attributes(f'<mj-all css-class="{{{{ {"x" * 900} }}}}" />')),
        "characters of HTML",
    ),
    "mj-carousel": (mjml_of(f"<mj-carousel {ICONS}>{PICTURES * 4_000}</mj-carousel>"), "line 2: a letter may have at"),
    "bare < for Outlook": (mjml_of("<mj-raw>\n<!--[if mso]><p>a < b</p><![endif]--></mj-raw>"), "line 3: write < as"),
    "mj-html-attributes": (
        "<mjml><mj-head>\n<mj-html-attributes></mj-html-attributes></mj-head><mj-body /></mjml>",
        "line 2: <mj-html-attributes> is not supported",
    ),
    "element in a title": (
        "<mjml><mj-head>\n<mj-title><b>x</b></mj-title></mj-head><mj-body /></mjml>",
        "line 2: <b> is not allowed in <mj-title>",
    ),
    "element out of its place": (mjml_of("<mj-navbar>\n<mj-text>x</mj-text></mj-navbar>"), "line 3: unexpected"),
    "behind a merge tag of three lines": (mjml_of("<mj-text>{{ a\n\n}}</mj-text>\n<mj-nothing />"), "line 5: <mj-no"),
    "no character": (mjml_of("<mj-text>&#0;</mj-text>"), "line 2: reference to invalid character number"),
}

OPENED_AGAIN = f"<p>{''.join(f'<b a={number}>' for number in range(450))}</p>{'<p>x' * 450}"

# As HTML of a code block.
REFUSED_HTML: dict[str, tuple[str, str]] = {
    "a long rule for all elements": (f"<style>*{{a:{LONG}}}</style>{'<i></i>' * 900}", "too much CSS for its elements"),
    "elements that are opened again": (OPENED_AGAIN, "bytes of HTML"),
    "styled elements that are opened again": (
        f"<style>*{{color:{'x' * 3_000}}}</style>{OPENED_AGAIN}",
        "too complex to be compiled",
    ),
}


PIECES = [
    *("<!--", "-->", "<!-->", "<!--->", "--!>", "<!-- a -->", "<!--[if mso]>", "<![endif]-->", "<!--[if !mso]><!-->"),
    *("<br>", "<br/>", "<BR>", "<br-x>", "<br-x/>", "<hr:x/>", "<o:p>", "</o:p>", "<INPUT-X>", "<wbr a='>'>"),
    *("<div>", "</div>", "<p>", "</p>", "<b a='1'>", "</b>", "<table>", "<tr><td>", "</td></tr>", "</table>", "<i/>"),
    *("<svg>", "</svg>", "<style>*{a:b}", "</style>", "<script>", "</script>", "<template>", "<select>"),
    *("&nbsp;", "&lt;", "&", "&#0;", "&copy=1", "&#60;!--", "{{ a }}", "{% if a %}", "{% endif %}", "]]>", "<", ">"),
    *("<mj-text>", "</mj-text>", "<mj-raw>", "</mj-raw>", "<mj-button>x</mj-button>", "<mj-image />", "\n", "é", "x"),
]


def letters(random: Random, number: int) -> Iterator[tuple[str, str]]:
    """So many letters of random pieces, and now and then one of the known ones, each with its kind."""
    known = [("mjml", text) for text, _ in REFUSED.values()] + [("html", text) for text, _ in REFUSED_HTML.values()]
    for _ in range(number):
        if random.random() < 0.1:
            yield random.choice(known)
            continue
        times = [random.choice([1, 1, 1, 2, 300, 3_000]) for _ in range(random.randint(1, 12))]
        content = "".join(random.choice(PIECES) * time for time in times)[:200_000]
        element = random.choice(["mj-text", "mj-raw", "mj-table"])
        head = random.choice(["", HEAD_STYLE, INLINE_STYLE])
        kind = random.choice(["mjml", "html"])
        yield kind, mjml_of(f"<{element}>{content}</{element}>", head) if kind == "mjml" else content
