"""The content that a campaign's run sends: its template, with what the campaign says for itself."""

import html
import re
from collections.abc import Callable, Mapping
from secrets import token_hex
from urllib.parse import quote

from webapp.config import settings
from webapp.domain.campaigns.inputs import UTM
from webapp.domain.link_signing import BROWSER_URL
from webapp.domain.merge_tags.lexer import CLOSING, OPENING, TAG_LENGTH, TAGS
from webapp.domain.merge_tags.parser import SOURCE_LENGTH
from webapp.domain.merge_tags.rendering import has_tags
from webapp.domain.templates.templates import source_of
from webapp.errors import ValidationError
from webapp.models import Campaign, Content, Template

OWN_LINKS = ("unsubscribe_url", BROWSER_URL)  # merge tags
LINKED = re.compile(r"<(?:a|area|v:[a-z]+)\s[^<>]*>", re.IGNORECASE)  # v: is Outlook's, for buttons
HREF = re.compile(r"""(?P<name>\shref\s*=\s*)(?P<value>"[^"]*"|'[^']*'|[^\s"'<>]+)""", re.IGNORECASE)
URL = re.compile(r"""https?://[^\s<>"']+(?<![.,;:!?)\]}*_])""", re.IGNORECASE)
OWN_LINK = re.compile(r"x[0-9a-f]{8}xown\d+x")  # the word that stands for such a tag
# By the ampersand of the text: in HTML “&#39;” begins none, and “&#35;” is the number sign.
FRAGMENTS = {
    "&": re.compile("#"),
    "&amp;": re.compile(r"#(?!(?<=&#)(?:[0-9]|x[0-9a-f]))|&(?:#0*35|#x0*23|num);", re.IGNORECASE),
}
# The text of the body begins behind the first of these that there is.
OPENINGS = [
    re.compile(tag, re.IGNORECASE) for tag in (r"<body\b[^<>]*>", r"</head\s*>", r"<html\b[^<>]*>", r"<!doctype[^<>]*>")
]
HIDDEN = (
    "display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;"
    "visibility:hidden;mso-hide:all"
)
# Characters without ink, so that no inbox shows the beginning of the body behind a short preview text.
PADDING = "\n".join(["&#847;&zwnj;&nbsp;" * 10] * 10)


def campaign_content(campaign: Campaign, template: Template) -> Content:
    """The content, not saved yet. Raises ValidationError for an empty subject or body, or for too long a body."""
    content = source_of(template, campaign.subject).content(campaign.org_id)
    if content.html is not None and campaign.utm:
        content.html = without_tags(content.html, lambda masked: _tag_html(masked, campaign.utm or {}))
    if content.text is not None and campaign.utm:
        content.text = without_tags(content.text, lambda masked: _tag_text(masked, campaign.utm or {}))
    if content.html is not None and campaign.preview_text:
        content.html = _with_preheader(content.html, campaign.preview_text)
    if max(len(content.html or ""), len(content.text or "")) > SOURCE_LENGTH:
        added = "with the campaign's preview text and link parameters"
        message = f"template_id: the template's body must be at most {SOURCE_LENGTH:,} characters long {added}"
        raise ValidationError.of("template_id", message)
    content.is_template = any(has_tags(source) for source in (content.subject, content.html, content.text) if source)
    content.from_name, content.from_email = campaign.from_name, campaign.from_email
    content.reply_to = campaign.reply_to
    return content


def without_tags(source: str, change: Callable[[str], str]) -> str:
    """The source changed while words stand for its merge tags, which may have quotes and brackets of their own."""
    token, tags, pieces, at = f"x{token_hex(4)}x", list[str](), list[str](), 0
    for opening in OPENING.finditer(source):
        end = source.find(CLOSING[opening[0][:2]], opening.end(), opening.end() + TAG_LENGTH)
        if opening.start() < at:  # inside the tag before
            continue
        if end < 0 or len(tags) == TAGS:  # no template that parses has more
            break
        tag = source[opening.start() : end + 2]
        own = "own" if any(name in tag for name in OWN_LINKS) else ""
        pieces += [source[at : opening.start()], f"{token}{own}{len(tags)}x"]
        tags.append(tag)
        at = end + 2
    changed = change("".join([*pieces, source[at:]]))
    return re.sub(rf"{token}(?:own)?(\d+)x", lambda found: tags[int(found[1])], changed)


def _tag_html(document: str, utm: Mapping[str, str | None]) -> str:
    def tag_value(found: re.Match[str]) -> str:
        quoted = found["value"]
        quote_mark = quoted[0] if quoted[0] in "\"'" else ""
        url = quoted.strip(quote_mark) if quote_mark else quoted
        return f"{found['name']}{quote_mark}{_tag_url(url, utm, '&amp;')}{quote_mark}"

    return LINKED.sub(lambda element: HREF.sub(tag_value, element[0], count=1), document)


def _tag_text(text: str, utm: Mapping[str, str | None]) -> str:
    return URL.sub(lambda found: _tag_url(found[0], utm, "&"), text)


def _tag_url(url: str, utm: Mapping[str, str | None], ampersand: str) -> str:
    """The address with the parameters that it lacks, before its fragment; others than http(s) ones and ours stay."""
    address = url.strip()
    ours = settings().base_url
    is_ours = OWN_LINK.search(address) or address.startswith((f"{ours}/unsubscribe/", f"{ours}/view/"))
    if is_ours or not address.lower().startswith(("http://", "https://")):
        return url
    fragment = FRAGMENTS[ampersand].search(address)
    end = fragment.start() if fragment else len(address)
    base, rest = address[:end], address[end:]
    given = [
        f"utm_{name}={quote(value, safe='')}"
        for name in UTM
        if (value := utm[name]) and not re.search(rf"[?&;]utm_{name}=", base, re.IGNORECASE)
    ]
    if not given:
        return url
    between = "?" if "?" not in base else "" if base.endswith(("?", "&", ampersand)) else ampersand
    return f"{base}{between}{ampersand.join(given)}{rest}"


def _with_preheader(document: str, preview_text: str) -> str:
    words = without_tags(preview_text, lambda masked: html.escape(masked, quote=False))
    preheader = f'<div style="{HIDDEN}">{words}\n{PADDING}</div>\n'

    def insert(masked: str) -> str:
        shown = without_comments(masked)
        found = next(filter(None, (opening.search(shown) for opening in OPENINGS)), None)
        at = found.end() if found else 0
        return f"{masked[:at]}{preheader}{masked[at:]}"

    return without_tags(document, insert)


def without_comments(document: str) -> str:
    """The document with spaces for its comments, in which Outlook's may have elements of their own."""
    pieces, at = list[str](), 0
    while (start := document.find("<!--", at)) >= 0 and (end := document.find("-->", start + 4)) >= 0:
        pieces += [document[at:start], " " * (end + 3 - start)]
        at = end + 3
    return "".join([*pieces, document[at:]])
