"""Templates made of blocks, MJML and text: how they are taken, refused, changed and sent."""

import asyncio
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.api.conftest import Api
from tests.factories import account_on, make_account, make_campaign, make_contact, make_segment
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.support.messages import parsed, part
from webapp.config import Settings
from webapp.domain.templates.run_compiler import MOST_WAITING
from webapp.models import Organization, Template

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


async def make(api: Api, body: dict[str, Any]) -> dict[str, Any]:
    status, answer = await api.post("/v1/templates", body)
    assert status == 201, answer
    made: dict[str, Any] = answer["data"]
    return made


async def test_blocks_are_compiled_and_their_merge_tags_stay_byte_for_byte(api: Api) -> None:
    made = await make(api, letter(*LETTER))
    assert (made["kind"], made["mjml"], made["subject"]) == ("blocks", None, GREETING)
    assert [block["type"] for block in made["blocks"]] == [block["type"] for block in LETTER]
    assert made["blocks"][0] == {"type": "heading", "text": GREETING, "level": 1, "align": "left"}
    for tag in (
        GREETING,
        '{{ id | default: "a&b" }}',
        '{% if plan == "pro" %}',
        "{% if city %}",
        "{{ unsubscribe_url }}",
    ):
        assert tag in made["body"]
    assert 'href="https://example.com/{{ id | default: "a&b" }}?x=1&amp;y=2"' in made["body"]
    assert re.search(r"<tr>\{% if x %\}<td[^>]*>\{\{ x \}\}</td>\{% endif %\}</tr>", made["body"])
    assert made["variables"] == ["first_name", "plan", "id", "city", "x", "unsubscribe_url"]
    assert "googleapis" not in made["body"]
    assert (await api.get(f"/v1/templates/{made['id']}"))[1]["data"] == made


async def test_blocks_that_the_api_answers_are_taken_again(api: Api) -> None:
    made = await make(api, letter(*LETTER))
    again = await make(api, letter(*made["blocks"]))
    assert (again["blocks"], again["body"]) == (made["blocks"], made["body"])


BAD_BLOCKS: list[tuple[dict[str, Any], str]] = [
    (
        {"type": "button", "text": "x", "url": "nowhere"},
        "blocks[1].url must be an address like https://example.com/news",
    ),
    (
        {"type": "button", "text": "x", "url": " JaVa\tScript:alert(1)"},
        "blocks[1].url must be an address",
    ),
    ({"type": "button", "text": "x", "url": "{{ a }}javascript:alert(1)"}, "blocks[1].url must be an address"),
    ({"type": "image", "url": "data:image/png;base64,AAAA"}, "blocks[1].url must be an address"),
    (
        {"type": "text", "text": "See **[this](javascript:alert)**"},
        "blocks[1].text has a link to javascript:alert: it must be like",
    ),
    ({"type": "text", "text": "[x](data:text/html,x)"}, "blocks[1].text has a link to data:text/html,x"),
    ({"type": "text"}, "blocks[1].text is required"),
    ({"type": "text", "text": "a", "colour": "red"}, "blocks[1].colour is not a known field"),
    ({"type": "marquee"}, "blocks[1] has an unknown type"),
    ({"text": "x"}, "blocks[1] must be an object with a type"),
    ({"type": "text", "text": "{{ a"}, "blocks[1].text has an error at line 1, column 1: unclosed tag; add }}"),
    ({"type": "text", "text": "x", "show_when": "a ==="}, "blocks[1].show_when has an error"),
    ({"type": "text", "text": "x", "show_when": "a %}{% endif %}"}, "blocks[1].show_when must be a condition"),
    ({"type": "heading", "text": "x", "level": 4}, "blocks[1].level must be less than or equal to 3"),
    ({"type": "columns", "columns": [[]]}, "blocks[1].columns must have at least 2 items"),
    (
        {"type": "columns", "columns": [[], [{"type": "columns", "columns": [[], []]}]]},
        "blocks[1].columns[1][0] has an unknown type",
    ),
    (
        {"type": "columns", "columns": [[], [{"type": "button", "text": "x", "url": "y"}]]},
        "blocks[1].columns[1][0].url must be an address",
    ),
    ({"type": "social", "links": [{"name": "x", "url": "y"}]}, "blocks[1].links[0].url must be an address"),
    ({"type": "text", "text": "a\x01b"}, "blocks[1].text must not contain control characters"),
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
    links = "".join(
        f'<link rel="stylesheet" href="{url}">' for url in (sheet, f"file://{sheet}", "http://127.0.0.1:1/a.css")
    )
    made = await make(api, letter({"type": "code", "html": f"{links}<p>a</p><div>open"}))
    assert "rgb(9" not in made["body"]
    assert "<div>open</div>" in made["body"]


async def test_html_in_texts_is_shown_as_it_is_written(api: Api) -> None:
    made = await make(
        api, letter({"type": "text", "text": "<b>a</b> & <script>b</script>"}, {"type": "heading", "text": "<i>"})
    )
    assert "&lt;b&gt;a&lt;/b&gt; &amp; &lt;script&gt;" in made["body"]
    assert "&lt;i&gt;" in made["body"]


BAD_MJML = [
    (
        "<mjml><mj-body>\n<mj-section>\n</mj-body></mjml>",
        "at line 3: </mj-body> where <mj-section> of line 2 is still open",
    ),
    ("<mjml><mj-body>\n<mj-section>", "at line 2: <mj-section> of line 2 is never closed"),
    (
        "<mjml><mj-body>\n<p>a</p></mj-body></mjml>",
        "at line 2: <p> is not allowed in <mj-body>: put it in <mj-text> or <mj-raw>",
    ),
    ("<mjml><mj-body>\n\n{% if a %}{% endif %}</mj-body></mjml>", "at line 3: text is not allowed in <mj-body>"),
    (
        "<mjml><mj-body>\n<mj-include path='/etc/passwd' /></mj-body></mjml>",
        "at line 2: <mj-include> is not allowed",
    ),
    ("<!DOCTYPE m [<!ENTITY a 'b'>]>\n<mjml><mj-body>&a;</mj-body></mjml>", "at line 1: <!DOCTYPE is not allowed"),
    ("<mjml><mj-body>" + "<mj-wrapper>" * 5_000, "at line 1: elements are nested more than 60 deep"),
    ("<mjml><mj-body>\n<mj-nothing /></mj-body></mjml>", "at line 2: <mj-nothing> is not an element of MJML"),
    ("<mjml>\n</mjml>", "at line 1: <mjml> has no <mj-body>"),
    ("<mjml><mj-body>{{ a</mj-body></mjml>", "at line 1, column 16: unclosed tag; add }}"),
    (MJML.replace("{{ link", "javascript:{{ link"), "at line 3: href must be an address"),
    (MJML.replace("{{ link", "data:text/html,{{ link"), "at line 3: href must be an address"),
    (
        "<!DOCTYPE m [<!ENTITY a '1'>"
        + "".join(f"<!ENTITY {name} '{f'&{before};' * 10}'>" for before, name in pairwise("abcdefghij"))
        + "]><mjml><mj-body><mj-text>&j;</mj-text></mj-body></mjml>",
        "at line 1: <!DOCTYPE is not allowed",
    ),
    ("<mjml>\n<!ENTITY a 'b'><mj-body /></mjml>", "at line 2: <!ENTITY is not allowed"),
    (MJML.replace("Hello", "<div>\n" * 5_000), "at line 58: elements are nested more than 60 deep"),
    (MJML.replace("Hello", "<b>\n"), "at line 4: </mj-text> where <b> of line 3 is still open"),
    (
        in_column(
            '<mj-social>\n<mj-social-element name="facebook" href="https://a.example">F</mj-social-element></mj-social>'
        ),
        "at line 2: <mj-social-element> needs src: MJML's own pictures would be loaded from www.mailjet.com",
    ),
    (
        in_column(
            '\n<mj-carousel left-icon="https://a.example/l.png"><mj-carousel-image src="https://a.example/x.png" /></mj-carousel>'
        ),
        "at line 2: <mj-carousel> needs left-icon and right-icon: MJML's own pictures would be loaded from i.imgur.com",
    ),
    (
        in_column(
            "<mj-accordion><mj-accordion-element><mj-accordion-text>b</mj-accordion-text></mj-accordion-element></mj-accordion>"
        ),
        "at line 1: <mj-accordion> needs icon-wrapped-url and icon-unwrapped-url",
    ),
]


async def test_mjml_that_is_none_is_refused_with_the_line(api: Api) -> None:
    for mjml, message in BAD_MJML:
        status, answer = await api.post("/v1/templates", {"name": "x", "mjml": mjml})
        assert (status, answer["details"][0]["field"]) == (400, "mjml"), message
        assert f"has an error {message}" in answer["message"]


async def test_icons_of_ones_own_are_shown_and_no_others(api: Api) -> None:
    icon = "https://i.imgur.com/mine.png"  # what an author writes is the author's
    social = f'<mj-social><mj-social-element src="{icon}" href="https://a.example">A</mj-social-element></mj-social>'
    carousel = f'<mj-carousel left-icon="{icon}" right-icon="{icon}"><mj-carousel-image src="{icon}" /></mj-carousel>'
    texts = "<mj-accordion-element><mj-accordion-title>a</mj-accordion-title></mj-accordion-element>"
    accordion = f'<mj-accordion icon-wrapped-url="{icon}" icon-unwrapped-url="{icon}">{texts}</mj-accordion>'
    made = await make(api, {"name": "x", "mjml": in_column(social + carousel + accordion)})
    assert set(re.findall(r'src="([^"]*)"', made["body"])) == {icon}


async def test_what_is_much_too_much_is_refused(api: Api, acme: Organization) -> None:
    text = {"type": "text", "text": "x" * 50_000}
    for blocks, refusal in (
        ([text] * 41, (413, "the request body is larger than 1 MiB")),
        ([text] * 19, (400, "blocks must take at most 256 KB")),
        ([{"type": "divider"}] * 10_000, (400, "blocks must have at most 200 items, not 10000")),
    ):
        status, answer = await api.post("/v1/templates", letter(*blocks))
        assert (status, answer["message"]) == refusal
    inside: dict[str, Any] = {"type": "divider"}
    for _ in range(3):
        inside = {"type": "columns", "columns": [[inside], []]}
    status, answer = await api.post("/v1/templates", letter(inside))
    assert (status, answer["details"][0]["field"]) == (400, "blocks[0].columns[0][0]")
    assert answer["message"].startswith("blocks[0].columns[0][0] has an unknown type")
    assert await Template.of(acme).count() == 0


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
    comment = MJML.replace("Hello", "<!--{{ note }}--> Hello")
    assert "<!--{{ note }}-->" in (await make(api, {"name": "x", "mjml": comment}))["body"]
    status, answer = await api.post("/v1/templates", {"name": "x", "mjml": "x" * 262_145})
    assert (status, answer["details"][0]["field"]) == (400, "mjml")


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
    status, answer = await api.patch(path, {"body": "<p>b</p>"})
    assert (status, answer["details"][0]["field"]) == (400, "body")
    status, answer = await api.patch(path, {"kind": "text"})
    assert (status, answer["message"]) == (400, "body is required for the kind text")
    compiled = (await api.get(path))[1]["data"]["body"]
    status, answer = await api.patch(path, {"kind": "html"})
    assert (status, answer["data"]["kind"], answer["data"]["body"], answer["data"]["blocks"]) == (
        200,
        "html",
        compiled,
        None,
    )
    status, answer = await api.patch(path, {"kind": "text", "text": "<b>a</b>"})
    assert (answer["data"]["kind"], answer["data"]["body"]) == ("text", "<b>a</b>")
    assert (await api.patch(path, {"body": "b"}))[1]["data"]["kind"] == "text"
    for body, field in (
        ({"blocks": LETTER, "mjml": MJML}, "mjml"),
        ({"html": "a", "blocks": LETTER}, "blocks"),
        ({"kind": "html", "mjml": MJML}, "mjml"),
        ({"kind": "letter"}, "kind"),
        ({"kind": "mjml"}, "mjml"),
    ):
        status, answer = await api.post("/v1/templates", {"name": "x"} | body)
        assert (status, answer["details"][0]["field"]) == (400, field)


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

    async def has_arrived() -> bool:
        return len(smtp_server.messages) == 2

    async with working(settings):
        await eventually(has_arrived)
    mails = {mail["To"]: mail for mail in (parsed(message.content) for message in smtp_server.messages)}
    ada, bob = mails["ada@example.org"], mails["bob@example.org"]
    assert (ada["Subject"], bob["Subject"]) == ("Hello Ada", "Hello there")
    text = part(ada, "plain").replace("\r\n", "\n")
    assert text.startswith(
        "Hello Ada\n\nSome bold words\nand a link <https://example.com/?a=1&b=2>.\n\n  * One\n  * Two\n"
    )
    for words in (
        "Read it <https://example.com/7?x=1&y=2>",
        "A river",
        "In Paris",
        "Mastodon <https://social.example/@acme>",
    ):
        assert words in text
    assert "Acme\n1 Main St" in text
    assert "Unsubscribe <http" in text
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
