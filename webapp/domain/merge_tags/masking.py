"""Replaces merge tags with words that a compiler passes through, and restores them byte for byte."""

import re
from collections.abc import Iterator
from secrets import token_hex

from webapp.domain.merge_tags.lexer import CLOSING, OPENING, TAG_LENGTH

WORD = re.compile(r"(<!--=)?x([0-9a-f]{12})x(\d+)x(?(1)-->)")
BETWEEN_ELEMENTS = re.compile(r"(?<=>)\s*(?:x[0-9a-f]{12}x\d+x\s*)+(?=<|\Z)")


class TagMask:
    """The tags of one source; each is replaced with a word of letters and digits that no source contains."""

    def __init__(self) -> None:
        self._token = token_hex(6)
        self._texts: list[str] = []

    def hide(self, source: str) -> str:
        """The source with a word for each tag; a tag that is not closed stays, and the parser refuses it."""
        return "".join(text + (self.replace(tag) if tag else "") for text, tag in _split(source))

    def replace(self, text: str) -> str:
        """A word that `restore` replaces with the text."""
        self._texts.append(text)
        return f"x{self._token}x{len(self._texts) - 1}x"

    def comment(self, text: str) -> str:
        """A comment that `restore` replaces with the text."""
        return f"<!--={self.replace(text)}-->"

    def as_comments(self, html: str) -> str:
        """Makes comments, which `restore` replaces as well, of words that are alone between two elements.

        A parser moves words out of a table, but leaves comments where they are.
        """
        pieces, start = [], 0
        while (comment := html.find("<!--", start)) >= 0:
            end = html.find("-->", comment)
            end = end + 3 if end >= 0 else len(html)
            pieces += [self._commented(html[start:comment]), html[comment:end]]
            start = end
        return "".join([*pieces, self._commented(html[start:])])

    def restore(self, text: str) -> str:
        return WORD.sub(self._original, text)

    def _original(self, word: re.Match[str]) -> str:
        return self._texts[int(word[3])] if word[2] == self._token else word[0]

    def _commented(self, html: str) -> str:
        return BETWEEN_ELEMENTS.sub(lambda words: WORD.sub(lambda word: f"<!--={word[0]}-->", words[0]), html)


def without_tags(source: str) -> str:
    return "".join(text for text, _ in _split(source))


def _split(source: str) -> Iterator[tuple[str, str]]:
    """The texts of a source, each with the tag after it."""
    start = 0
    while opening := OPENING.search(source, start):
        end = source.find(CLOSING[opening[0][:2]], opening.end(), opening.end() + TAG_LENGTH)
        if end < 0:
            break
        yield source[start : opening.start()], source[opening.start() : end + 2]
        start = end + 2
    yield source[start:], ""
