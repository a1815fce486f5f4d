"""Documents for sandboxed frames: no script, no network, no forms."""

import html
import re
from collections.abc import Mapping

from quart import Response

from webapp.config import settings
from webapp.domain.merge_tags.rendering import Rendered
from webapp.http.security_headers import MAIL_PAGE_POLICY, MAIL_POLICY, WITH_IMAGES

TEXT = (
    '<!doctype html><meta charset="utf-8"><title>Text</title>'
    '<pre style="margin:1rem;font:14px/1.6 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere">{}</pre>'
)
# The policy alone would show an icon of a broken image, and complain of each in the console.
TAG = re.compile(r"<(?:img|source|body|table|t[dhr])\b[^<>]*>", re.IGNORECASE)
SOURCE = re.compile(
    r"""(\s(?:src|background)\s*=\s*)(?:"(?!data:)[^"]*"|'(?!data:)[^']*'|(?!data:)[^\s"'>][^\s>]*)""", re.IGNORECASE
)
SOURCES = re.compile(r"""\ssrcset\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>][^\s>]*)""", re.IGNORECASE)
STYLED = re.compile(r"""url\(\s*(?:["']|&quot;|&#39;)?(?:https?:)?//[^()]*\)""", re.IGNORECASE)
GREY = (
    "data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%22160%22 height=%2290%22%3E"
    "%3Crect width=%22100%25%22 height=%22100%25%22 fill=%22%23d9d9d9%22/%3E%3C/svg%3E"
)


def mail_frame(document: str, *, images: bool = False, library: bool = False) -> Response:
    """A mail's document; `library` shows the pictures of the media library, which no stranger serves, in any case."""
    own = f"{settings().base_url}/m/" if library else ""
    policy = WITH_IMAGES if images else MAIL_POLICY
    headers = {
        "Content-Security-Policy": policy.replace("img-src data:", f"img-src data: {own}".strip(), 1),
        "X-Frame-Options": "SAMEORIGIN",
        "Referrer-Policy": "no-referrer",
    }
    shown = document if images else _without_images(document, own)
    return Response(shown, 200, headers, content_type="text/html; charset=utf-8")


def mail_page(mail: Rendered, headers: Mapping[str, str]) -> Response:
    """A mail as a page of its own, whose links may open tabs without its sandbox."""
    document = mail.html if mail.html is not None else TEXT.format(html.escape(mail.text or ""))
    headers = {"Content-Security-Policy": MAIL_PAGE_POLICY, **headers}
    return Response(document, 200, headers, content_type="text/html; charset=utf-8")


def text_frame(text: str) -> Response:
    return mail_frame(TEXT.format(html.escape(text)))


def _without_images(document: str, own: str) -> str:
    def grey_source(found: re.Match[str]) -> str:
        is_own = own and found[0].removeprefix(found[1]).lstrip("\"'").startswith(own)
        return found[0] if is_own else f'{found[1]}"{GREY}"'

    def grey(tag: re.Match[str]) -> str:
        return SOURCE.sub(grey_source, SOURCES.sub("", tag[0]))

    return STYLED.sub("url(data:,)", TAG.sub(grey, document))
