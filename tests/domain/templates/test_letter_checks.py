"""A letter's pictures and links are checked before it is sent."""

from io import BytesIO
from time import process_time

import pytest
from PIL import Image

from tests.factories import make_media
from webapp.config import Settings
from webapp.domain.media.media import add_media, url_of
from webapp.domain.templates.letter_checks import HEAVY_BYTES, check_letter, find_faults
from webapp.models import Organization

OURS = "http://post.example"
FINE = """<p><a href="https://acme.example">News</a> <a href='mailto:ada@acme.example'>Write</a>
<a name="top">Top</a> <a href="http://post.example/unsubscribe/x">Unsubscribe</a> <a href=https://acme.example/#a>A</a>
<a href="https://example.com.acme.example">B</a><img src="a.png" alt=""><img alt='Spring' src="b.png"/></p>"""


def test_a_letter_that_is_well_is_left_in_peace() -> None:
    assert list(find_faults(FINE, OURS)) == []
    assert list(find_faults("", OURS)) == []


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ('<img src="a.png">', "1 image has no alt text."),
        ('<a href="#">Read</a>', "1 link leads nowhere. Add the address."),
        ('<a href="http://acme.example/?a=1&amp;b=2">Read</a>', "isn't encrypted: http://acme.example/?a=1&b=2. Use"),
        (
            '<a href="https://example.com/news">Read</a>',
            "The link “Read” leads to the placeholder https://example.com/news. Replace it",
        ),
        ('<a href="https://a.example"></a>', "The link to https://a.example has no words."),
        ('<div style="display:flex">', "Outlook for Windows ignores display: flex. Use tables"),
        ('<td style="background:#fff url(https://a.example/x.png) top">', "ignores images behind text."),
    ],
)
def test_each_fault_is_said_once(html: str, said: str) -> None:
    (found,) = find_faults(html, OURS)
    assert said in found


def link(words: str, path: str) -> str:
    return f'<a href="https://example.com/{path}">{words}</a>'


@pytest.mark.parametrize(
    ("links", "said"),
    [
        (
            [link("Read\n <b>this</b> &amp; that", "a"), link('<img src="b.png" alt="A shop">', "shop")],
            "2 links lead to placeholders: “Read this & that” to https://example.com/a and “A shop” to https://example.com/shop.",
        ),
        (
            [link("Read", "a"), link("Read", "b"), link("Read", "a"), '<a href="https://example.com/c">' + "x" * 2_000],
            "placeholders: “Read” to https://example.com/a (2 times), “Read” to https://example.com/b and https://example.com/c.",
        ),
        ([link("Read", str(number)) for number in range(2_011)], "“Read” to https://example.com/9 and 2,001 more. "),
        (
            [link("Read", "a")] * 3,
            "3 links lead to placeholders: “Read” to https://example.com/a (3 times). Replace them with addresses of yours.",
        ),
    ],
)
def test_every_placeholder_is_named_with_the_words_of_its_link(links: list[str], said: str) -> None:
    (found,) = find_faults(" ".join([*links, FINE]), OURS)
    assert said in found
    assert len(found) < 2_000


def drawing(color: str, *, is_clear: bool = True, kind: str = "PNG", size: tuple[int, int] = (300, 100)) -> bytes:
    """A bar in the middle of a picture."""
    image, out = Image.new("RGBA", size, (0, 0, 0, 0) if is_clear else "white"), BytesIO()
    image.paste(Image.new("RGBA", (size[0] // 2, size[1] // 2), color), (size[0] // 4, size[1] // 4))
    (image if kind != "JPEG" else image.convert("RGB")).save(out, kind)
    return out.getvalue()


@pytest.mark.parametrize(
    ("picture", "vanishes"),
    [(drawing("black"), True), (drawing("#777777"), False), (drawing("black", is_clear=False), False)],
)
async def test_a_dark_drawing_without_a_background_vanishes(
    acme: Organization, settings: Settings, picture: bytes, *, vanishes: bool
) -> None:
    logo, _ = await add_media(acme, "logo.png", picture)
    faults = await check_letter(acme, f'<img alt="" src="{url_of(logo)}">')
    assert faults == [fault for fault in faults if vanishes and "vanishes in dark mode" in fault]
    assert bool(faults) is vanishes


async def test_a_letters_own_pictures_are_looked_at_and_no_others(
    acme: Organization, rival: Organization, settings: Settings
) -> None:
    logo, _ = await add_media(acme, "logo.png", drawing("black"))
    theirs, _ = await add_media(rival, "theirs.png", drawing("navy"))
    lost = await make_media(acme, name="lost.png", bytes=HEAVY_BYTES * 2)
    image = '<img alt="" src="{}">'
    html = "".join(image.format(url_of(media)) for media in (logo, theirs, lost, logo))
    found = await check_letter(acme, html)
    assert [words.partition(" ")[0] for words in found] == ["logo.png", "lost.png"]
    assert await check_letter(acme, html) == found
    assert [words.partition(" ")[0] for words in await check_letter(rival, html)] == ["theirs.png"]
    assert await check_letter(acme, html.replace(settings.base_url, "https://other.example")) == []
    assert await check_letter(acme, None) == []


PIECES = [
    "<a href",
    "<a  href  ",
    " style='",
    "display :",
    "<style>background:",
    "<a href=x alt= ",
    "<a href='https://example.com/a' title='",
]


@pytest.mark.parametrize("piece", PIECES)
def test_what_is_written_to_take_long_takes_linear_time(piece: str) -> None:
    start = process_time()
    list(find_faults(piece * (500_000 // len(piece)), OURS))
    list(find_faults("<a " + piece.replace("<", "") * (500_000 // len(piece)), OURS))
    assert process_time() - start < 2
