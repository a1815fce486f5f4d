"""The brand, the templates and the sent campaigns that show a picture."""

from collections.abc import Sequence
from typing import Literal, NamedTuple
from uuid import UUID

from webapp import db
from webapp.models import Brand, Campaign, Media, Organization, Template

NAMED = 5  # in an error's message


class PictureUse(NamedTuple):
    kind: Literal["brand", "template", "campaign"]
    id: UUID
    name: str | None  # None for a deleted campaign

    @property
    def words(self) -> str:
        if self.kind == "brand":
            return "the brand, as its logo"
        return f"the {self.kind} “{self.name}”" if self.name else f"a deleted {self.kind}"


async def uses_of(org: Organization, media: Media) -> list[PictureUse]:
    """Where the picture's address stands: the brand, templates by name, then campaigns that were sent with it."""
    address = f"/m/{media.hash}/"
    async with db.searching(org.id):
        brands = await Brand.of(org).filter(logo_url__contains=address)
        templates = await Template.of(org).filter(body__contains=address).order_by("name").values_list("id", "name")
        sent = await Media.campaigns_with(org, address)
        named = Campaign.of(org).filter(id__in=sent).values_list("id", "title")
        titles = {row_id: str(title) for row_id, title in await named} if sent else {}
    found = [PictureUse("brand", brand.id, "Brand") for brand in brands]
    found += [PictureUse("template", row_id, str(name)) for row_id, name in templates]
    return found + [PictureUse("campaign", row_id, titles.get(row_id)) for row_id in sent]


def in_words(uses: Sequence[PictureUse]) -> str:
    more = f" and {len(uses) - NAMED:,} more" if len(uses) > NAMED else ""
    return ", ".join(use.words for use in uses[:NAMED]) + more
