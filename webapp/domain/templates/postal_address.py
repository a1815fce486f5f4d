"""Finds the sender's postal address in an email, which many countries require in marketing."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from webapp.domain.merge_tags.rendering import Rendered
from webapp.sending.mime.html_text import text_of

BETWEEN_WORDS = re.compile(r"[\W_]+")


def has_postal_address(mail: Rendered, address: str) -> bool:
    """True if the email contains every line of the address, whatever separates its words."""
    text = _words(mail.text or "" if mail.html is None else text_of(mail.html))
    return all(_words(line) in text for line in address.splitlines() if _words(line).strip())


def _words(text: str) -> str:
    return f" {BETWEEN_WORDS.sub(' ', text.casefold()).strip()} "


def has_own_address(blocks: Sequence[Mapping[str, Any]]) -> bool:
    """True if a footer among the blocks has another address than the brand's."""
    return any(
        (block["type"] == "footer" and block.get("address")) or any(map(has_own_address, block.get("columns", ())))
        for block in blocks
    )
