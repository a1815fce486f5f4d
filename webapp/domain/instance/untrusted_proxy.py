"""A proxy that PENNYPOST_TRUSTED_PROXIES does not name: all its visitors share an address and its limits."""

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
    """The address that a web process saw last, within REMEMBERED_SECONDS, unless it is trusted by now."""
    address = await instance.find_untrusted_proxy(REMEMBERED_SECONDS)
    if address is None or any(ip_address(address) in network for network in settings().trusted_proxies):
        return None
    return address
