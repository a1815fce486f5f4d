"""PENNYPOST_MEDIA_URL: where pictures are stored."""

from pathlib import Path

import pytest

from webapp.config import read_settings
from webapp.config.media import MediaBucket
from webapp.errors import ConfigError

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
