"""What is shown is what is sent."""

import threading
from typing import Any

import pytest

from tests.factories import make_account, make_run
from webapp.domain.mail_logs.mail_logs import find_mail_log, latest_items
from webapp.domain.merge_tags.budget import ContentKind
from webapp.domain.merge_tags.rendering import Rendered, missing_variables, render_lenient, render_strict, render_tags
from webapp.models import Content, MailLog, Organization

ADA = {"first_name": "Ada <3", "city": "Paris\r\nBcc: x"}


@pytest.mark.parametrize(
    ("source", "variables", "shown"),
    [
        ("{{ city }}", {"City": "Bonn"}, "Bonn"),
        ("{{ city }}", {"CITY": "Köln", "City": "Bonn", "city": "Ulm"}, "Ulm"),
        ("{{ city }}", {"city": None, "City": "Bonn"}, ""),
        ("{% if city %}in {{ city | upcase }}{% endif %}", {"City": "Bonn"}, "in BONN"),
    ],
)
def test_a_name_is_found_in_another_case_where_it_is_not_there_itself(
    source: str, variables: dict[str, str | None], shown: str
) -> None:
    assert render_tags(source, variables, ContentKind.TEXT) == shown
    assert bool(missing_variables([source], variables)) == (source == "{{ city }}" and not shown)


@pytest.mark.parametrize("broken", ["{{ first_name | divided_by: 0 }}", "{{", "{% for i in (1..1000) %}" * 9])
def test_what_passes_a_bound_is_shown_as_it_stands_and_not_sent(broken: str) -> None:
    content = Content(subject="Hi {{ first_name }}", html=broken, text="{{ city }}", is_template=True)
    assert render_lenient(content, ADA) == Rendered(content.subject, broken, content.text)
    with pytest.raises(ValueError, match="has an error at line 1"):
        render_strict(content, ADA)


async def test_a_list_does_not_wait_for_subjects_that_take_long(acme: Organization) -> None:
    loop = "{% for i in (1..200) %}{% for j in (1..200) %}{% endfor %}{% endfor %}Hi"
    for _ in range(3):
        await make_reader(acme, {"subject": loop, "text": "x"}, ADA)
    lines = await latest_items(acme, 50)
    assert [line.subject for line in lines] == [loop] * 3
    assert any(thread.name.startswith("render") for thread in threading.enumerate())


async def make_reader(org: Organization, content: dict[str, Any], variables: dict[str, Any]) -> None:
    """A campaign's row with a content of its own."""
    _, (row_id,) = await make_run(org, [await make_account(org)], 1)
    stored = await Content.create(org=org, **{"html": None, "text": None, "is_template": True, **content})
    await MailLog.filter(id=row_id).update(content_id=stored.id, variables=variables)


async def test_lists_and_rows_show_a_campaigns_mail_as_it_was_rendered(acme: Organization) -> None:
    await make_reader(acme, {"subject": "Hi {{ first_name }}", "html": "<p>{{ first_name }}</p>"}, ADA)
    await make_reader(acme, {"subject": "{{ first_name | divided_by: 0 }}", "text": "{{ first_name }}"}, ADA)
    await make_reader(acme, {"subject": "Hi {{ first_name }}", "text": "x", "is_template": False}, ADA)
    subjects = ["Hi {{ first_name }}", "{{ first_name | divided_by: 0 }}", "Hi Ada <3"]
    lines = await latest_items(acme, 50)
    assert [line.subject for line in lines] == subjects
    mails = [(await find_mail_log(acme, line.row.id, shows_links=True)).mail for line in lines]
    assert [mail and mail.subject for mail in mails] == subjects
    assert [mail and mail.body_html for mail in mails] == ["x", "{{ first_name }}", "<p>Ada &lt;3</p>"]
