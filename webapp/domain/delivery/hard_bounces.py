"""Direct refusals because of an address: its contact gets no more campaigns; one that does not exist is suppressed."""

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from webapp.addresses import email_key
from webapp.domain.suppressions import suppressions
from webapp.models import Contact, Organization
from webapp.models.outbox.settlements import Settlement
from webapp.models.suppression import SuppressionReason


async def record(hard: Sequence[Settlement]) -> None:
    """Records the bounces in the transaction that settles them."""
    by_org = defaultdict[UUID, list[Settlement]](list)
    for settlement in hard:
        by_org[settlement.row.org_id].append(settlement)
    for org_id in sorted(by_org):
        rows = [one.row for one in by_org[org_id] if one.row.campaign_run_id is not None]
        keys = {row.contact_id: email_key(row.to_email) for row in rows if row.contact_id is not None}
        await Contact.record_bounces(org_id, keys)
        sources = {one.row.to_email: one.row.id for one in by_org[org_id] if one.suppresses}
        org = await Organization.get_or_none(id=org_id) if sources else None
        if org is not None:
            await suppressions.add(org, sources, SuppressionReason.BOUNCE, sources)
