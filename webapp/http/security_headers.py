"""Sets security headers on every response."""

import base64
import hashlib

from quart import Quart, Request, Response

from webapp.config import settings
from webapp.http.hooks import hooks_of

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HSTS_SECONDS = CACHE_SECONDS = 365 * 24 * 3600
DEFAULTS = (
    ("Content-Security-Policy", PAGE_POLICY),
    ("X-Frame-Options", "DENY"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
)


def mail_policy(*, images: bool = False, pixel: bool = False, is_editable: bool = False) -> str:
    """The policy of an untrusted email in a frame on our pages: no scripts, network or forms.

    Shows images of the media library; with `images`, those of other servers too. `pixel` allows the pixel that counts
    opens when the base URL is http; `https:` includes it. Scripts of our pages can reach an editable one, in which no
    script runs either.
    """
    sandbox = "sandbox allow-same-origin" if is_editable else "sandbox"
    pictures = f"data: {own_pictures()}{' https:' if images else ''}"
    pictures += f" {settings().base_url}/o/" if pixel else ""
    return (
        f"{sandbox}; default-src 'none'; img-src {pictures}; style-src 'unsafe-inline'; form-action 'none'; "
        "base-uri 'none'; frame-ancestors 'self'"
    )


def mail_page_policy() -> str:
    """The policy of an email as a whole page, which no frame may show."""
    policy = mail_policy(images=True).replace("sandbox;", "sandbox allow-popups allow-popups-to-escape-sandbox;")
    return policy.replace("frame-ancestors 'self'", "frame-ancestors 'none'")


def reader_policy(style: str, image_origin: str, form_target: str = "", *, has_script: bool = False) -> str:
    """The policy of a page for readers: one inline `style`, and images of one more origin.

    Its forms may redirect to the origin `form_target`, and scripts of ours run if `has_script`.
    """
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    script = "script-src 'self'; " if has_script else ""
    return (
        f"default-src 'none'; {script}style-src 'self' 'sha256-{digest}'; img-src 'self' data: {image_origin}; "
        f"form-action 'self' {form_target}; frame-ancestors 'none'; base-uri 'none'"
    ).replace(" ;", ";")


def own_pictures() -> str:
    """The start of the media library's URLs."""
    return f"{settings().base_url}/m/"


def register(app: Quart) -> None:
    hooks_of(app).after.append(_harden)


def _harden(request: Request, response: Response) -> None:
    headers = response.headers
    own = set(headers.keys())
    headers.extend([default for default in DEFAULTS if default[0] not in own])  # each `setdefault` takes 4 µs
    if settings().is_secure:
        headers.setdefault("Strict-Transport-Security", f"max-age={HSTS_SECONDS}")
    if request.endpoint == "static" and "v" in request.args:  # its URL changes with the file
        headers["Cache-Control"] = f"public, max-age={CACHE_SECONDS}, immutable"
        headers.pop("Expires", None)  # Quart adds it; Cache-Control overrides it
