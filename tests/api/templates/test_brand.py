"""The brand: its defaults, its changes, its faults, and the letters that follow it."""

from typing import Any
from uuid import UUID

from tests.api.conftest import Api
from tests.api.templates.test_kinds import LETTER, letter, make
from webapp.domain.templates import brand
from webapp.domain.templates.style import LetterStyle, contrast
from webapp.models import AuditEntry, Brand, Organization, Template

DEFAULTS = {
    "background": "#ffffff",
    "text": "#1f2328",
    "accent": "#1d4ed8",
    "button": "#1d4ed8",
    "font": "system",
    "width": 600,
    "logo_url": None,
    "address": None,
}


async def test_a_brand_has_defaults_and_keeps_what_is_not_given(api: Api) -> None:
    assert await api.get("/v1/brand") == (200, {"data": DEFAULTS})
    status, answer = await api.patch("/v1/brand", {"accent": "#B45309", "button": "fa0", "font": "georgia"})
    changed = DEFAULTS | {"accent": "#b45309", "button": "#ffaa00", "font": "georgia"}
    assert (status, answer) == (200, {"data": changed})
    logo = {"logo_url": "https://example.com/logo.png", "address": "Acme\r\n1 Main St"}
    status, answer = await api.patch("/v1/brand", logo)
    assert answer["data"] == changed | logo | {"address": "Acme\n1 Main St"}
    assert (await api.patch("/v1/brand", {"logo_url": None, "address": None}))[1]["data"] == changed
    assert await api.get("/v1/brand") == (200, {"data": changed})


BAD: list[tuple[dict[str, Any], str]] = [
    ({"accent": "blue"}, "accent must be a color like #1d4ed8"),
    ({"text": "#cccccc"}, "text makes text hard to read: #cccccc on #ffffff has a contrast of 1.6"),
    ({"background": "#222222"}, "background makes text hard to read: #1f2328 on #222222"),
    ({"accent": "#ffff00"}, "accent makes links hard to read"),
    ({"font": "Comic Sans"}, "font must be"),
    ({"width": 100}, "width must be greater than or equal to 400"),
    ({"logo_url": "javascript:alert(1)"}, "logo_url must be an address"),
    ({"logo_url": "https://example.com/{{ a }}"}, "logo_url must not contain merge tags"),
    ({"address": "{% if a %}"}, "address must not contain merge tags"),
    ({"address": ""}, "address must"),
]


async def test_a_brand_that_readers_could_not_read_is_refused(api: Api) -> None:
    for change, message in BAD:
        status, answer = await api.patch("/v1/brand", change)
        assert (status, answer["details"][0]["field"]) == (400, message.partition(" ")[0]), message
        assert answer["message"].startswith(message)
    assert await api.get("/v1/brand") == (200, {"data": DEFAULTS})


async def test_every_letter_of_blocks_has_a_changed_brand_at_once(
    api: Api, acme: Organization, rival_api: Api, rival: Organization
) -> None:
    made = [await make(api, letter(*LETTER, {"type": "footer"})) for _ in range(brand.BATCH + 1)]
    html = await make(api, {"name": "x", "body": "<p>a</p>"})
    theirs = await make(rival_api, letter(*LETTER))
    colors = {"background": "#101010", "text": "#fafafa", "accent": "#ffcc00"}
    change = colors | {"address": "Northwind\n2 River Rd", "width": 640, "logo_url": "https://example.com/l.png"}
    assert (await api.patch("/v1/brand", change))[0] == 200
    for before in made:
        now = (await api.get(f"/v1/templates/{before['id']}"))[1]["data"]
        for words in (*colors.values(), "640px", "Northwind<br", "https://example.com/l.png", 'alt="Acme'):
            assert words in now["body"]
        assert now | {"body": ""} == before | {"body": ""}
    assert (await api.get(f"/v1/templates/{html['id']}"))[1]["data"] == html
    assert (await rival_api.get(f"/v1/templates/{theirs['id']}"))[1]["data"] == theirs
    assert await rival_api.get("/v1/brand") == (200, {"data": DEFAULTS})
    assert (await Brand.of(acme).get()).compile_after is None
    assert (await make(api, letter(*LETTER)))["body"].count("#ffcc00") > 0
    changes = "organization.brand_changed"
    assert await AuditEntry.of(acme).filter(action=changes).count() == 1
    assert await AuditEntry.of(rival).filter(action=changes).count() == 0


async def test_what_a_request_leaves_is_compiled_later(api: Api, acme: Organization) -> None:
    made = await make(api, letter(*LETTER))
    await api.patch("/v1/brand", {"accent": "#b45309"})
    await Template.of(acme).update(body="old")
    await Brand.of(acme).update(compile_after=UUID(int=0))
    await brand.finish_compiling(10)
    assert "#b45309" in (await api.get(f"/v1/templates/{made['id']}"))[1]["data"]["body"]
    assert (await Brand.of(acme).get()).compile_after is None


def test_buttons_and_footers_can_be_read_on_every_brand() -> None:
    for color in ("#000000", "#777777", "#ffffff", "#ff0000"):
        style = LetterStyle(button=color)
        assert contrast(style.button_text, color) >= 4.5
        assert contrast(style.quiet_text, style.background) >= 4.5
