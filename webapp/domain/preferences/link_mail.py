"""Mails readers the link to their preferences.

A request only adds a row, so that it takes the same time for every address; a worker looks for the contact.
"""

import re

from webapp.config import settings
from webapp.domain.auth.sessions import Browser
from webapp.domain.inputs import EmailAddress, Input
from webapp.domain.link_signing import ReaderLink, ReaderPath
from webapp.domain.reader_mail.letter import Letter
from webapp.domain.reader_mail.queue import ReaderMailQueue, words_for
from webapp.domain.throttle import LinkThrottle, network_of
from webapp.errors import NotFound
from webapp.models import Contact, Organization, ReaderMail

PUBLIC_KEY = re.compile(r"[0-9a-f]{32}")


class PreferencesLinkRequest(Input):
    email: EmailAddress


async def find_organization(public_key: str) -> Organization:
    """Raises NotFound."""
    org = await Organization.get_or_none(public_key=public_key) if PUBLIC_KEY.fullmatch(public_key) else None
    if org is None:
        raise NotFound
    return org


def preferences_url(org: Organization) -> str:
    """The page where readers who have no email of the organization get their link."""
    return f"{settings().base_url}/preferences/{org.public_key}"


async def request_link(
    org: Organization,
    request: PreferencesLinkRequest,
    browser: Browser,
    throttle: LinkThrottle,
    language: str | None,
) -> None:
    """Raises RateLimitExceeded in the same way for all addresses, counted over all organizations."""
    if await throttle.admit(request.email.lower(), network_of(browser.address)):
        await queue.add(org, request.email, language=language)


async def _write(mail: ReaderMail) -> Letter | None:
    contact = await Contact.of(mail.org).get_or_none(email_key=mail.email_key)
    if contact is None:
        return None
    t, sender, account_id = await words_for(mail.org, mail.language or contact.language)
    return Letter(
        subject=t.plain("preferences_link.subject", sender=sender),
        before=t.plain("preferences_link.before", sender=sender, email=contact.email),
        label=t.plain("preferences_link.label"),
        after=t.plain("preferences_link.after"),
        link=ReaderLink(ReaderPath.PREFERENCES, contact.id, mail.id),
        language=t.language,
        account_id=account_id,
    )


queue = ReaderMailQueue("preferences", _write)
