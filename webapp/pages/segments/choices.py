"""The segments that a form offers."""

from typing import Any
from uuid import UUID

from quart import g

from webapp.domain.pagination import Page
from webapp.domain.segments import segments

OFFERED = Page(size=500)


async def segment_choice(chosen: UUID | None = None) -> dict[str, Any]:
    """The first segments by name and the chosen one, and the number left out, which their own pages list."""
    listed = await segments.list_segments(g.caller.org, OFFERED)
    offered = listed.rows
    if chosen is not None and all(segment.id != chosen for segment in offered):
        there = await segments.find_if_there(g.caller.org, chosen)
        offered = [*offered, there] if there else offered
    options = [(segment.id, segment.name) for segment in offered]
    return {"segments": options, "segments_left": listed.total - len(options)}
