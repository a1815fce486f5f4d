"""Where pictures are stored, by PENNYPOST_MEDIA_URL: a folder and a bucket behave alike."""

import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.fakes.s3_server import S3Server
from webapp import config
from webapp.config import Settings, read_settings
from webapp.config.media import MediaBucket, parse_media_url
from webapp.errors import ConfigError
from webapp.media_store import PIECE_BYTES, StorageFailed, check_storage, media_store, read_whole

NAME, OTHER = "ab" * 32, "cd" * 32


def stored_at(settings: Settings, url: str) -> None:
    """Go on as a process does that was started with this PENNYPOST_MEDIA_URL."""
    config.configure(replace(settings, media=parse_media_url(url) if url else settings.media))


@pytest.fixture(params=["folder", "bucket"])
async def place(request: pytest.FixtureRequest, settings: Settings, s3_server: S3Server) -> AsyncIterator[None]:
    stored_at(settings, "" if request.param == "folder" else s3_server.url("pictures/acme"))
    yield
    config.configure(settings)


@pytest.mark.usefixtures("place")
async def test_a_file_is_written_read_replaced_and_deleted() -> None:
    store, data = media_store(), os.urandom(3 * PIECE_BYTES + 1)
    await store.put(NAME, data)
    assert await read_whole(NAME) == data
    await store.put(NAME, b"other")
    await store.put(OTHER, b"")
    assert (await read_whole(NAME), await read_whole(OTHER)) == (b"other", b"")
    for _ in range(2):
        await store.delete(NAME)
        with pytest.raises(FileNotFoundError):
            await store.read(NAME)
    assert await read_whole(OTHER) == b""
    assert await check_storage()


async def test_a_folder_holds_files_for_its_owner_alone_and_nothing_half_written(settings: Settings) -> None:
    assert isinstance(settings.media, Path)
    await media_store().put(NAME, b"data")
    (file,) = [path for path in settings.media.rglob("*") if path.is_file()]
    assert (file.relative_to(settings.media), file.stat().st_mode & 0o777) == (Path("ab", NAME), 0o600)
    assert file.parent.stat().st_mode & 0o777 == 0o700


async def test_a_bucket_that_refuses_or_is_away_is_not_available(settings: Settings, s3_server: S3Server) -> None:
    with S3Server() as other:
        stored_at(settings, other.url("pictures"))
        await media_store().put(NAME, b"data")
    stored_at(settings, s3_server.url("pictures", secret="wrong-secret"))
    with pytest.raises(StorageFailed) as refused:
        await media_store().put(NAME, b"data")
    assert str(refused.value).startswith("the storage of images at http://127.0.0.1:")
    assert "wrong-secret" not in str(refused.value)
    stored_at(settings, other.url("pictures"))
    with pytest.raises(StorageFailed):
        await media_store().read(NAME)


KEYS = {"PENNYPOST_SECRET_KEYS": "q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s="}


def media_of(url: str) -> Path | MediaBucket:
    return read_settings({**KEYS, "PENNYPOST_DATA_DIR": "/srv/pennypost", "PENNYPOST_MEDIA_URL": url}).media


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("", Path("/srv/pennypost/media")),
        ("file:///var/my%20pictures/", Path("/var/my pictures")),
        (
            "s3://AKIA:a%2Fb%2Bc@s3.eu-central-1.amazonaws.com/bucket",
            MediaBucket("https://s3.eu-central-1.amazonaws.com", "bucket", "", "eu-central-1", "AKIA", "a/b+c"),
        ),
        (
            "s3://k:s@minio:9000/bucket/a/b?tls=none&region=home",
            MediaBucket("http://minio:9000", "bucket", "a/b", "home", "k", "s"),
        ),
    ],
)
def test_a_place_is_read(url: str, place: Path | MediaBucket) -> None:
    assert media_of(url) == place
    assert "a/b+c" not in repr(place) + str(place)


@pytest.mark.parametrize(
    "url",
    [
        "/var/pictures", "file:///", "s3://bucket", "s3://secret-key@host/bucket", "s3://k:secret-key@host:x/bucket",
        "s3://k:secret-key@host/bucket?acl=public", "https://k:secret-key@host/bucket",
    ],
)  # fmt: skip
def test_what_is_no_place_stops_the_start_without_its_secret(url: str) -> None:
    with pytest.raises(ConfigError) as refused:
        media_of(url)
    assert str(refused.value).startswith("PENNYPOST_MEDIA_URL must ")
    assert "secret-key" not in str(refused.value)
