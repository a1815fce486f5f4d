"""MJML and HTML that crash compilers, or make them write many times what they read."""

HEAD_STYLE = "<mj-style>a { color: red }</mj-style>"
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
    "open comment": (mjml_of("<mj-raw>\n<!-- a </mj-raw>"), "line 3: a comment is never closed"),
    "br-x": (mjml_of(f"<mj-text>{'<br-x>' * 15_000}</mj-text>"), "line 2: elements are nested more than 60 deep"),
    "img.x": (mjml_of(f"<mj-text>{'<img.x>' * 8_000}</mj-text>"), "line 2: elements are nested"),
    "hr:x": (mjml_of(f'<mj-text xmlns:hr="x">{"<hr:x>" * 8_000}</mj-text>'), "line 2: elements are nested"),
    "rules for all elements": (
        mjml_of(f"<mj-text>{'<i/>' * 10_000}</mj-text>", f'\n<mj-style inline="inline">{RULES}</mj-style>'),
        "line 2: too much CSS for its elements",
    ),
    "mj-all": (
        mjml_of("<mj-text/>" * 5_000, attributes(f'<mj-all css-class="{LONG}" />')),
        "bytes of attributes",
    ),
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
    "mj-html-attributes": (
        "<mjml><mj-head>\n<mj-html-attributes></mj-html-attributes></mj-head><mj-body /></mjml>",
        "line 2: <mj-html-attributes> is not supported",
    ),
    "behind a merge tag of three lines": (mjml_of("<mj-text>{{ a\n\n}}</mj-text>\n<mj-nothing />"), "line 5: <mj-no"),
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
    "<!--", "-->", "<!-->", "<!--->", "--!>", "<!-- a -->", "<!--[if mso]>", "<![endif]-->", "<!--[if !mso]><!-->",
    "<br>", "<br/>", "<BR>", "<br-x>", "<br-x/>", "<img.x>", "<hr:x/>", "<o:p>", "</o:p>", "<INPUT-X>", "<wbr a='>'>",
    "<div>", "</div>", "<p>", "</p>", "<b a='1'>", "</b>", "<table>", "<tr><td>", "</td></tr>", "</table>", "<i/>",
    "<svg>", "</svg>", "<style>*{a:b}", "</style>", "<script>", "</script>", "<template>", "<select>", "<a href='#'>",
    "&nbsp;", "&lt;", "&", "&#0;", "&copy=1", "&#60;!--", "{{ a }}", "{% if a %}", "{% endif %}", "]]>", "<", ">",
    "<mj-text>", "</mj-text>", "<mj-raw>", "</mj-raw>", "<mj-button>x</mj-button>", "<mj-image />", "\n", "é", "x",
]  # fmt: skip
