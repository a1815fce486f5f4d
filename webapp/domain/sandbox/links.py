"""Lists the links of a received email, so that people can follow them outside of its frame."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from webapp.domain.sandbox.message_view import CONTROL
from webapp.sending.mime.html_reader import HtmlReader

LINKS_SHOWN = 100
WORDS_SHOWN = 100  # characters of a link's words
URL_LENGTH = 2_000
URL = re.compile(r"(?:https?://|mailto:)[^\s\"<>\\]+", re.IGNORECASE)


class MailLink(NamedTuple):
    url: str
    words: str


def links_of(html: str) -> list[MailLink]:
    """The first LINKS_SHOWN links to web pages and mail addresses, each once; call it in a thread."""
    writer = _LinkWriter()
    HtmlReader(writer).read(html)
    return [MailLink(url, " ".join(words.split())[:WORDS_SHOWN]) for url, words in writer.links.items()]


class _LinkWriter:
    def __init__(self) -> None:
        self.links: dict[str, str] = {}
        self._open: str | None = None

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "img" and self._open:
            self.data(attributes.get("alt", ""))
        if tag != "a":
            return
        url = attributes.get("href", "").strip()
        is_shown = len(url) <= URL_LENGTH and URL.fullmatch(url) and not CONTROL.search(url)
        self._open = url if is_shown and url not in self.links and len(self.links) < LINKS_SHOWN else None
        if self._open:
            self.links[self._open] = ""

    def end(self, tag: str) -> None:
        if tag == "a":
            self._open = None

    def data(self, text: str) -> None:
        if self._open and len(self.links[self._open]) < WORDS_SHOWN:
            self.links[self._open] += CONTROL.sub("\ufffd", " ".join(text[:URL_LENGTH].split()) + " ")
