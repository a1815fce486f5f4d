"""/v1/media: pictures that an organization puts into its emails."""

import asyncio
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from PIL import ImageCms

from tests.api.conftest import Api
from tests.factories import make_account, make_campaign, make_mail, make_run, make_template, make_version
from tests.plans import use_plans
from tests.support.pictures import (
    SECRET,
    SVG,
    animation,
    described,
    multipart,
    noisy,
    opened,
    pdf,
    photo,
    picture,
    png_of,
)
from webapp.config import Settings
from webapp.domain.auth.owners import set_plan
from webapp.domain.media import files
from webapp.models import AuditEntry, Brand, CampaignRun, Content, Media, MediaFile, Organization, OrgUsage, Template
from webapp.models.usage import Metric

PATH = "/v1/media"


SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


async def upload(api: Api, data: bytes, name: str = "logo.png", **fields: str) -> tuple[int, Any]:
    return await api.answer("POST", PATH, **multipart((name, data), fields=fields))


async def added(api: Api, data: bytes | None = None, name: str = "logo.png", **fields: str) -> Any:
    status, body = await upload(api, picture() if data is None else data, name, **fields)
    assert status == 201, body
    return body["data"]


async def served(api: Api, media: Any) -> bytes:
    """The file, as readers of emails get it."""
    response = await Api(api.app, None).send("GET", urlsplit(media["url"]).path)
    assert response.status_code == 200
    return bytes(await response.get_data())


def stored(settings: Settings) -> list[str]:
    """The files in the folder of the library."""
    assert isinstance(settings.media, Path)
    return sorted(path.name for path in settings.media.rglob("*") if path.is_file())


async def test_a_picture_is_uploaded_listed_shown_and_deleted(
    api: Api, rival_api: Api, acme: Organization, rival: Organization, settings: Settings
) -> None:
    data = picture()
    media = await added(api, data, "Spring sale.png", org_id=str(rival.id), hash="0" * 64)
    assert (media["name"], media["type"], media["bytes"]) == ("Spring sale.png", "image/png", len(data))
    assert (media["width"], media["height"], media["hash"]) == (40, 30, sha256(data).hexdigest())
    assert media["url"] == f"{settings.base_url}/m/{media['hash']}/Spring-sale.png"
    assert await served(api, media) == data
    assert await api.get(f"{PATH}/{media['id']}") == (200, {"data": media})
    assert await api.get(PATH) == (200, {"data": [media], "has_more": False})
    assert await rival_api.get(PATH) == (200, {"data": [], "has_more": False})
    assert await api.delete(f"{PATH}/{media['id']}") == (200, {"ok": True})
    assert (await api.get(f"{PATH}/{media['id']}"))[0] == 404
    assert (await Api(api.app, None).send("GET", urlsplit(media["url"]).path)).status_code == 404
    assert stored(settings) == []
    assert await MediaFile.all().count() == 0
    entries = await AuditEntry.of(acme).filter(target="Spring sale.png").order_by("id")
    assert [entry.action for entry in entries] == ["media.added", "media.deleted"]


async def test_two_organizations_share_a_file_and_see_nothing_of_each_other(
    api: Api, rival_api: Api, settings: Settings
) -> None:
    ours, theirs = await added(api, name="ours.png"), await added(rival_api, name="theirs.png")
    assert (ours["hash"], len(stored(settings))) == (theirs["hash"], 1)
    assert await api.delete(f"{PATH}/{ours['id']}") == (200, {"ok": True})
    assert await served(api, theirs)
    assert (await Api(api.app, None).send("GET", urlsplit(ours["url"]).path)).status_code == 404
    assert await rival_api.delete(f"{PATH}/{theirs['id']}") == (200, {"ok": True})
    assert stored(settings) == []


async def test_the_same_picture_is_there_once(api: Api) -> None:
    media = await added(api)
    assert await upload(api, picture(), "again.png") == (200, {"data": media})
    assert await Media.all().count() == 1


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
async def test_each_kind_is_what_it_says(api: Api, kind: str) -> None:
    media = await added(api, picture(kind), "logo.bin")
    response = await Api(api.app, None).send("GET", urlsplit(media["url"]).path)
    assert media["type"] == response.headers["Content-Type"] == f"image/{kind.lower()}"
    assert media["name"] == {"JPEG": "logo.jpg"}.get(kind, f"logo.{kind.lower()}")
    assert opened(await response.get_data(as_text=False)).format == kind


async def test_a_pdf_stays_as_it_is_and_is_saved_instead_of_shown(api: Api, rival_api: Api) -> None:
    data = pdf(5 * 1024 * 1024)
    media = await added(api, data, "Price list.bin", scale="true")
    assert (media["type"], media["name"], media["bytes"]) == ("application/pdf", "Price list.pdf", len(data))
    assert (media["width"], media["height"]) == (None, None)
    assert (await rival_api.get(f"{PATH}/{media['id']}"))[0] == 404
    response = await Api(api.app, None).send("GET", urlsplit(media["url"]).path)
    assert await response.get_data(as_text=False) == data
    assert response.headers["Content-Type"] == "application/pdf"
    assert response.headers["Content-Disposition"] == "attachment; filename*=UTF-8''Price%20list.pdf"
    assert "sandbox" in response.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (pdf()[:-8], "is damaged or cut off. Save it again and upload that"),
        (pdf() + b" " * 2_000, "is damaged or cut off. Save it again and upload that"),
        (b"%PDF-<script>%%EOF", "is damaged or cut off. Save it again and upload that"),
        (b" " + pdf(), "is not a PNG, JPEG, GIF or WebP image or a PDF"),
        (b"MZ\x90 %PDF-1.7 %%EOF", "is not a PNG, JPEG, GIF or WebP image or a PDF"),
    ],
)
async def test_a_file_that_only_resembles_a_pdf_is_refused(api: Api, data: bytes, reason: str) -> None:
    status, body = await upload(api, data, "list.pdf")
    assert (status, body["details"]) == (400, [{"field": "file", "message": f"file: list.pdf {reason}"}])


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
async def test_a_photo_is_turned_upright_and_does_not_say_where_it_was_taken(api: Api, kind: str) -> None:
    data = photo(kind=kind)
    assert SECRET in data
    media = await added(api, data, "photo.jpg")
    file = await served(api, media)
    assert (media["width"], media["height"]) == opened(file).size == (30, 40)
    assert (SECRET in file, b"Exif" in file, dict(opened(file).getexif())) == (False, False, {})


async def test_no_text_is_left(api: Api) -> None:
    for data in (described(), animation(3, comment=SECRET), picture("JPEG", comment=SECRET)):
        assert SECRET in data
        assert SECRET not in await served(api, await added(api, data))


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
async def test_a_colour_profile_is_kept_if_it_is_one(api: Api, kind: str) -> None:
    others = SRGB[:16] + b"CMYK" + SRGB[20:]  # for other colours than the picture's
    for profile, is_kept in ((SRGB, True), (SRGB + SECRET, False), (others, False)):
        found = await served(api, await added(api, picture(kind, icc_profile=profile)))
        assert opened(found).info.get("icc_profile") == (profile if is_kept else None)
        assert SECRET not in found
        await Media.all().delete()


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
async def test_an_animation_stays_one(api: Api, kind: str) -> None:
    media = await added(api, animation(5, (1300, 10), kind), scale="true")
    assert getattr(opened(await served(api, media)), "n_frames", 1) == 5
    assert media["width"] == 1300


@pytest.mark.parametrize("kind", ["JPEG", "GIF"])
async def test_a_wide_picture_is_scaled_where_that_is_asked_for(api: Api, kind: str) -> None:
    data = picture(kind, (2400, 60))
    kept, scaled = await added(api, data), await added(api, data, scale="true")
    assert [(one["width"], one["height"]) for one in (kept, scaled)] == [(2400, 60), (1200, 30)]
    assert opened(await served(api, scaled)).size == (1200, 30)
    assert (await added(api, picture(kind, (1200, 8)), scale="true"))["width"] == 1200


NO_PICTURES = [
    (SVG, "is an SVG drawing"),
    (b"", "is empty"),
    (b"RIFF\x04\0\0\0WAVE", "is not a PNG, JPEG, GIF or WebP image"),
    (picture("JPEG", (200, 200))[:400], "is damaged or cut off"),
    (animation(4)[:-30], "is damaged"),
    (png_of(50_000, 50_000), "has 50,000 x 50,000 pixels"),
    (animation(600), "has more than 500 frames"),
    (animation(30, (3000, 3000)), "has more than 27 frames"),
]


async def test_what_is_no_picture_is_refused_by_its_name(api: Api, settings: Settings) -> None:
    for data, words in NO_PICTURES:
        status, body = await upload(api, data, "logo.svg")
        assert (status, body["details"][0]["field"]) == (400, "file"), words
        assert body["message"].startswith(f"file: logo.svg {words}")
    assert (await Media.all().count(), stored(settings)) == (0, [])


async def test_an_animation_of_40_mb_is_refused_by_its_size(api: Api) -> None:
    data = animation(2) + b"\0" * (39 * 1024 * 1024)
    assert await upload(api, data, "party.gif") == (
        413,
        {"error": "PayloadTooLarge", "message": "party.gif is larger than 20 MB"},
    )
    assert await Media.all().count() == 0


NAMES = [
    ("../../etc/passwd.png", "passwd.png", "passwd.png"),
    ("..\\..\\boot.png", "boot.png", "boot.png"),
    ("..", "image.png", "image.png"),
    ("a\tb\x7f\u202egnp.png", "a b gnp.png", "a-b-gnp.png"),
    ("Größe 2.PNG", "Größe 2.PNG", "Groe-2.PNG"),
    ("<b>&.html", "<b>&.png", "b.png"),
    ("x" * 300 + ".png", "x" * 196 + ".png", "x" * 196 + ".png"),
]


async def test_a_name_is_one_line_without_folders(api: Api) -> None:
    for name, shown, address in NAMES:
        media = await added(api, noisy((8, 8 + len(address))), name)
        assert (media["name"], media["url"].rpartition("/")[2]) == (shown, address)
        assert await served(api, media)


async def test_a_name_with_line_breaks_is_one_line(api: Api) -> None:
    upload = multipart(("x.png", picture()))
    upload["data"] = upload["data"].replace(b'filename="x.png"', b"filename*=UTF-8''..%2Fa%0D%0Ab%00.png")
    status, body = await api.answer("POST", PATH, **upload)
    assert (status, body["data"]["name"]) == (201, "a b .png")
    assert await served(api, body["data"])


NO_UPLOADS: list[tuple[dict[str, Any], int, str]] = [
    (multipart(), 400, "file is required"),
    (multipart(("a.png", picture()), ("b.png", picture())), 400, "file must be one file, and the only one"),
    (multipart(("a.png", picture()), fields={"scale": "wide"}), 400, "scale "),
    ({"data": b"x", "headers": {"Content-Type": "multipart/form-data"}}, 400, "the form could not be read"),
    ({"json": {"file": "x"}}, 415, "the request body must be multipart/form-data"),
]


async def test_a_body_that_is_no_upload_is_refused(api: Api) -> None:
    for body, status, message in NO_UPLOADS:
        found, answer = await api.answer("POST", PATH, **body)
        assert (found, answer["message"][: len(message)]) == (status, message)
    assert await Media.all().count() == 0


async def use(org: Organization, media: Any) -> None:
    """Put the picture into the brand, a template, an old version of another, campaigns (one is deleted) and an email."""
    html = f'<img src="{media["url"]}" alt="">'
    await make_template(org, name="Welcome", body=html)
    colours = dict.fromkeys(("background", "text", "accent", "button"), "#000000")
    await Brand.create(org=org, **colours, font="system", width=600, logo_url=media["url"])
    content = await Content.create(org=org, subject="News", html=html)
    for campaign in (await make_campaign(org, title="November"), gone := await make_campaign(org)):
        run, _ = await make_run(org, [], 1)
        await CampaignRun.filter(id=run.id).update(campaign_id=campaign.id, content_id=content.id)
    await gone.delete()
    await make_version(await make_template(org, name="Once"), subject="Hi", body=html)
    await make_mail(org, await make_account(org))
    await Content.of(org).filter(subject="Hello").update(html=html)


async def test_a_picture_in_use_is_deleted_only_by_force(
    api: Api, rival_api: Api, acme: Organization, rival: Organization
) -> None:
    media, theirs = await added(api), await added(rival_api)
    await use(acme, media)
    status, body = await api.delete(f"{PATH}/{media['id']}")
    assert (status, body["error"]) == (409, "Conflict")
    assert body["message"] == (
        "logo.png is used by the brand, as its logo, the template “Welcome”, an old version of the template “Once”, the "
        "campaign “November”, a deleted campaign and 1 more. It would be missing there"
    )
    assert (await api.delete(f"{PATH}/{media['id']}?force=false"))[0] == 409
    assert await rival_api.delete(f"{PATH}/{theirs['id']}") == (200, {"ok": True})
    assert await served(api, media)
    assert await api.delete(f"{PATH}/{media['id']}?force=true") == (200, {"ok": True})
    entry = await AuditEntry.of(acme).get(action="media.deleted")
    assert "the template “Welcome”" in entry.details["used_by"]
    assert await Template.of(acme).count() == 2


async def test_a_full_plan_refuses_in_words(
    api: Api, rival_api: Api, acme: Organization, rival: Organization, settings: Settings
) -> None:
    use_plans(settings, {"free": {"media_bytes": 200_000}})
    await set_plan(acme, "free")
    first = await added(api, noisy((400, 400)))
    status, body = await upload(api, noisy((400, 401)))
    assert (status, body["error"], body["limit"]) == (403, "PlanLimitExceeded", "media_bytes")
    assert (body["max"], body["current"]) == (200_000, first["bytes"])
    assert body["message"] == "the free plan allows 0.2 MB of media (media_bytes), and 0.1 MB are used"
    assert len(stored(settings)) == 1
    await added(rival_api, noisy((400, 401)))
    assert await api.delete(f"{PATH}/{first['id']}") == (200, {"ok": True})
    await added(api, noisy((400, 401)))


async def test_uploads_at_once_do_not_pass_the_plan_together(api: Api, acme: Organization, settings: Settings) -> None:
    use_plans(settings, {"free": {"media_bytes": 500_000}})
    await set_plan(acme, "free")
    found = await asyncio.gather(*(upload(api, noisy((400, 400 + more))) for more in range(6)))
    assert sorted(status for status, _ in found) == [201, 201, 201, 403, 403, 403]
    assert sum(await Media.of(acme).values_list("bytes", flat=True)) <= 500_000
    assert len(stored(settings)) == await MediaFile.all().count() == 3


async def test_a_picture_that_is_uploaded_several_times_at_once_counts_once(
    api: Api, acme: Organization, settings: Settings
) -> None:
    use_plans(settings, {"free": {"media_bytes": 500_000}})
    await set_plan(acme, "free")
    answers = await asyncio.gather(*(upload(api, picture()) for _ in range(4)))
    assert sorted(status for status, _ in answers) == [200, 200, 200, 201]
    assert (await OrgUsage.of(acme).get(metric=Metric.MEDIA)).used == (await Media.of(acme).get()).bytes


async def test_what_is_uploaded_while_it_is_deleted_is_there_whole(api: Api, settings: Settings) -> None:
    for _ in range(2):
        media = await added(api)
        results = await asyncio.gather(
            api.delete(f"{PATH}/{media['id']}"), upload(api, picture()), files.drop_unnamed(), upload(api, picture())
        )
        assert [one[0] for one in results if one is not None and one[0] not in (200, 201)] == []
        for left in await Media.all():
            assert left.hash in stored(settings)
            assert await api.delete(f"{PATH}/{left.id}") == (200, {"ok": True})


async def test_an_organization_takes_its_pictures_with_it(
    api: Api, rival_api: Api, acme: Organization, settings: Settings
) -> None:
    await added(api, picture(colour="red"))
    await added(api)
    theirs = await added(rival_api)
    await Organization.filter(id=acme.id).delete()
    await files.drop_unnamed()
    assert stored(settings) == [theirs["hash"]]
    assert await served(rival_api, theirs)
