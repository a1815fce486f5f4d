"""The files of an email: those stored with it, or those in the message that was submitted by SMTP."""

import re
from collections.abc import Sequence
from uuid import uuid5

from webapp.domain.media.files import read_whole_file
from webapp.domain.merge_tags.budget import run_in_render_pool
from webapp.errors import NotFound
from webapp.fair_slots import FairSlot, FairSlots, slot_of
from webapp.models import Attachment, ContentFile, Email, MailLog, Organization
from webapp.sending.mime.headers import CONTENT_ID, CONTENT_TYPE, FILENAME_LIMIT, check_text
from webapp.sending.reports.mime_parts import MimePart, first, read_parts

OUTLINE = ("id", "org_id", "email_id", "position", "filename", "content_type", "content_id", "size")
POSITION = re.compile(r"[0-9]{1,4}", re.ASCII)
OCTET_STREAM = "application/octet-stream"
_sources: FairSlots[FairSlot] = FairSlots(2, limit_each=1)  # for submitted messages in memory, each of up to 40 MB


async def attachments_of(org: Organization, row: MailLog) -> Sequence[Attachment | ContentFile]:
    """Those of the row's message, without their data."""
    if row.email_id is None:
        return await files_of_run(org, row)
    try:
        return await list_files(org, await Email.one_of(org, row.email_id))
    except NotFound:
        return []


async def attachment_of(org: Organization, row: MailLog, position: int) -> tuple[str, bytes]:
    """Its name and data. Raises NotFound, ServiceUnavailable."""
    if row.email_id is not None:
        attachment = await find_file(org, await Email.one_of(org, row.email_id), str(position))
        return attachment.filename, bytes(attachment.data)
    file = await ContentFile.of(org).get_or_none(content_id=row.content_id, position=position)
    if file is None:
        raise NotFound
    return file.filename, await read_whole_file(file.hash)


async def files_of_run(org: Organization, row: MailLog) -> list[ContentFile]:
    return await ContentFile.of(org).filter(content_id=row.content_id).order_by("position")


async def list_files(org: Organization, email: Email) -> list[Attachment]:
    """Without their data."""
    if await email.has_source():
        return await _read_files(org, email)
    return await Attachment.of(org).filter(email_id=email.id).order_by("position").only(*OUTLINE)


async def find_file(org: Organization, email: Email, key: str) -> Attachment:
    """The file with this position or id. Raises NotFound."""
    file: Attachment | None
    if await email.has_source():
        file = next((file for file in await _read_files(org, email, key) if _is_named(file, key)), None)
    elif POSITION.fullmatch(key):
        file = await Attachment.of(org).get_or_none(email_id=email.id, position=int(key))
    else:
        file = await Attachment.one_of(org, key)
    if file is None or file.email_id != email.id:
        raise NotFound
    return file


async def _read_files(org: Organization, email: Email, key: str | None = None) -> list[Attachment]:
    """The files of a submitted message; only the one with this position or id has its data."""
    async with slot_of(_sources, org.id):
        source = await email.read_source() or b""
        return await run_in_render_pool(org.id, _files_in, email, source, key)


def _files_in(email: Email, source: bytes, key: str | None) -> list[Attachment]:
    parts = [part for part in read_parts(source, len(source)) if not part.content_type.startswith("multipart/")]
    files = []
    for position, part in enumerate(part for part in parts if part.is_file):
        file = _file(email, position, part)
        if not _is_named(file, key):
            file.data = b""
        files.append(file)
    return files


def _is_named(file: Attachment, key: str | None) -> bool:
    return key in (str(file.position), str(file.id))


def _file(email: Email, position: int, part: MimePart) -> Attachment:
    content_id, data = first(part.fields, "content-id").strip().strip("<>"), part.content()
    return Attachment(
        id=uuid5(email.id, str(position)),
        org_id=email.org_id,
        email_id=email.id,
        position=position,
        filename=_name(part) or f"part-{position + 1}",
        content_type=part.content_type if CONTENT_TYPE.fullmatch(part.content_type) else OCTET_STREAM,
        content_id=content_id if CONTENT_ID.fullmatch(content_id) else None,
        size=len(data),
        data=data,
    )


def _name(part: MimePart) -> str:
    """Without a path, and empty if it is not valid."""
    name = (part.filename or "").replace("\\", "/").rpartition("/")[2].strip(". ")[:FILENAME_LIMIT]
    try:
        check_text(name, "a file name")
    except ValueError:
        return ""
    return name
