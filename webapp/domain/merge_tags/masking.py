"""Replaces merge tags by words that compilers leave alone, and restores them byte for byte."""

import re
from collections.abc import Iterator
from secrets import token_hex

from webapp.domain.merge_tags.lexer import CLOSING, OPENING, TAG_LENGTH

WORD = re.compile(r"x([0-9a-f]{12})x(\d+)x")
COMMENT = re.compile(r"<!--=(x[0-9a-f]{12}x\d+x)-->")  # apart from WORD, because searching both takes ten times as long


class TagMask:
    """The tags of one source, each replaced by a word of letters and digits that the source does not contain."""

    def __init__(self) -> None:
        self.token = token_hex(6)
        self._texts: list[str] = []

    def hide(self, source: str) -> str:
        """Replaces each tag by a word; unclosed tags stay, and the parser refuses them."""
        return "".join(text + (self.replace(tag) if tag else "") for text, tag in _split(source))

    def replace(self, text: str) -> str:
        """A word that `restore` replaces by the text."""
        self._texts.append(text)
        return f"x{self.token}x{len(self._texts) - 1}x"

    def comment(self, text: str) -> str:
        """A comment that `restore` replaces by the text."""
        return f"<!--={self.replace(text)}-->"

    def fill(self, word: str, text: str) -> None:
        """Changes the text of a word from `replace`."""
        self._texts[int(word.split("x")[2])] = text

    def restore(self, text: str) -> str:
        return self.restore_words(self._without_comments(text))

    def restore_words(self, text: str) -> str:
        """For a source that has no words in comments, in which an author may have written such a comment."""
        return WORD.sub(self._original, text)

    def tags_in(self, text: str) -> Iterator[str]:
        """The texts that its words replace."""
        return (self._original(word) for word in WORD.finditer(text) if word[1] == self.token)

    def restored_length(self, text: str) -> int:
        text = self._without_comments(text)
        return len(text) + sum(len(self._original(word)) - len(word[0]) for word in WORD.finditer(text))

    def _without_comments(self, text: str) -> str:
        return COMMENT.sub(lambda comment: comment[1] if self.token in comment[1] else comment[0], text)

    def _original(self, word: re.Match[str]) -> str:
        return self._texts[int(word[2])] if word[1] == self.token else word[0]


def without_tags(source: str) -> str:
    return "".join(text for text, _ in _split(source))


def _split(source: str) -> Iterator[tuple[str, str]]:
    start = 0
    while opening := OPENING.search(source, start):
        end = source.find(CLOSING[opening[0][:2]], opening.end(), opening.end() + TAG_LENGTH)
        if end < 0:
            break
        yield source[start : opening.start()], source[opening.start() : end + 2]
        start = end + 2
    yield source[start:], ""
