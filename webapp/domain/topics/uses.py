"""What uses a topic."""

from typing import NamedTuple
from uuid import UUID

from webapp.domain.pagination import Listed, Page, fetch_page
from webapp.models import Campaign, Organization, Segment, SignUpForm, Topic
from webapp.models.queries.contacts.segment_filter import references_of
from webapp.models.segment import SegmentKind

USERS_NAMED = Page(1, 10)


class TopicUse(NamedTuple):
    id: UUID
    name: str


class TopicUses(NamedTuple):
    campaigns: Listed[Campaign]
    forms: list[TopicUse]
    segments: list[TopicUse]  # dynamic ones with a condition on it


async def uses_of(org: Organization, topic: Topic) -> TopicUses:
    campaigns = Campaign.of(org).filter(topic_id=topic.id).order_by("-id")
    forms = [
        TopicUse(form.id, form.name)
        for form in await SignUpForm.of(org).order_by("name")
        if str(topic.id) in form.topic_ids
    ]
    segments = [
        TopicUse(segment.id, segment.name)
        for segment in await Segment.of(org).filter(kind=SegmentKind.DYNAMIC).order_by("name_key")
        if segment.member_filter and ("topic", str(topic.id)) in references_of(segment.member_filter)
    ]
    return TopicUses(await fetch_page(campaigns, USERS_NAMED), forms, segments)
