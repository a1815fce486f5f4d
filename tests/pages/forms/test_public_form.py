"""The public page of a form, and what posts to it from elsewhere."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from jobs.reader_mail import mail_readers
from tests.api.conftest import make_api
from tests.factories import make_account, make_contact, make_form, make_topic
from tests.fakes.smtp_server import SmtpServer
from tests.pages.conftest import Visitor
from tests.pages.forms.conftest import ADA, Inbox, ask, elsewhere
from tests.support.instance_mail import mailing_by
from webapp import clock
from webapp.config import Settings
from webapp.domain.forms import floods, sign_up
from webapp.domain.forms.inputs import HONEYPOT, STAMP
from webapp.domain.roles import Role
from webapp.models import Account, Contact, CustomField, MailLog, Organization, PendingSignUp, SignUpForm, Tombstone
from webapp.models.instance import sign
from webapp.models.suppression import address_digest

CITY = {"key": "city", "label": "City", "kind": "choice", "required": True, "options": ["Rome", "Berlin"]}
BOX = {"key": "vip", "label": "VIP", "kind": "checkbox", "required": False, "options": []}
OURS, THEIRS = "https://acme.example", "https://evil.example"


async def emails() -> list[str]:
    return sorted([row.email for row in await PendingSignUp.across_orgs()])


async def test_the_page_works_without_a_script_in_the_brand_and_language(
    stranger: Visitor, acme: Organization, account: Account
) -> None:
    topic = await make_topic(acme, name="Product news")
    form = await make_form(acme, form_fields=[CITY, BOX], topic_ids=[str(topic.id)], consent_text="Yes.", language="de")
    page = await stranger.get(f"/f/{form.key}", headers={"Accept-Language": "fr"})
    assert (page.status, page.title, page.soup.html["lang"]) == (200, "Newsletter", "de")
    assert "Acme" in page.text
    assert "Product news" in page.text
    assert "Yes." in page.text
    assert not page.soup.select("script")
    assert page.soup.select_one("meta[name=robots][content=noindex]")
    assert len(page.data) < 20_000
    assert (await stranger.get(f"/f/{form.key}?l=ar")).soup.html["dir"] == "rtl"
    bad = await stranger.submit(page, f"/f/{form.key}", email="ada", city="")
    assert bad.status == 400
    invalid = [tag["name"] for tag in bad.soup.select("[aria-invalid]")]
    assert invalid == ["email", "city"]
    assert bad.soup.select_one("input[name=email]")["value"] == "ada"
    await asyncio.sleep(2.1)
    sent = await stranger.submit(page, f"/f/{form.key}", email=ADA, city="Rome", topics=str(topic.id))
    assert (sent.status, sent.title) == (200, "Schauen Sie in Ihr Postfach")
    (row,) = await PendingSignUp.of(acme)
    (submission,) = row.values.values()
    assert submission["fields"] == {"custom_fields": {"city": "Rome", "vip": False}}
    assert (submission["consent_text"], submission["topic_ids"]) == ("Yes.", [str(topic.id)])
    assert (row.language, row.version, row.email) == ("de", 1, ADA)


async def test_a_form_has_the_sentences_that_its_organization_changed(
    owner: Visitor, stranger: Visitor, form: SignUpForm
) -> None:
    brand = await owner.submit(await owner.get("/organization/brand"), "/organization/brand", language="de")
    assert "Edit the sentences of these pages (Deutsch)" in brand.text
    await owner.submit(brand, "/organization/brand", **{"texts.form.send": "Ich bin dabei"})
    for language, words in (("de", "Ich bin dabei"), ("en", "Sign up")):
        page = await stranger.get(f"/f/{form.key}?l={language}")
        assert page.soup.select_one("form button").text == words


@pytest.mark.parametrize("trap", ["quick", HONEYPOT])
async def test_what_only_a_program_does_gets_the_usual_answer(stranger: Visitor, form: SignUpForm, trap: str) -> None:
    page = await stranger.get(f"/f/{form.key}")
    if trap != "quick":
        await asyncio.sleep(2.1)
    fields = {} if trap == "quick" else {trap: "x"}
    sent = await stranger.submit(page, f"/f/{form.key}", email=ADA, **fields)
    assert (sent.status, sent.title) == (200, "Check your inbox")
    assert await emails() == []


async def test_a_page_by_a_clock_ahead_of_ours_makes_nobody_a_program(stranger: Visitor, form: SignUpForm) -> None:
    seconds = str(int(clock.now().timestamp()) + 60)
    stamp = f"{seconds}.{sign(floods.STAMP, f'{form.id} {seconds}')}"
    await ask(stranger, form, **{STAMP: stamp})
    assert await emails() == [ADA]


async def test_a_form_sends_people_on_to_its_site(stranger: Visitor, acme: Organization, account: Account) -> None:
    form = await make_form(acme, redirect_after_submit="https://acme.example/thanks")
    page = await stranger.get(f"/f/{form.key}")
    assert "form-action 'self' https://acme.example;" in page.response.headers["Content-Security-Policy"]
    sent = await stranger.post(f"/f/{form.key}", form={"email": ADA}, follow=False)
    assert (sent.status, sent.response.headers["Location"]) == (303, "https://acme.example/thanks")
    assert await emails() == [ADA]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "email"),
        ({"email": None}, "email"),
        ({"email": ["ada@example.org"]}, "email"),
        ({"email": "ada"}, "email"),
        ({"email": ADA}, "city"),
        ({"email": ADA, "city": "Paris"}, "city"),
        ({"email": ADA, "city": {"a": 1}}, "city"),
        ({"email": ADA, "city": "Rome", "topics": "all"}, "topics"),
        ({"email": ADA, "city": "Rome", "topics": ["01a22938-9132-75a8-b822-24f195175e1e"]}, "topics"),
        ({"email": ADA, "city": "Rome", "topics": [{}]}, "topics"),
        ([], "body"),
    ],
)
async def test_a_bad_field_is_named(
    stranger: Visitor, acme: Organization, account: Account, body: Any, field: str
) -> None:
    form = await make_form(acme, form_fields=[CITY])
    page = await stranger.post(f"/f/{form.key}", json=body)
    answer = await page.response.get_json()
    assert (page.status, answer["error"]) == (400, "ValidationError")
    assert next(fault["field"] for fault in answer["details"]) == field
    assert await emails() == []


async def test_a_person_has_to_write_a_number_that_means_one_thing(
    stranger: Visitor, acme: Organization, rival: Organization, account: Account
) -> None:
    for org, kind in ((acme, "number"), (rival, "text")):
        await CustomField.named(org, "guests", label="Guests", kind=kind).save()
    form = await make_form(acme, form_fields=[{"key": "guests", "label": "Guests", "kind": "text", "required": False}])
    path, page = f"/f/{form.key}", await stranger.get(f"/f/{form.key}")
    refused = await stranger.submit(page, path, email=ADA, guests="1.250")
    assert refused.status == 400
    assert "Please check this field." in refused.text
    answer = await (await stranger.post(path, json={"email": ADA, "guests": "1.250"})).response.get_json()
    assert "“1.250” in Guests can mean 1250 or 1.25; write one of these" in answer["details"][0]["message"]
    assert await emails() == []
    assert (await stranger.post(path, json={"email": ADA, "guests": 1.234})).status == 202
    api, body = await make_api(stranger.app, acme, Role.EDITOR), {"email": "bob@example.org", "guests": "1.250"}
    assert (await api.post(f"/v1/forms/{form.id}/sign-ups", body))[0] == 202
    assert await emails() == [ADA, "bob@example.org"]


@pytest.mark.parametrize(
    ("origin", "status"),
    [(None, 202), (OURS, 202), ("http://localhost", 202), (THEIRS, 403), ("null", 403), (f"{OURS}.evil.example", 403)],
)
async def test_only_the_listed_sites_may_post(
    stranger: Visitor, acme: Organization, account: Account, origin: str | None, status: int
) -> None:
    form = await make_form(acme, allowed_origins=[OURS])
    headers = {"Origin": origin} if origin else {}
    page = await ask(stranger, form, headers=headers)
    assert page.status == status
    assert await emails() == ([ADA] if status == 202 else [])
    shared = page.response.headers.get("Access-Control-Allow-Origin")
    assert shared == (OURS if origin == OURS else None)
    assert "Access-Control-Allow-Credentials" not in page.response.headers
    asked = await stranger.send("OPTIONS", f"/f/{form.key}", headers=headers, follow=False)
    assert asked.status == (403 if status == 403 else 204)
    assert asked.response.headers.get("Access-Control-Allow-Origin") == shared
    if shared:
        assert asked.response.headers["Access-Control-Allow-Methods"] == "POST, OPTIONS"
        bad = await ask(stranger, form, "nobody", headers=headers)
        assert (bad.status, bad.response.headers["Access-Control-Allow-Origin"]) == (400, OURS)


async def test_visitors_of_other_sites_can_sign_up_on_the_forms_page(stranger: Visitor, form: SignUpForm) -> None:
    for origin in (THEIRS, "null"):
        headers = {"Origin": origin, "Accept-Language": "de"}
        page = await stranger.post(f"/f/{form.key}", form={"email": ADA}, headers=headers)
        assert (page.status, page.title) == (403, form.name)
        assert "Bitte melden Sie sich hier an." in page.text
        assert ADA not in page.text
        assert not page.soup.select("nav")
    await SignUpForm.filter(id=form.id).update(is_open=False)
    page = await stranger.post(f"/f/{form.key}", form={"email": ADA}, headers={"Origin": THEIRS})
    assert (page.status, page.title) == (404, "Sign-up is closed")
    assert await emails() == []


@pytest.mark.parametrize("kind", ["application/json", "application/x-www-form-urlencoded"])
async def test_a_body_has_16_kib(stranger: Visitor, form: SignUpForm, kind: str) -> None:
    start = b'{"email": "ada@example.org", "x": "' if "json" in kind else b"email=ada%40example.org&x="
    end = b'"}' if "json" in kind else b""
    for size, status in ((16 * 1024 + 1, 413), (16 * 1024, 202 if "json" in kind else 200)):
        data = start + b"x" * (size - len(start) - len(end)) + end
        page = await stranger.post(f"/f/{form.key}", data=data, headers={"Content-Type": kind})
        assert page.status == status
    page = await stranger.post(f"/f/{form.key}", data=b"email=a", headers={"Content-Type": "text/plain"})
    assert page.status == 415


async def closed(form: SignUpForm) -> None:
    form.is_open = False
    await form.save()


async def senderless(form: SignUpForm) -> None:
    await Account.across_orgs().update(status="paused")


@pytest.mark.parametrize("close", [closed, senderless])
async def test_a_closed_form_takes_nobody(stranger: Visitor, form: SignUpForm, close: Any) -> None:
    await close(form)
    page = await stranger.get(f"/f/{form.key}")
    assert (page.status, page.title) == (404, "Sign-up is closed")
    assert (await stranger.post(f"/f/{form.key}", form={"email": ADA})).status == 404
    assert (await ask(stranger, form)).status == 404
    for key in ("nothing", "x" * 22, "%00"):
        assert (await stranger.get(f"/f/{key}")).status == 404
    assert await emails() == []


async def test_a_network_and_an_address_have_limits(
    stranger: Visitor, acme: Organization, form: SignUpForm, inbox: Inbox
) -> None:
    network = elsewhere()
    for number in range(5):
        body = {"email": f"p{number}@example.org"}
        page = await stranger.post(f"/f/{form.key}", json=body, scope_base=network)
        assert page.status == 202
    assert await emails() == [f"p{number}@example.org" for number in range(3)]
    other = await make_form(acme)
    for place in (form, other):
        assert (await ask(stranger, place)).status == 202
    assert len(await inbox.links()) == 1


async def test_programs_sign_people_up(
    stranger: Visitor, acme: Organization, rival: Organization, form: SignUpForm, inbox: Inbox
) -> None:
    api = await make_api(stranger.app, acme, Role.EDITOR)
    path = f"/v1/forms/{form.id}/sign-ups"
    assert await api.post(path, {"email": ADA, "city": "Rome"}) == (
        202,
        {"ok": True, "warnings": ["city is not a known field and was ignored"]},
    )
    link = await inbox.link()
    assert (await stranger.post(link)).title == "You're in"
    (row,) = await PendingSignUp.of(acme)
    assert (row.network, row.page_url) == (None, None)
    assert (await (await make_api(stranger.app, rival, Role.ADMIN)).post(path, {"email": ADA}))[0] == 404
    assert (await (await make_api(stranger.app, acme, Role.VIEWER)).post(path, {"email": ADA}))[0] == 403
    await closed(form)
    assert (await api.post(path, {"email": "bob@example.org"}))[0] == 409


@pytest.mark.parametrize("double_opt_in", [True, False])
async def test_who_is_there_already_decides_what_is_mailed(
    stranger: Visitor, acme: Organization, account: Account, inbox: Inbox, *, double_opt_in: bool
) -> None:
    form = await make_form(acme, double_opt_in=double_opt_in)
    await make_contact(acme, "known@example.org")
    await make_contact(acme, "left@example.org", status="unsubscribed", unsubscribed_at=clock.now())
    await Tombstone.create(org=acme, digest=address_digest(acme.id, "gone@example.org"))
    admin = await make_api(stranger.app, acme, Role.ADMIN)
    await admin.post("/v1/suppressions", {"email": "bounced@example.org"})
    answers = {
        (page.status, page.data)
        for name in ("known", "left", "gone", "bounced", "new")
        for page in [await ask(stranger, form, f"{name}@example.org")]
    }
    assert answers == {(202, b'{"ok":true}')}
    paths = {name: await inbox.links(f"{name}@example.org") for name in ("known", "left", "gone", "bounced", "new")}
    kinds = {name: [path.split("/")[1] for path in found] for name, found in paths.items()}
    new = ["f"] if double_opt_in else []
    assert kinds == {"known": ["unsubscribe"], "left": ["f"], "gone": ["f"], "bounced": [], "new": new}
    contacts = {contact.email.partition("@")[0]: contact.status for contact in await Contact.of(acme)}
    assert contacts == {"known": "subscribed", "left": "unsubscribed"} | ({} if new else {"new": "subscribed"})
    for name in ("left", "gone"):
        assert (await stranger.post(paths[name][0])).title == "You're in"
    assert {contact.email for contact in await Contact.of(acme).filter(status="subscribed")} >= {"gone@example.org"}


async def test_a_subscribed_person_gets_one_reminder_a_day(
    stranger: Visitor, acme: Organization, form: SignUpForm, inbox: Inbox
) -> None:
    await make_contact(acme, ADA)
    for _ in range(2):
        await ask(stranger, form)
        await inbox.links()
        stranger.app.extensions.pop("sign_up_throttle")  # as if the limits of the address were over
    assert len(await inbox.links()) == 1
    await PendingSignUp.of(acme).update(mailed_at=clock.now() - timedelta(days=1))
    await ask(stranger, form)
    assert len(await inbox.links()) == 2


async def test_a_reminder_waits_for_an_account_in_trouble(
    stranger: Visitor,
    acme: Organization,
    form: SignUpForm,
    account: Account,
    settings: Settings,
    smtp_server: SmtpServer,
) -> None:
    mailing_by(smtp_server, settings)
    await make_contact(acme, ADA)
    account.status = "error"
    await account.save()
    await ask(stranger, form)
    await mail_readers()
    assert smtp_server.messages == []
    assert [row.account_id for row in await MailLog.of(acme)] == [account.id]


async def test_the_forms_own_letter_has_nothing_of_the_visitors(
    stranger: Visitor, acme: Organization, account: Account, inbox: Inbox
) -> None:
    field = {"key": "first_name", "label": "Name", "kind": "text", "required": False, "options": []}
    form = await make_form(
        acme,
        form_fields=[field],
        subject="{{ form_name }} of {{ organization_name }}",
        body='<p>Go: <a href="{{ confirm_url }}">on</a> {{ confirm_url }}</p>',
    )
    await ask(stranger, form, first_name="Buy http://evil.example")
    links = await inbox.links()
    assert len(set(links)) == 1
    (mail,) = inbox.server.messages
    assert b"evil.example" not in mail.content
    assert b"Subject: Newsletter of Acme" in mail.content
    assert (await stranger.post(links[0])).title == "You're in"


async def test_no_strangers_account_sends_the_confirmation(
    stranger: Visitor, acme: Organization, rival: Organization
) -> None:
    await make_account(rival)
    form = await make_form(acme)
    assert (await stranger.get(f"/f/{form.key}")).status == 404


@pytest.mark.parametrize(
    ("referer", "page_url"),
    [
        ("https://ada:secret@acme.example:8443/news?token=1#top", "https://acme.example:8443/news"),
        ("http://[::1", None),
        ("javascript:alert(1)", None),
        ("https://user@", None),
    ],
)
async def test_the_page_of_a_sign_up_is_saved_without_secrets(
    stranger: Visitor, form: SignUpForm, referer: str, page_url: str | None
) -> None:
    assert (await ask(stranger, form, headers={"Referer": referer})).status == 202
    assert (await PendingSignUp.get(form_id=form.id)).page_url == page_url


@pytest.mark.parametrize("key", ["%00", "a" * 5_000, "a" * 23, "\u00fc" * 22, "confirm", " "])
async def test_an_unknown_form_is_a_friendly_404(stranger: Visitor, key: str) -> None:
    for page in (await stranger.get(f"/f/{key}?l=de"), await stranger.post(f"/f/{key}?l=de", data=b"")):
        assert (page.status, page.title) == (404, "Dieser Link funktioniert nicht")
    answer = await stranger.post(f"/f/{key}", json={"email": "ada@example.org"})
    assert (answer.status, answer.data) == (404, b'{"error":"Not found"}')


async def test_many_at_once_are_each_mailed_once(
    stranger: Visitor, acme: Organization, form: SignUpForm, inbox: Inbox
) -> None:
    people = [f"p{number}@example.org" for number in range(8)]
    pages = await asyncio.gather(*(ask(stranger, form, email) for email in people * 2))
    assert {page.status for page in pages} == {202}
    await asyncio.gather(*(sign_up.queue.send() for _ in range(3)))
    assert [len(await inbox.links(email)) for email in people] == [1] * len(people)
    links = [await inbox.link(email) for email in people]
    await asyncio.gather(*(stranger.post(link) for link in links * 2))
    assert sorted([contact.email for contact in await Contact.of(acme)]) == people
    await form.refresh_from_db()
    assert [form.submitted, form.mailed, form.confirmed] == [len(people)] * 3


async def test_no_words_of_a_form_or_visitor_become_tags(
    stranger: Visitor, acme: Organization, account: Account
) -> None:
    evil = "\"'><script>alert(1)</script>"
    topic = await make_topic(acme, name=evil, description=evil)
    fields = [{**CITY, "key": evil, "label": evil, "options": [evil]}, {**BOX, "key": f"b{evil}", "label": evil}]
    form = await make_form(
        acme, name=evil, form_fields=fields, consent_text=evil, topic_ids=[str(topic.id)], redirect_after_submit=evil
    )
    page = await stranger.get(f"/f/{form.key}")
    bad = await stranger.post(f"/f/{form.key}", form={"email": evil, evil: evil, "topics": evil})
    for shown in (page, bad):
        assert not shown.soup.select("script")
        assert shown.soup.select_one("select")["name"] == evil
        assert "alert" not in shown.response.headers["Content-Security-Policy"]
    assert bad.status == 400
    assert bad.soup.select_one("input[name=email]")["value"] == evil
