"""Documents for sandboxed frames: no script, no network, no forms."""

import html

from quart import Response

from webapp.http.security_headers import MAIL_POLICY, WITH_IMAGES

TEXT = (
    '<!doctype html><meta charset="utf-8"><title>Text</title>'
    '<pre style="margin:1rem;font:14px/1.6 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere">{}</pre>'
)


def mail_frame(document: str, *, images: bool = False) -> Response:
    headers = {
        "Content-Security-Policy": WITH_IMAGES if images else MAIL_POLICY,
        "X-Frame-Options": "SAMEORIGIN",
        "Referrer-Policy": "no-referrer",
    }
    return Response(document, 200, headers, content_type="text/html; charset=utf-8")


def text_frame(text: str) -> Response:
    return mail_frame(TEXT.format(html.escape(text)))
