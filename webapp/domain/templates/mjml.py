"""Compiles MJML to HTML: checks the tree first, so that errors name the line, and leaves merge tags as they are."""

import re
from html.entities import html5

import css_inline
import mjml
from lxml import etree  # type: ignore[import-untyped]  # it has no stubs

from webapp.domain.merge_tags.masking import TagMask
from webapp.domain.templates.links import check_link

MJML_BYTES = 256 * 1024
CSS_RULES = 500  # each is tried on every element
DEPTH = 60  # elements within each other; letters have some 15

HEAD = {
    *("mj-attributes", "mj-breakpoint", "mj-font", "mj-head", "mj-html-attributes", "mj-preview", "mj-raw"),
    *("mj-style", "mj-title"),
}
# The elements that hold elements alone, no words.
STRUCTURE = {
    *("mjml", "mj-head", "mj-attributes", "mj-body", "mj-wrapper", "mj-section", "mj-group", "mj-column", "mj-hero"),
    *("mj-navbar", "mj-social", "mj-carousel", "mj-accordion", "mj-accordion-element"),
}
# The elements that hold words and HTML.
CONTENT = {
    *("mj-text", "mj-button", "mj-raw", "mj-table", "mj-preview", "mj-title", "mj-style", "mj-accordion-title"),
    *("mj-accordion-text", "mj-navbar-link", "mj-social-element"),
}
EMPTY = {
    *("mj-image", "mj-divider", "mj-spacer", "mj-carousel-image", "mj-breakpoint", "mj-font", "mj-all", "mj-class"),
    *("mj-html-attributes", "mj-selector", "mj-html-attribute"),
}
KNOWN = HEAD | STRUCTURE | CONTENT | EMPTY
# Pictures that MJML adds where an element names none: each reader would be made known to the servers that have them.
ADDED = re.compile(r"https://(?:www\.mailjet\.com/images|i\.imgur\.com)/[^\s\"'<>()]+")
NEEDED = {
    "mj-social-element": ("src",),
    "mj-carousel": ("left-icon", "right-icon"),
    "mj-accordion": ("icon-wrapped-url", "icon-unwrapped-url"),
}
NEEDING = re.compile(rf"<({'|'.join(NEEDED)})(?=[\s/>])[^<>]*")
# HTML as people write it, which XML does not know.
VOID = re.compile(r"<(area|br|col|hr|img|input|source|track|wbr)\b([^<>]*?)/?>", re.IGNORECASE)
AMPERSAND = re.compile(r"&(?:(#\d{1,8}|#[xX][0-9a-fA-F]{1,8})|(\w{1,40}));|&")
FORBIDDEN = re.compile(r"<!DOCTYPE|<!ENTITY|<!\[CDATA\[|<\?(?!xml\s)", re.IGNORECASE)
XML_ENTITIES = {"amp", "lt", "gt", "quot", "apos"}
MESSAGE = re.compile(r", line \d+, column \d+.*|\(line \d+\)|\s*\(<string>.*", re.DOTALL)

_INLINER = css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)


def compile_mjml(source: str) -> str:
    """HTML with its styles on the elements. Blocks; raises ValueError that names the line of a fault."""
    mask = TagMask()
    hidden = mask.hide(source)
    _check(hidden, mask)
    html = to_html(hidden)
    _check_added(hidden, html)
    if "<mj-style" in hidden:
        html = _INLINER.inline(mask.as_comments(html))
    return mask.restore(html)


def to_html(source: str) -> str:
    """HTML of MJML that is well-formed. Raises ValueError."""
    # Without fonts it links to none of another service's. It has no loader, so it refuses to include files.
    return mjml.mjml2html(source, fonts={})


def inline_fragment(html: str, mask: TagMask) -> str:
    """A part of a page with its styles on the elements, and with each of them closed."""
    return _INLINER.inline_fragment(mask.as_comments(html), css="")


def _check(source: str, mask: TagMask) -> None:
    """Raises ValueError with a line for what is no MJML; `source` has no merge tags."""
    if len(source.encode()) > MJML_BYTES:
        raise ValueError(f"must take at most {MJML_BYTES // 1024} KB")
    if source.count("{") > CSS_RULES:
        raise ValueError(f"must have at most {CSS_RULES} CSS rules")
    if found := FORBIDDEN.search(source):
        raise _fault(source.count("\n", 0, found.start()) + 1, f"{found[0].strip()} is not allowed")
    as_xml = AMPERSAND.sub(_entity, VOID.sub(r"<\1\2/>", source))
    parser = etree.XMLPullParser(
        events=("start", "end"), resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    checker = _Checker(as_xml, mask)
    try:
        parser.feed(as_xml.encode())
        for event, element in parser.read_events():
            checker.begin(element) if event == "start" else checker.end(element)
        parser.close()
    except etree.XMLSyntaxError as error:
        # What was read before the fault may be wrong in a way that explains it better.
        for event, element in parser.read_events():
            checker.begin(element) if event == "start" else checker.end(element)
        raise _fault(error.lineno or 1, _in_words(error)) from None
    checker.finish()


def _check_added(source: str, html: str) -> None:
    """Raises ValueError with the line of an element to which MJML has added a picture from a server of others."""
    added = next((url for url in ADDED.findall(html) if url not in source), None)
    if added is None:
        return
    host = added.split("/")[2]
    for found in NEEDING.finditer(source):
        names = NEEDED[found[1]]
        if not all(re.search(rf"\s{name}\s*=", found[0]) for name in names):
            line = source.count("\n", 0, found.start()) + 1
            needed = " and ".join(names)
            raise _fault(line, f"<{found[1]}> needs {needed}: MJML's own pictures would be loaded from {host}")
    raise _fault(1, f"MJML's own pictures would be loaded from {host}")


class _Checker:
    """The elements that are open while a tree is read."""

    def __init__(self, source: str, mask: TagMask) -> None:
        self._source, self._mask = source, mask
        self._open: list[str] = []
        self._has_body = False

    def begin(self, element: etree._Element) -> None:
        tag, parent = str(element.tag), self._open[-1] if self._open else ""
        line = element.sourceline or 1
        self._open.append(tag)
        if len(self._open) > DEPTH:
            raise _fault(line, f"elements are nested more than {DEPTH} deep")
        if tag == "mj-include":
            raise _fault(line, "<mj-include> is not allowed: paste the other file here instead")
        if (not parent) != (tag == "mjml"):
            raise _fault(line, "the outermost element must be <mjml>, and there is one of it")
        is_ours = tag == "mjml" or tag.startswith("mj-")
        if is_ours and tag not in KNOWN:
            raise _fault(line, f"<{tag}> is not an element of MJML")
        if parent in EMPTY - {"mj-html-attributes", "mj-selector"}:
            raise _fault(line, f"<{parent}> is empty: close it before <{tag}>")
        if parent in STRUCTURE and not is_ours:
            raise _fault(line, f"<{tag}> is not allowed in <{parent}>: put it in <mj-text> or <mj-raw>")
        if parent == "mjml" and tag not in ("mj-head", "mj-body"):
            raise _fault(line, f"<{tag}> is not allowed in <mjml>: put it in <mj-body>")
        self._has_body = self._has_body or tag == "mj-body"
        self._check_links(element, line)

    def end(self, element: etree._Element) -> None:
        tag = self._open.pop()
        if tag in STRUCTURE:
            for text in (element.text, *(child.tail for child in element)):
                if text and text.strip():
                    words = text.strip().split("\n")[0]
                    line = self._source.count("\n", 0, max(self._source.find(words), 0)) + 1
                    shown = self._mask.restore(words)[:40]
                    raise _fault(line, f"text is not allowed in <{tag}>: put it in <mj-text> or <mj-raw>: {shown}")

    def finish(self) -> None:
        if not self._has_body:
            raise _fault(1, "<mjml> has no <mj-body>")

    def _check_links(self, element: etree._Element, line: int) -> None:
        url = str(element.get("href") or "")
        written = self._mask.restore(url).strip()
        if written and not written.startswith(("#", "/")) and str(element.tag) != "mj-font":
            try:
                check_link(written)
            except ValueError as fault:
                raise _fault(line, f"href {fault}") from None


def _entity(found: re.Match[str]) -> str:
    if found[1] or (found[2] and found[2] in XML_ENTITIES):
        return found[0]
    return "&#160;" if found[2] and f"{found[2]};" in html5 else f"&amp;{found[0][1:]}"


def _in_words(error: etree.XMLSyntaxError) -> str:
    words = MESSAGE.sub("", str(error.msg or "it is not well-formed"))
    if found := re.match(r"Opening and ending tag mismatch: (\S+) line (\d+) and (\S+)", words):
        return f"</{found[3]}> where <{found[1]}> of line {found[2]} is still open"
    if found := re.match(r"Premature end of data in tag (\S+) line (\d+)", words):
        return f"<{found[1]}> of line {found[2]} is never closed"
    return words[:1].lower() + words[1:]


def _fault(line: int, what: str) -> ValueError:
    return ValueError(f"has an error at line {line}: {what}")
