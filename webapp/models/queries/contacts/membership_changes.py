"""Finds contacts that match a dynamic segment's filter but are not saved as members, and the other way round."""

from collections.abc import Collection
from uuid import UUID

from webapp import db
from webapp.db.dialects import Values
from webapp.models.queries.contacts.segment_filter import Filter, FilterQuery


class MembershipChanges:
    """The changes of a watched segment; its filter's days are resolved."""

    def __init__(self, org_id: UUID, segment_id: UUID, filter_: Filter) -> None:
        self._org_id, self._segment_id, self._filter = org_id, segment_id, filter_

    async def matching_below(self, contact_id: UUID, limit: int) -> list[UUID]:
        """Matching contacts with lower ids, the highest first."""
        values = Values()
        query = f"""SELECT c.id FROM contacts c WHERE {self._matching(values)} AND c.id < {values.name(contact_id)}
            ORDER BY c.id DESC LIMIT {limit}"""
        return await db.fetch_ids(query, *values)

    async def joined(self, limit: int, among: Collection[UUID] | None = None) -> list[UUID]:
        values = Values()
        saved = f"""SELECT 1 FROM watched_members s
            WHERE s.segment_id = {values.name(self._segment_id)} AND s.contact_id = c.id"""
        query = f"""SELECT c.id FROM contacts c WHERE {self._matching(values)} {_listed(among, values)}
            AND NOT EXISTS ({saved}) LIMIT {limit}"""
        return await db.fetch_ids(query, *values)

    async def left(self, limit: int, among: Collection[UUID] | None = None) -> list[UUID]:
        values = Values()
        query = f"""SELECT c.id FROM watched_members s JOIN contacts c ON c.id = s.contact_id
            WHERE s.segment_id = {values.name(self._segment_id)} {_listed(among, values)}
            AND NOT ({self._matching(values)}) LIMIT {limit}"""
        return await db.fetch_ids(query, *values)

    def _matching(self, values: Values) -> str:
        return f"c.org_id = {values.name(self._org_id)} AND {FilterQuery(self._org_id, values).matching(self._filter)}"


def _listed(among: Collection[UUID] | None, values: Values) -> str:
    return "" if among is None else f"AND c.id {db.dialect().among(values.name(list(among)))}"
