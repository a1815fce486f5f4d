"""The person to erase, and how texts name them."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import merge
from typing import Any
from urllib.parse import quote
from uuid import UUID

from webapp.addresses import email_key, readable
from webapp.models import Organization
from webapp.models.base.row import LAST_ID
from webapp.models.suppression import ERASED_VALUE

# What stands before and after an address that is no part of a longer one; paths and queries have others of / = ? & '.
BEFORE, AFTER = r"(?<![\w.!#$*+^`{|}~-])", r"(?![\w-]|\.\w)"


@dataclass(frozen=True)
class Person:
    org: Organization
    email: str
    contact_id: UUID
    until: UUID = LAST_ID  # rows after this id are of someone who came back

    @cached_property
    def key(self) -> str:
        return email_key(self.email)

    @cached_property
    def forms(self) -> list[str]:
        """The address in lower case as text, addresses and JSON have it."""
        written = (self.key, readable(self.key))
        escaped = (quote(self.key, safe=""), json.dumps(self.key)[1:-1])
        return list(dict.fromkeys(form.lower() for form in (*written, *escaped)))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(f"{BEFORE}(?:{'|'.join(map(re.escape, self.forms))}){AFTER}", re.IGNORECASE)

    def hide(self, text: str) -> str:
        lowered = text.lower()
        if len(lowered) != len(text):  # as a few characters become two
            return self._pattern.sub(ERASED_VALUE, text)
        pieces, end = [], 0
        for start in self._starts(lowered):  # because the pattern takes seconds for a large email
            if start >= end and (match := self._pattern.match(text, start)):
                pieces += [text[end:start], ERASED_VALUE]
                end = match.end()
        return "".join([*pieces, text[end:]])

    def _starts(self, lowered: str) -> Iterator[int]:
        matched = (re.finditer(re.escape(form), lowered) for form in self.forms)
        return merge(*((match.start() for match in matches) for matches in matched))

    def hide_in(self, value: Any) -> Any:
        """The value, which may be JSON or bytes, without the address."""
        if isinstance(value, str):
            return self.hide(value)
        if isinstance(value, bytes | memoryview):
            return self.hide(bytes(value).decode("latin-1")).encode("latin-1")
        if isinstance(value, dict):
            return {name: self.hide_in(item) for name, item in value.items()}
        if isinstance(value, list):
            return [self.hide_in(item) for item in value]
        return value
