"""/m/<hash>/<name>: a picture for whoever reads an email."""

from pathlib import Path

from tests.pages.conftest import Visitor
from tests.pages.media.test_media import upload
from tests.support.pictures import noisy, picture
from webapp.config import Settings
from webapp.domain.media.media import path_of
from webapp.models import Media


async def added(owner: Visitor, data: bytes) -> Media:
    assert (await upload(owner, ("logo.png", data), scale="false")).status == 200
    return await Media.all().get()


async def test_a_picture_is_served_without_a_session_and_cached_for_a_year(
    owner: Visitor, stranger: Visitor, rival_owner: Visitor
) -> None:
    data = noisy((1000, 900))
    media = await added(owner, data)
    for visitor in (stranger, owner, rival_owner):
        page = await visitor.get(path_of(media))
        headers = page.response.headers
        assert (page.status, len(page.data)) == (200, media.bytes)
        assert headers["Content-Type"] == "image/png"
        assert headers["Content-Length"] == str(media.bytes)
        assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Content-Security-Policy"] == "default-src 'none'; sandbox; frame-ancestors 'none'"
        assert headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert headers["ETag"] == f'"{media.hash}"'
        assert "Set-Cookie" not in headers


async def test_head_and_a_known_etag_get_no_body(owner: Visitor, stranger: Visitor) -> None:
    media = await added(owner, picture())
    head = await stranger.send("HEAD", path_of(media), follow=False)
    assert (head.status, head.data, head.response.headers["Content-Type"]) == (200, b"", "image/png")
    known = await stranger.get(path_of(media), headers={"If-None-Match": f'"{media.hash}"'})
    assert (known.status, known.data) == (304, b"")
    assert known.response.headers["Cache-Control"].endswith("immutable")
    for method in ("POST", "PUT", "DELETE"):
        assert (await stranger.send(method, path_of(media), follow=False)).status == 405


async def test_what_is_not_in_the_library_is_absent(owner: Visitor, stranger: Visitor, settings: Settings) -> None:
    media = await added(owner, picture())
    assert isinstance(settings.media, Path)
    (settings.media / "ab").mkdir(exist_ok=True)
    (settings.media / "ab" / ("ab" * 32)).write_bytes(b"a file that no row names")
    names = {"hash": media.hash, "upper": media.hash.upper(), "other": "ab" * 32, "short": media.hash[:2]}
    for path in (
        "/m/{hash}/other.png",
        "/m/{hash}/..%2Flogo.png",
        "/m/{hash}/",
        "/m/{hash}",
        "/m/{upper}/logo.png",
        "/m/{other}/logo.png",
        "/m/{hash}%00/logo.png",
        "/m/{hash}/logo.png%00",
        "/m/../pennypost.db",
        "/m/..%2F..%2Fpennypost.db/logo.png",
        "/m/%2e%2e/pennypost.db",
        "/m/{short}/{hash}",
    ):
        assert (await stranger.get(path.format(**names))).status == 404, path
