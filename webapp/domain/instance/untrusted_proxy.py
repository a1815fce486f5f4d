"""Detects a proxy missing from PENNYPOST_TRUSTED_PROXIES, whose visitors share an address and its limits."""

from ipaddress import ip_address

from webapp.config import settings
from webapp.models import instance

REMEMBERED_SECONDS = 24 * 3600.0


def warning(address: str) -> str:
    return (
        f"{address} sends X-Forwarded-For, but PENNYPOST_TRUSTED_PROXIES does not include it, so all visitors behind "
        f"it count as one: if it is your proxy, set PENNYPOST_TRUSTED_PROXIES={address}"
    )


async def record(address: str) -> None:
    await instance.record_untrusted_proxy(address)


async def find() -> str | None:
    """The latest address that a web process saw within REMEMBERED_SECONDS, unless it is trusted now."""
    address = await instance.find_untrusted_proxy(REMEMBERED_SECONDS)
    if address is None or any(ip_address(address) in network for network in settings().trusted_proxies):
        return None
    return address
