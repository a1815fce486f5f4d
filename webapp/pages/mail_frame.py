"""A mail as a document of its own, for a sandboxed frame: no script, no network, no forms."""

from quart import Response

from webapp.http.headers import MAIL_POLICY


def mail_frame(html: str) -> Response:
    """The mail's html, as it is, under a policy that makes it harmless."""
    headers = {
        "Content-Security-Policy": MAIL_POLICY,
        "X-Frame-Options": "SAMEORIGIN",
        "Referrer-Policy": "no-referrer",
    }
    return Response(html, 200, headers, content_type="text/html; charset=utf-8")
