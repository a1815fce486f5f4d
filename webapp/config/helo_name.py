"""The name by which this machine greets SMTP servers: relays turn away who has none (RFC 5321, 4.1.1.1 and 4.1.4)."""

import ipaddress
import re
import socket
from urllib.parse import urlsplit

from webapp.config.mail import Reads
from webapp.hosts import a_labels, is_name

LITERAL = re.compile(r"\[(IPv6:)?([0-9A-Fa-f:.]+)\]")


def read_helo_name(env: Reads) -> str | None:
    """The name that the operator gave. Raises ConfigError."""
    return env.get("PENNYPOST_HELO_NAME", "", _given)


def helo_name_of(base_url: str) -> str | None:
    """The full name of the host that people reach the instance by, else of this machine, else None.

    DNS is never asked, as socket.getfqdn() would do: that waits.
    """
    return _full_name(urlsplit(base_url).hostname or "") or _full_name(socket.gethostname())


def _full_name(host: str) -> str | None:
    name = a_labels(host.rstrip("."))
    is_full = "." in name and is_name(name) and not name.lower().endswith((".localhost", ".localdomain"))
    return name if is_full else None


def _given(text: str) -> str | None:
    if not text or is_name(text) or _is_literal(text):
        return text or None
    raise ValueError("must be a host name like mail.example.com, or an address like [192.0.2.1] or [IPv6:2001:db8::1]")


def _is_literal(text: str) -> bool:
    found = LITERAL.fullmatch(text)
    if found is None:
        return False
    try:
        return ipaddress.ip_address(found[2]).version == (6 if found[1] else 4)
    except ValueError:
        return False
