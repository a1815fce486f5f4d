"""Mailing the links that were asked for: the worker's part of mailed_links.

A row that asks stays until its mail is accepted or refused for good, so no crash loses one. Who takes it puts off when
it is looked at next: no two workers mail the same one.
"""

import logging
from datetime import datetime, timedelta

from webapp import clock
from webapp.config import settings
from webapp.domain.auth import system_email
from webapp.domain.auth.one_time_links import REQUESTS, Purpose, create_link
from webapp.domain.auth.sessions import first_organization
from webapp.domain.auth.system_email import Letter
from webapp.logs import RateLimitedLogger
from webapp.models import OneTimeLink, User
from webapp.sending.outcomes import Blame, Delivered, Outcome, Refused, TryLater

log = logging.getLogger(__name__)
_complaints = RateLimitedLogger(log)

ROUND_SECONDS = 10.0  # no other mail is begun after that: a job has a minute, and the last mail may take most of it
ROWS_AT_ONCE = 100
LEASE = timedelta(minutes=2)  # longer than a mail may take
SOONEST, LATEST = timedelta(seconds=15), timedelta(minutes=5)  # between two tries; each wait doubles the age
GIVE_UP = timedelta(hours=1)


async def mail_asked_links() -> None:
    """Mail what was asked for and is due, the oldest first, until the server has trouble or the time is up."""
    until = clock.elapsed() + ROUND_SECONDS
    for asked in await _due():
        if not system_email.is_set_up():
            _complaints.warn("a link waits to be mailed, and PENNYPOST_SMTP_URL is not set for the worker")
            return
        if clock.elapsed() >= until or not await _mail(asked):
            return


async def _due() -> list[OneTimeLink]:
    """Nothing that was asked for long ago: an old backup, say, may hold what was mailed then."""
    now = clock.now()
    asked = OneTimeLink.filter(purpose__in=list(REQUESTS.values()), created_at__gt=now - GIVE_UP)
    return await asked.filter(expires_at__lte=now).order_by("expires_at").limit(ROWS_AT_ONCE)


async def _mail(asked: OneTimeLink) -> bool:
    """Mail one link, unless another worker has taken it; whether the server is well."""
    now = clock.now()
    if not await OneTimeLink.filter(id=asked.id, expires_at__lte=now).update(expires_at=now + LEASE):
        return True
    letter = await _letter(Purpose(asked.purpose), asked.email)
    outcome = await system_email.post(asked.email, letter) if letter is not None else None
    if outcome is None or isinstance(outcome, Delivered):
        await asked.delete()
        return True
    await _note_failure(asked, outcome, clock.now())
    return isinstance(outcome, Refused) or (isinstance(outcome, TryLater) and outcome.blame is Blame.MESSAGE)


async def _note_failure(asked: OneTimeLink, outcome: Outcome, now: datetime) -> None:
    """Say it in the log, and try again later unless that is hopeless."""
    age = now - asked.created_at
    wait = min(max(age, SOONEST), LATEST)
    if isinstance(outcome, Refused) or age + wait >= GIVE_UP:
        log.warning("a mail about signing in was given up: %s", outcome.text)
        await asked.delete()
        return
    log.warning("a mail about signing in waits: %s", outcome.text)
    await OneTimeLink.filter(id=asked.id).update(expires_at=now + wait)


async def _letter(asking: Purpose, email: str) -> Letter | None:
    """The letter to the address; None for one that gets nothing."""
    user = await User.get_or_none(email=email)
    is_somebody = user is not None and await first_organization(user) is not None
    if asking is Purpose.RESET_REQUESTED:
        return await _reset_letter(email) if is_somebody else None
    return _known_letter(email) if is_somebody else await _sign_up_letter(email)


async def _reset_letter(email: str) -> Letter:
    base_url = settings().base_url
    return Letter(
        subject="Your link to a new password",
        before=f"Somebody asked for a new password for {email} at {base_url}. Choose one with this link:",
        link=f"{base_url}/reset/{await create_link(Purpose.RESET, email)}",
        label="Choose a new password",
        after="It works once, for an hour. If it was not you, do nothing: your password stays as it is.",
    )


async def _sign_up_letter(email: str) -> Letter:
    base_url = settings().base_url
    return Letter(
        subject="Your link to sign up",
        before=f"Somebody asked for an account for {email} at {base_url}. Create it with this link:",
        link=f"{base_url}/sign-up/{await create_link(Purpose.SIGN_UP, email)}",
        label="Create the account",
        after="It works once, for a day. If it was not you, do nothing: without the link there is no account.",
    )


def _known_letter(email: str) -> Letter:
    base_url = settings().base_url
    return Letter(
        subject="You have an account already",
        before=f"Somebody asked for an account for {email} at {base_url}. You have one already, sign in with it:",
        link=f"{base_url}/sign-in",
        label="Sign in",
        after="If you forgot your password, that page helps. If it was not you, do nothing: nothing has changed.",
    )
