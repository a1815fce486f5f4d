"""Requests to an endpoint: over TLS that is verified, and for no longer than 15 seconds."""

import pytest

from tests.fakes.endpoint import Endpoint
from tests.fakes.smtp_server import Certificate, client_context
from tests.sending.conftest import lookup_of
from webapp.sending.endpoint import Destination, EndpointClient, PostRefused, WebhookAnswer
from webapp.sending.host_policy import HostPolicy, HostRefused
from webapp.sending.webhook import resolve_url

HOUSE = HostPolicy(allow_private=True)


async def ask(endpoint: Endpoint, host: str = "127.0.0.1") -> WebhookAnswer:
    client = EndpointClient(client_context)
    try:
        to = await resolve_url(endpoint.url, HOUSE)
        return await client.post(Destination(to.url, host, host), {}, b"{}")
    finally:
        client.close()


async def test_a_certificate_is_judged_by_the_name_not_by_the_address() -> None:
    async with Endpoint(certificate="good") as endpoint:
        assert await ask(endpoint, "mx.example.com") == WebhookAnswer(200, "ok")
        with pytest.raises(PostRefused, match=r"^the certificate of mx\.example\.org is not valid: Hostname mismatch"):
            await ask(endpoint, "mx.example.org")
    assert [one.headers["host"] for one in endpoint.received] == ["mx.example.com"]


@pytest.mark.parametrize(
    ("certificate", "words"),
    [("wrong-name", "mismatch"), ("expired", "expired"), ("untrusted", "self-signed certificate|issuer")],
)
async def test_nothing_is_posted_under_a_bad_certificate(certificate: Certificate, words: str) -> None:
    async with Endpoint(certificate=certificate) as endpoint:
        with pytest.raises(PostRefused, match=rf"^the certificate of 127\.0\.0\.1 is not valid: .*({words})"):
            await ask(endpoint)
    assert endpoint.received == []


async def test_a_public_host_is_reached_over_https_alone() -> None:
    lookup = lookup_of("93.184.215.14")
    with pytest.raises(HostRefused, match="must be reached over https"):
        await resolve_url("http://example.com/hooks", HOUSE, lookup)
    to = await resolve_url("https://example.com/hooks?a=b", HOUSE, lookup)
    assert to == ("https://93.184.215.14:443/hooks?a=b", "example.com", "example.com")


async def test_a_closed_port_is_named_in_words() -> None:
    async with Endpoint() as endpoint:
        pass
    with pytest.raises(PostRefused, match=r"^could not connect to 127\.0\.0\.1: Connection refused$"):
        await ask(endpoint)
