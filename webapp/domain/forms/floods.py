"""Bounds of sign-ups: per address and network, by a signed time stamp, and for a flooded form."""

import ipaddress
from collections.abc import Mapping
from datetime import datetime, timedelta
from uuid import UUID

from webapp import clock, crypto, db
from webapp.addresses import email_key
from webapp.domain.contacts import consent
from webapp.domain.throttle import Script, SharedThrottle
from webapp.models import BarredAddress, Organization, PendingSignUp, SignUpForm
from webapp.models.instance import is_signed, sign
from webapp.models.queries.sign_ups import LEAST, flooded_forms

MINUTES, HOUR, DAY = 60, 3600, 24 * 3600  # seconds
LEAST_SECONDS = 2  # between the page and the sign-up
STAMP_SECONDS = DAY  # an older stamp counts as none
STAMPED_AN_HOUR, UNSTAMPED_AN_HOUR = 10, 3  # per network and organization
A_DAY = 3  # confirmations per address, over all forms of the instance
NETWORK_BITS = {4: 24, 6: 48}
BARRED, BARRED_AT_ONCE = timedelta(days=365), 500
GUARDED = PROOF_LIFETIME = timedelta(hours=1)
UNPROVEN_AN_HOUR = LEAST // 2  # sign-ups by a flooded form without a proof of work
STAMP = "form-stamp"  # what a stamp is signed for


class SignUpThrottle:
    def __init__(self, script: Script) -> None:
        self._soon = SharedThrottle(script, "sign-ups:address", 1, 10 * MINUTES)
        self._daily = SharedThrottle(script, "sign-ups:address-daily", A_DAY, DAY)
        self._network = SharedThrottle(script, "sign-ups:network", STAMPED_AN_HOUR, HOUR)
        self._unstamped = SharedThrottle(script, "sign-ups:unstamped", UNSTAMPED_AN_HOUR, HOUR)
        self._proofs = SharedThrottle(script, "sign-ups:proof", 1, int(PROOF_LIFETIME.total_seconds()))
        self._unproven = SharedThrottle(script, "sign-ups:unproven", UNPROVEN_AN_HOUR, HOUR)

    async def admits_network(self, form: SignUpForm, network: str, *, is_stamped: bool) -> bool:
        key = f"{form.org_id} {network}"
        if not is_stamped and await self._unstamped.consume(key):
            return False
        return not await self._network.consume(key)

    async def admits_proof(self, nonce: str) -> bool:
        """True once for each challenge."""
        return not await self._proofs.consume(nonce)

    async def admits_unproven(self, form: SignUpForm) -> bool:
        return not await self._unproven.consume(str(form.id))

    async def admits_address(self, email: str) -> bool:
        key = email_key(email)
        return not await self._soon.consume(key) and not await self._daily.consume(key)

    async def refund_address(self, email: str) -> None:
        for throttle in (self._soon, self._daily):
            await throttle.refund(email_key(email))


def new_stamp(form: SignUpForm) -> str:
    """The signed time at which a form's page was opened."""
    seconds = str(int(clock.now().timestamp()))
    return f"{seconds}.{sign(STAMP, f'{form.id} {seconds}')}"


def seconds_since(form: SignUpForm, stamp: str) -> int | None:
    """Since the form's page was opened; None for a stamp that is not ours, too old, or from a clock ahead of ours."""
    seconds, _, signature = stamp[:100].partition(".")
    if not (stamp.isascii() and seconds.isdigit() and is_signed(STAMP, f"{form.id} {seconds}", signature)):
        return None
    age = int(clock.now().timestamp()) - int(seconds)
    return age if 0 <= age <= STAMP_SECONDS else None


def wide_network(address: str) -> str:
    """The /24 of an IPv4 address, or the /48 of an IPv6 address."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    parsed = getattr(parsed, "ipv4_mapped", None) or parsed
    return str(ipaddress.ip_network((parsed, NETWORK_BITS[parsed.version]), strict=False))


async def bar_address(org: Organization, sign_up: PendingSignUp) -> None:
    """Keeps the organization's forms from mailing the address for a year, in the outer transaction."""
    address_hash, until = _hash(org.id, sign_up.email), clock.now() + BARRED
    await _bar(org, {address_hash: until})
    await consent.record_barred(org.id, sign_up.id, address_hash, until)


async def bar_restored() -> None:
    """Bars again what was barred since a restored backup. Raises ConfigError."""
    words = await consent.last_words()
    for org in await Organization.filter(id__in=list(words)):
        await _bar(org, words[org.id].barred)


async def _bar(org: Organization, barred: Mapping[str, datetime]) -> None:
    rows = [BarredAddress(org_id=org.id, address_hash=address, expires_at=until) for address, until in barred.items()]
    await BarredAddress.bulk_create(
        rows, BARRED_AT_ONCE, on_conflict=["org_id", "address_hash"], update_fields=["expires_at"]
    )


async def is_barred(org: Organization, email: str) -> bool:
    return await BarredAddress.of(org).filter(address_hash=_hash(org.id, email), expires_at__gt=clock.now()).exists()


def _hash(org_id: UUID, email: str) -> str:
    return crypto.digest(sign("barred-address", f"{org_id} {email_key(email)}"))


async def guard_flooded_forms() -> None:
    """Asks for a proof of work at flooded forms for an hour; a notification mails the organization's admins."""
    flooded = await flooded_forms(clock.now())
    async with db.write_transaction():
        await SignUpForm.across_orgs().filter(id__in=flooded).update(closed_until=clock.now() + GUARDED)


async def forget_old_bars() -> None:
    await BarredAddress.across_orgs().filter(expires_at__lte=clock.now()).delete()
