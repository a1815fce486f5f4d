"""The response bodies of pictures."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field
from typing_extensions import TypedDict

from webapp import models
from webapp.api.responses import Time, cursor_list, makes, shaped
from webapp.domain.media.media import url_of


class Media(TypedDict):
    """A picture for emails."""

    id: UUID
    url: Annotated[str, Field(description="Where everybody can see it; put this into your emails.")]
    name: str
    type: Literal["image/png", "image/jpeg", "image/gif", "image/webp"]
    width: Annotated[int, Field(description="In pixels.")]
    height: Annotated[int, Field(description="In pixels.")]
    bytes: Annotated[int, Field(description="The size of the stored file.")]
    hash: Annotated[str, Field(description="The SHA-256 of the stored file.")]
    created_at: Time


@makes(Media)
def _media(row: models.Media) -> Media:
    return shaped(Media, row, url=url_of(row))


MediaList = cursor_list(Media, "Pictures, newest first.")
