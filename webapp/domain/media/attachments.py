"""Files of the library that a campaign attaches to its emails."""

from collections.abc import Sequence
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp.domain.media.files import read_whole_file
from webapp.domain.media.media import MAX_BYTES
from webapp.errors import NotFound, ValidationError
from webapp.models import Content, ContentFile, Media, Organization
from webapp.models.media import PDF
from webapp.sending.mime.message import AttachedFile

DELETED = "a file to attach was deleted from the media library; choose the attachments again"


async def attached_media(org: Organization, ids: Sequence[str]) -> list[Media]:
    """Those that still exist, in this order."""
    rows = {str(media.id): media for media in await Media.of(org).filter(id__in=list(ids))} if ids else {}
    return [rows[media_id] for media_id in ids if media_id in rows]


async def check_attachments(org: Organization, ids: Sequence[str]) -> None:
    """Raises NotFound, ValidationError."""
    files = await attached_media(org, ids)
    if len(files) < len(ids):
        raise NotFound("media_ids: file not found in the media library")
    if other := next((media for media in files if not media.is_pdf), None):
        raise ValidationError.at("media_ids", f"must be PDFs, unlike {other.name}; put images into the template")
    if sum(media.bytes for media in files) > MAX_BYTES:
        raise ValidationError.at("media_ids", f"must be at most {MAX_BYTES // 1024 // 1024} MB in total")


async def freeze_attachments(org: Organization, content: Content, ids: Sequence[str]) -> list[ContentFile]:
    """The unsaved files of an unsaved content; locks them until the transaction ends. Raises ValidationError."""
    await Media.lock_all(org.id, list(map(UUID, ids)))
    files = await attached_media(org, ids)
    if len(files) < len(ids):
        raise ValidationError.of("media_ids", DELETED)
    return [
        ContentFile(
            id=uuid7(),
            org_id=org.id,
            content_id=content.id,
            position=position,
            filename=media.name,
            content_type=media.type,
            size=media.bytes,
            hash=media.hash,
        )
        for position, media in enumerate(files)
    ]


async def read_attachment(file: ContentFile) -> AttachedFile:
    """Raises ValueError with a sentence if it is lost, ServiceUnavailable."""
    try:
        return AttachedFile(file.filename, file.content_type, await read_whole_file(file.hash))
    except NotFound:
        raise ValueError(f"the attachment {file.filename} is missing in the storage of media") from None


async def newest_pdfs(org: Organization, limit: int) -> list[Media]:
    return await Media.of(org).filter(type=PDF).order_by("-id").limit(limit)
