"""One-time links that prove who reads an address.

A request only writes a row, so that it takes the same time for every address; a worker creates the link while mailing
it, so that the token is only in the email.
"""

from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum

from tortoise.queryset import QuerySet

from webapp import clock, crypto, db
from webapp.config import settings
from webapp.domain.auth.email_queue import EmailQueue
from webapp.domain.auth.sessions import Browser, device_of, first_organization
from webapp.domain.auth.system_email import SystemEmail
from webapp.domain.inputs import Input, LoginEmail
from webapp.domain.throttle import LinkThrottle, network_of
from webapp.errors import NotFound
from webapp.languages import DEFAULT, Translator
from webapp.models import OneTimeLink, User
from webapp.queue import Job, enqueue

GIVE_UP = timedelta(hours=1)


class Purpose(StrEnum):
    """The last two are requests; their tokens are never sent."""

    RESET = "reset"
    SIGN_UP = "sign_up"
    RESET_REQUESTED = "ask_reset"
    SIGN_UP_REQUESTED = "ask_sign_up"


REQUESTS = (Purpose.RESET_REQUESTED, Purpose.SIGN_UP_REQUESTED)
LIFETIMES: Mapping[Purpose, timedelta] = {Purpose.RESET: timedelta(hours=1), Purpose.SIGN_UP: timedelta(hours=24)}


class LinkRequest(Input):
    email: LoginEmail


async def request_link(
    purpose: Purpose, request: LinkRequest, browser: Browser, throttle: LinkThrottle, language: str | None = None
) -> None:
    """`purpose` is one of REQUESTS. Raises RateLimitExceeded in the same way for all addresses, for new browsers."""
    is_known = device_of(request.email, browser.device) is not None
    if not await throttle.admit(request.email, None if is_known else network_of(browser.address)):
        return
    row = OneTimeLink(
        token_hash=crypto.digest(crypto.new_token()),
        purpose=purpose,
        email=request.email,
        language=language,
        expires_at=clock.now(),  # the next try
    )
    async with db.write_transaction():
        await OneTimeLink.bulk_create([row], ignore_conflicts=True)  # one pending request is enough
        enqueue(Job.MAIL_LINKS, row.id)


async def send_requested_links() -> None:
    await _queue.send(OneTimeLink.filter(purpose__in=REQUESTS))


async def _compose(request: OneTimeLink) -> SystemEmail | None:
    address = request.email
    user = await User.get_or_none(email=address)
    is_somebody = user is not None and await first_organization(user) is not None
    if request.purpose == Purpose.RESET_REQUESTED:
        if not is_somebody:
            return None
        return _email(request, "reset", f"reset/{await create_link(Purpose.RESET, address)}", "account.new_title")
    if is_somebody:
        return _email(request, "known", "sign-in", "account.sign_in")
    return _email(request, "sign_up", f"sign-up/{await create_link(Purpose.SIGN_UP, address)}", "account.create")


def _email(request: OneTimeLink, name: str, path: str, label: str) -> SystemEmail:
    """In the language of the page that asked for it."""
    t, base_url = Translator(request.language or DEFAULT, {}), settings().base_url
    return SystemEmail(
        to=request.email,
        subject=t.plain(f"account_mail.{name}_subject"),
        before=t.plain(f"account_mail.{name}_before", email=request.email, url=base_url),
        link=f"{base_url}/{path}",
        label=t.plain(label),
        after=t.plain(f"account_mail.{name}_after"),
        language=t.language,
    )


_queue = EmailQueue("a mail about signing in", "expires_at", GIVE_UP, _compose)


async def create_link(purpose: Purpose, email: str) -> str:
    """Returns the token; an older link with the same purpose stops working."""
    token = crypto.new_token()
    async with db.write_transaction():
        await OneTimeLink.filter(purpose=purpose, email=email).delete()
        await OneTimeLink.create(
            token_hash=crypto.digest(token), purpose=purpose, email=email, expires_at=clock.now() + LIFETIMES[purpose]
        )
    return token


async def find_address(purpose: Purpose, token: str) -> str:
    """Raises NotFound if the link is unknown, used, replaced or expired."""
    link = await _working(purpose, token).get_or_none()
    if link is None:
        raise NotFound
    return link.email


async def use_link(purpose: Purpose, token: str) -> None:
    """Deletes the link in the caller's transaction. Raises NotFound."""
    # Of concurrent uses, only the one whose delete finds the row succeeds.
    if not await _working(purpose, token).delete():
        raise NotFound


def _working(purpose: Purpose, token: str) -> QuerySet[OneTimeLink]:
    return OneTimeLink.filter(token_hash=crypto.digest(token), purpose=purpose, expires_at__gt=clock.now())


async def revoke_reset_links(email: str) -> None:
    """Includes pending requests; call it in the caller's transaction."""
    await OneTimeLink.filter(email=email, purpose__in=[Purpose.RESET, Purpose.RESET_REQUESTED]).delete()


async def forget_old_links() -> int:
    """Includes requests that could not be mailed."""
    return await OneTimeLink.filter(expires_at__lt=clock.now() - GIVE_UP).delete()
