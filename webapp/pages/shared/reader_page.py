"""Pages for the readers of an organization's email: in its brand and their language, without scripts."""

import re
from typing import Any
from urllib.parse import urlsplit

from markupsafe import Markup
from quart import Response, render_template, request

from webapp.domain.templates.brand import find_brand, style_with, translator
from webapp.domain.templates.style import FONTS, LetterStyle
from webapp.http.security_headers import reader_policy
from webapp.languages import DEFAULT, LANGUAGES, Translator, best_language
from webapp.models import Organization

HOST = re.compile(r"[\w.-]+(:\d{1,5})?", re.ASCII)
COLORS = ("background", "text", "accent", "button", "button_text", "quiet_text", "line")


async def render_reader_page(
    template: str,
    here: str,
    org: Organization | None,
    *,
    language: str | None = None,
    status: int = 200,
    form_target: str | None = None,
    has_script: bool = False,
    **context: Any,
) -> Response:
    """The page at the path `here`, which links to it in other languages; without an organization in our brand.

    `language` is a BCP 47 tag, that of the contact or the form, which only `?l=` beats. Forms of the page may
    redirect to the URL `form_target`, and a script of ours runs if `has_script`.
    """
    brand = await find_brand(org) if org else None
    style = style_with(org, brand) if org and brand else LetterStyle()
    asked = best_language([request.args.get("l")])
    colors, logo_origin = _colors(style), _origin(style.logo_url)
    html = await render_template(
        template,
        t=translator(brand, page_language(language)) if brand else Translator(page_language() or DEFAULT, {}),
        languages=LANGUAGES,
        here=here,
        query=f"?l={asked}" if asked else "",
        style=style,
        colors=Markup(colors),  # noqa: S704 - checked colors and our fonts
        shows_logo=bool(logo_origin),
        has_script=has_script,
        **context,
    )
    policy = reader_policy(colors, logo_origin, _origin(form_target), has_script=has_script)
    return Response(html, status, {"Content-Security-Policy": policy}, mimetype="text/html")


async def render_notice(
    here: str, heading: str, text: str, *, status: int = 404, org: Organization | None = None, **context: Any
) -> Response:
    """A page that says one thing; `heading` and `text` are keys of sentences."""
    return await render_reader_page("notice.html", here, org, status=status, heading=heading, text=text, **context)


def page_language(own: str | None = None) -> str | None:
    """That of `?l=`, of the BCP 47 tag `own`, or the first that the browser accepts and Pennypost speaks."""
    accepted = [tag for tag, quality in request.accept_languages if quality > 0]
    return best_language([request.args.get("l"), own, *accepted])


def _colors(style: LetterStyle) -> str:
    light, dark = _rules(style), _rules(style.in_dark_mode())
    return f":root{{--font:{FONTS[style.font]};{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"


def _rules(style: LetterStyle) -> str:
    values = {name.replace("_", "-"): getattr(style, name) for name in COLORS}
    return ";".join(f"--{name}:{value}" for name, value in values.items())


def _origin(url: str | None) -> str:
    """The origin of a URL, for a header; empty if it is unusual."""
    parts = urlsplit(url or "")
    return (
        f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") and HOST.fullmatch(parts.netloc) else ""
    )
