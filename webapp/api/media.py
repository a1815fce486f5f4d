"""/v1/media and its response bodies."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, WithJsonSchema
from quart import Blueprint, g
from quart_schema import DataSource, document_request
from typing_extensions import TypedDict

from webapp import models
from webapp.api.responses import Done, One, Time, answers, cursor_list, makes, shaped
from webapp.domain.inputs import Id, Input, examples, read_input
from webapp.domain.media import media as library
from webapp.domain.media.media import WIDE, url_of
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.http.body.uploads import receive_file
from webapp.http.paging import CursorPaging, query

blueprint = Blueprint("media", __name__, url_prefix="/media")


class Media(TypedDict):
    """An image for emails."""

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


MediaList = cursor_list(Media, "Images, newest first.")


class MediaParams(CursorPaging):
    after: Id | None = Field(default=None, description="Only images older than this id.")
    before: Id | None = Field(default=None, description="Only images newer than this id.")


class MediaRemoval(Input):
    force: bool = Field(default=False, description="Delete it although a template or a sent email uses it.")


class NewImage(Input):
    """A PNG, JPEG, GIF or WebP image of up to 5 MB."""

    model_config = examples({"file": "spring.png", "scale": True})

    file: Annotated[str, WithJsonSchema({"type": "string", "format": "binary"})] = Field(description="The image.")
    scale: bool = Field(
        default=False, description=f"Scale it down to {WIDE:,} pixels if it is wider. Animations keep their size."
    )


@blueprint.get("")
@guarded(Action.READ)
@query(MediaParams)
@answers(MediaList)
async def index(query_args: MediaParams) -> object:
    """List images, newest first."""
    return await library.list_media(g.caller.org, query_args.cursor)


@blueprint.post("")
@guarded(Action.MEDIA)
@document_request(NewImage, source=DataSource.FORM_MULTIPART)
@answers(One[Media], 201, 200)
async def create() -> object:
    """Upload an image.

    It is turned upright, and its metadata, such as the place where a photo was taken, is removed. Returns 200 with the
    existing image if you have uploaded the same one before. Anyone who knows the `url` can see the image.
    """
    name, data, fields = await receive_file(library.read_upload)
    asked = read_input(NewImage, {**fields, "file": name}, strict=False)
    return await library.add_picture(g.caller.org, name, data, widest=WIDE if asked.scale else 0)


@blueprint.get("/<media_id>")
@guarded(Action.READ, library.find_media)
@answers(One[Media])
async def show(media: models.Media) -> object:
    """Get an image."""
    return media


@blueprint.delete("/<media_id>")
@guarded(Action.MEDIA, library.find_media)
@query(MediaRemoval)
@answers(Done)
async def remove(media: models.Media, query_args: MediaRemoval) -> None:
    """Delete an image.

    Its URL stops working, also in emails that were sent. If a template, an old version of one, a sent campaign or a
    recent email uses it, 409 says which; `force=true` deletes it all the same.
    """
    await library.delete_media(g.caller.org, media, force=query_args.force)
