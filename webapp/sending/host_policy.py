"""Decides which hosts may be connected to: resolves the name, checks every address, and returns only those.

Callers connect to the address and never resolve the name again, which defeats DNS rebinding.
"""

import asyncio
import ipaddress
import socket
import threading
from collections.abc import Awaitable, Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Literal, NamedTuple

from webapp.config import Settings
from webapp.config.networks import Network
from webapp.fair_slots import FairSlot, FairSlots
from webapp.hosts import PRIVATE

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

PORTS = (25, 465, 587, 2525)
ADDRESSES = 4  # tried at most per host
LOOKUP_SECONDS = 10.0
MAX_THREADS = 128
THREADS_EACH = 8  # per caller, because each of its lookups may hang until the resolver gives up

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


Answers = list[tuple[Any, ...]]  # of getaddrinfo(3)
Lookup = Callable[[str, int], Awaitable[list[ResolvedAddress]]]


PRIVATE_REFUSED = (
    "is a private or reserved address, which this server does not connect to unless PENNYPOST_ALLOW_PRIVATE_HOSTS "
    "allows it"
)


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


class Lookups:
    """Lookups in progress, at most one per name, in their own threads.

    The event loop's threads are few, and a hanging lookup cannot be cancelled.
    """

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, int], asyncio.Future[Answers]] = {}
        self._threads: FairSlots[FairSlot] = FairSlots(MAX_THREADS, limit_each=THREADS_EACH)

    async def find(self, host: str, port: int, caller: Hashable = None) -> Answers:
        """Raises OSError as getaddrinfo(3) does; waits for one of the threads of the caller, or of the instance."""
        with suppress(OSError, ValueError):  # an IP address needs no DNS and no thread
            return list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST))
        key = (host, port)
        if key not in self._waiting:
            thread = FairSlot(caller)
            await self._threads.acquire(thread)
            self._begin(key, thread)
        return await asyncio.shield(self._waiting[key])  # a caller that stops waiting does not stop it for the others

    def _begin(self, key: tuple[str, int], thread: FairSlot) -> None:
        if key in self._waiting:  # another caller began it while this one waited for a thread
            self._threads.release(thread)
            return
        loop = asyncio.get_running_loop()
        future = self._waiting[key] = loop.create_future()
        future.add_done_callback(lambda done: self._ended(key, thread, done))
        try:
            threading.Thread(target=_find, args=(loop, future, *key), name=f"dns {key[0]}", daemon=True).start()
        except RuntimeError as error:  # the system has no thread left
            future.set_exception(OSError(str(error)))

    def _ended(self, key: tuple[str, int], thread: FairSlot, future: "asyncio.Future[Answers]") -> None:
        self._waiting.pop(key, None)
        self._threads.release(thread)
        if not future.cancelled():
            future.exception()  # marks it as retrieved, so that asyncio logs nothing


def _find(loop: asyncio.AbstractEventLoop, future: "asyncio.Future[Answers]", host: str, port: int) -> None:
    with suppress(RuntimeError):  # the loop has closed
        try:
            addresses: Answers = list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, ValueError) as error:
            loop.call_soon_threadsafe(future.set_exception, error)
        else:
            loop.call_soon_threadsafe(future.set_result, addresses)


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
            raise HostRefused(PRIVATE_REFUSED)
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
