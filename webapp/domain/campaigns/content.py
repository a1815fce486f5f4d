"""The content of a campaign's emails: its template with the campaign's overrides."""

import html
import re
from collections.abc import Callable, Mapping
from functools import partial
from urllib.parse import quote

from webapp.config import settings
from webapp.domain.campaigns.inputs import UTM
from webapp.domain.contacts.unsubscribe import PREFERENCES_URL, UNSUBSCRIBE_URL
from webapp.domain.link_signing import BROWSER_URL
from webapp.domain.merge_tags.masking import TagMask
from webapp.domain.merge_tags.parser import SOURCE_LENGTH
from webapp.domain.merge_tags.rendering import has_tags
from webapp.domain.templates.templates import source_of
from webapp.errors import ValidationError
from webapp.models import Campaign, Content, Template

UtmValues = Mapping[str, str | None]
OWN_LINKS = (UNSUBSCRIBE_URL, PREFERENCES_URL, BROWSER_URL)
LINKED = re.compile(r"<(?:a|area|v:[a-z]+)\s[^<>]*>", re.IGNORECASE)  # v: is for Outlook's buttons
HREF = re.compile(r"""(?P<name>\shref\s*=\s*)(?P<value>"[^"]*"|'[^']*'|[^\s"'<>]+)""", re.IGNORECASE)
URL = re.compile(r"""https?://[^\s<>"']+(?<![.,;:!?)\]}*_])""", re.IGNORECASE)
# In HTML, “&#39;” must not count as a parameter, nor “&#35;” as a fragment.
FRAGMENTS = {
    "&": re.compile("#"),
    "&amp;": re.compile(r"#(?!(?<=&#)(?:[0-9]|x[0-9a-f]))|&(?:#0*35|#x0*23|num);", re.IGNORECASE),
}
# The body's text begins after the first of these that exists.
OPENINGS = [
    re.compile(tag, re.IGNORECASE) for tag in (r"<body\b[^<>]*>", r"</head\s*>", r"<html\b[^<>]*>", r"<!doctype[^<>]*>")
]
HIDDEN = (
    "display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;"
    "visibility:hidden;mso-hide:all"
)
# Invisible characters, so that inboxes do not show the body's beginning after a short preview text.
PADDING = "\n".join(["&#847;&zwnj;&nbsp;" * 10] * 10)


def campaign_content(campaign: Campaign, template: Template) -> Content:
    """The unsaved content. Raises ValidationError if subject or body are empty, or the body is too long."""
    content = source_of(template, campaign.subject).content(campaign.org_id)
    if content.html is not None and campaign.utm:
        content.html = without_tags(content.html, partial(_tag_html, campaign.utm))
    if content.text is not None and campaign.utm:
        content.text = without_tags(content.text, partial(_tag_text, campaign.utm))
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


def without_tags(source: str, change: Callable[[str, TagMask], str]) -> str:
    """Applies `change` while words replace the merge tags, which may contain quotes and brackets."""
    mask = TagMask()
    return mask.restore_words(change(mask.hide(source), mask))


def _tag_text(utm: UtmValues, text: str, mask: TagMask) -> str:
    return URL.sub(lambda url: _tag_url(url[0], utm, "&", mask), text)


def _tag_html(utm: UtmValues, document: str, mask: TagMask) -> str:
    def tag_value(match: re.Match[str]) -> str:
        quoted = match["value"]
        quote_mark = quoted[0] if quoted[0] in "\"'" else ""
        url = quoted.strip(quote_mark) if quote_mark else quoted
        return f"{match['name']}{quote_mark}{_tag_url(url, utm, '&amp;', mask)}{quote_mark}"

    return LINKED.sub(lambda element: HREF.sub(tag_value, element[0], count=1), document)


def _tag_url(url: str, utm: UtmValues, ampersand: str, mask: TagMask) -> str:
    """Adds missing parameters before the fragment, except to our own links and other schemes."""
    address = url.strip()
    ours = settings().base_url
    has_own_tag = any(name in tag for tag in mask.tags_in(address) for name in OWN_LINKS)
    is_ours = has_own_tag or address.startswith((f"{ours}/unsubscribe/", f"{ours}/view/"))
    if is_ours or not address.lower().startswith(("http://", "https://")):
        return url
    fragment = FRAGMENTS[ampersand].search(address)
    end = fragment.start() if fragment else len(address)
    base, remainder = address[:end], address[end:]
    parameters = [
        f"utm_{name}={quote(value, safe='')}"
        for name in UTM
        if (value := utm[name]) and not re.search(rf"[?&;]utm_{name}=", base, re.IGNORECASE)
    ]
    if not parameters:
        return url
    between = "?" if "?" not in base else "" if base.endswith(("?", "&", ampersand)) else ampersand
    return f"{base}{between}{ampersand.join(parameters)}{remainder}"


def _with_preheader(document: str, preview_text: str) -> str:
    words = without_tags(preview_text, lambda masked, _: html.escape(masked, quote=False))
    preheader = f'<div style="{HIDDEN}">{words}\n{PADDING}</div>\n'

    def insert(masked: str, _: TagMask) -> str:
        shown = without_comments(masked)
        opening_tag = next(filter(None, (opening.search(shown) for opening in OPENINGS)), None)
        at = opening_tag.end() if opening_tag else 0
        return f"{masked[:at]}{preheader}{masked[at:]}"

    return without_tags(document, insert)


def without_comments(document: str) -> str:
    """Replaces comments by spaces, because Outlook's may contain elements."""
    pieces, at = list[str](), 0
    while (start := document.find("<!--", at)) >= 0 and (end := document.find("-->", start + 4)) >= 0:
        pieces += [document[at:start], " " * (end + 3 - start)]
        at = end + 3
    return "".join([*pieces, document[at:]])
