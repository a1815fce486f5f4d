"""Validates host names (RFC 1123, 2.1) and addresses, for connections and for Host headers."""

import ipaddress
import re
from functools import cache, lru_cache

import idna
from publicsuffixlist import PublicSuffixList

from webapp.errors import InvalidValue

LONGEST_NAME = 253  # characters, without the dot at its end
HIGHEST_PORT = 65535
LONGEST_HOST_HEADER = LONGEST_NAME + len(f".:{HIGHEST_PORT}")
LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
NAME = re.compile(rf"(?:{LABEL}\.)*{LABEL}", re.IGNORECASE)
NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*", re.IGNORECASE)  # the last label of an IPv4 address in any spelling
PRIVATE = tuple(
    ipaddress.ip_network(text)
    for text in (
        *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "169.254.0.0/16", "100.64.0.0/10"),
        *("::1/128", "fc00::/7", "fe80::/10"),
    )
)
# Domains below which hosting companies and DNS services name their customers' machines; the public suffix list lacks
# them.
RENTED = {
    *("amazonaws.com", "azure.com", "cloudapp.net", "contaboserver.net", "googleusercontent.com", "hstgr.cloud"),
    *(
        "linodeusercontent.com",
        "nip.io",
        "onlinehome-server.info",
        "ovh.ca",
        "ovh.net",
        "scw.cloud",
        "secureserver.net",
    ),
    *("sslip.io", "stratoserver.net", "vultrusercontent.com", "your-server.de", "yourvserver.net"),
}
HOST_HEADER = re.compile(r"(\[[^\[\]]*\]|[^\[\]:]*)(?::([0-9]{1,5})?)?")  # host and port (RFC 9110, 7.2)


def host_of(text: str) -> str:
    """The name in A-labels without a trailing dot, or the address without brackets. Raises ValueError."""
    bare = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    if ":" in bare and _is_address(bare, ipaddress.IPv6Address):
        return bare
    name = a_labels(text.removesuffix(".")) if len(text) <= LONGEST_NAME + 1 else ""
    if _is_address(name, ipaddress.IPv4Address) or is_name(name):
        return name
    words = "must be a host name or an address, like smtp.example.com"
    raise InvalidValue(words, "example", kind="host name", example="smtp.example.com")


def is_host_header(text: str) -> bool:
    """Also allows underscores, which container names have."""
    return len(text) <= LONGEST_HOST_HEADER and _is_host_header(text)


@lru_cache(1_024)
def _is_host_header(text: str) -> bool:
    parts = HOST_HEADER.fullmatch(text)
    if parts is None or not text.isascii() or not 1 <= int(parts[2] or 1) <= HIGHEST_PORT:
        return False
    try:
        return bool(host_of(parts[1].replace("_", "x")))
    except ValueError:
        return False


def a_labels(name: str) -> str:
    """The name in A-labels (RFC 5891), or unchanged if it cannot be encoded."""
    if name.isascii():
        return name
    try:
        return idna.encode(name, uts46=True).decode()
    except UnicodeError:
        return name


def is_name(text: str) -> bool:
    """False for an IP address in any spelling."""
    return len(text) <= LONGEST_NAME and bool(NAME.fullmatch(text)) and not NUMBER.fullmatch(text.rpartition(".")[2])


def registrable_domain(host: str) -> str:
    """The part of the name that its owner registered (`example.co.uk`); single labels and addresses stay whole.

    Names below the domains of RENTED stay whole too, because each may belong to someone else.
    """
    name = host.lower().removesuffix(".")
    domain = _suffixes().privatesuffix(name) if is_name(name) else None
    return name if domain is None or domain in RENTED else domain


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()  # takes 0.1 s


def _is_address(text: str, kind: type[ipaddress.IPv4Address | ipaddress.IPv6Address]) -> bool:
    """False for an IPv6 address with a scope, like fe80::1%eth0."""
    try:
        return bool(kind(text)) and "%" not in text
    except ValueError:
        return False
