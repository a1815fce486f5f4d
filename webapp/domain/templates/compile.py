"""Writes letters of blocks as MJML for the compiler, with merge tags hidden."""

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from webapp.domain.merge_tags.masking import TagMask
from webapp.domain.merge_tags.parser import read_template
from webapp.domain.templates import markdown
from webapp.domain.templates.blocks import (
    AnyBlock,
    ButtonBlock,
    CodeBlock,
    ColumnsBlock,
    DividerBlock,
    FooterBlock,
    HeadingBlock,
    ImageBlock,
    SocialBlock,
    SpacerBlock,
    TextBlock,
    walk,
)
from webapp.domain.templates.links import check_link
from webapp.domain.templates.run_compiler import CompilerInput
from webapp.domain.templates.style import FONTS, LetterStyle
from webapp.errors import FieldError, ValidationError

HEADING_SIZES = {1: 28, 2: 22, 3: 18}  # pixels
# Styles alternative texts, which email programs show if they block pictures.
ALT_TEXTS = """<mj-style>img { line-height: 1.4; }
.letter-center img { text-align: center; } .letter-right img { text-align: right; }</mj-style>"""
COLORED = re.compile(r"(?<![\w-])(?:color|bgcolor|background)", re.IGNORECASE)
NUMBER = re.compile(r"\d+")
CLASS = 'css-class="'
TAGGED = (
    "text",
    "url",
    "alt",
    "link",
    "html",
    "address",
    "browser",
    "unsubscribe",
)  # the fields that may have merge tags


def blocks_letter(blocks: Sequence[AnyBlock], style: LetterStyle, *, is_marked: bool = False) -> CompilerInput:
    """The letter of blocks. Raises ValidationError that names each block with a fault in a merge tag or link.

    If marked, for the preview in the editor, each block has a class with its numbers, like `block-at-3-1-0`,
    and the logo has the class `brand-logo`.
    """
    check_blocks(blocks)
    letter = _Letter(style, {id(block): _mark_of(name) for name, block in walk(blocks)} if is_marked else {})

    def finish(html: str, fragments: Iterable[str]) -> str:
        letter.fill_codes(fragments)
        # The alternative texts of pictures inherit the colour.
        inherited = f'<body class="letter" style="color:{style.text};font-family:{FONTS[style.font]};'
        return letter.mask.restore(html.replace('<body style="', inherited, 1))

    mjml = letter.write(blocks)
    codes = {f"{name}.html": block.html for name, block in walk(blocks) if isinstance(block, CodeBlock)}
    fragments = {field: letter.mask.hide(code) for field, code in codes.items()}
    return CompilerInput(mjml, letter.mask, "blocks", finish, fragments)


def _mark_of(name: str) -> str:
    return "-".join(["block-at", *NUMBER.findall(name)])


def _marked(element: str, mark: str) -> str:
    """The MJML element with one more class."""
    name, _, attributes = element.partition(" ")
    own = attributes.removeprefix(CLASS)
    return f"{name} {CLASS}{mark} {own}" if own != attributes else f'{name} {CLASS}{mark}" {attributes}'


def check_blocks(blocks: Sequence[AnyBlock]) -> None:
    """Raises ValidationError that names each field with a faulty merge tag or link."""
    faults = []
    for name, block in walk(blocks):
        for field, text in _tagged(block):
            try:
                read_template(text)
                if field == "text" and isinstance(block, TextBlock | FooterBlock):
                    _check_links(text)
            except ValueError as fault:
                faults.append(FieldError.at(f"{name}.{field}", fault))
    if faults:
        raise ValidationError(details=faults)


def _tagged(block: AnyBlock) -> Iterable[tuple[str, str]]:
    fields = dict(block)
    for field in TAGGED:
        if text := fields.get(field):
            yield field, text
    if isinstance(block, SocialBlock):
        for number, link in enumerate(block.links):
            yield f"links[{number}].name", link.name
            yield f"links[{number}].url", link.url
    if block.show_when:
        yield "show_when", f"{_opening(block.show_when)}{{% endif %}}"


def _check_links(text: str) -> None:
    mask = TagMask()
    for url in markdown.urls_of(mask.hide(text)):
        link = mask.restore(url)
        try:
            check_link(link)
        except ValueError:
            raise ValueError(f"has a link to {link[:80]}: it must be like https://example.com/news") from None


def _opening(condition: str) -> str:
    return f"{{% if {condition} %}}"


def _dark_mode(style: LetterStyle) -> str:
    """The part of the head for dark mode, which Apple Mail and Thunderbird support."""
    if style.is_dark:
        return '<mj-raw><meta name="color-scheme" content="light only" /></mj-raw>'
    dark = style.in_dark_mode()
    return f"""<mj-raw><meta name="color-scheme" content="light dark" />\
<meta name="supported-color-schemes" content="light dark" /></mj-raw>
<mj-style>:root {{ color-scheme: light dark; }}
@media (prefers-color-scheme: dark) {{
.letter {{ background-color: {dark.background} !important; color: {dark.text} !important; }}
.letter-words > div {{ color: {dark.text} !important; }}
.letter-words a {{ color: {dark.accent} !important; }}
.letter-quiet > div, .letter-quiet a {{ color: {dark.quiet_text} !important; }}
.letter-line p {{ border-color: {dark.line} !important; }}
.letter-button td, .letter-button a {{ background: {dark.button} !important; color: {dark.button_text} !important; }}
.letter-own {{ background-color: {style.background} !important; }}
}}</mj-style>"""


class _Letter:
    def __init__(self, style: LetterStyle, marks: Mapping[int, str]) -> None:
        self.mask = TagMask()
        self._style = style
        self._marks = marks  # by the block's id()
        self._link = f"color:{style.accent};text-decoration:underline"
        self._codes: list[tuple[str, str]] = []  # the placeholders for the class and the HTML of each code block

    def write(self, blocks: Sequence[AnyBlock]) -> str:
        style = self._style
        sections = [self._section(self._logo(blocks))] if style.logo_url else []
        for has_columns, group in groupby(blocks, key=lambda block: isinstance(block, ColumnsBlock)):
            written = self._all(group)
            sections.append(written if has_columns else self._section(written))
        body = "".join(sections).replace("<mj-section>", '<mj-section padding="16px 0 0">', 1)
        return f"""<mjml><mj-head><mj-title>{self._literal(style.sender)}</mj-title>
<mj-attributes><mj-all font-family="{FONTS[style.font]}" /><mj-text color="{style.text}" font-size="16px" \
line-height="1.6" padding="8px 24px" /><mj-section padding="0" /></mj-attributes>
{ALT_TEXTS}{_dark_mode(style)}
</mj-head><mj-body css-class="letter" width="{style.width}px" background-color="{style.background}">{body}</mj-body>\
</mjml>"""

    def fill_codes(self, fragments: Iterable[str]) -> None:
        """Inserts the HTML of the code blocks in order."""
        for (ground, code), fragment in zip(self._codes, fragments, strict=True):
            written = self.mask.restore(fragment)
            # HTML with colours keeps the background that they were chosen for.
            self.mask.fill(ground, "letter-own" if COLORED.search(written) else "letter-words")
            self.mask.fill(code, written)

    def _all(self, blocks: Iterable[AnyBlock]) -> str:
        return "".join(map(self._shown, blocks))

    def _shown(self, block: AnyBlock) -> str:
        written = self._written(block)
        if self._marks and not isinstance(block, ColumnsBlock):
            written = _marked(written, self._marks[id(block)])
        if block.show_when is None:
            return written
        opening, closing = self.mask.comment(_opening(block.show_when)), self.mask.comment("{% endif %}")
        return f"<mj-raw>{opening}</mj-raw>{written}<mj-raw>{closing}</mj-raw>"

    def _section(self, *columns: str) -> str:
        return "<mj-section>" + "".join(f"<mj-column>{column}</mj-column>" for column in columns) + "</mj-section>"

    def _logo(self, blocks: Sequence[AnyBlock]) -> str:
        """The logo at the top, with alternative text for programs that block pictures."""
        url, alt = self._literal(self._style.logo_url or ""), self._literal(self._style.sender)
        align = next((block.align for block in blocks if isinstance(block, HeadingBlock | TextBlock)), "center")
        written = (
            f'<mj-image css-class="letter-{align}" src="{url}" alt="{alt}" align="{align}" width="160px"'
            ' font-size="18px" padding="24px 24px 16px" />'
        )
        return _marked(written, "brand-logo") if self._marks else written

    def _written(self, block: AnyBlock) -> str:
        match block:
            case HeadingBlock():
                css = f"margin:0;font-size:{HEADING_SIZES[block.level]}px;line-height:1.3;font-weight:700"
                words = f'<h{block.level} style="{css}">{self._text(block.text)}</h{block.level}>'
                written = self._words(words, block.align, padding="16px 24px 8px")
            case TextBlock():
                words = markdown.to_html(self.mask.hide(block.text), markdown.Styles(self._link))
                written = self._words(words, block.align)
            case ButtonBlock():
                written = self._button(block)
            case ImageBlock():
                written = self._image(block)
            case DividerBlock() | SpacerBlock():
                written = self._gap(block)
            case SocialBlock():
                links = " · ".join(self._a(link.url, self._text(link.name)) for link in block.links)
                written = self._words(f'<p style="margin:0">{links}</p>', block.align)
            case CodeBlock():
                ground, code = self.mask.replace(""), self.mask.replace("")
                self._codes.append((ground, code))
                written = f'<mj-text css-class="{ground}"><div>{code}</div></mj-text>'
            case FooterBlock():
                written = self._footer(block)
            case ColumnsBlock():
                written = self._section(*map(self._all, block.columns))
        return written

    def _gap(self, block: DividerBlock | SpacerBlock) -> str:
        if isinstance(block, DividerBlock):
            line = f'border-width="1px" border-color="{self._style.line}"'
            return f'<mj-divider css-class="letter-line" {line} padding="16px 24px" />'
        return f'<mj-text padding="{block.height}px 0 0" font-size="0" line-height="0"></mj-text>'

    def _words(self, words: str, align: str, padding: str = "8px 24px") -> str:
        return f'<mj-text css-class="letter-words" align="{align}" padding="{padding}">{words}</mj-text>'

    def _button(self, block: ButtonBlock) -> str:
        return (
            f'<mj-button css-class="letter-button" href="{self._attribute(block.url)}" align="{block.align}"'
            f' padding="12px 24px" background-color="{self._style.button}" color="{self._style.button_text}"'
            ' border-radius="6px" font-size="16px" font-weight="600" inner-padding="12px 24px">'
            f"{self._text(block.text)}</mj-button>"
        )

    def _image(self, block: ImageBlock) -> str:
        attributes = {"src": block.url, "alt": block.alt, "href": block.link}
        written = "".join(f' {name}="{self._attribute(text)}"' for name, text in attributes.items() if text is not None)
        width = f' width="{block.width}px"' if block.width else ""
        return f'<mj-image css-class="letter-{block.align}"{written} align="{block.align}"{width} padding="8px 24px" />'

    def _footer(self, block: FooterBlock) -> str:
        css = f"color:{self._style.quiet_text};text-decoration:underline"
        styles = markdown.Styles(css, paragraph="margin:0 0 8px", last="margin:0 0 8px")
        written = markdown.to_html(self.mask.hide(block.text), styles) if block.text else ""
        address = block.address or self._style.address
        if address:
            lines = "<br />".join(self._text(line.strip()) for line in address.strip().splitlines())
            written += f'<p style="margin:0 0 8px">{lines}</p>'
        if block.browser:
            written += self._campaign_link("browser_url", block.browser, css, "margin:0 0 8px")
        written += self._campaign_link("unsubscribe_url", block.unsubscribe, css, "margin:0")
        return (
            f'<mj-text css-class="letter-quiet" align="{block.align}" font-size="13px" line-height="1.5"'
            f' color="{self._style.quiet_text}" padding="16px 24px 24px">{written}</mj-text>'
        )

    def _campaign_link(self, name: str, words: str, css: str, paragraph: str) -> str:
        """A link that transactional email does not have."""
        opening, closing = self.mask.replace(f"{{% if {name} %}}"), self.mask.replace("{% endif %}")
        link = self._a(f"{{{{ {name} }}}}", self._text(words), css)
        return f'{opening}<p style="{paragraph}">{link}</p>{closing}'

    def _a(self, url: str, words: str, css: str = "") -> str:
        return f'<a href="{self._attribute(url)}" style="{css or self._link}">{words}</a>'

    def _literal(self, text: str) -> str:
        """Escapes text that looks like a merge tag but is not."""
        return self.mask.replace(html.escape(text).replace("{", "&#123;"))

    def _text(self, text: str) -> str:
        return html.escape(self.mask.hide(text), quote=False)

    def _attribute(self, text: str) -> str:
        return html.escape(self.mask.hide(text))
