"""Finds the brand, templates, campaigns and emails that use a file."""

from collections.abc import Sequence
from typing import Literal, NamedTuple
from uuid import UUID

from webapp import db
from webapp.models import Brand, Campaign, Media, Organization, Template
from webapp.models.campaign import campaigns_attaching
from webapp.models.queries import picture_uses
from webapp.models.queries.picture_uses import EmailsWith

NAMED = 5  # in an error message


class PictureUse(NamedTuple):
    """`name` is None for a deleted campaign, and the number for emails, whose `id` is the latest one's."""

    kind: Literal["brand", "template", "version", "campaign", "email"]
    id: UUID
    name: str | None

    @property
    def words(self) -> str:
        match self.kind:
            case "brand":
                return "the brand, as its logo"
            case "version":
                return f"an old version of the template “{self.name}”"
            case "email":
                return str(self.name)
        return f"the {self.kind} “{self.name}”" if self.name else f"a deleted {self.kind}"


async def uses_of(org: Organization, media: Media) -> tuple[list[PictureUse], int]:
    """Searches brand, templates, their versions, campaigns and sent content; also counts the emails searched."""
    address = f"/m/{media.hash}/"
    async with db.searching(org.id):
        brands = await Brand.of(org).filter(logo_url__contains=address)
        templates = await Template.of(org).filter(body__contains=address).order_by("name").values_list("id", "name")
        once = set(await picture_uses.templates_once_with(org.id, address)) - {row_id for row_id, _ in templates}
        older = await Template.of(org).filter(id__in=list(once)).order_by("name").values_list("id", "name")
        sent = await picture_uses.campaigns_with(org.id, address)
        sent += [row_id for row_id in await campaigns_attaching(media) if row_id not in sent]
        named = Campaign.of(org).filter(id__in=sent).values_list("id", "title")
        titles = {row_id: str(title) for row_id, title in await named} if sent else {}
        emails = await picture_uses.emails_with(org.id, address)
    uses = [PictureUse("brand", brand.id, "Brand") for brand in brands]
    uses += [PictureUse("template", row_id, str(name)) for row_id, name in templates]
    uses += [PictureUse("version", row_id, str(name)) for row_id, name in older]
    uses += [PictureUse("campaign", row_id, titles.get(row_id)) for row_id in sent]
    uses += [PictureUse("email", emails.ids[0], _counted(emails))] if emails.ids else []
    return uses, emails.searched


def _counted(emails: EmailsWith) -> str:
    count = len(emails.ids)
    if not emails.is_all:
        return f"{count:,} of the last {emails.searched:,} emails"
    return "1 email" if count == 1 else f"{count:,} emails"


def in_words(uses: Sequence[PictureUse]) -> str:
    more = f" and {len(uses) - NAMED:,} more" if len(uses) > NAMED else ""
    return ", ".join(use.words for use in uses[:NAMED]) + more
