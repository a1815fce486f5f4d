"""Which hosts may be dialled (attacks S41 and S42)."""

import ipaddress
import socket
from typing import Never

import pytest

from tests.sending.conftest import lookup_of
from webapp.config import read_settings
from webapp.sending.host_policy import HostPolicy, HostRefused, HostUnknown, Lookup, LookupFailed, is_private, resolve

ENVIRON = {"PENNYPOST_SECRET_KEYS": "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s="}
OPEN = HostPolicy(allow_private=True)
CLOSED = HostPolicy()


def failing(error: Exception) -> Lookup:
    """A lookup that fails."""

    async def lookup(_host: str, _port: int) -> Never:
        raise error

    return lookup


@pytest.mark.parametrize("address", ["8.8.8.8", "2a00:1450:4013:c01::1b"])
async def test_a_public_address_may_be_dialled(address: str) -> None:
    (endpoint,) = await resolve("mx.example.com", 587, CLOSED, lookup=lookup_of(address))
    assert endpoint.sockaddr[:2] == (address, 587)


@pytest.mark.parametrize(
    ("address", "private"),
    [
        *((address, True) for address in ("127.0.0.1", "10.1.1.1", "100.64.0.1", "fd00::1", "::ffff:10.0.0.1")),
        *((address, False) for address in ("8.8.8.8", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1")),
    ],
)
def test_a_public_address_in_disguise_is_not_private(address: str, private: bool) -> None:  # noqa: FBT001 - a table
    assert is_private(ipaddress.ip_address(address)) == private


async def test_one_private_record_is_enough() -> None:
    with pytest.raises(HostRefused):
        await resolve("mx.example.com", 25, CLOSED, lookup=lookup_of("8.8.8.8", "10.0.0.1"))


@pytest.mark.parametrize("port", [22, 1025, 6379])
async def test_other_ports_are_refused(port: int) -> None:
    with pytest.raises(HostRefused, match="must be 25, 465, 587 or 2525") as caught:
        await resolve("mx.example.com", port, CLOSED, lookup=lookup_of("8.8.8.8"))
    assert caught.value.about == "port"


async def test_a_listed_network_may_be_dialled_on_any_port_and_nothing_else() -> None:
    policy = HostPolicy(networks=(ipaddress.ip_network("10.1.0.0/16"),))
    assert await resolve("relay", 1025, policy, lookup=lookup_of("10.1.2.3"))
    assert await resolve("relay", 1025, policy, lookup=lookup_of("::ffff:10.1.2.3"))
    assert await resolve("relay", 25, policy, lookup=lookup_of("10.1.2.3", "8.8.8.8"))
    with pytest.raises(HostRefused):
        await resolve("relay", 25, policy, lookup=lookup_of("10.2.0.1"))
    with pytest.raises(HostRefused, match="must be 25"):
        await resolve("relay", 1025, policy, lookup=lookup_of("10.1.2.3", "8.8.8.8"))


@pytest.mark.parametrize("policy", [OPEN, HostPolicy.of(read_settings(ENVIRON), None, exempt=True)])
async def test_an_open_policy_and_the_sandbox_may_dial_home(policy: HostPolicy) -> None:
    assert await resolve("127.0.0.1", 1025, policy)


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), HostUnknown),
        (socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution"), LookupFailed),
        (OSError("no sockets left"), LookupFailed),
        (UnicodeError("label too long"), HostUnknown),
    ],
)
async def test_no_such_name_and_no_answer_are_different(error: Exception, raised: type[Exception]) -> None:
    with pytest.raises(raised):
        await resolve("mx.example.com", 25, CLOSED, lookup=failing(error))


def test_the_policy_is_that_of_the_instance() -> None:
    listed = read_settings({**ENVIRON, "PENNYPOST_ALLOW_PRIVATE_HOSTS": "10.0.0.0/8"})
    allowed = read_settings({**ENVIRON, "PENNYPOST_ALLOW_PRIVATE_HOSTS": "1"})
    assert HostPolicy.of(read_settings(ENVIRON), None) == CLOSED
    assert HostPolicy.of(listed, None) == HostPolicy(networks=(ipaddress.ip_network("10.0.0.0/8"),))
    assert HostPolicy.of(allowed, None) == OPEN
    assert HostPolicy.of(listed, None, exempt=True).allow_private
