"""The campaign mail of a contact, and its segments."""

from webapp import db
from webapp.domain.mail_logs.mail_logs import MailLogListItem, list_items
from webapp.models import Contact, Organization, Segment, SegmentContact

RUNS_SEARCHED = 1_000  # the newest ones, one index look-up each
MAX_ROWS = 20

# The log has no index of contacts, which would cost on each of its millions of rows; that of run and contact serves.
OF_CONTACT = f"""
SELECT m.id FROM (SELECT id FROM campaign_runs WHERE org_id = $1 ORDER BY id DESC LIMIT {RUNS_SEARCHED}) r
JOIN mail_logs m ON m.campaign_run_id = r.id AND m.contact_id = $2 ORDER BY m.id DESC LIMIT {MAX_ROWS}
"""  # noqa: S608 - our own words


async def campaign_mail(org: Organization, contact: Contact) -> list[MailLogListItem]:
    return await list_items(org, await db.fetch_ids(OF_CONTACT, org.id, contact.id))


async def segments_of(org: Organization, contact: Contact) -> list[Segment]:
    members = await SegmentContact.of(org).filter(contact_id=contact.id)
    return await Segment.of(org).filter(id__in=[one.segment_id for one in members]).order_by("name_key", "id")
