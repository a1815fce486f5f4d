"""Sign-up forms on the pages: made, shown with their funnel, changed and deleted."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from bs4 import BeautifulSoup
from quart import Quart

from tests.factories import make_account, make_form, make_segment, make_topic
from tests.pages.conftest import Page, Visitor, make_person, visitor_for
from webapp import clock
from webapp.domain.accounts.accounts import sandbox_account
from webapp.domain.roles import Role
from webapp.models import Account, CustomField, Organization, PendingSignUp, SignUpForm

HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
async def account(acme: Organization) -> Account:
    return await make_account(acme)


async def create(visitor: Visitor, **fields: Any) -> Page:
    page = await visitor.get("/forms/new")
    assert page.status == 200
    return await visitor.submit(
        page, "/forms", **{"name": "Newsletter", "is_open": "1", "double_opt_in": "1", **fields}
    )


async def test_the_first_form_is_made(owner: Visitor, acme: Organization) -> None:
    assert "No forms yet" in (await owner.get("/forms")).text
    segment, topic = await make_segment(acme, name="Readers"), await make_topic(acme, name="Products")
    fields = {
        "segment_ids": str(segment.id),
        "topic_ids": str(topic.id),
        "fields.0.key": "first_name",
        "fields.3.key": "color",
        "fields.3.kind": "choice",
        "fields.3.options": "Red\r\n\r\n Blue \r\n",
        "fields.3.required": "1",
        "allowed_origins": "https://acme.example\r\nhttps://www.acme.example",
        "consent_text": "I want it.",
    }
    page = await create(owner, **fields)
    form = await SignUpForm.of(acme).get()
    assert (page.path, page.title) == (f"/forms/{form.id}", "Newsletter")
    assert page.notes == ["Form “Newsletter” created. Copy its code, or link its page."]
    assert (form.is_open, form.double_opt_in, form.confirm_by) == (True, True, "button")
    assert (form.segment_ids, form.topic_ids) == ([str(segment.id)], [str(topic.id)])
    assert form.allowed_origins == ["https://acme.example", "https://www.acme.example"]
    assert [(field["key"], field["options"]) for field in form.form_fields] == [
        ("first_name", []),
        ("color", ["Red", "Blue"]),
    ]
    assert page.facts["Asks for"] == "Email, First name, color (required)"
    assert (page.facts["Segments"], page.facts["Topics"]) == ("Readers", "Products")
    listed = await owner.get("/forms")
    assert listed.rows == [["Newsletter", "Open", "0", "0", "0", "0"]]


async def test_the_funnel_has_shares(owner: Visitor, acme: Organization) -> None:
    form = await make_form(acme, submitted=1_000, mailed=990, opened=500, confirmed=3, expired=400)
    listed = await owner.get("/forms")
    assert listed.rows == [["Newsletter", "Open", "1,000", "990 99%", "500 50%", "3 <1%"]]
    shown = await owner.get(f"/forms/{form.id}")
    steps = [" ".join(step.get_text(" ").split()) for step in shown.soup.select(".gauges li")]
    assert steps == ["Submitted 1,000", "Mailed 990 99%", "Opened the confirmation page 500 50%", "Confirmed 3 <1%"]
    assert "400 not confirmed within 7 days" in shown.text


async def test_the_code_for_other_sites_asks_for_all_fields(owner: Visitor, acme: Organization) -> None:
    topic = await make_topic(acme, name="R&D")
    fields = [
        {"key": "phone", "label": 'Your "phone"', "kind": "text", "required": True, "options": []},
        {"key": "color", "label": "Color", "kind": "choice", "required": False, "options": ["Red", "<b>"]},
        {"key": "born", "label": "Born", "kind": "date", "required": False, "options": []},
        {"key": "vip", "label": "VIP", "kind": "checkbox", "required": True, "options": []},
    ]
    consent = {"consent_text": "<script>alert(1)</script>"}
    form = await make_form(acme, form_fields=fields, topic_ids=[str(topic.id)], **consent)
    page = await owner.get(f"/forms/{form.id}")
    code = page.soup.select_one("#embed-code")
    assert code is not None
    embedded = BeautifulSoup(code.get_text(), "html.parser")
    sent_to = embedded.form
    assert sent_to is not None
    assert str(sent_to["action"]).endswith(f"/f/{form.key}")
    inputs = {str(tag["name"]): tag for tag in embedded.select("input, select")}
    assert list(inputs) == ["email", "phone", "color", "born", "vip", "topics", "contact_me_by_fax"]
    required = [name for name, tag in inputs.items() if tag.has_attr("required")]
    assert required == ["email", "phone", "vip"]
    assert [option.get_text() for option in embedded.select("option")] == ["Please choose", "Red", "<b>"]
    assert inputs["born"]["type"] == "date"
    assert [(box["value"], box.has_attr("checked")) for box in embedded.select("[name=topics]")] == [
        ("", False),  # so that a form without a tick chooses none
        (str(topic.id), True),
    ]
    trap = embedded.select_one("[aria-hidden=true]")
    assert trap is not None
    assert trap.find("input") is inputs["contact_me_by_fax"]
    assert embedded.script is None


async def test_the_code_signs_people_up_from_a_listed_site_alone(
    owner: Visitor, app: Quart, acme: Organization
) -> None:
    fields = [
        {"key": "first_name", "label": "First name", "kind": "text", "required": True, "options": []},
        {"key": "color", "label": "Color", "kind": "choice", "required": False, "options": ["Red", "Blue"]},
        {"key": "born", "label": "Born", "kind": "date", "required": False, "options": []},
        {"key": "vip", "label": "VIP", "kind": "checkbox", "required": False, "options": []},
    ]
    topics = [str((await make_topic(acme)).id) for _ in range(2)]
    form = await make_form(acme, form_fields=fields, topic_ids=topics, allowed_origins=["https://acme.example"])
    code = (await owner.get(f"/forms/{form.id}")).soup.select_one("#embed-code")
    assert code is not None
    embedded = BeautifulSoup(code.get_text(), "html.parser").form
    assert embedded is not None
    answers = {"email": "ada@example.org", "first_name": "Ada", "color": "Blue", "born": "1815-12-10", "vip": "yes"}
    names = {str(tag["name"]) for tag in embedded.select("[name]")}
    assert names == {*answers, "topics", "contact_me_by_fax"}
    place = str(embedded["action"]).partition("//")[2].partition("/")[2]
    sent = urlencode([*answers.items(), ("topics", ""), ("topics", topics[1]), ("contact_me_by_fax", "")])
    statuses = []
    for origin in ("https://evil.example", "https://acme.example"):
        headers = {"Origin": origin, "Content-Type": "application/x-www-form-urlencoded"}
        statuses.append((await Visitor(app).post(f"/{place}", data=sent, headers=headers)).status)
    assert statuses == [403, 200]
    waiting = await PendingSignUp.of(acme).get()
    (submission,) = waiting.values.values()
    assert (waiting.email, submission["topic_ids"]) == ("ada@example.org", topics[1:])
    assert submission["fields"]["first_name"] == "Ada"
    assert submission["fields"]["custom_fields"] == {"color": "Blue", "born": "1815-12-10", "vip": True}


async def test_the_code_is_in_the_forms_language(owner: Visitor, acme: Organization) -> None:
    form = await make_form(acme, language="de-AT")
    code = (await owner.get(f"/forms/{form.id}")).soup.select_one("#embed-code")
    assert code is not None
    assert '<button type="submit">Anmelden</button>' in code.get_text()


async def test_a_form_that_bots_fill_in_is_shown_as_flooded(owner: Visitor, acme: Organization) -> None:
    form = await make_form(acme, closed_until=clock.now() + timedelta(minutes=30))
    await make_form(acme, closed_until=clock.now() - timedelta(minutes=1))
    assert [row[1] for row in (await owner.get("/forms")).rows] == ["Open", "Flooded"]
    assert "as when bots fill in a form" in (await owner.get(f"/forms/{form.id}")).text


@pytest.mark.parametrize(
    ("do", "keys"),
    [
        ("up-1", ["last_name", "first_name"]),
        ("down-0", ["last_name", "first_name"]),
        ("up-0", ["first_name", "last_name"]),
        ("remove-0", ["last_name"]),
        ("remove-7", ["first_name", "last_name"]),
        ("add", ["first_name", "last_name", "phone"]),
        ("nonsense", ["first_name", "last_name"]),
    ],
)
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "htmx"])
async def test_buttons_change_the_fields_and_save_nothing(
    owner: Visitor, acme: Organization, do: str, keys: list[str], headers: dict[str, str]
) -> None:
    token = (await owner.get("/forms/new")).token
    rows = {"fields.0.key": "first_name", "fields.0.label": "Given name", "fields.1.key": "last_name"}
    sent = {"csrf_token": token, "name": "News", "do": do, "add": "phone", "is_open": "1", **rows}
    page = await owner.post("/forms", form=sent, headers=headers)
    assert page.status == 200
    assert [tag["value"] for tag in page.soup.select("input[name$='.key']")] == keys
    labels = [tag["value"] for tag in page.soup.select("input[name$='.label']")]
    assert labels.count("Given name") == keys.count("first_name")
    names = [tag["value"] for tag in page.soup.select("#f-name")]
    assert names == ([] if headers else ["News"])  # htmx swaps the fields alone
    assert not await SignUpForm.of(acme).exists()


@pytest.mark.parametrize(
    ("fields", "name", "words"),
    [
        ({"name": ""}, "name", "This field is required."),
        ({"body": "Hello"}, "body", "The email must contain {{ confirm_url }}."),
        ({"subject": "{{ first_name }}"}, "subject", "The subject can only have {{ confirm_url }}"),
        ({"redirect_after_submit": "http://x.example"}, "redirect_after_submit", "Enter a whole https address"),
        (
            {"allowed_origins": "https://a.example/x"},
            "allowed_origins",
            "Must be exact origins like https://example.com without a path, not https://a.example/x.",
        ),
        ({"fields.0.key": "status"}, "fields.0.key", "Must be a field that a form can ask for"),
        ({"fields.0.key": "", "fields.0.kind": "text"}, "fields.0.key", "This field is required."),
        ({"fields.0.key": "x", "fields.0.kind": "choice"}, "fields.0.options", "Must have an option"),
    ],
)
async def test_a_mistake_is_shown_at_its_field(
    owner: Visitor, acme: Organization, fields: dict[str, str], name: str, words: str
) -> None:
    page = await create(owner, **fields)
    assert page.status == 422
    shown = str(page.error_at(name))
    assert words in shown
    assert not await SignUpForm.of(acme).exists()


async def test_a_form_is_changed_and_keeps_what_is_not_on_the_page(owner: Visitor, acme: Organization) -> None:
    form = await make_form(acme, consent_text="Old", version=4, language="pt-BR", subject="Hi", confirmed=7)
    path = f"/forms/{form.id}/edit"
    page = await owner.submit(await owner.get(path), path, name="News", subject="", double_opt_in="1", is_open="1")
    assert (page.path, page.notes) == (f"/forms/{form.id}", ["Form “News” saved."])
    await form.refresh_from_db()
    assert (form.name, form.subject, form.language, form.confirmed) == ("News", None, "pt-BR", 7)
    assert (form.consent_text, form.version, form.is_open) == ("Old", 4, True)


async def test_an_editor_sees_who_may_switch_the_confirmation_off(app: Quart, acme: Organization) -> None:
    editor = await visitor_for(app, acme, await make_person(acme, "eve@acme.example", Role.EDITOR))
    form = await make_form(acme, double_opt_in=False)
    path = f"/forms/{form.id}/edit"
    page = await editor.get(path)
    assert "Only an admin can change that." in page.text
    assert (await editor.submit(page, path, name="Other")).status == 200
    await form.refresh_from_db()
    assert (form.name, form.double_opt_in) == ("Other", False)
    assert (await create(editor)).status == 200
    assert (await SignUpForm.of(acme).exclude(id=form.id).get()).double_opt_in


@pytest.mark.parametrize("is_named", [True, False])
async def test_a_form_that_nobody_can_send_for_shows_it(
    owner: Visitor, acme: Organization, account: Account, *, is_named: bool
) -> None:
    form = await make_form(acme, account_id=account.id if is_named else None)
    await Account.of(acme).update(status="paused")
    assert (await owner.get("/forms")).rows[0][1] == "Can't send"
    shown = await owner.get(f"/forms/{form.id}")
    assert "Sign-up is closed, because no account can send the confirmations." in shown.text
    path = f"/forms/{form.id}/edit"
    refused = await owner.submit(await owner.get(path), path, is_open="1", double_opt_in="1")
    assert refused.status == 422
    assert "Needs an active account" in str(refused.error_at("is_open"))


async def test_a_form_is_deleted_after_a_question(owner: Visitor, acme: Organization) -> None:
    form = await make_form(acme)
    path = f"/forms/{form.id}/delete"
    asked = await owner.get(path)
    assert "Delete form “Newsletter”?" in asked.text
    page = await owner.submit(asked, path)
    assert (page.path, page.notes) == ("/forms", ["Form “Newsletter” deleted. The contacts it made are kept."])
    assert not await SignUpForm.of(acme).exists()


async def test_a_declared_field_offers_what_fits_its_type(owner: Visitor, acme: Organization) -> None:
    await CustomField.named(acme, "born", label="Born on", kind="date").save()
    token = (await owner.get("/forms/new")).token
    page = await owner.post("/forms", form={"csrf_token": token, "do": "add", "add": "born"})
    assert "Born on" in page.text
    assert page.soup.select_one("select[name='fields.0.kind']") is None
    made = await create(owner, **{"fields.0.key": "born"})
    assert made.status == 200
    assert (await SignUpForm.of(acme).get()).form_fields[0]["kind"] == "date"


async def test_a_stranger_sees_no_form(app: Quart, acme: Organization, rival: Organization) -> None:
    form = await make_form(acme)
    stranger = await visitor_for(app, rival, await make_person(rival, "r@rival.example"))
    for path in (f"/forms/{form.id}", f"/forms/{form.id}/edit", f"/forms/{form.id}/delete"):
        assert (await stranger.get(path)).status == 404
    assert (await stranger.get("/forms")).rows == []


async def preview(visitor: Visitor, **fields: str) -> Page:
    token = (await visitor.get("/forms/new")).token
    return await visitor.post("/forms/preview", form={"csrf_token": token, "double_opt_in": "1", **fields})


async def test_the_preview_shows_the_page_and_the_confirmation(owner: Visitor, acme: Organization) -> None:
    fields = {
        "name": "News",
        "fields.0.key": "first_name",
        "fields.0.label": "Given name",
        "consent_text": "I want it.",
    }
    page = await preview(owner, **fields)
    assert (page.status, page.title) == (200, "News")
    assert "Given name" in page.text
    assert "I want it." in page.text
    headers = page.response.headers
    assert headers["Content-Security-Policy"].startswith("sandbox; default-src 'none';")
    assert "frame-ancestors 'self'" in headers["Content-Security-Policy"]
    assert headers["X-Frame-Options"] == "SAMEORIGIN"
    mail = await preview(owner, **fields, view="mail")
    assert "/f/confirm/" in mail.data.decode()
    assert "Please confirm your sign-up: Acme" in mail.text
    own = await preview(owner, view="mail", subject="Yes?", body="Click {{ confirm_url }} for {{ form_name }}")
    assert "Yes?" in own.text
    assert "for Newsletter" in own.text
    assert not await SignUpForm.of(acme).exists()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"body": "Hello"}, "The email must contain {{ confirm_url }}."),
        ({"fields.0.key": "status"}, "must be a field that a form can ask for"),
        ({"fields.0.kind": "text"}, "Newsletter"),
    ],
)
async def test_the_preview_of_an_incomplete_form_says_what_is_wrong(
    owner: Visitor, fields: dict[str, str], words: str
) -> None:
    page = await preview(owner, **fields)
    assert page.status == 200
    assert words in page.text


async def test_a_form_that_only_the_test_inbox_hears_of_says_so(owner: Visitor, acme: Organization) -> None:
    form, words = await make_form(acme), "Confirmations only reach the test inbox"
    assert words not in (await owner.get(f"/forms/{form.id}")).text
    await Account.of(acme).delete()
    sandbox = await sandbox_account(acme)
    assert (await owner.get(f"/forms/{form.id}")).soup.select_one(".notes a[href='/accounts/new']")
    await SignUpForm.filter(id=form.id).update(account_id=sandbox.id)
    page = await owner.get(f"/forms/{form.id}")
    assert words in page.text
    assert page.soup.select_one(f".notes a[href='/forms/{form.id}/edit']")
