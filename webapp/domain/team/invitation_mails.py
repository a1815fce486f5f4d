"""Mails an invitation's link, where the instance has a mail server.

It sends while the inviter waits: the page shows the link too, so that a link that could not be mailed can be handed
over.
"""

import re

from webapp.config import settings
from webapp.domain.auth import system_email
from webapp.domain.auth.system_email import Letter
from webapp.domain.team.invitations import Invited
from webapp.models import Organization
from webapp.sending.outcomes import Delivered, Halted

LONGEST_NAME = 40
NOT_A_NAME = re.compile(r"[^\w &'-]+")


async def mail_invitation(org: Organization, invited: Invited) -> str | None:
    """Mails the link; None when the server accepted it, else the failure in words."""
    outcome = await system_email.post(invited.invitation.email, _letter(org, invited))
    if isinstance(outcome, Delivered):
        return None
    return "it was stopped" if isinstance(outcome, Halted) else outcome.text


def _letter(org: Organization, invited: Invited) -> Letter:
    """The mail; the organization's name is the only text that the inviter controls."""
    name = _sanitize_name(org.name)
    return Letter(
        subject="You are invited to Pennypost",
        before=f"{name} at {settings().base_url} invites you to join its team. Join with this link:",
        link=invited.link,
        label="Join the team",
        after="It works once, for seven days, for this address alone. If you do not know them, do nothing.",
    )


def _sanitize_name(name: str) -> str:
    """A short name on one line, without the characters of an address or a link."""
    return " ".join(NOT_A_NAME.sub(" ", name).replace("_", " ").split())[:LONGEST_NAME].strip() or "An organization"
