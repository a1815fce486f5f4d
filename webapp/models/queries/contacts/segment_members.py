"""Finds members of a static segment by status, by indexes, however many there are."""

from uuid import UUID

from webapp.models.base.row import FIRST_ID, LAST_ID
from webapp.models.queries.keyset_search import (
    FEW_COUNTED,
    FIRST_SCAN,
    Condition,
    IndexScan,
    KeysetSearch,
    PageOfIds,
    choose,
    equals,
)


async def page_of_members(org_id: UUID, segment_id: UUID, status: str, limit: int, offset: int) -> PageOfIds:
    """The newest contacts after `offset` and their number, from the members or, if fewer, all with the status."""
    has_status = Condition("(SELECT c.status FROM contacts c WHERE c.id = segment_contacts.contact_id) = {}", (status,))
    member = "SELECT COUNT(*) FROM segment_contacts s WHERE s.segment_id = {} AND s.contact_id = contacts.id"
    is_member = Condition(f"({member}) > 0", (segment_id,))
    by_segment = KeysetSearch(
        "segment_contacts",
        None,
        FIRST_ID,
        LAST_ID,
        [equals("segment_contacts.org_id", org_id), has_status],
        key="contact_id",
        joined_id="contact_id",
    )
    by_status = KeysetSearch("contacts", org_id, FIRST_ID, LAST_ID, [is_member])
    plans = [(by_segment, [IndexScan("segment_id", segment_id)]), (by_status, [IndexScan("status", status)])]
    search, scans = await choose(plans, FIRST_SCAN)
    return await search.page(scans, limit, offset, max_counted=FEW_COUNTED)
