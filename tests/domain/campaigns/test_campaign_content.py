"""A run's content has the campaign's own subject, preview text and link parameters."""

import contextlib
import re
import time
from typing import Any
from uuid import uuid4

import pytest

from webapp.config import settings
from webapp.domain.campaigns.content import campaign_content
from webapp.domain.merge_tags.parser import SOURCE_LENGTH
from webapp.domain.merge_tags.rendering import render_strict
from webapp.errors import ValidationError
from webapp.models import Campaign, Content, Template
from webapp.sending.mime.html_text import text_of

pytestmark = pytest.mark.usefixtures("database")  # its models need one to be made at all
UTM = {"source": "news & more", "medium": None, "campaign": "spring"}
ADDED = "utm_source=news%20%26%20more&amp;utm_campaign=spring"
SECONDS = 2.0  # of the processor, far above what the longest body takes, and far below what quadratic time would


def content_of(body: str, subject: str = "Hello", **fields: Any) -> Content:
    template = Template(name="One", subject=subject, body=body, variables=[])
    return campaign_content(Campaign(org_id=uuid4(), title="News", **fields), template)


def html_of(body: str, **fields: Any) -> str | None:
    return content_of(body, **fields).html


def test_a_campaigns_own_subject_may_stand_for_one_that_the_template_lacks() -> None:
    template = Template(name="One", subject="", body="<p>x</p>", variables=[])
    with pytest.raises(ValidationError, match="subject is empty"):
        campaign_content(Campaign(org_id=uuid4(), title="News"), template)
    said = Campaign(org_id=uuid4(), title="News", subject="Hi {{ name }}", from_name="Ada", reply_to="a@x.example")
    content = campaign_content(said, template)
    assert (content.subject, content.is_template) == ("Hi {{ name }}", True)
    assert (content.from_name, content.from_email, content.reply_to) == ("Ada", None, "a@x.example")


@pytest.mark.parametrize(
    ("link", "tagged"),
    [
        ("<A class=x HREF = 'HTTP://x.example/a'>", f"<A class=x HREF = 'HTTP://x.example/a?{ADDED}'>"),
        ('<a href="https://x.example/?a=1&amp;b=2#top">', f'<a href="https://x.example/?a=1&amp;b=2&amp;{ADDED}#top">'),
        (
            '<a href="https://x.example/?utm_source=own">',
            '<a href="https://x.example/?utm_source=own&amp;utm_campaign=spring">',
        ),
        (
            """<a href="https://x.example/{{ sku | default: "a?b#c" }}" title="y">""",
            f"""<a href="https://x.example/{{{{ sku | default: "a?b#c" }}}}?{ADDED}" title="y">""",
        ),
        (
            '<a href="https://x.example/{% if a > 1 %}a{% endif %}#{{ part }}">',
            f'<a href="https://x.example/{{% if a > 1 %}}a{{% endif %}}?{ADDED}#{{{{ part }}}}">',
        ),
        (
            '<!--[if mso]><v:roundrect href="https://x.example/b"><![endif]-->',
            f'<!--[if mso]><v:roundrect href="https://x.example/b?{ADDED}"><![endif]-->',
        ),
    ],
)
def test_links_get_the_parameters_that_they_lack(link: str, tagged: str) -> None:
    assert html_of(f"<p>{link}https://x.example</a></p>", utm=UTM) == f"<p>{tagged}https://x.example</a></p>"


@pytest.mark.parametrize(
    "link",
    [
        '<a href="{{ unsubscribe_url }}">', '<a href="https://x.example/?to={{ unsubscribe_url }}">',
        '<a href="{{ preferences_url }}">', '<a href="mailto:a@x.example?subject=x">', '<a href="#top">', '<a href="/path">',
        '<a data-href="https://x.example">', '<img src="https://x.example/a.png">',
    ],
)  # fmt: skip
def test_other_links_stay_as_they_are(link: str) -> None:
    assert html_of(f"<p>{link}</p>", utm=UTM) == f"<p>{link}</p>"


def test_links_of_ours_that_are_written_out_stay() -> None:
    for place in ("unsubscribe", "view"):
        body = f'<p><a href="{settings().base_url}/{place}/x.y">'
        assert html_of(body, utm=UTM) == body
    body = f'<p><a href="{settings().base_url}/reference">'
    assert html_of(body, utm=UTM) != body


def test_links_of_a_plain_text_get_them_too() -> None:
    added = ADDED.replace("&amp;", "&")
    content = content_of("See https://x.example/a?b=1, or (https://x.example). Leave: {{ unsubscribe_url }}", utm=UTM)
    assert content.html is None
    assert content.text == (
        f"See https://x.example/a?b=1&{added}, or (https://x.example?{added}). Leave: {{{{ unsubscribe_url }}}}"
    )
    assert content_of("https://x.example/?a=1&#39", utm=UTM).text == f"https://x.example/?a=1&{added}#39"


def test_the_preview_text_is_the_first_of_the_body_hidden_and_not_in_the_text_part() -> None:
    document = (
        "<!doctype html><html><head><!--[if mso]><body class=x><![endif]--><title>x</title></head>"
        '<body style="margin:0"><p>Hello</p></body></html>'
    )
    content = content_of(document, preview_text='News <b> & more for {{ name | default: "<you>" }}')
    assert content.is_template
    mail = render_strict(content, {"name": "Ada & Bo"})
    before, _, after = mail.html.partition('<body style="margin:0">')
    assert before == document.partition('<body style="margin:0">')[0]
    assert re.match(r'<div style="display:none;[^"]*">News &lt;b&gt; &amp; more for Ada &amp; Bo\n', after)
    assert text_of(mail.html) == "Hello"


@pytest.mark.parametrize(
    ("body", "before"), [("<p>Hello</p>", ""), ("<html><head></head><p>Hello</p>", "<html><head></head>")]
)
def test_it_stands_behind_what_comes_before_the_body(body: str, before: str) -> None:
    assert html_of(body, preview_text="Soon").startswith(f'{before}<div style="display:none;')


def test_a_body_that_becomes_too_long_is_refused_before_anything_is_sent() -> None:
    link = '<a href="https://x.example/">x</a>'
    body = link * (SOURCE_LENGTH // len(link))
    began = time.process_time()
    with pytest.raises(ValidationError, match="at most 500,000 characters"):
        content_of(body, utm=UTM)
    assert time.process_time() - began < SECONDS


@pytest.mark.parametrize("piece", ['<a href="', "<!--", "{{ x }}", "&", "<body ", "{{"])
def test_no_body_takes_more_than_linear_time(piece: str) -> None:
    body = f"<p>{piece * (SOURCE_LENGTH // len(piece) - 10)}"
    began = time.process_time()
    with contextlib.suppress(ValidationError):
        content_of(body, utm=UTM, preview_text="Soon")
    assert time.process_time() - began < SECONDS, piece
