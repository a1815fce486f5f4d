"""Cells of tables that hold email addresses."""

import pytest

from webapp.domain.contacts.address_cells import addresses_in

X = ("", "x@e.example")
ADA = ("Ada", "a@e.example")
LOVELACE = ("Lovelace, Ada", "a@e.example")


@pytest.mark.parametrize(
    ("cell", "addresses"),
    [
        ("x@e.example", [X]),
        ("<<x@e.example>>", [X]),
        ("'x@e.example'", [X]),
        ("MAILTO:x@e.example?subject=Hi;there", [X]),
        ("mailto:x%40e.example", [X]),
        ("Ada <a@e.example", [ADA]),
        ("a@e.example (Ada)", [ADA]),
        ('"Lovelace, Ada" <a@e.example>', [LOVELACE]),
        ("x@e.example ::: b@e.example", [X, ("", "b@e.example")]),
        ("x@e.example, Ada <a@e.example>;", [X, ADA]),
        ("*@e.example;", [("", "*@e.example")]),
        ("write to x@e.example", [("", "write to x@e.example")]),
        ("", [("", "")]),
    ],
)
def test_the_addresses_in_a_cell_are_read(cell: str, addresses: list[tuple[str, str]]) -> None:
    assert addresses_in(cell) == addresses


@pytest.mark.parametrize("cell", ["@" * 50_000, '"' * 50_000, "<a@" * 30_000, "(" * 999, '\\"' * 499, "a@b," * 249])
def test_a_hostile_cell_is_read_at_once(cell: str) -> None:
    assert len(addresses_in(cell)) <= len(cell)
