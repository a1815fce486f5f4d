"""The security headers of every response."""

from quart import Quart, Request, Response

from webapp.config import settings
from webapp.http.hooks import after

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'"
)
# A mail is a stranger's document: no script, no network, no forms. Its frame may stand on our pages only.
MAIL_POLICY = (
    "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'self'"
)
WITH_IMAGES = MAIL_POLICY.replace("img-src data:", "img-src data: https:")  # where somebody asks for them
# A mail as a page of its own, in no frame.
MAIL_PAGE_POLICY = WITH_IMAGES.replace("sandbox;", "sandbox allow-popups allow-popups-to-escape-sandbox;").replace(
    "frame-ancestors 'self'", "frame-ancestors 'none'"
)
HSTS_SECONDS = CACHE_SECONDS = 365 * 24 * 3600
DEFAULTS = (
    ("Content-Security-Policy", PAGE_POLICY),
    ("X-Frame-Options", "DENY"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
)


def register(app: Quart) -> None:
    after(app, _harden)


def _harden(request: Request, response: Response) -> None:
    headers = response.headers
    own = set(headers.keys())
    headers.extend([default for default in DEFAULTS if default[0] not in own])  # each `setdefault` takes 4 µs
    if settings().is_secure:
        headers.setdefault("Strict-Transport-Security", f"max-age={HSTS_SECONDS}")
    if response.mimetype == "text/html":
        headers.setdefault("Cache-Control", "no-store")
    elif request.endpoint == "static" and "v" in request.args:  # its address changes when the file does
        headers["Cache-Control"] = f"public, max-age={CACHE_SECONDS}, immutable"
