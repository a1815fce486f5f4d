"""Finds the client's address behind trusted proxies, and proxies missing from PENNYPOST_TRUSTED_PROXIES."""

import ipaddress
import logging
import math
from collections.abc import Sequence
from functools import lru_cache

from quart import Quart, Request, current_app

from webapp import clock
from webapp.config import settings
from webapp.config.networks import Network
from webapp.domain.audit.audit import act_as
from webapp.domain.instance import untrusted_proxy
from webapp.hosts import PRIVATE
from webapp.http.hooks import current_values, hooks_of
from webapp.http.memory import remember

log = logging.getLogger(__name__)

WATCH_SECONDS = 5.0
SAVE_SECONDS = 3600.0  # between two writes of the same address


def register(app: Quart) -> None:
    remember(app, "proxy_watch", _ProxyWatch, write_seconds=WATCH_SECONDS)
    hooks_of(app).before.append(_record_addresses)


def client_address() -> str:
    address: str = current_values().client_address
    return address


def forwarded_for() -> str:
    """The client's address according to a private peer that is not trusted; empty if there is none."""
    address: str = current_values().forwarded_for
    return address


def untrusted_forwarder() -> str | None:
    """The untrusted address that forwarded this request, or a private one that forwarded others today."""
    watch: _ProxyWatch = current_app.extensions["proxy_watch"]
    address: str | None = current_values().forwarding_address or watch.address
    return address


def _record_addresses(request: Request) -> None:
    """Also sets the actor to a visitor, so that no actor of an earlier request, nor the operator, remains."""
    values = current_values()
    address = _unmapped(request.remote_addr or "unknown")
    hops = [hop.strip() for line in request.headers.getlist("X-Forwarded-For") for hop in line.split(",")]
    is_direct = True
    while hops and _is_in(address, settings().trusted_proxies):
        address, is_direct = _unmapped(hops.pop()), False
    values.client_address = address[:64]
    # Anyone on the Internet can send the header. From there it only adds a note to the sender's own pages.
    is_private = bool(hops) and _is_in(address, PRIVATE)
    values.forwarded_for = _unmapped(hops[-1])[:64] if is_private else ""
    values.forwarding_address = address[:64] if hops and (is_direct or is_private) else None
    if is_private:
        current_app.extensions["proxy_watch"].record(address[:64])
    act_as(None, values.client_address)


class _ProxyWatch:
    """Logs the first untrusted proxy and saves the latest one for `pennypost doctor`."""

    def __init__(self) -> None:
        self._address: str | None = None
        self._seen_at = self._saved_at = -math.inf

    @property
    def address(self) -> str | None:
        return self._address if clock.elapsed() - self._seen_at < untrusted_proxy.REMEMBERED_SECONDS else None

    def record(self, address: str) -> None:
        if self._address is None:
            log.warning("%s", untrusted_proxy.warning(address))
        self._address, self._seen_at = address, clock.elapsed()

    async def write(self) -> None:
        if self._address is not None and self._seen_at - self._saved_at > SAVE_SECONDS:
            self._saved_at = self._seen_at
            await untrusted_proxy.record(self._address)


@lru_cache(1_024)
def _unmapped(address: str) -> str:
    """The IPv4 address in an IPv4-mapped IPv6 address, which dual-stack sockets report (RFC 4291, 2.5.5.2)."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return str(mapped or address)


@lru_cache(1_024)
def _is_in(address: str, networks: Sequence[Network]) -> bool:
    try:
        return any(ipaddress.ip_address(address) in network for network in networks)
    except ValueError:
        return False
