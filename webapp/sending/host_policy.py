"""Decides which hosts may be connected to: resolves the name, checks every address, and returns only those.

Callers connect to the address and never resolve the name again, which defeats DNS rebinding.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from functools import cache, partial
from typing import Literal, NamedTuple

from webapp.config import Network, Settings
from webapp.hosts import PRIVATE
from webapp.sending.dns import Lookups

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

PORTS = (25, 465, 587, 2525)
ADDRESSES = 4  # tried at most per host
LOOKUP_SECONDS = 10.0

UNICAST_V6 = ipaddress.IPv6Network("2000::/3")  # everything that IANA has assigned
NEVER_PUBLIC = tuple(
    ipaddress.ip_network(text)
    for text in (
        "168.63.129.16/32",  # Azure's platform address, which only looks public
        "192.0.0.0/24",  # protocol assignments; Python 3.11 calls some of them global
        "192.88.99.0/24",  # 6to4 relays (RFC 7526)
        "64:ff9b::/96",  # NAT64 (RFC 6052), which embeds an IPv4 address, like the next two
        "2002::/16",  # 6to4
        "3fff::/20",  # documentation (RFC 9637), unknown to Python 3.11
        "2001::/23",  # Teredo and other protocol assignments
    )
)


class ResolvedAddress(NamedTuple):
    family: int
    sockaddr: tuple[str, int] | tuple[str, int, int, int]

    @property
    def address(self) -> IPAddress:
        return ipaddress.ip_address(self.sockaddr[0].partition("%")[0])


Lookup = Callable[[str, int], Awaitable[list[ResolvedAddress]]]


@dataclass(frozen=True, slots=True)
class HostPolicy:
    """The hosts allowed besides public ones: all of them, or some networks."""

    allow_private: bool = False
    networks: tuple[Network, ...] = ()
    caller: Hashable = None  # lookups count against its share

    @classmethod
    def of(cls, settings: Settings, caller: Hashable, *, exempt: bool = False) -> "HostPolicy":
        """`exempt` is the built-in sandbox."""
        return cls(settings.allow_private_hosts or exempt, settings.private_networks, caller)


class HostRefused(ValueError):
    """The host or the port (`about`) is not allowed; the text is a predicate without its subject."""

    def __init__(self, text: str, about: Literal["host", "port"] = "host") -> None:
        super().__init__(text)
        self.about = about


class HostUnknown(Exception):
    """NXDOMAIN."""


class LookupFailed(Exception):
    pass


async def system_lookup(host: str, port: int, caller: Hashable = None) -> list[ResolvedAddress]:
    """The stream addresses in the order to try them (RFC 6724)."""
    answers = await _lookups(asyncio.get_running_loop()).find(host, port, caller)
    return [ResolvedAddress(family, sockaddr) for family, _, _, _, sockaddr in answers]


@cache
def _lookups(loop: asyncio.AbstractEventLoop) -> Lookups:  # noqa: ARG001 - one per event loop
    return Lookups()


async def resolve(
    host: str,
    port: int,
    policy: HostPolicy,
    *,
    ports: tuple[int, ...] = PORTS,
    lookup: Lookup | None = None,
    timeout: float = LOOKUP_SECONDS,  # noqa: ASYNC109 - passed to asyncio.timeout
) -> list[ResolvedAddress]:
    """Resolves and checks `host`; `ports` are those allowed on public hosts, `timeout` is in seconds.

    Raises HostRefused if any address is not allowed, HostUnknown for NXDOMAIN, LookupFailed if DNS does not answer.
    """
    if not policy.allow_private and not policy.networks:
        _check_port(port, ports)
    endpoints = await _lookup_within(host, port, lookup or partial(system_lookup, caller=policy.caller), timeout)
    if not policy.allow_private:
        listed = [any(_unmapped(endpoint.address) in network for network in policy.networks) for endpoint in endpoints]
        if not all(known or is_public(endpoint.address) for known, endpoint in zip(listed, endpoints, strict=True)):
            raise HostRefused("is a private or reserved address, which this server does not connect to")
        if not all(listed):
            _check_port(port, ports)
    return endpoints[:ADDRESSES]


def is_public(address: IPAddress) -> bool:
    """True for an address on the public Internet that does not embed another address."""
    if isinstance(address, ipaddress.IPv6Address) and address not in UNICAST_V6:
        return False
    if not address.is_global or address.is_multicast or address.is_reserved:
        return False
    return not any(address in network for network in NEVER_PUBLIC)


def is_private(address: IPAddress) -> bool:
    """True for an address in a private network; NAT64 addresses are neither private nor public."""
    address = _unmapped(address)
    return any(address in network for network in PRIVATE)


def _check_port(port: int, ports: tuple[int, ...]) -> None:
    if port not in ports:
        *others, last = sorted(ports)
        raise HostRefused(f"must be {', '.join(map(str, others))} or {last}", about="port")


async def _lookup_within(host: str, port: int, lookup: Lookup, seconds: float) -> list[ResolvedAddress]:
    try:
        async with asyncio.timeout(seconds):
            endpoints = await lookup(host, port)
    except socket.gaierror as error:
        if error.errno in (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)):
            raise HostUnknown(host) from None
        raise LookupFailed(host) from None
    except (TimeoutError, OSError):
        raise LookupFailed(host) from None
    except ValueError:  # UnicodeError: a label that IDNA cannot encode; an embedded NUL
        raise HostUnknown(host) from None
    if not endpoints:
        raise HostUnknown(host)
    return endpoints


def _unmapped(address: IPAddress) -> IPAddress:
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address
