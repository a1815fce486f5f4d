"""Mails in frames that load no images: grey places stand for them."""

from time import process_time

import pytest

from webapp.config import Settings
from webapp.http.security_headers import mail_policy
from webapp.pages.mail.frame import GREY, NOWHERE, mail_frame

pytestmark = pytest.mark.usefixtures("settings")


async def shown(document: str, *, images: bool = False) -> str:
    text = (await mail_frame(document, images=images).get_data()).decode()
    assert text.startswith(NOWHERE)
    return text.removeprefix(NOWHERE)


async def test_the_doctype_stays_first() -> None:
    answer = mail_frame("<!DOCTYPE html><html><p>Hello")
    assert await answer.get_data(as_text=True) == f"<!DOCTYPE html>{NOWHERE}<html><p>Hello"


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ('<img alt="Logo" src="https://a.example/x.png">', f'<img alt="Logo" src="{GREY}">'),
        ("<img\nsrc=logo.png>", f'<img\nsrc="{GREY}">'),
        ('<img srcset="https://a.example/x.png 2x" src="">', f'<img src="{GREY}">'),
        ('<td background="http://a.example/x.png">', f'<td background="{GREY}">'),
        ('<p style="background: url(&quot;https://a.example/x&quot;) red">', '<p style="background: url(data:,) red">'),
        ('<a href="https://a.example">src="https://a.example"</a>', '<a href="https://a.example">src="https://a.example"</a>'),
    ],
)  # fmt: skip
async def test_an_image_that_is_not_loaded_is_grey(tag: str, expected: str) -> None:
    assert await shown(tag) == expected
    assert await shown(tag, images=True) == tag
    assert mail_frame(tag).headers["Content-Security-Policy"] == mail_policy()


@pytest.mark.parametrize(
    ("tag", "is_shown"),
    [
        ('<img alt="Logo" src="{url}/m/ab/logo.png">', True),
        ('<td background="{url}/m/ab/logo.png">', True),
        ('<p style="background:url(&quot;{url}/m/ab/logo.png&quot;)">', True),
        ('<img src="{url}/sign-out">', False),
        ('<img src="{url}.evil.example/m/ab/logo.png">', False),
        ('<img src="https://evil.example/?{url}/m/ab/logo.png">', False),
        ('<p style="background:url(https://evil.example/m/ab/logo.png)">', False),
    ],
)
async def test_a_picture_of_the_media_library_is_shown_and_nothing_else_of_this_server(
    settings: Settings, tag: str, *, is_shown: bool
) -> None:
    document = tag.replace("{url}", settings.base_url)
    assert (await shown(document) == document) is is_shown
    for images, also in ((False, ""), (True, " https:")):
        policy = mail_frame(document, images=images).headers["Content-Security-Policy"]
        assert f"img-src data: {settings.base_url}/m/{also};" in policy


async def test_a_hostile_mail_is_rewritten_as_fast() -> None:
    began = process_time()
    for piece in (
        "<img ",
        "<img src",
        " src= ",
        "url(",
        "<img src='",
        "url(//",
        "srcset ",
        "<img" + " " * 99,
        ' src=\n"',
    ):
        many = piece * (500_000 // len(piece))
        await shown(f"{many}<img{many.replace('<', ' ')}>")
    assert process_time() - began < 5
