"""An organization's media library: images, and PDFs to attach to campaigns or to link to."""

import re
import unicodedata
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import PurePosixPath
from urllib.parse import quote

from webapp import db
from webapp.config import settings
from webapp.domain.audit.audit import AuditAction, record
from webapp.domain.media import files
from webapp.domain.media.convert import Picture, convert
from webapp.domain.media.uses import in_words, uses_of
from webapp.domain.pagination import Cursor, CursorPage, Listed, Page, check_cursor, fetch_cursor_page, fetch_page
from webapp.domain.plans import limits
from webapp.errors import ApiError, Conflict, NotFound, PayloadTooLarge
from webapp.models import Media, Organization
from webapp.models.media import PDF
from webapp.models.usage import Metric

MIB = 1024 * 1024
MAX_BYTES = 5 * MIB  # of a file of the library
SOURCE_BYTES = 20 * MIB  # of an upload, such as a photo that is scaled down
WIDE = 1_200  # pixels, twice the usual width of an email
NAME_LENGTH = 200
OFFERED = 100  # images or PDFs to choose from
HASH = re.compile("[0-9a-f]{64}")
ENDINGS = {
    "image/png": (".png",),
    "image/jpeg": (".jpg", ".jpeg"),
    "image/gif": (".gif",),
    "image/webp": (".webp",),
    PDF: (".pdf",),
}


async def read_upload(name: str, pieces: AsyncIterator[bytes]) -> bytes:
    """The bytes of an upload. Raises PayloadTooLarge as early as possible."""
    data = bytearray()
    async for piece in pieces:
        data += piece
        _check_size(plain_name(name), len(data), SOURCE_BYTES)
    return bytes(data)


def _check_size(name: str, size: int, limit: int) -> None:
    if size > limit:
        raise PayloadTooLarge(f"{name} is larger than {limit // MIB} MB")


async def add_media(
    org: Organization, name: str, data: bytes, *, widest: int = 0, takes_pdf: bool = False
) -> tuple[Media, bool]:
    """The file, an image at most `widest` pixels wide (0: any), and True if it is new to the organization; commits.

    Raises ValidationError if it is of another kind, PayloadTooLarge, PlanLimitExceeded, ServiceUnavailable.
    """
    shown = plain_name(name)
    await limits.check(org, Metric.MEDIA, 1)  # before the work
    picture = await convert(org.id, shown, data, widest, takes_pdf=takes_pdf)
    _check_size(shown, len(picture.data), MAX_BYTES)
    hash_ = sha256(picture.data).hexdigest()
    for known in await Media.of(org).filter(hash=hash_):
        return known, False
    await limits.check(org, Metric.MEDIA, len(picture.data))  # before the file is stored
    try:
        async with files.stored(hash_, picture.data):
            return await _add(org, hash_, _fitting_name(shown, picture.type), picture)
    except ApiError:
        await files.drop_unnamed()
        raise


async def _add(org: Organization, hash_: str, name: str, picture: Picture) -> tuple[Media, bool]:
    await limits.consume(org, Metric.MEDIA, len(picture.data))  # locks the counter, for which an equal upload waits
    for known in await Media.of(org).filter(hash=hash_):
        await limits.release(org, Metric.MEDIA, len(picture.data))
        return known, False
    media = await Media.create(
        org=org,
        hash=hash_,
        name=name,
        type=picture.type,
        width=picture.width,
        height=picture.height,
        bytes=len(picture.data),
    )
    await record(org, AuditAction.MEDIA_ADDED, media.id, media.name)
    return media, True


async def delete_media(org: Organization, media: Media, *, force: bool) -> None:
    """Deletes it, and its file unless another organization has it. Raises NotFound, Conflict if it is in use."""
    uses, _ = await uses_of(org, media)
    if uses and not force:
        raise Conflict(f"{media.name} is used by {in_words(uses)}. It would be missing there")
    async with db.write_transaction():
        await limits.release(org, Metric.MEDIA, 0)  # locks the counter first, like adding one
        locked = await Media.of(org).select_for_update().get_or_none(id=media.id)
        if locked is None:
            raise NotFound
        await limits.release(org, Metric.MEDIA, locked.bytes)
        await locked.delete()
        used = {"used_by": in_words(uses)} if uses else {}
        await record(org, AuditAction.MEDIA_DELETED, media.id, media.name, **used)
    await files.drop_unnamed()


find_media = Media.one_of


async def list_media(org: Organization, cursor: Cursor) -> CursorPage[Media]:
    """Newest first. Raises ValidationError for two cursors or an unknown one."""
    await check_cursor(Media.of(org), cursor, "a file")
    return await fetch_cursor_page(Media.of(org), cursor)


async def page_of_media(org: Organization, page: Page) -> Listed[Media]:
    return await fetch_page(Media.of(org).order_by("-id"), page)


async def newest_images(org: Organization) -> list[Media]:
    return await Media.of(org).exclude(type=PDF).order_by("-id").limit(OFFERED)


async def find_served(hash_: str, name: str) -> Media:
    """The picture at a public address. Raises NotFound."""
    if not HASH.fullmatch(hash_):
        raise NotFound
    for media in await Media.across_orgs().filter(hash=hash_).order_by("id"):
        if _url_name(media.name) == name:
            return media
    raise NotFound


def path_of(media: Media) -> str:
    return f"/m/{media.hash}/{quote(_url_name(media.name))}"


def url_of(media: Media) -> str:
    return settings().base_url + path_of(media)


def words_of(media: Media) -> str:
    """The words in the name, as a draft of the alternative text."""
    return " ".join(re.findall(r"[^\W\d_]{2,}", PurePosixPath(media.name).stem))


def plain_name(name: str) -> str:
    """A file's name in one line without folders; never empty."""
    last = re.split(r"[/\\]", name)[-1]
    shown = "".join(sign if sign.isprintable() else " " for sign in last)
    return " ".join(shown.split()).strip(". ")[-NAME_LENGTH:] or "image"


def _fitting_name(name: str, kind: str) -> str:
    path = PurePosixPath(name)
    if path.suffix.lower() in ENDINGS[kind]:
        return name
    return f"{path.stem[: NAME_LENGTH - len(ENDINGS[kind][0])]}{ENDINGS[kind][0]}"


def _url_name(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    stem, _, ending = re.sub(r"[^A-Za-z0-9._-]+", "-", letters).rpartition(".")
    return f"{stem.strip('-.') or 'picture'}.{ending}"
