"""Compiles letters: checks MJML, turns it into HTML, and inlines CSS.

It runs as a script in a bounded process, because a hostile letter can crash the compilers or exhaust memory. It reads
{"letters": [...]} from standard input and writes the result of each:

    {"mjml": ..., "fragments": {field: html, ...}, "token": ...}    the token in the placeholders of merge tags
    {"html": ..., "fragments": {field: html, ...}, "links": [[at, url], ...]}
    {"fault": ["words", at, "words"], "at": ..., "field": a fragment's or null}

Positions are bytes of the MJML, or null; the caller knows their lines.
"""

import json
import re
import sys
from collections import Counter
from typing import Any, NamedTuple
from xml.parsers import expat

import mjml

DEPTH = 60  # elements within each other; letters have some 15
CAROUSEL_IMAGES = 50  # each has CSS rules about all others
NAMESPACED = 1_000  # elements like <o:p>
SHARED_BYTES = 2_000_000  # of attributes, counted at each element that has or inherits them
STYLED_BYTES = 32_000_000  # of CSS, counted at each element
HTML_BYTES = 2_000_000
NAME_SHOWN, TEXT_SHOWN = 40, 60  # characters

HEAD = {"mj-attributes", "mj-breakpoint", "mj-font", "mj-head", "mj-preview", "mj-raw", "mj-style", "mj-title"}
# Elements that contain only elements.
STRUCTURE = {
    *("mjml", "mj-head", "mj-attributes", "mj-body", "mj-wrapper", "mj-section", "mj-group", "mj-column", "mj-hero"),
    *("mj-navbar", "mj-social", "mj-carousel", "mj-accordion", "mj-accordion-element"),
}
# Elements that contain text and HTML.
CONTENT = {
    *("mj-text", "mj-button", "mj-raw", "mj-table", "mj-accordion-title", "mj-accordion-text", "mj-navbar-link"),
    "mj-social-element",
}
WORDS = {"mj-title", "mj-preview", "mj-style"}  # only text
EMPTY = {"mj-image", "mj-divider", "mj-spacer", "mj-carousel-image", "mj-breakpoint", "mj-font", "mj-all", "mj-class"}
KNOWN = HEAD | STRUCTURE | CONTENT | WORDS | EMPTY
UNSUPPORTED = {"mj-html-attributes", "mj-selector", "mj-html-attribute"}

# Pictures that MJML adds if an element names none. They would report each reader to other servers.
ADDED = re.compile(r"https://(?:www\.mailjet\.com/images|i\.imgur\.com)/[^\s\"'<>()]+")
NEEDED = {
    "mj-social-element": ("src",),
    "mj-carousel": ("left-icon", "right-icon"),
    "mj-accordion": ("icon-wrapped-url", "icon-unwrapped-url"),
}
FORBIDDEN = re.compile(r"<!(?!--)(?:\w+|\[\w*\[?)?|<\?\w*")
ENTITY = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)\w+;")  # HTML's entities, which XML lacks
POSITION = re.compile(r"(.*?)(?: in root template)?(?: at position (\d+):\d+)?", re.DOTALL)
CLOSING = re.compile(rb"[^\s<>/]*")
ELEMENT = re.compile(r"<[a-zA-Z]")
STYLE = re.compile(r"<style\b[^>]*>(.*?)(?:</style|\Z)", re.IGNORECASE | re.DOTALL)


class Fault(Exception):
    """A fault of a letter; numbers in `words` are positions, which the caller turns into lines."""

    def __init__(self, *words: str | int, at: int | None = None, field: str | None = None) -> None:
        self.words = words
        self.answer = {"fault": words, "at": at, "field": field}


class Element(NamedTuple):
    name: str
    at: int
    number: int  # its index in `Checker._written`


class Written(NamedTuple):
    name: str
    parent: int
    size: int
    classes: list[str]


def name_fault(name: str) -> str:
    """The fault of an element's name, or an empty string."""
    if name == "mj-include":
        return "<mj-include> is not allowed: paste the other file here instead"
    if name in UNSUPPORTED:
        return f"<{name}> is not supported: write the attributes in HTML, in <mj-raw> or <mj-text>"
    if name.startswith("mj-") and name not in KNOWN:
        return f"<{name[:NAME_SHOWN]}> is not an element of MJML"
    return ""


def nesting_fault(name: str, parent: str) -> str:
    """The fault of an element in its parent, or an empty string."""
    if (not parent) != (name == "mjml"):
        return "the outermost element must be <mjml>, and there is one of it"
    if parent in EMPTY:
        return f"<{parent}> is empty: close it before <{name}>"
    if parent in WORDS:
        return f"<{name}> is not allowed in <{parent}>, which has words alone"
    if parent in STRUCTURE and name != "mjml" and not name.startswith("mj-"):
        return f"<{name}> is not allowed in <{parent}>: put it in <mj-text> or <mj-raw>"
    if (parent == "mjml" and name not in ("mj-head", "mj-body")) or (parent == "mj-head" and name not in HEAD):
        return f"<{name}> is not allowed in <{parent}>: put it in <mj-body>"
    return ""


class Checker:
    """Reads a letter as the compiler does, and refuses hostile and faulty ones."""

    def __init__(self, source: str) -> None:
        self._data = source.encode()
        self.links: list[tuple[int, str]] = []
        self.lacking: list[tuple[str, int]] = []  # elements to which MJML may add a picture
        self.inline_styles: list[tuple[int, int]] = []  # where their CSS begins and ends
        self._open: list[Element] = []
        self._defaults = Counter[str]()  # bytes of attributes by the name of the element
        self._classes = Counter[str]()
        self._written: list[Written] = []
        self._images = self._namespaced = 0
        self._style_at: int | None = None
        self._has_body = False
        self._parser = expat.ParserCreate("utf-8")
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text

    def check(self) -> None:
        """Raises Fault."""
        try:
            self._parser.Parse(ENTITY.sub(lambda entity: b"x" * len(entity[0]), self._data), True)
        except expat.ExpatError as error:
            raise self._in_words(error) from None
        if not self._has_body:
            raise Fault("<mjml> has no <mj-body>", at=0)
        self._check_shared()

    @property
    def _at(self) -> int:
        return int(self._parser.CurrentByteIndex)

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        at, parent = self._at, self._open[-1] if self._open else Element("", 0, -1)
        self._end_style_tag()
        self._open.append(Element(name, at, len(self._written)))
        if len(self._open) > DEPTH:
            raise Fault(f"elements are nested more than {DEPTH} deep", at=at)
        if fault := name_fault(name) or nesting_fault(name[:NAME_SHOWN], parent.name):
            raise Fault(fault, at=at)
        self._has_body = self._has_body or name == "mj-body"
        if "href" in attributes and name != "mj-font":
            self.links.append((at, attributes["href"]))
        if not all(needed in attributes for needed in NEEDED.get(name, ())):
            self.lacking.append((f"<{name}> needs {' and '.join(NEEDED[name])}: ", at))
        if name == "mj-style" and attributes.get("inline") == "inline":
            self._style_at = at
        self._namespaced += ":" in name
        if self._namespaced > NAMESPACED:  # a browser that reads <o:p /> does not close it
            raise Fault(f"a letter may have at most {NAMESPACED:,} elements with a namespace", at=at)
        self._count(name, parent, attributes)

    def _count(self, name: str, parent: Element, attributes: dict[str, str]) -> None:
        size = sum(len(key) + len(value) for key, value in attributes.items())
        if parent.name == "mj-attributes":
            if name == "mj-class":
                self._classes[attributes.get("name", "")] += size
            else:
                self._defaults[name] += size
        elif name.startswith("mj-"):
            self._images += name == "mj-carousel-image"
            if self._images > CAROUSEL_IMAGES:
                raise Fault(f"a letter may have at most {CAROUSEL_IMAGES} <mj-carousel-image>", at=self._at)
            self._written.append(Written(name, parent.number, size, attributes.get("mj-class", "").split()))

    def _check_shared(self) -> None:
        """Refuses attributes that the compiler would repeat many times."""
        total, inherited = 0, list[int]()
        for element in self._written:
            own = element.size + self._defaults["mj-all"] + self._defaults[element.name]
            own += sum(self._classes[name] for name in element.classes)
            inherited.append(own + (inherited[element.parent] if 0 <= element.parent < len(inherited) else 0))
            total += inherited[-1]
        if total > SHARED_BYTES:
            fault = f"its {len(self._written):,} elements would get {total:,} bytes of attributes, and the most are"
            raise Fault(f"{fault} {SHARED_BYTES:,}: shorten the attributes in <mj-attributes>", at=0)

    def _text(self, text: str) -> None:
        self._end_style_tag()
        name = self._open[-1].name if self._open else ""
        if text.strip() and (name in STRUCTURE or name in EMPTY):
            shown = text.strip()[:TEXT_SHOWN]
            raise Fault(f"text is not allowed in <{name}>: put it in <mj-text> or <mj-raw>: {shown}", at=self._at)

    def _end(self, _: str) -> None:
        self._end_style_tag()
        element = self._open.pop()
        if self.inline_styles and element.name == "mj-style" and self.inline_styles[-1][1] < 0:
            self.inline_styles[-1] = (self.inline_styles[-1][0], self._at)

    def _end_style_tag(self) -> None:
        """Records where the CSS of an inline style begins."""
        if self._style_at is not None:
            self.inline_styles.append((self._at, -1))
            self._style_at = None

    def _in_words(self, error: expat.ExpatError) -> Fault:
        at = max(int(self._parser.ErrorByteIndex), 0)
        last = self._open[-1] if self._open else None
        if last and error.code == expat.errors.codes[expat.errors.XML_ERROR_TAG_MISMATCH]:
            start = self._data.rfind(b"</", 0, at + 2) + 2
            closing = CLOSING.match(self._data, start)
            closed = closing[0].decode(errors="replace")[:NAME_SHOWN] if closing else ""
            return Fault(f"</{closed}> where <{last.name[:NAME_SHOWN]}> of line ", last.at, " is still open", at=at)
        if last and at >= len(self._data.rstrip()):
            return Fault(f"<{last.name[:NAME_SHOWN]}> of line ", last.at, " is never closed", at=at)
        return Fault(expat.ErrorString(error.code), at=at)


def compile_letter(letter: dict[str, Any]) -> dict[str, Any]:
    """Raises Fault, ValueError, and any error of the compilers."""
    source: str = letter["mjml"]
    if forbidden := FORBIDDEN.search(source):
        raise Fault(f"{forbidden[0]} is not allowed", at=len(source[: forbidden.start()].encode()))
    checker = Checker(source)
    checker.check()
    fragments = {field: inline_fragment(field, html, letter) for field, html in letter["fragments"].items()}
    styles, data = "", bytearray(source.encode())
    for start, end in checker.inline_styles:
        styles += data[start:end].decode()
        data[start:end] = b" " * (end - start)
    # `fonts={}` prevents links to other services' fonts. Without a loader, mjml refuses to include files.
    html = mjml.mjml2html(data.decode(), fonts={})
    check_added(source, html, checker)
    check_size(html)
    if styles.strip():
        html = inline_styles(html, styles, letter["token"], checker.inline_styles[0][0])
    check_size(html, *fragments.values())
    return {"html": html, "fragments": fragments, "links": checker.links}


def check_size(*written: str) -> None:
    if sum(len(html.encode()) for html in written) > HTML_BYTES:
        raise Fault(f"would make more than {HTML_BYTES:,} bytes of HTML")


def inline_fragment(field: str, html: str, letter: dict[str, Any]) -> str:
    """A part of a page with inlined styles and all elements closed."""
    import css_inline  # which takes 30 ms, and few letters need it

    try:
        check_styled(html, sum(len(style[1]) for style in STYLE.finditer(html)))
    except Fault as fault:
        raise Fault("has ", *fault.words, field=field) from None
    inliner = css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)
    return str(inliner.inline_fragment(as_comments(html, letter["token"]), css=""))


def inline_styles(html: str, styles: str, token: str, at: int) -> str:
    """Inlines the styles, which begin at position `at` of the MJML, but not those in the page's head."""
    import css_inline

    check_styled(html, len(styles), at)
    inliner = css_inline.CSSInliner(
        inline_style_tags=False, keep_style_tags=True, extra_css=styles, load_remote_stylesheets=False
    )
    return str(inliner.inline(as_comments(html, token)))


def check_styled(html: str, styles: int, at: int | None = None) -> None:
    elements = sum(1 for _ in ELEMENT.finditer(html))
    if elements * styles > STYLED_BYTES:
        raise Fault(f"too much CSS for its elements: {styles:,} bytes could be written at {elements:,} of them", at=at)


def check_added(source: str, html: str, checker: Checker) -> None:
    """Refuses an element to which MJML has added a picture from another server."""
    added = next((url for url in ADDED.findall(html) if url not in source), None)
    if added is not None:
        words, at = next(iter(checker.lacking), ("", 0))
        raise Fault(f"{words}MJML's own images would be loaded from {added.split('/')[2]}", at=at)


def as_comments(html: str, token: str) -> str:
    """Turns placeholders that are alone between two elements into comments, because parsers move text out of tables."""
    word = re.compile(rf"x{token}x\d+x")
    between = re.compile(rf"(?<=>)\s*(?:x{token}x\d+x\s*)+(?=<|\Z)")

    def commented(text: str) -> str:
        return between.sub(lambda words: word.sub(lambda tag: f"<!--={tag[0]}-->", words[0]), text)

    pieces, start = [], 0
    while (comment := html.find("<!--", start)) >= 0:
        end = html.find("-->", comment)
        end = end + 3 if end >= 0 else len(html)
        pieces += [commented(html[start:comment]), html[comment:end]]
        start = end
    return "".join([*pieces, commented(html[start:])])


def answer_of(letter: dict[str, Any]) -> dict[str, Any]:
    try:
        return compile_letter(letter)
    except Fault as fault:
        return fault.answer
    except ValueError as error:  # from mrml, sometimes with a position
        match = POSITION.fullmatch(str(error))
        words, at = (match[1], match[2]) if match else (str(error), None)
        return Fault(words, at=int(at) if at else None).answer
    except BaseException:  # noqa: BLE001 - a panic of the compilers is not an Exception
        return Fault("cannot be compiled").answer


def main() -> None:
    letters = json.loads(sys.stdin.buffer.read())["letters"]
    sys.stdout.buffer.write(json.dumps({"letters": [answer_of(letter) for letter in letters]}).encode())


if __name__ == "__main__":
    main()
