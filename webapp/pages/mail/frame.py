"""Emails in sandboxed frames: no scripts, network or forms."""

import html
import re
from collections.abc import Mapping
from functools import lru_cache

from quart import Response

from webapp.domain.merge_tags.rendering import Rendered
from webapp.http.security_headers import mail_page_policy, mail_policy, own_pictures

TEXT = (
    '<!doctype html><meta charset="utf-8"><title>Text</title>'
    '<pre style="margin:1rem;font:14px/1.6 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere">{}</pre>'
)
# Replaces images that are not loaded; otherwise browsers show broken images and log errors in the console.
TAG = re.compile(r"<(?:img|source|body|table|t[dhr])\b[^<>]*>", re.IGNORECASE)
DOCTYPE = re.compile(r"\s*<!doctype[^<>]*>", re.IGNORECASE)
NOWHERE = '<base target="_blank">'  # a sandbox without popups opens nothing
DARK_MODE = re.compile(r"\(\s*prefers-color-scheme\s*:\s*dark\s*\)", re.IGNORECASE)
SOURCES = re.compile(r"""\ssrcset\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>][^\s>]*)""", re.IGNORECASE)
GREY = (
    "data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%22160%22 height=%2290%22%3E"
    "%3Crect width=%22100%25%22 height=%22100%25%22 fill=%22%23d9d9d9%22/%3E%3C/svg%3E"
)


def mail_frame(
    document: str, *, images: bool = False, pixel: bool = False, dark: bool = False, is_editable: bool = False
) -> Response:
    """An email in light or dark mode, independent of the browser's mode, whose links lead nowhere.

    Opens are counted only if the document has the pixel and `images` is set; on http `pixel` too.
    """
    headers = {
        "Content-Security-Policy": mail_policy(images=images, pixel=pixel, is_editable=is_editable),
        "X-Frame-Options": "SAMEORIGIN",
        "Referrer-Policy": "no-referrer",
    }
    document = DARK_MODE.sub("(min-width: 0)" if dark else "(max-width: 0)", document)
    shown = document if images else _without_images(document)
    start = doctype.end() if (doctype := DOCTYPE.match(shown)) else 0
    return Response(shown[:start] + NOWHERE + shown[start:], 200, headers, content_type="text/html; charset=utf-8")


def mail_page(mail: Rendered, headers: Mapping[str, str]) -> Response:
    """An email as a whole page, whose links open tabs outside of its sandbox."""
    document = mail.html if mail.html is not None else TEXT.format(html.escape(mail.text or ""))
    headers = {"Content-Security-Policy": mail_page_policy(), **headers}
    return Response(document, 200, headers, content_type="text/html; charset=utf-8")


def text_frame(text: str) -> Response:
    return mail_frame(TEXT.format(html.escape(text)))


@lru_cache(maxsize=4)
def _remote(shown: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns of attributes and styles with images to replace: those whose URLs do not begin with `shown`."""
    ours = f"(?!(?:data:|(?-i:{re.escape(shown)})))"
    source = rf"""(\s(?:src|background)\s*=\s*)(?:"{ours}[^"]*"|'{ours}[^']*'|{ours}[^\s"'>][^\s>]*)"""
    styled = rf"""url\(\s*(?:["']|&quot;|&#39;)?{ours}(?:https?:)?//[^()]*\)"""
    return re.compile(source, re.IGNORECASE), re.compile(styled, re.IGNORECASE)


def _without_images(document: str) -> str:
    source, styled = _remote(own_pictures())

    def grey(tag: re.Match[str]) -> str:
        return source.sub(rf'\1"{GREY}"', SOURCES.sub("", tag[0]))

    return styled.sub("url(data:,)", TAG.sub(grey, document))
