"""The library's page: what a person without JavaScript sees and does."""

from datetime import timedelta

import pytest

from tests.api.media.test_media import stored, use
from tests.factories import make_media
from tests.pages.conftest import Page, Visitor
from tests.support.pictures import SVG, animation, multipart, noisy, photo, picture, png_of
from webapp import clock
from webapp.config import Settings
from webapp.domain.media import files
from webapp.domain.media.media import path_of, url_of
from webapp.models import Media, MediaFile, Organization

PATH = "/media"


async def upload(visitor: Visitor, *files: tuple[str, bytes], scale: str = "true") -> Page:
    token = (await visitor.get(PATH)).token
    return await visitor.post(PATH, **multipart(*files, fields={"csrf_token": token, "scale": scale}))


async def test_several_pictures_are_uploaded_and_shown(owner: Visitor, viewer: Visitor, acme: Organization) -> None:
    page = await upload(owner, ("Spring-sale.png", picture(size=(2400, 1000))), ("photo.jpg", photo()))
    assert (page.status, page.notes) == (200, ["2 files added."])
    assert "2 files" in page.text
    for visitor in (owner, viewer):
        page = await visitor.get(PATH)
        first, second = page.soup.select(".picture")
        assert [one.select_one("h3").get_text() for one in (first, second)] == ["photo.jpg", "Spring-sale.png"]
        assert "1,200 \N{MULTIPLICATION SIGN} 500" in second.get_text()
        assert "30 \N{MULTIPLICATION SIGN} 40" in first.get_text()
        media = await Media.of(acme).get(name="Spring-sale.png")
        assert second.select_one("input")["value"] == url_of(media)
        assert second.select_one("img")["alt"] == "Spring sale"
        assert 'alt="Spring sale" width="600"' in second.select(".copy")[1]["data-copy"]
        shown = await visitor.get(second.select_one("img")["src"])
        assert (shown.status, shown.response.headers["Content-Type"]) == (200, "image/png")


async def test_what_is_refused_is_named_and_the_others_are_taken(
    owner: Visitor, acme: Organization, settings: Settings
) -> None:
    page = await upload(
        owner,
        ("logo.svg", SVG),
        ("../good.png", picture()),
        ("bomb.png", png_of(50_000, 50_000)),
        ("notes.pdf", b"%PDF-1.7"),
        ("party.gif", animation(2) + b"\0" * (40 * 1024 * 1024)),
        scale="false",
    )
    assert (page.status, page.notes) == (422, ["1 file added."])
    assert page.error_at("file") == (
        "logo.svg is an SVG drawing, which most email programs don't show. Save it as a PNG. "
        "bomb.png has 50,000 x 50,000 pixels. Scale it down to 40 megapixels at most. "
        "notes.pdf is damaged or cut off. Save it again and upload that. "
        "party.gif is larger than 20 MB."
    )
    assert page.form(PATH).select_one("[name=scale][checked]")["value"] == "false"
    assert await Media.of(acme).values_list("name", flat=True) == ["good.png"]
    assert len(stored(settings)) == 1


@pytest.mark.parametrize("path", [PATH, f"{PATH}/choices"])
async def test_an_image_of_some_megabytes_is_added(owner: Visitor, acme: Organization, path: str) -> None:
    token = (await owner.get(PATH)).token
    fields = {"csrf_token": token, "scale": "true", "field": "logo_url"}
    page = await owner.post(path, **multipart(("beach.png", noisy((1500, 1000))), fields=fields))
    assert page.status == 200
    assert await Media.of(acme).values_list("name", flat=True) == ["beach.png"]
    page = await owner.post(path, **multipart(("party.gif", animation(2) + b"\0" * (20 * 1024 * 1024)), fields=fields))
    assert page.status == 422
    assert "party.gif is larger than 20 MB" in page.text


async def test_a_photo_of_14_mb_is_scaled_down_unless_its_size_is_to_stay(owner: Visitor, acme: Organization) -> None:
    large = noisy((4000, 4000))
    assert len(large) > 14_000_000
    page = await upload(owner, ("beach.png", large), scale="false")
    assert page.error_at("file") == "beach.png is larger than 5 MB."
    page = await upload(owner, ("beach.png", large))
    assert page.status == 200
    assert [(media.width, media.bytes < 5 * 1024 * 1024) for media in await Media.of(acme)] == [(1200, True)]


async def test_without_a_file_nothing_is_added(owner: Visitor) -> None:
    for page in (await upload(owner), await upload(owner, ("", b"")), await owner.submit(await owner.get(PATH), PATH)):
        assert (page.status, page.error_at("file")) == (422, "Select at least one file.")
    assert await Media.all().count() == 0


async def test_a_deletion_asks_first_and_says_where_it_is_used(owner: Visitor, acme: Organization) -> None:
    media, free = await make_media(acme), await make_media(acme, name="free.png")
    await use(acme, {"url": url_of(media)})
    path = f"{PATH}/{media.id}/delete"
    page = await owner.get(path)
    assert page.title == "Delete “logo.png”?"
    assert [one.get_text() for one in page.soup.select(".confirm li")] == [
        *("Brand, as its logo", "Template Welcome", "An old version of Once", "Campaign November"),
        *("A deleted campaign", "1 email, last in this one"),
    ]
    unforced = await owner.post(path, form={"csrf_token": page.token})
    assert (unforced.title, await Media.of(acme).count()) == (page.title, 2)
    done = await owner.submit(page, path)
    assert (done.notes, await Media.of(acme).values_list("name", flat=True)) == (["logo.png deleted."], ["free.png"])
    page = await owner.get(f"{PATH}/{free.id}/delete")
    assert "nor do the last 2,000 sends of campaigns and the last 1 email." in page.text
    assert (await owner.submit(page, f"{PATH}/{free.id}/delete")).notes == ["free.png deleted."]


async def test_a_name_is_never_markup(owner: Visitor) -> None:
    page = await upload(owner, ('<img src=x onerror="alert(1)">.png', picture()))
    assert len(page.soup.select("main img")) == 1
    assert page.soup.select("main img")[0]["src"].startswith("/m/")


async def test_while_the_storage_fails_nothing_is_lost(
    owner: Visitor, rival_owner: Visitor, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    await upload(owner, ("a.png", picture()))
    media = await Media.all().get()
    settings.media.rename(settings.media.with_name("elsewhere"))
    settings.media.write_bytes(b"no folder")
    for visitor in (owner, rival_owner):
        assert (await upload(visitor, ("b.png", picture(colour="red")))).status == 503
    assert (await owner.get(path_of(media))).status == 503
    page = await owner.get(f"{PATH}/{media.id}/delete")
    assert (await owner.submit(page, f"{PATH}/{media.id}/delete")).notes == ["a.png deleted."]
    assert "fails ([Errno 20] Not a directory" in caplog.text
    settings.media.unlink()
    settings.media.with_name("elsewhere").rename(settings.media)
    assert await MediaFile.exclude(dropped_at=None).count() == 2
    assert (await upload(owner, ("b.png", picture(colour="red")))).status == 503  # a deletion may be on its way
    await MediaFile.exclude(dropped_at=None).update(dropped_at=clock.now() - timedelta(hours=1))
    assert (await upload(owner, ("b.png", picture(colour="red")))).notes == ["1 file added."]
    await files.drop_unnamed()
    assert stored(settings) == [(await Media.all().get()).hash]


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
    (settings.media / "ab").mkdir(exist_ok=True)
    (settings.media / "ab" / ("ab" * 32)).write_bytes(b"a file that no row names")
    names = {"hash": media.hash, "upper": media.hash.upper(), "other": "ab" * 32, "short": media.hash[:2]}
    for path in (
        "/m/{hash}/other.png",
        "/m/{hash}/..%2Flogo.png",
        "/m/{hash}",
        "/m/{upper}/logo.png",
        "/m/{other}/logo.png",
        "/m/{hash}%00/logo.png",
        "/m/..%2F..%2Fpennypost.db/logo.png",
        "/m/%2e%2e/pennypost.db",
        "/m/{short}/{hash}",
    ):
        assert (await stranger.get(path.format(**names))).status == 404, path
