"""A campaign's message from compiled pieces says what the general way says."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.messages import parsed, part
from webapp.addresses import Address
from webapp.domain.delivery.campaign_content import CampaignContent
from webapp.domain.merge_tags.rendering import render_strict
from webapp.models import Content
from webapp.sending.mime import message as mime
from webapp.sending.mime.line_endings import dot_stuff

SENDER = Address("Acme News", "news@acme.example")
SLOTS = mime.MessageFields(
    to=(Address("", "ada@example.org"),), message_id="<1@acme.example>", date=datetime(2026, 11, 20, tzinfo=UTC)
)
HTML = (
    "<p>Dear {{ first_name | default: 'friend' }},</p>\n<p>greetings from {{ city }}.</p>\n"
    '<p><a href="{{ unsubscribe_url }}">Leave</a> <a title="{{ city }}" href="https://x.example/?c={{ city }}">x</a></p>\n'
)
CONDITIONAL = (
    HTML
    + "<p>{% if city == 'London' %}Near the <b>Thames</b>{% elsif first_name %}Dear {{ first_name }}{% endif %}</p>\n"
)
URL = "https://mail.example/unsubscribe/x"


def content(**fields: Any) -> Content:
    return Content(
        **{"subject": "News for {{ first_name }}", "html": HTML, "text": None, "is_template": True, **fields}
    )


def words(text: str) -> list[str]:
    return text.split()


@pytest.mark.parametrize(
    "variables",
    [
        {"first_name": "Ada", "city": "London"}, {"first_name": None, "city": "Köln & more"},
        {"first_name": "<b>", "city": '"; javascript:alert(1)'}, {"first_name": "Ada  \n Lovelace", "city": ""},
        {"first_name": 3, "city": True}, {"first_name": "x" * 3_000, "city": ["a", "b"]}, {},
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"text": "Dear {{ first_name }}"},
        {"html": None, "text": HTML},
        {"html": CONDITIONAL, "subject": "{% if city %}{{ city }}{% else %}News{% endif %}"},
        {"subject": "{{ first_name | upcase }}"},
        {"is_template": False},
        {"html": CONDITIONAL, "text": "{% unless city == 'London' %}Elsewhere{% endunless %} {{ first_name }}"},
    ],
)
def test_a_message_says_what_the_general_way_says(variables: dict[str, Any], fields: dict[str, Any]) -> None:
    values, stored = variables | {"unsubscribe_url": URL}, content(**fields)
    message = parsed(CampaignContent(stored, SENDER).render(values, SLOTS, b"X-One: 1\r\n"))
    expected = parsed(
        mime.MessageTemplate(mime.MessageContent(SENDER, *render_strict(stored, values))).render(SLOTS, b"X-One: 1\r\n")
    )
    assert message.items()[:-1] == expected.items()[:-1]
    for kind in ("plain",) if stored.html is None else ("plain", "html"):
        assert words(part(message, kind)) == words(part(expected, kind))


def test_a_condition_is_decided_once_for_all_whom_it_treats_alike() -> None:
    made = CampaignContent(content(html=CONDITIONAL), SENDER)
    people = [{"first_name": f"Ada{number}", "city": city} for number in range(3) for city in ("London", "Rome")]
    assert [made.render_fast(person, SLOTS, b"") for person in people] == [None] * 6
    for person in people[:2]:
        made.render(person, SLOTS, b"")
    assert made.is_simple
    for person in people[2:]:
        message = made.render_fast(person, SLOTS, b"")
        shown = part(parsed(message), "plain")
        assert ("Near the Thames" in shown) is (person["city"] == "London")
        assert person["first_name"] in shown


def test_very_many_conditions_are_left_to_the_general_way() -> None:
    made = CampaignContent(content(html="".join(f"{{% if x{bit} %}}{bit}{{% endif %}}" for bit in range(6))), SENDER)
    for number in range(64):
        values = {f"x{bit}": bool(number >> bit & 1) for bit in range(6)} | {"first_name": "Ada"}
        shown = part(parsed(made.render(values, SLOTS, b"")), "html").strip()
        assert shown == "".join(str(bit) for bit in range(6) if number >> bit & 1)
    assert made.length <= 16 * len(content(html="x" * 160).html or "")


LINES = st.sampled_from(
    ["<p>", "</p>", "\n", "\r\n", ".", "\n.a { }", "x" * 75, "é", "{{ city }}", "\n{{ city }}", "{{ first_name }}."]
)
CITIES = st.sampled_from(["", ".", "..", "." * 80, "Köln", "a\n.b", "London", "x" * 75 + "."])


@settings(deadline=None)  # other tests share the machine
@given(st.lists(LINES, min_size=1, max_size=12).map("".join), CITIES, st.sampled_from(["html", "text"]))
def test_no_line_of_a_message_begins_with_a_dot(body: str, city: str, kind: str) -> None:
    stored = content(subject=".{{ city }}", **{"html": None, "text": None, kind: body})
    message = CampaignContent(stored, SENDER).render({"city": city}, SLOTS, b"X-One: 1\r\n")
    assert dot_stuff(message) is message
    assert dot_stuff(bytes(message)) == message
    assert message.isascii()
    values = {"city": city}
    expected = parsed(mime.MessageTemplate(mime.MessageContent(SENDER, *render_strict(stored, values))).render(SLOTS))
    for part_kind in ("plain",) if kind == "text" else ("plain", "html"):
        assert words(part(parsed(message), part_kind)) == words(part(expected, part_kind))
