"""Finds the dynamic segments, templates, campaigns and sign-up forms that use a custom field."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, Self
from uuid import UUID

from tortoise.expressions import Q

from webapp.domain.merge_tags.parser import read_template
from webapp.models import Campaign, CustomField, Organization, Segment, SignUpForm, Template
from webapp.models.campaign import CampaignStatus
from webapp.models.contact import name_key
from webapp.models.queries.contacts.segment_filter import CUSTOM, fields_in
from webapp.models.segment import SegmentKind

NAMED = 5  # in an error message


class FieldUse(NamedTuple):
    kind: Literal["segment", "template", "campaign", "form"]
    id: UUID
    name: str


class FieldUses(NamedTuple):
    """What conditions of dynamic segments, merge tags of templates and fields of forms name, by name key."""

    org: Organization
    by_key: dict[str, list[FieldUse]]

    @classmethod
    async def read(cls, org: Organization) -> Self:
        uses = cls(org, {})
        for segment in await Segment.of(org).filter(kind=SegmentKind.DYNAMIC).order_by("name_key"):
            names = fields_in(segment.member_filter or {"and": []})
            keys = (name.removeprefix(CUSTOM) for name in names if name.startswith(CUSTOM))
            uses._add(FieldUse("segment", segment.id, segment.name), keys)
        templates = Template.of(org).order_by("name").values_list("id", "name", "variables")
        for row_id, name, variables in await templates:
            uses._add(FieldUse("template", row_id, name), variables)
        for form in await SignUpForm.of(org).order_by("name"):
            uses._add(FieldUse("form", form.id, form.name), (field["key"] for field in form.form_fields))
        return uses

    def _add(self, use: FieldUse, names: Iterable[str]) -> None:
        for key in {name_key(name) for name in names}:
            self.by_key.setdefault(key, []).append(use)

    async def of(self, field: CustomField) -> list[FieldUse]:
        """With the campaigns that are still to be sent and whose own subject or preview text has the merge tag."""
        is_near = Q(subject__icontains=field.name) | Q(preview_text__icontains=field.name)
        campaigns = Campaign.of(self.org).filter(is_near).exclude(status=CampaignStatus.SENT).order_by("title")
        return self.by_key.get(field.name_key, []) + [
            FieldUse("campaign", campaign.id, campaign.title)
            for campaign in await campaigns
            if field.name_key in map(name_key, read_template(f"{campaign.subject} {campaign.preview_text}").variables)
        ]


def in_words(uses: Sequence[FieldUse]) -> str:
    more = f" and {len(uses) - NAMED:,} more" if len(uses) > NAMED else ""
    return ", ".join(f"the {use.kind} “{use.name}”" for use in uses[:NAMED]) + more
