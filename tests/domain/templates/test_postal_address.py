"""A postal address is found in an email however it is laid out."""

import pytest

from webapp.domain.merge_tags.rendering import Rendered
from webapp.domain.templates.postal_address import has_own_address, has_postal_address

ADDRESS = "Acme Ltd.\n1 Elm Road\n\nLondon N1 9GU"
FOOTER = {"type": "footer", "address": "2 Oak Road"}


@pytest.mark.parametrize(
    ("html", "text", "expected"),
    [
        ("<p>Acme Ltd.<br>1 Elm Road<br>London N1 9GU</p>", None, True),
        ("<td>ACME&nbsp;Ltd · 1 Elm&#32;Road, London&nbsp; N1&nbsp;9GU</td>", None, True),
        ("<p>Hello</p>", "Acme Ltd. 1 Elm Road London N1 9GU", False),
        ("<p>Acme Ltd.<br>11 Elm Road<br>London N1 9GU</p>", None, False),
        ("<p>Acme Ltd., London N1 9GU</p>", None, False),
        (None, "Hello\n-- \nAcme Ltd.\n1 Elm Road\nLondon N1 9GU", True),
        (None, None, False),
    ],
)
def test_every_line_must_be_in_the_email(html: str | None, text: str | None, *, expected: bool) -> None:
    assert has_postal_address(Rendered("Hello", html, text), ADDRESS) is expected


def test_a_footer_in_a_column_may_have_an_address_of_its_own() -> None:
    columns = {"type": "columns", "columns": [[{"type": "divider"}], [FOOTER]]}
    assert has_own_address([columns])
    assert not has_own_address([{"type": "social", "address": "x"}, {"type": "footer"}])
