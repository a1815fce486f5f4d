"""Lets a bounced address be tried again."""

from webapp.domain.audit.audit import AuditAction, record
from webapp.domain.event_log import record_suppressions
from webapp.domain.plans import limits
from webapp.models import Contact, Organization, Suppression
from webapp.models.event import EventType
from webapp.models.suppression import SuppressionReason
from webapp.models.usage import Metric


async def unsuppress(org: Organization, contact: Contact) -> None:
    """Removes the contact's address from the suppression list if it is there because of a bounce."""
    await limits.release(org, Metric.SUPPRESSIONS, 0)  # locks the counter before the entries
    for entry in await Suppression.with_keys(org.id, [contact.email_key]):
        if entry.reason == SuppressionReason.BOUNCE:
            await entry.delete()
            await limits.release(org, Metric.SUPPRESSIONS)
            await record_suppressions(EventType.SUPPRESSION_REMOVED, [entry])
            await record(org, AuditAction.SUPPRESSIONS_REMOVED, entry.id, entry.email)
