"""Detects a proxy missing from PENNYPOST_TRUSTED_PROXIES, whose visitors share an address and its limits."""

from ipaddress import ip_address

from tortoise.expressions import RawSQL

from webapp import db
from webapp.config import settings
from webapp.models import Instance
from webapp.models.instance import INSTANCE_ID, insert_row

REMEMBERED_SECONDS = 24 * 3600.0


def warning(address: str) -> str:
    return (
        f"{address} sends X-Forwarded-For, but PENNYPOST_TRUSTED_PROXIES does not include it, so all visitors behind "
        f"it count as one: if it is your proxy, set PENNYPOST_TRUSTED_PROXIES={address}"
    )


async def record(address: str) -> None:
    await insert_row()
    now = RawSQL(db.dialect().now)
    await Instance.filter(id=INSTANCE_ID).update(untrusted_proxy=address, untrusted_proxy_at=now)


async def find() -> str | None:
    """The latest address that a web process saw within REMEMBERED_SECONDS, unless it is trusted now."""
    aged = Instance.annotate(seconds=RawSQL(db.dialect().since("untrusted_proxy_at")))
    row = await aged.get_or_none(id=INSTANCE_ID, seconds__lt=REMEMBERED_SECONDS)
    address = row.untrusted_proxy if row else None
    if address is None or any(ip_address(address) in network for network in settings().trusted_proxies):
        return None
    return address
