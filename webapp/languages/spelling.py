"""Texts as people look for them, in which some spellings are the same."""

import re
import unicodedata

ACCENTS = re.compile("[\u0300-\u036f]")
# Letters that Unicode does not decompose; the last two only for PostgreSQL, whose lower() does not fold them.
# fmt: off
PLAIN_LETTERS = {
    "æ": "ae", "đ": "d", "ð": "d", "\u0131": "i", "ł": "l", "ø": "o", "œ": "oe",
    "þ": "th", "ß": "ss", "\u03c2": "\u03c3"
}
# fmt: on
PLAIN = str.maketrans(PLAIN_LETTERS)


def search_form(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()


def plain_form(text: str) -> str:
    """The search form without accents, such as "ozturk" for "Öztürk"."""
    plain = ACCENTS.sub("", unicodedata.normalize("NFKD", search_form(text)))
    return unicodedata.normalize("NFC", plain).translate(PLAIN)
