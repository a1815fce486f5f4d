"""Where a request comes from, proxies considered."""

import ipaddress

from quart import request

from webapp.config import Network, settings


def client_address() -> str:
    """The address of the client: X-Forwarded-For counts only as far as PENNYPOST_TRUSTED_PROXIES vouch for it."""
    address = request.remote_addr or "unknown"
    hops = [hop.strip() for line in request.headers.getlist("X-Forwarded-For") for hop in line.split(",")]
    while hops and _is_trusted(address, settings().trusted_proxies):
        address = hops.pop()
    return address[:64]


def _is_trusted(address: str, proxies: tuple[Network, ...]) -> bool:
    try:
        return any(ipaddress.ip_address(address) in proxy for proxy in proxies)
    except ValueError:
        return False
