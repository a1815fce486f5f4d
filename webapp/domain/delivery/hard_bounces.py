"""Hard bounces in the SMTP dialogue: the contact gets no more campaigns, and missing addresses are suppressed."""

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from webapp.addresses import email_key
from webapp.domain.suppressions import suppressions
from webapp.models import Contact, Organization
from webapp.models.outbox.settlements import Settlement
from webapp.models.suppression import SuppressionReason


async def record(hard: Sequence[Settlement]) -> None:
    """Call it in the transaction that settles them."""
    by_org = defaultdict[UUID, list[Settlement]](list)
    for settlement in hard:
        by_org[settlement.row.org_id].append(settlement)
    for org_id in sorted(by_org):
        rows = [item.row for item in by_org[org_id] if item.row.campaign_run_id is not None]
        keys = {row.contact_id: email_key(row.to_email) for row in rows if row.contact_id is not None}
        await Contact.record_bounces(org_id, keys)
        sources = {item.row.to_email: item.row.id for item in by_org[org_id] if item.suppresses}
        org = await Organization.get_or_none(id=org_id) if sources else None
        if org is not None:
            await suppressions.add(org, sources, SuppressionReason.BOUNCE, sources)
