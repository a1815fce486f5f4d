"""Shows a campaign's email to anybody with the signed link in it (domain/link_signing.py)."""

from datetime import timedelta

from webapp import clock
from webapp.domain import link_signing
from webapp.domain.mail_logs.mail_logs import find_mail_log
from webapp.domain.merge_tags.rendering import Rendered
from webapp.errors import NotFound
from webapp.models import MailLog, Organization

VALID = timedelta(days=90)


async def find_viewed(token: str) -> Rendered | None:
    """None if it was sent too long ago or is deleted. Raises NotFound for an invalid token."""
    row_id, org_id = link_signing.ids_in(link_signing.VIEW, token)
    org = await Organization.get_or_none(id=org_id)
    row = None if org is None else await MailLog.of(org).get_or_none(id=row_id)
    if org is None or row is None or clock.now() - (row.sent_at or row.created_at) > VALID:
        return None
    try:
        return (await find_mail_log(org, row.id, shows_links=True)).mail
    except NotFound:
        return None
