"""Return paths with a tag, `local+tag@domain`, which show whose email bounced (VERP).

The plus starts the detail of a subaddress (RFC 5233), which servers that support it deliver to `local`.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

LONGEST_LOCAL_PART = 64  # octets, RFC 5321, 4.5.3.1.1
TAG_LENGTH = 40
TAG = re.compile(rf"\+([a-z2-7]{{{TAG_LENGTH}}})@", re.IGNORECASE)
MARKS = re.compile(r"[+=]")  # of a detail, or of a tag from another server (BATV, SRS)


def tagged(address: str, tag: str) -> str:
    """Inserts the tag of TAG_LENGTH letters and digits. Raises ValueError if the address cannot have one."""
    return tag.join(_around_tag(address))


@lru_cache(maxsize=256)  # a few senders send most emails
def _around_tag(address: str) -> tuple[str, str]:
    local, _, domain = address.rpartition("@")
    if MARKS.search(local):
        raise ValueError(f"{address} has a + or = already")
    limit = LONGEST_LOCAL_PART - len("+") - TAG_LENGTH
    if len(local.encode()) > limit:
        raise ValueError(f"{address} has more than {limit} characters before the @, which leaves no room for a tag")
    return f"{local}+", f"@{domain}"


def tags_in(texts: Iterable[str]) -> tuple[str, ...]:
    """Everything in the texts that may be a tag, in lower case, because servers may change case."""
    return tuple(dict.fromkeys(tag.lower() for text in texts for tag in TAG.findall(text)))
