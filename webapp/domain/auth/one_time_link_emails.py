"""Sends the links that were requested: the worker's part of one_time_links.

A request's row stays until its mail is accepted or refused for good, so no crash loses one. The worker that claims it
postpones its next try, so that no two send the same one.
"""

import logging
from datetime import timedelta

from webapp import clock
from webapp.config import settings
from webapp.domain.auth import system_email
from webapp.domain.auth.one_time_links import REQUESTS, Purpose, create_link
from webapp.domain.auth.sessions import first_organization
from webapp.domain.auth.system_email import SystemEmail
from webapp.logs import RateLimitedLogger
from webapp.models import OneTimeLink, User
from webapp.sending.outcomes import Blame, Delivered, Refused, TryLater

log = logging.getLogger(__name__)
_complaints = RateLimitedLogger(log)

ROUND_SECONDS = 10.0  # no other mail is begun after that: a job has a minute, and the last mail may take most of it
ROWS_AT_ONCE = 100
LEASE = timedelta(minutes=2)  # longer than a mail may take
SOONEST, LATEST = timedelta(seconds=15), timedelta(minutes=5)  # between two tries; each wait doubles the age
GIVE_UP = timedelta(hours=1)


async def send_requested_links() -> None:
    """Sends what is due, the oldest first, until the server has trouble or ROUND_SECONDS are over."""
    now, until = clock.now(), clock.elapsed() + ROUND_SECONDS
    # Nothing that was requested long ago: an old backup, say, may hold what was sent then.
    requests = OneTimeLink.filter(purpose__in=list(REQUESTS.values()), created_at__gt=now - GIVE_UP)
    for request in await requests.filter(expires_at__lte=now).order_by("expires_at").limit(ROWS_AT_ONCE):
        if not system_email.is_set_up():
            _complaints.warn("a link waits to be mailed, and PENNYPOST_SMTP_URL is not set for the worker")
            return
        if clock.elapsed() >= until or not await _send(request):
            return


async def _send(request: OneTimeLink) -> bool:
    """Sends one link, unless another worker has claimed it; False when the server has trouble."""
    now = clock.now()
    if not await OneTimeLink.filter(id=request.id, expires_at__lte=now).update(expires_at=now + LEASE):
        return True
    email = await _email_for(Purpose(request.purpose), request.email)
    outcome = await system_email.send(request.email, email) if email is not None else None
    if outcome is None or isinstance(outcome, Delivered):
        await request.delete()
        return True
    now = clock.now()
    age = now - request.created_at
    wait = min(max(age, SOONEST), LATEST)
    if isinstance(outcome, Refused) or age + wait >= GIVE_UP:
        log.warning("a mail about signing in was given up: %s", outcome.text)
        await request.delete()
    else:
        log.warning("a mail about signing in waits: %s", outcome.text)
        await OneTimeLink.filter(id=request.id).update(expires_at=now + wait)
    return isinstance(outcome, Refused) or (isinstance(outcome, TryLater) and outcome.blame is Blame.MESSAGE)


async def _email_for(purpose: Purpose, address: str) -> SystemEmail | None:
    """None for an address that gets nothing."""
    base_url, user = settings().base_url, await User.get_or_none(email=address)
    is_somebody = user is not None and await first_organization(user) is not None
    if purpose is Purpose.RESET_REQUESTED:
        if not is_somebody:
            return None
        return SystemEmail(
            subject="Your link to a new password",
            before=f"Somebody asked for a new password for {address} at {base_url}. Choose one with this link:",
            link=f"{base_url}/reset/{await create_link(Purpose.RESET, address)}",
            label="Choose a new password",
            after="It works once, for an hour. If it was not you, do nothing: your password stays as it is.",
        )
    if is_somebody:
        return SystemEmail(
            subject="You have an account already",
            before=f"Somebody asked for an account for {address} at {base_url}. You have one already, sign in with it:",
            link=f"{base_url}/sign-in",
            label="Sign in",
            after="If you forgot your password, that page helps. If it was not you, do nothing: nothing has changed.",
        )
    return SystemEmail(
        subject="Your link to sign up",
        before=f"Somebody asked for an account for {address} at {base_url}. Create it with this link:",
        link=f"{base_url}/sign-up/{await create_link(Purpose.SIGN_UP, address)}",
        label="Create the account",
        after="It works once, for a day. If it was not you, do nothing: without the link there is no account.",
    )
