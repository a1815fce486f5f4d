"""Links that are mailed to an address to prove that somebody reads there: asked for, found again, used once.

Asking costs the same for every address: it keeps a row and no more. The worker looks later whether somebody has the
address, and makes the link when it mails it (link_mails), so that no token is kept anywhere but in the mail.
"""

from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum

from webapp import clock, crypto, db
from webapp.domain.inputs import Input, LoginEmail
from webapp.domain.throttle import Script, SharedThrottle, network_of
from webapp.errors import NotFound, RateLimitExceeded
from webapp.models import OneTimeLink
from webapp.queue import Job, enqueue

HOUR_SECONDS = 3600
MAILS_AN_HOUR = 3  # to an address
TRIES_AN_HOUR = 10  # from a network


class Purpose(StrEnum):
    """What a link is for. The last two are of rows that ask for one: nobody knows a token of theirs."""

    RESET = "reset"
    SIGN_UP = "sign_up"
    ASK_RESET = "ask_reset"
    ASK_SIGN_UP = "ask_sign_up"


ASKING: Mapping[Purpose, Purpose] = {Purpose.RESET: Purpose.ASK_RESET, Purpose.SIGN_UP: Purpose.ASK_SIGN_UP}
LIFETIMES: Mapping[Purpose, timedelta] = {Purpose.RESET: timedelta(hours=1), Purpose.SIGN_UP: timedelta(hours=24)}


class Asker(Input):
    """Who asks for a link: an address, whoever's it is."""

    email: LoginEmail


class LinkThrottle:
    """How often links are mailed and asked for, over all processes."""

    def __init__(self, script: Script) -> None:
        """Count by what runs the script of shared throttles."""
        self._per_network = SharedThrottle(script, "mailed-links:network", TRIES_AN_HOUR, HOUR_SECONDS)
        self._per_address = SharedThrottle(script, "mailed-links:address", MAILS_AN_HOUR, HOUR_SECONDS)

    async def admit(self, email: str, client_address: str) -> bool:
        """Count a try; whether the address may get another mail. Raises RateLimitExceeded for who has tried too often.

        That an address has had its mails is told to nobody: whose it is has them.
        """
        wait = await self._per_network.consume(network_of(client_address))
        if wait:
            minutes = -(-wait // 60)
            raise RateLimitExceeded(
                f"Too many tries. Wait {minutes} minute{'s' if minutes > 1 else ''} and try again.", wait
            )
        return not await self._per_address.consume(email)


async def ask_for_link(purpose: Purpose, asker: Asker, client_address: str, throttle: LinkThrottle) -> None:
    """Have a link mailed, if the address is one that gets one. Raises RateLimitExceeded, the same for all addresses."""
    if not await throttle.admit(asker.email, client_address):
        return
    row = OneTimeLink(
        token_hash=crypto.digest(crypto.new_token()),
        purpose=ASKING[purpose],
        email=asker.email,
        expires_at=clock.now(),  # of a row that asks: when it is looked at next
    )
    async with db.write_transaction():
        await OneTimeLink.bulk_create([row], ignore_conflicts=True)  # one that waits already is enough
        enqueue(Job.MAIL_LINKS, row.id)


async def make_link(purpose: Purpose, email: str) -> str:
    """The token of a new link for the address; an older one of the same purpose stops working."""
    token = crypto.new_token()
    async with db.write_transaction():
        await OneTimeLink.filter(purpose=purpose, email=email).delete()
        await OneTimeLink.create(
            token_hash=crypto.digest(token),
            purpose=purpose,
            email=email,
            expires_at=clock.now() + LIFETIMES[purpose],
        )
    return token


async def address_of(purpose: Purpose, token: str) -> str:
    """The address that a link was mailed to. Raises NotFound for one that is unknown, used, replaced or too old."""
    return (await _find(purpose, token)).email


async def use_link(purpose: Purpose, token: str) -> str:
    """Use the link up, inside the caller's transaction, and return its address. Raises NotFound as `address_of`."""
    link = await _find(purpose, token)
    # Of two uses at once the one whose delete finds the row goes on; the other waits for it and finds none.
    if not await OneTimeLink.filter(id=link.id).delete():
        raise NotFound
    return link.email


async def _find(purpose: Purpose, token: str) -> OneTimeLink:
    known = OneTimeLink.filter(token_hash=crypto.digest(token), purpose=purpose, expires_at__gt=clock.now())
    link = await known.get_or_none()
    if link is None:
        raise NotFound
    return link


async def void_resets(email: str) -> None:
    """Make links to a new password worthless, also one that is only asked for; inside the caller's transaction."""
    await OneTimeLink.filter(email=email, purpose__in=[Purpose.RESET, Purpose.ASK_RESET]).delete()


async def forget_old_links() -> int:
    """Remove links that nobody can use any more, and what was asked for long ago and could never be mailed."""
    return await OneTimeLink.filter(expires_at__lt=clock.now() - timedelta(seconds=HOUR_SECONDS)).delete()
