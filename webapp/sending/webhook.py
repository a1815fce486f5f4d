"""URLs and signatures of webhooks (github.com/standard-webhooks)."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from urllib.parse import urlsplit, urlunsplit

from webapp import hosts
from webapp.sending import host_policy
from webapp.sending.endpoint import Destination, PostRefused
from webapp.sending.host_policy import HostPolicy, HostRefused, HostUnknown, LookupFailed

PORTS = (80, 443)
SECRET_PREFIX = "whsec_"  # noqa: S105 - no secret
SECRET_BYTES = 32
HTTPS_ONLY = (
    "must be reached over https: only hosts of a private network are over http, "
    "if the operator allows them by PENNYPOST_ALLOW_PRIVATE_HOSTS"
)
# RFC 6761, 6762 (G) and 8375, and ICANN's .internal
PRIVATE_DOMAINS = ("corp", "home", "internal", "intranet", "lan", "local", "localhost", "private", "test")


def new_secret() -> str:
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def signed_headers(message_id: str, timestamp: int, body: bytes, signing: Sequence[str]) -> dict[bytes, bytes]:
    """The headers with a signature per secret, also under the `svix-` names that older clients expect."""
    text = f"{message_id}.{timestamp}.".encode() + body
    values = {
        "id": message_id,
        "timestamp": str(timestamp),
        "signature": " ".join(f"v1,{_signature(secret, text)}" for secret in signing),
    }
    return {f"{kind}-{name}".encode(): value.encode() for kind in ("webhook", "svix") for name, value in values.items()}


def _signature(secret: str, text: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    return base64.b64encode(hmac.digest(key, text, hashlib.sha256)).decode()


def check_url(url: str) -> str:
    """The stripped URL. Raises ValueError with a predicate without its subject."""
    url = url.strip()
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ValueError("is not a valid URL") from None
    if parts.scheme not in ("https", "http") or not parts.hostname:
        raise ValueError("must be a URL like https://example.com/path")
    if parts.username is not None or parts.password is not None:
        raise ValueError("must not contain a user name or password")
    if parts.fragment:
        raise ValueError("must not contain a fragment (#)")
    if port == 0:
        raise ValueError("must have a port from 1 to 65535")
    if any(character.isspace() for character in url):
        raise ValueError("must not contain spaces")
    ascii_host(parts.hostname)
    return urlunsplit(parts)


def ascii_host(host: str) -> str:
    """The host as A-labels or as an address. Raises ValueError."""
    try:
        hosts.host_of(host.replace("_", "x"))  # names of containers may have underscores
    except ValueError:
        raise ValueError("must have a host name or an address, like example.com") from None
    return hosts.a_labels(host.removesuffix("."))


async def resolve_url(url: str, policy: HostPolicy, lookup: host_policy.Lookup | None = None) -> Destination:
    """Resolves the URL. Raises HostRefused, HostUnknown, LookupFailed, and ValueError like `check_url`."""
    parts = urlsplit(check_url(url))
    host = ascii_host(parts.hostname or "")
    if parts.scheme == "http" and not policy.allow_private and not policy.networks:
        raise HostRefused(HTTPS_ONLY)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        endpoints = await host_policy.resolve(host, port, policy, ports=PORTS, lookup=lookup)
    except (HostUnknown, LookupFailed):
        is_private_name = "." not in host or host.rpartition(".")[2].lower() in PRIVATE_DOMAINS
        if parts.scheme == "http" and not is_private_name and not host.endswith(".home.arpa"):
            raise HostRefused(HTTPS_ONLY) from None
        raise
    if parts.scheme == "http" and any(host_policy.is_public(endpoint.address) for endpoint in endpoints):
        raise HostRefused(HTTPS_ONLY)
    target = parts._replace(netloc=f"{_bracketed(str(endpoints[0].address))}:{port}", path=parts.path or "/")
    shown_port = "" if parts.port is None else f":{parts.port}"
    return Destination(urlunsplit(target), f"{_bracketed(host)}{shown_port}", host)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


async def destination(url: str, policy: HostPolicy) -> Destination:
    """Like `resolve_url`. Raises PostRefused."""
    try:
        host = urlsplit(check_url(url)).hostname
        return await resolve_url(url, policy)
    except HostRefused as error:
        raise PostRefused(f"{host if error.about == 'host' else 'the port'} {error}") from None
    except ValueError as error:  # a URL saved by an earlier version
        raise PostRefused(f"the URL {error}") from None
    except HostUnknown:
        raise PostRefused(f"{host} does not exist") from None
    except LookupFailed:
        raise PostRefused(f"{host} could not be looked up") from None
