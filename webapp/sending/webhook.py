"""Posts events to webhooks, signed as Standard Webhooks specifies (github.com/standard-webhooks/standard-webhooks)."""

import asyncio
import base64
import hashlib
import hmac
import secrets
import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import SplitResult, urlsplit, urlunsplit

import idna

from webapp import clock
from webapp.sending import host_policy
from webapp.sending.host_policy import HostPolicy, HostRefused, HostUnknown, LookupFailed
from webapp.sending.outcomes import SUCCESS, clean
from webapp.sending.smtp.connect import certificate_error, shared_tls_context

if TYPE_CHECKING:
    import httpx2  # loaded with the first request

PORTS = (80, 443)
SECRET_PREFIX = "whsec_"  # noqa: S105 - no secret
SECRET_BYTES = 32
RESPONSE_SECONDS = 15.0
KEPT_BYTES = 2 * 1024  # of an answer
READ_BYTES = 64 * 1024  # of an answer, before the connection is closed instead
LONGEST_PAUSE = 24 * 3600.0  # seconds that an endpoint may ask for
USER_AGENT = b"Pennypost webhooks (+https://www.standardwebhooks.com)"
BUSY, GONE = (429, 503), 410


class PostRefused(Exception):
    """The URL may not be posted to, or there is no answer; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class WebhookAnswer:
    status: int
    text: str  # of its first 2 KiB
    pause: float | None = None  # seconds, that the endpoint asks for

    @property
    def is_accepted(self) -> bool:
        return self.status in SUCCESS

    @property
    def is_gone(self) -> bool:
        return self.status == GONE


class Destination(NamedTuple):
    """A URL with the address that it was resolved to in place of its host, which alone is connected to."""

    url: str
    host: str  # with a port that is not the scheme's
    server_name: str  # that its certificate must have


def new_secret() -> str:
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def signed_headers(message_id: str, timestamp: int, body: bytes, signing: Sequence[str]) -> dict[bytes, bytes]:
    """The headers of a message, its signatures by each secret; `svix-` names too, which older clients ask for."""
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
    """The URL of an endpoint. Raises ValueError with a sentence without its subject."""
    try:
        parts = urlsplit(url.strip())
        _ = parts.port
    except ValueError:
        raise ValueError("is not a valid URL") from None
    if parts.scheme not in ("https", "http") or not parts.hostname:
        raise ValueError("must be a URL like https://example.com/webhooks")
    if parts.username is not None or parts.password is not None:
        raise ValueError("must not contain a user name or password")
    if parts.fragment:
        raise ValueError("must not contain a fragment (#)")
    return urlunsplit(parts)


async def resolve_url(
    url: str, policy: HostPolicy, lookup: host_policy.Lookup = host_policy.system_lookup
) -> Destination:
    """The destination, resolved now. Raises HostRefused, HostUnknown, LookupFailed."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    found = await host_policy.resolve(host, port, policy, ports=PORTS, lookup=lookup)
    if parts.scheme == "http" and any(host_policy.is_public(one.address) for one in found):
        raise HostRefused("must be reached over https: only hosts of a private network are over http")
    target = SplitResult(
        parts.scheme, f"{_bracketed(str(found[0].address))}:{port}", parts.path or "/", parts.query, ""
    )
    ascii_host = host if host.isascii() else idna.encode(host, uts46=True).decode()
    shown_port = "" if parts.port is None else f":{parts.port}"
    return Destination(urlunsplit(target), f"{_bracketed(ascii_host)}{shown_port}", ascii_host)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host  # an IPv6 address


class EndpointClient:
    """Posts to one endpoint over connections of its own, so that none was verified for another host."""

    def __init__(self, tls: Callable[[], ssl.SSLContext] = shared_tls_context) -> None:
        self._tls = tls
        self._client: httpx2.AsyncClient | None = None

    async def post(self, to: Destination, headers: dict[bytes, bytes], body: bytes) -> WebhookAnswer:
        """Raises PostRefused without an answer within RESPONSE_SECONDS; follows no redirect."""
        import httpx2

        given = {b"Host": to.host.encode(), b"Content-Type": b"application/json", b"User-Agent": USER_AGENT, **headers}
        try:
            async with (
                asyncio.timeout(RESPONSE_SECONDS),
                self._opened().stream(
                    "POST", to.url, content=body, headers=given, extensions={"sni_hostname": to.server_name}
                ) as response,
            ):
                kept, read = b"", 0
                async for piece in response.aiter_raw():
                    kept += piece[: KEPT_BYTES - len(kept)]
                    read += len(piece)
                    if read > READ_BYTES:
                        break
                pause = _pause(response.headers.get("Retry-After")) if response.status_code in BUSY else None
                return WebhookAnswer(response.status_code, kept.decode("utf-8", "replace"), pause)
        except (TimeoutError, httpx2.TimeoutException):
            raise PostRefused(f"{to.host} did not answer within {RESPONSE_SECONDS:.0f} seconds") from None
        except httpx2.ConnectError as error:
            raise PostRefused(_why_unconnected(to, error)) from None
        except (httpx2.HTTPError, OSError):
            raise PostRefused(f"{to.host} closed the connection without an answer") from None

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    def _opened(self) -> "httpx2.AsyncClient":
        import httpx2

        if self._client is None:
            self._client = httpx2.AsyncClient(
                verify=self._tls(), trust_env=False, follow_redirects=False, timeout=RESPONSE_SECONDS
            )
        return self._client


async def destination(url: str, policy: HostPolicy) -> Destination:
    """As `resolve_url`. Raises PostRefused."""
    host = urlsplit(url).hostname
    try:
        return await resolve_url(url, policy)
    except HostRefused as error:
        raise PostRefused(f"{host if error.about == 'host' else 'the port'} {error}") from None
    except HostUnknown:
        raise PostRefused(f"{host} does not exist") from None
    except LookupFailed:
        raise PostRefused(f"{host} could not be looked up") from None


def _why_unconnected(to: Destination, error: Exception) -> str:
    certificate = certificate_error(error)
    if certificate is not None:
        return clean(f"the certificate of {to.server_name} is not valid: {certificate.verify_message}")
    return clean(f"could not connect to {to.host}: {error}")


def _pause(text: str | None) -> float | None:
    """The seconds of a Retry-After header (RFC 9110, 10.2.3); None without a valid one."""
    if text is None:
        return None
    try:
        at = float(text) if text.strip().isdigit() else (parsedate_to_datetime(text) - clock.now()).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return None
    return min(max(at, 0.0), LONGEST_PAUSE)
