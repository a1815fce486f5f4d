"""Whose address counts: the peer's, and a forwarded one as far as trusted proxies vouch for it."""

from dataclasses import replace
from ipaddress import ip_network

from quart import Quart

from webapp import config
from webapp.config import Settings
from webapp.http.client_ip import client_address


async def test_the_address_of_the_client(app: Quart, settings: Settings) -> None:
    config.configure(replace(settings, trusted_proxies=(ip_network("10.0.0.0/8"),)))
    for peer, forwarded, address in (
        ("198.51.100.9", "203.0.113.7", "198.51.100.9"),  # nobody vouches for this one
        ("10.0.0.1", "203.0.113.7", "203.0.113.7"),
        ("10.0.0.1", "192.0.2.66, 203.0.113.7, 10.0.0.2", "203.0.113.7"),  # the first was made up by the client
        ("10.0.0.1", "nonsense", "nonsense"),
        ("::ffff:10.0.0.1", "203.0.113.7", "203.0.113.7"),  # as a socket that listens on :: has it
        ("10.0.0.1", "192.0.2.66, ::FFFF:203.0.113.7, ::ffff:10.0.0.2", "203.0.113.7"),
        ("::ffff:198.51.100.9", "203.0.113.7", "198.51.100.9"),
        ("10.0.0.1", "x" * 5000, "x" * 64),
    ):
        headers = {"Remote-Addr": peer, "X-Forwarded-For": forwarded}
        async with app.test_request_context("/", headers=headers):
            assert await app.preprocess_request() is None
            assert client_address() == address
