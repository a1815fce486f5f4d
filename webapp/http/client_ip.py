"""The client's address behind trusted proxies."""

import ipaddress
from functools import lru_cache

from quart import Request

from webapp.config import Network, settings
from webapp.http.hooks import current_request, current_values


def client_address() -> str:
    values = current_values()
    if "client_address" not in values:
        values.client_address = _find_address(current_request())
    found: str = values.client_address
    return found


def _find_address(request: Request) -> str:
    address = _unmapped(request.remote_addr or "unknown")
    hops = [hop.strip() for line in request.headers.getlist("X-Forwarded-For") for hop in line.split(",")]
    while hops and _is_trusted(address, settings().trusted_proxies):
        address = _unmapped(hops.pop())
    return address[:64]


@lru_cache(1_024)
def _unmapped(address: str) -> str:
    """The IPv4 address inside an IPv4-mapped IPv6 one, as dual-stack sockets report it (RFC 4291, 2.5.5.2)."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return str(mapped or address)


@lru_cache(1_024)
def _is_trusted(address: str, proxies: tuple[Network, ...]) -> bool:
    try:
        return any(ipaddress.ip_address(address) in proxy for proxy in proxies)
    except ValueError:
        return False
