"""What is shown is what is sent."""

import pytest

from webapp.domain.rendering import Rendered


@pytest.mark.parametrize(
    ("html", "text", "shown"),
    [
        ("<p>a</p>", "b", "<p>a</p>"),
        ("", None, ""),
        (None, "a < b", "a &lt; b"),
        (None, "a\nb\r\nc", "a<br>\nb<br>\nc"),
        (None, None, ""),
    ],
)
def test_a_mail_without_html_shows_its_text(html: str | None, text: str | None, shown: str) -> None:
    assert Rendered("x", html, text).body_html == shown
