"""Templates of blocks, MJML and text: how they are taken, refused, changed, sent and restored, and follow the brand."""

import asyncio
import re
from pathlib import Path
from typing import Any
from uuid import UUID

from tests.api.conftest import NOT_FOUND, Api
from tests.factories import (
    account_on,
    make_account,
    make_campaign,
    make_contact,
    make_segment,
    make_template,
    make_version,
)
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import working
from tests.faults.support.world import until_received
from tests.support.messages import parsed, part
from webapp.bounded_process import MOST_WAITING
from webapp.config import Settings
from webapp.domain.templates import brand
from webapp.domain.templates.style import LetterStyle, contrast
from webapp.models import AuditEntry, Brand, Organization, Template, TemplateVersion

GREETING = 'Hello {{ first_name | default: "there" }}'
LINK = 'https://example.com/{{ id | default: "a&b" }}?x=1&y=2'
LETTER: list[dict[str, Any]] = [
    {"type": "heading", "text": GREETING},
    {"type": "text", "text": "Some **bold** words\nand [a link](https://example.com/?a=1&b=2).\n\n- One\n- Two"},
    {"type": "button", "text": "Read it", "url": LINK, "show_when": 'plan == "pro"'},
    {"type": "image", "url": "https://example.com/river.jpg", "alt": "A river"},
    {"type": "divider"},
    {"type": "spacer", "height": 12},
    {
        "type": "columns",
        "show_when": "city",
        "columns": [[{"type": "text", "text": "Left"}], [{"type": "text", "text": "In {{ city }}"}]],
    },
    {"type": "social", "links": [{"name": "Mastodon", "url": "https://social.example/@acme"}]},
    {
        "type": "code",
        "html": "<style>b { color: red }</style><table><tr>{% if x %}<td>{{ x }}</td>{% endif %}</tr></table>",
    },
    {"type": "footer", "text": "You asked for this.", "address": "Acme\n1 Main St"},
]
MJML = """<mjml><mj-body>
<mj-section><mj-column>
<mj-text>Hello {{ first_name | default: "there" }} &nbsp; <br> <a href="{{ link | default: "https://example.com" }}">x</a></mj-text>
</mj-column></mj-section></mj-body></mjml>"""


def in_column(written: str) -> str:
    return f"<mjml><mj-body><mj-section><mj-column>{written}</mj-column></mj-section></mj-body></mjml>"


def letter(*blocks: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"name": "Letter", "subject": GREETING, "blocks": list(blocks), **fields}


def columns(*blocks: list[dict[str, Any]]) -> dict[str, Any]:
    return {"type": "columns", "columns": [*blocks, []]}


async def make(api: Api, body: dict[str, Any]) -> dict[str, Any]:
    return await api.create("/v1/templates", body)


async def test_blocks_are_compiled_and_their_merge_tags_stay_byte_for_byte(api: Api) -> None:
    made = await make(api, letter(*LETTER))
    assert (made["kind"], made["mjml"], made["subject"]) == ("blocks", None, GREETING)
    assert [block["type"] for block in made["blocks"]] == [block["type"] for block in LETTER]
    assert made["blocks"][0] == {"type": "heading", "text": GREETING, "level": 1, "align": "left"}
    for tag in (GREETING, '{% if plan == "pro" %}', "{% if city %}", "{{ unsubscribe_url }}"):
        assert tag in made["body"]
    assert 'href="https://example.com/{{ id | default: "a&b" }}?x=1&amp;y=2"' in made["body"]
    assert re.search(r"<tr>\{% if x %\}<td[^>]*>\{\{ x \}\}</td>\{% endif %\}</tr>", made["body"])
    assert made["variables"] == ["first_name", "plan", "id", "city", "x", "unsubscribe_url"]
    assert "googleapis" not in made["body"]
    assert (await api.get(f"/v1/templates/{made['id']}"))[1]["data"] == made


BAD_BLOCKS: list[tuple[dict[str, Any], str]] = [
    ({"type": "button", "text": "x", "url": " JaVa\tScript:alert(1)"}, "blocks[1].url must be an address"),
    ({"type": "button", "text": "x", "url": "{{ a }}javascript:alert(1)"}, "blocks[1].url must be an address"),
    ({"type": "image", "url": "data:image/png;base64,AAAA"}, "blocks[1].url must be an address"),
    ({"type": "text", "text": "[x](data:text/html,x)"}, "blocks[1].text has a link to data:text/html,x"),
    ({"type": "text"}, "blocks[1].text is required"),
    ({"type": "text", "text": "a", "colour": "red"}, "blocks[1].colour is not a known field"),
    ({"type": "marquee"}, "blocks[1] has an unknown type"),
    ({"text": "x"}, "blocks[1] must be an object with a type"),
    ({"type": "text", "text": "{{ a"}, "blocks[1].text has an error at line 1, column 1: unclosed tag; add }}"),
    ({"type": "text", "text": "x", "show_when": "a %}{% endif %}"}, "blocks[1].show_when must be a condition"),
    ({"type": "columns", "columns": [[]]}, "blocks[1].columns must have at least 2 items"),
    (columns([{"type": "columns", "columns": [[], []]}]), "blocks[1].columns[0][0] has an unknown type"),
    (columns([{"type": "button", "text": "x", "url": "y"}]), "blocks[1].columns[0][0].url must be an address"),
]


async def test_a_fault_names_its_block_and_nothing_is_kept(api: Api, acme: Organization) -> None:
    made = await make(api, letter({"type": "divider"}))
    for block, message in BAD_BLOCKS:
        status, answer = await api.post("/v1/templates", letter({"type": "divider"}, block))
        assert (status, answer["error"]) == (400, "ValidationError"), message
        assert answer["message"].startswith(message), message
        assert answer["details"][0]["field"] == message.partition(" ")[0]
    changed = await api.patch(f"/v1/templates/{made['id']}", {"blocks": [{"type": "divider"}, block]})
    assert changed == (400, answer)
    assert (await api.get(f"/v1/templates/{made['id']}"))[1]["data"] == made
    assert await Template.of(acme).count() == 1


async def test_blocks_are_bounded(api: Api) -> None:
    text = {"type": "text", "text": "x"}
    await make(api, letter(*[text] * 196, {"type": "columns", "columns": [[text], [text, text]]}))
    for blocks in ([text] * 201, [text] * 197 + [{"type": "columns", "columns": [[text], [text, text]]}]):
        status, answer = await api.post("/v1/templates", letter(*blocks))
        assert (status, answer["details"][0]["field"]) == (400, "blocks")
        assert "at most 200" in answer["message"]
    status, answer = await api.post("/v1/templates", letter(*[text | {"text": "x" * 45_000}] * 6))
    assert (status, answer["message"]) == (400, "blocks must take at most 256 KB")


async def test_html_of_ones_own_is_bounded_and_loads_nothing(api: Api, tmp_path: Path) -> None:
    for html, words in (
        ("<div>" * 1_001, "1,000 HTML elements"),
        ("<style>" + "p{}" * 501 + "</style>", "500 CSS rules"),
    ):
        status, answer = await api.post("/v1/templates", letter({"type": "code", "html": html}))
        assert (status, answer["details"][0]["field"]) == (400, "blocks[0].html")
        assert words in answer["message"]
    sheet = tmp_path / "sheet.css"
    sheet.write_text("p { color: rgb(9, 9, 9) }")
    link = f'<link rel="stylesheet" href="file://{sheet}">'
    made = await make(api, letter({"type": "code", "html": f"{link}<p>a</p><div>open"}))
    assert "rgb(9" not in made["body"]
    assert "<div>open</div>" in made["body"]


async def test_html_in_texts_is_shown_as_it_is_written(api: Api) -> None:
    made = await make(
        api, letter({"type": "text", "text": "<b>a</b> & <script>b</script>"}, {"type": "heading", "text": "<i>"})
    )
    assert "&lt;b&gt;a&lt;/b&gt; &amp; &lt;script&gt;" in made["body"]
    assert "&lt;i&gt;" in made["body"]


SOCIAL = '<mj-social><mj-social-element name="facebook" href="https://a.example">F</mj-social-element></mj-social>'
BAD_MJML = [
    ("<mjml><mj-body>\n<mj-section>", "at line 2: <mj-section> of line 2 is never closed"),
    ("<mjml><mj-body>\n<p>a</p></mj-body></mjml>", "at line 2: <p> is not allowed in <mj-body>: put it in <mj-text>"),
    ("<mjml><mj-body>\n\n{% if a %}{% endif %}</mj-body></mjml>", "at line 3: text is not allowed in <mj-body>"),
    ("<mjml><mj-body>\n<mj-include path='/etc/passwd' /></mj-body></mjml>", "at line 2: <mj-include> is not allowed"),
    ("<!DOCTYPE m [<!ENTITY a 'b'>]>\n<mjml><mj-body>&a;</mj-body></mjml>", "at line 1: <!DOCTYPE is not allowed"),
    ("<mjml>\n<!ENTITY a 'b'><mj-body /></mjml>", "at line 2: <!ENTITY is not allowed"),
    ("<mjml>\n</mjml>", "at line 1: <mjml> has no <mj-body>"),
    ("<mjml><mj-body>{{ a</mj-body></mjml>", "at line 1, column 16: unclosed tag; add }}"),
    (MJML.replace("{{ link", "javascript:{{ link"), "at line 3: href must be an address"),
    (MJML.replace("Hello", "<div>\n" * 5_000), "at line 58: elements are nested more than 60 deep"),
    (MJML.replace("Hello", "<b>\n"), "at line 4: </mj-text> where <b> of line 3 is still open"),
    (in_column(SOCIAL), "at line 1: <mj-social-element> needs src: MJML's own images would be loaded"),
]


async def test_mjml_that_is_none_is_refused_with_the_line(api: Api) -> None:
    for mjml, message in BAD_MJML:
        status, answer = await api.post("/v1/templates", {"name": "x", "mjml": mjml})
        assert (status, answer["details"][0]["field"]) == (400, "mjml"), message
        assert f"has an error {message}" in answer["message"]


async def test_mjml_is_compiled_with_its_styles_on_the_elements(api: Api) -> None:
    made = await make(api, {"name": "x", "mjml": MJML})
    assert (made["kind"], made["mjml"], made["blocks"]) == ("mjml", MJML, None)
    assert 'href="{{ link | default: "https://example.com" }}"' in made["body"]
    style = "<mj-head><mj-style inline='inline'>p { color: red }</mj-style><mj-style>@media (max-width: 400px) { p { color: blue } }</mj-style></mj-head>"
    section = "<mj-raw>{% if a %}</mj-raw><mj-section><mj-column><mj-text><p>{{ b }}</p></mj-text></mj-column></mj-section><mj-raw>{% endif %}</mj-raw>"
    made = await make(api, {"name": "x", "mjml": f"<mjml>{style}<mj-body>{section}</mj-body></mjml>"})
    assert re.search(r'<p style="[^"]*color: ?red[^"]*">\{\{ b \}\}</p>', made["body"])
    assert "@media (max-width: 400px)" in made["body"]
    assert made["body"].index("{% if a %}") < made["body"].index("{{ b }}") < made["body"].index("{% endif %}")
    assert await api.refused("POST", "/v1/templates", {"name": "x", "mjml": "x" * 262_145}) == "mjml"


async def test_mjml_styles_stay_in_the_head_unless_they_are_to_be_inlined(api: Api) -> None:
    css = (
        ".p { color: #111 } .p:hover { color: red } [data-ogsc] .c { color: #eee } u + .body .c { width: 100vw }"
        " a[x-apple-data-detectors] { color: inherit } :root { color-scheme: light dark }"
        " @media (prefers-color-scheme: dark) { .p { color: #eee } }"
    )
    styles = f"<mj-style>{css}</mj-style><mj-style inline='inline'>.c {{ top: 1px }} .c:hover {{ top: 2px }}</mj-style>"
    column = "<mj-section><mj-column><mj-text><p class='p c'>x</p></mj-text></mj-column></mj-section>"
    made = await make(
        api, {"name": "x", "mjml": f"<mjml><mj-head>{styles}</mj-head><mj-body>{column}</mj-body></mjml>"}
    )
    head, _, body = made["body"].partition("<body")
    assert css in head
    assert "top:" not in head
    assert re.search(r'<p class="p c" style="top: ?1px;?">x</p>', body)


async def test_outlooks_comments_stay_as_they_are(api: Api) -> None:
    ghost = "<!--[if mso]><table><tr><td width=300><![endif]-->{}<!--[if mso]></td></tr></table><![endif]-->"
    other = "<!--[if !mso]><!-- --><b>x &nbsp;</b><!-- <![endif]-->"
    made = await make(api, {"name": "x", "mjml": in_column(f"<mj-raw>{ghost.format(other)}</mj-raw>")})
    assert ghost.format(other) in made["body"]


async def test_the_kind_follows_the_content_and_changes_with_it_alone(api: Api) -> None:
    made = await make(api, {"name": "x", "body": "<p>a</p>"})
    path = f"/v1/templates/{made['id']}"
    status, answer = await api.patch(path, {"blocks": LETTER})
    assert (status, answer["details"][0]["field"]) == (400, "blocks")
    assert "send kind blocks to replace it" in answer["message"]
    status, answer = await api.patch(path, {"kind": "blocks"})
    assert (status, answer["message"]) == (400, "blocks is required for the kind blocks")
    assert (await api.patch(path, {"kind": "blocks", "blocks": LETTER}))[1]["data"]["kind"] == "blocks"
    assert await api.refused("PATCH", path, {"body": "<p>b</p>"}) == "body"
    compiled = (await api.get(path))[1]["data"]["body"]
    changed = (await api.patch(path, {"kind": "html"}))[1]["data"]
    assert (changed["kind"], changed["body"], changed["blocks"]) == ("html", compiled, None)
    changed = (await api.patch(path, {"kind": "text", "text": "<b>a</b>"}))[1]["data"]
    assert (changed["kind"], changed["body"]) == ("text", "<b>a</b>")
    for body, field in (({"blocks": LETTER, "mjml": MJML}, "mjml"), ({"kind": "letter"}, "kind")):
        assert await api.refused("POST", "/v1/templates", {"name": "x"} | body) == field


async def test_a_text_template_is_never_read_as_html(api: Api, acme: Organization) -> None:
    await make_account(acme)
    made = await make(api, {"name": "x", "subject": "s", "kind": "text", "body": "<b>{{ a }}</b>"})
    chosen = {"id": made["id"], "variables": {"a": "<i>"}}
    status, sent = await api.post(
        "/v1/emails", {"from": "hello@acme.example", "to": ["ada@example.org"], "template": chosen}
    )
    assert status == 200, sent
    email = (await api.get(f"/v1/emails/{sent['id']}"))[1]["data"]
    assert (email["html"], email["text"]) == (None, "<b><i></b>")


async def test_a_letter_of_blocks_is_sent_to_each_with_a_text_that_reads_well(
    api: Api, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    await account_on(smtp_server, acme)
    made = await make(api, letter(*LETTER))
    pro = await make_contact(
        acme, "ada@example.org", first_name="Ada", custom_fields={"plan": "pro", "city": "Paris", "id": "7"}
    )
    plain = await make_contact(acme, "bob@example.org", custom_fields={"plan": "free"})
    segment = await make_segment(acme, pro, plain)
    campaign = await make_campaign(acme, segment=segment, template=await Template.of(acme).get(id=made["id"]))
    status, answer = await api.post(f"/v1/campaigns/{campaign.id}/send", {})
    assert status == 200, answer

    async with working(settings):
        await until_received(smtp_server, 2)
    mails = {mail["To"]: mail for mail in (parsed(message.content) for message in smtp_server.messages)}
    ada, bob = mails["ada@example.org"], mails["bob@example.org"]
    assert (ada["Subject"], bob["Subject"]) == ("Hello Ada", "Hello there")
    text = part(ada, "plain").replace("\r\n", "\n")
    assert text.startswith(
        "Hello Ada\n\nSome bold words\nand a link <https://example.com/?a=1&b=2>.\n\n  * One\n  * Two\n"
    )
    for words in ("Read it <https://example.com/7?x=1&y=2>", "In Paris", "Acme\n1 Main St", "Unsubscribe <http"):
        assert words in text
    for body in (part(bob, "plain"), part(bob, "html")):
        assert "Read it" not in body
        assert "Left" not in body
        assert "{" not in re.sub(r"<style.*?</style>", "", body, flags=re.DOTALL)


async def test_letters_beyond_those_that_may_wait_are_refused(api: Api, rival_api: Api) -> None:
    posts = [asyncio.create_task(api.post("/v1/templates", letter(*LETTER[:1]))) for _ in range(MOST_WAITING + 5)]
    answers = asyncio.as_completed(posts)
    while (answer := await next(answers))[0] == 201:
        pass
    message = "too many requests of this organization are waiting; try again in a moment"
    assert answer == (503, {"error": "ServiceUnavailable", "message": message})
    await make(rival_api, letter(*LETTER[:1]))
    assert not all(post.done() for post in posts)
    for post in posts:
        post.cancel()
    await asyncio.gather(*posts, return_exceptions=True)
    await make(api, letter(*LETTER[:1]))


OUTLINE = ["id", "subject", "kind", "saved_at"]


async def test_a_change_of_subject_or_content_makes_a_version(api: Api) -> None:
    made = await make(api, {"name": "x", "subject": "one", "body": "<p>a</p>"})
    path = f"/v1/templates/{made['id']}"
    assert (await api.get(f"{path}/versions"))[1]["meta"]["total"] == 0
    for change in ({"name": "y"}, {"subject": "one"}, {"body": "<p>a</p>", "kind": "html"}, {}):
        await api.patch(path, change)
    assert (await api.get(f"{path}/versions"))[1]["meta"]["total"] == 0
    saved_at = (await api.get(path))[1]["data"]["updated_at"]
    await api.patch(path, {"subject": "two"})
    await api.patch(path, {"kind": "blocks", "blocks": LETTER})
    listed = (await api.get(f"{path}/versions"))[1]["data"]
    assert [(one["subject"], one["kind"]) for one in listed] == [("two", "html"), ("one", "html")]
    assert list(listed[0]) == OUTLINE
    assert listed[1]["saved_at"] == saved_at
    status, answer = await api.get(f"{path}/versions/{listed[1]['id']}")
    assert (status, answer["data"]) == (200, listed[1] | {"body": "<p>a</p>", "blocks": None, "mjml": None})


async def test_every_kind_comes_back_as_it_was(api: Api) -> None:
    made = await make(api, letter(*LETTER))
    path, first = f"/v1/templates/{made['id']}", made
    changes = (
        {"kind": "mjml", "mjml": MJML},
        {"kind": "text", "body": "<b>a</b>"},
        {"kind": "html", "body": "<p>a</p>"},
    )
    states = [first, *[(await api.patch(path, change | {"subject": "s"}))[1]["data"] for change in changes]]
    ids = [one["id"] for one in (await api.get(f"{path}/versions"))[1]["data"]][::-1]
    for version_id, state in zip(ids, states, strict=False):
        status, answer = await api.post(f"{path}/versions/{version_id}/restore")
        assert status == 200, answer
        assert {**answer["data"], "updated_at": ""} == {**state, "updated_at": ""}
    assert (await api.get(f"{path}/versions"))[1]["meta"]["total"] == 6
    newest = (await api.get(f"{path}/versions"))[1]["data"][0]
    assert newest["kind"] == "mjml"  # what it had before the last of them


async def test_the_last_twenty_are_kept_also_of_changes_at_once(api: Api) -> None:
    made = await make(api, {"name": "x", "subject": "0"})
    path = f"/v1/templates/{made['id']}"
    for number in range(1, 20):
        await api.patch(path, {"subject": str(number)})
    await asyncio.gather(*(api.patch(path, {"subject": str(number)}) for number in range(20, 25)))
    listed = (await api.get(f"{path}/versions"))[1]
    assert listed["meta"]["total"] == 20
    assert "0" not in [one["subject"] for one in listed["data"]]
    assert await TemplateVersion.filter(template_id=made["id"]).count() == 20


async def test_versions_belong_to_their_template_and_go_with_it(api: Api, acme: Organization) -> None:
    template, other = await make_template(acme), await make_template(acme)
    version = await make_version(template)
    absent = (404, NOT_FOUND)
    for path in (f"/v1/templates/{other.id}/versions/{version.id}", f"/v1/templates/{template.id}/versions/none"):
        assert await api.get(path) == absent
        assert await api.post(f"{path}/restore") == absent
    assert (await api.delete(f"/v1/templates/{template.id}"))[0] == 200
    assert await TemplateVersion.all().count() == 0


DEFAULTS = {
    "background": "#ffffff",
    "text": "#1f2328",
    "accent": "#1d4ed8",
    "button": "#1d4ed8",
    "font": "system",
    "width": 600,
    "logo_url": None,
    "address": None,
    "language": "en",
    "texts": {},
}


def defaults_of(org: Organization, settings: Settings) -> dict[str, Any]:
    return DEFAULTS | {"preferences_url": f"{settings.base_url}/preferences/{org.public_key}"}


async def test_a_brand_has_defaults_and_keeps_what_is_not_given(
    api: Api, acme: Organization, settings: Settings
) -> None:
    defaults = defaults_of(acme, settings)
    assert await api.get("/v1/brand") == (200, {"data": defaults})
    status, answer = await api.patch("/v1/brand", {"accent": "#B45309", "button": "fa0", "font": "georgia"})
    changed = defaults | {"accent": "#b45309", "button": "#ffaa00", "font": "georgia"}
    assert (status, answer) == (200, {"data": changed})
    logo = {"logo_url": "https://example.com/logo.png", "address": "Acme\r\n1 Main St"}
    status, answer = await api.patch("/v1/brand", logo)
    assert answer["data"] == changed | logo | {"address": "Acme\n1 Main St"}
    assert (await api.patch("/v1/brand", {"logo_url": None, "address": None}))[1]["data"] == changed
    assert await api.get("/v1/brand") == (200, {"data": changed})


BAD_BRANDS: list[tuple[dict[str, Any], str]] = [
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


async def test_a_brand_that_readers_could_not_read_is_refused(api: Api, acme: Organization, settings: Settings) -> None:
    for change, message in BAD_BRANDS:
        status, answer = await api.patch("/v1/brand", change)
        assert (status, answer["details"][0]["field"]) == (400, message.partition(" ")[0]), message
        assert answer["message"].startswith(message)
    assert await api.get("/v1/brand") == (200, {"data": defaults_of(acme, settings)})


async def test_every_letter_of_blocks_has_a_changed_brand_at_once(
    api: Api, acme: Organization, rival_api: Api, rival: Organization, settings: Settings
) -> None:
    theirs_by_default = defaults_of(rival, settings)
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
    assert await rival_api.get("/v1/brand") == (200, {"data": theirs_by_default})
    assert (await Brand.of(acme).get()).compile_after is None
    assert (await make(api, letter(*LETTER)))["body"].count("#ffcc00") > 0
    changes = "organization.brand_changed"
    assert await AuditEntry.of(acme).filter(action=changes).count() == 1
    assert await AuditEntry.of(rival).filter(action=changes).count() == 0
    assert (await rival_api.patch("/v1/brand", {"width": 500}))[1]["data"] == theirs_by_default | {"width": 500}
    assert (await api.get("/v1/brand"))[1]["data"]["width"] == 640


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
