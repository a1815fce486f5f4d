"""A QR code as an image inside a page."""

import segno
from markupsafe import Markup

QUIET_ZONE = 4  # modules of white around it (ISO/IEC 18004, 5.3.8)


def qr_code(text: str) -> Markup:
    """An SVG of `text`, black on white in every theme: not every camera reads it inverted."""
    image = segno.make(text, error="m", micro=False)
    svg = image.svg_inline(border=QUIET_ZONE, dark="#000", light="#fff", omitsize=True, svgclass="qr-code")
    return Markup(svg)  # noqa: S704 - it holds the squares, not the text
