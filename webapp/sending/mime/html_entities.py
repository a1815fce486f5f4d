"""Decodes character references of HTML, whose rules differ between texts and attributes."""

import re
from html import unescape
from html.entities import html5

PADDING = re.compile(r"(?<=&#)0++(?=[0-9])|(?<=&#[xX])0++(?=[0-9a-fA-F])")  # zeros that change nothing
ENDLESS = re.compile(r"&#(?:[0-9]{9,}+|[xX][0-9a-fA-F]{7,}+);?")  # longer than Unicode needs
NO_CHARACTER = "\ufffd"
REFERENCE = re.compile(r"&(?:#(?:[0-9]++|[xX][0-9a-fA-F]++);?|([a-zA-Z][a-zA-Z0-9]*+)(;|(?!=)))")


def unescape_text(text: str) -> str:
    """The text that a browser shows."""
    return unescape(_bounded(text)) if "&" in text else text


def unescape_attribute(value: str) -> str:
    """Like browsers: a name without semicolon before =, a letter or a digit is not a reference."""
    return REFERENCE.sub(_character, _bounded(value)) if "&" in value else value


def _bounded(text: str) -> str:
    """Removes numbers that take long to parse."""
    return ENDLESS.sub(NO_CHARACTER, PADDING.sub("", text))


def _character(reference: re.Match[str]) -> str:
    return unescape(reference[0]) if reference[1] is None else html5.get(reference[0][1:], reference[0])
