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
    """An image for emails, or a PDF."""

    id: UUID
    url: Annotated[str, Field(description="Where everybody can see it; put this into your emails.")]
    name: str
    type: Literal["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"]
    width: Annotated[int | None, Field(description="In pixels; null for a PDF.")]
    height: Annotated[int | None, Field(description="In pixels; null for a PDF.")]
    bytes: Annotated[int, Field(description="The size of the stored file.")]
    hash: Annotated[str, Field(description="The SHA-256 of the stored file.")]
    created_at: Time


@makes(Media)
def _media(row: models.Media) -> Media:
    return shaped(Media, row, url=url_of(row), width=row.width or None, height=row.height or None)


MediaList = cursor_list(Media, "Images and PDFs, newest first.")


class MediaParams(CursorPaging):
    after: Id | None = Field(default=None, description="Only files older than this id.")
    before: Id | None = Field(default=None, description="Only files newer than this id.")


class MediaRemoval(Input):
    force: bool = Field(default=False, description="Delete it although a template, a campaign or a sent email uses it.")


class NewMedia(Input):
    """A PNG, JPEG, GIF or WebP image, or a PDF, of up to 5 MB; an image that is scaled down of up to 20 MB."""

    model_config = examples({"file": "spring.png", "scale": True})

    file: Annotated[str, WithJsonSchema({"type": "string", "format": "binary"})] = Field(description="The file.")
    scale: bool = Field(
        default=False, description=f"Scale an image down to {WIDE:,} pixels if it is wider. Animations keep their size."
    )


@blueprint.get("")
@guarded(Action.READ)
@query(MediaParams)
@answers(MediaList)
async def index(query_args: MediaParams) -> object:
    """List images and PDFs, newest first."""
    return await library.list_media(g.caller.org, query_args.cursor)


@blueprint.post("")
@guarded(Action.MEDIA)
@document_request(NewMedia, source=DataSource.FORM_MULTIPART)
@answers(One[Media], 201, 200)
async def create() -> object:
    """Upload an image or a PDF.

    Images are turned upright, and their metadata, such as the place where a photo was taken, is removed. PDFs are not
    changed; attach them to campaigns by `media_ids`, or link to them. Returns 200 with the existing file if you have
    uploaded the same one before. Anyone who knows the `url` can see the file.
    """
    name, data, fields = await receive_file(library.read_upload)
    asked = read_input(NewMedia, {**fields, "file": name}, strict=False)
    return await library.add_media(g.caller.org, name, data, widest=WIDE if asked.scale else 0, takes_pdf=True)


@blueprint.get("/<media_id>")
@guarded(Action.READ, library.find_media)
@answers(One[Media])
async def show(media: models.Media) -> object:
    """Get an image or a PDF."""
    return media


@blueprint.delete("/<media_id>")
@guarded(Action.MEDIA, library.find_media)
@query(MediaRemoval)
@answers(Done)
async def remove(media: models.Media, query_args: MediaRemoval) -> None:
    """Delete an image or a PDF.

    Its URL stops working, also in emails that were sent. If a template, an old version of one, a sent campaign or a
    recent email uses it, 409 says which; `force=true` deletes it all the same.
    """
    await library.delete_media(g.caller.org, media, force=query_args.force)
