"""Readers without an email of the organization get the link to their preferences by mail."""

import statistics
import time
from collections import defaultdict
from urllib.parse import urlsplit

import pytest

from jobs.reader_mail import mail_readers
from tests.api.conftest import make_api
from tests.factories import account_on, make_contact, make_suppression
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all
from tests.pages.conftest import Page, Visitor
from tests.support.instance_mail import body_of, links_to, mailing_by, read
from webapp.config import Settings
from webapp.models import Organization, ReaderMail

ANN = "ann@example.org"
TIMED = 200  # requests for each kind of address


async def path_of(visitor: Visitor, org: Organization) -> str:
    status, answer = await (await make_api(visitor.app, org)).get("/v1/brand")
    assert status == 200
    return urlsplit(answer["data"]["preferences_url"]).path


async def ask(visitor: Visitor, path: str, email: str) -> Page:
    return await visitor.submit(await visitor.get(path), email=email)


async def test_a_reader_gets_the_link_and_leaves_by_it(
    stranger: Visitor, acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    contact = await make_contact(acme, "Ann@example.org")
    theirs = await make_contact(rival, ANN)
    await account_on(smtp_server, acme, from_email="hello@acme.example")
    page = await ask(stranger, await path_of(stranger, acme), "ann@EXAMPLE.org")
    assert (page.status, page.title) == (200, "Check your inbox")
    await mail_readers()
    await deliver_all(settings)
    (received,) = smtp_server.messages
    message = read(received)
    assert (received.recipients, message["Subject"]) == (["ann@example.org"], "Your preferences for Acme")
    (path,) = links_to("ann@example.org", [received], settings.base_url)
    page = await stranger.get(path)
    assert page.title == "Your preferences"
    await stranger.submit(page, path, nothing="1")
    await contact.refresh_from_db()
    await theirs.refresh_from_db()
    assert (contact.status, theirs.status) == ("unsubscribed", "subscribed")


async def test_every_address_gets_the_same_answer_and_only_contacts_get_mail(
    stranger: Visitor, acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    mailing_by(smtp_server, settings)
    await make_contact(acme, ANN)
    await make_contact(acme, "left@example.org", status="unsubscribed")
    await make_contact(rival, "theirs@example.org")
    path, answers = await path_of(stranger, acme), set()
    for email in (ANN, "left@example.org", "theirs@example.org", "nobody@example.org"):
        page = await ask(stranger, path, email)
        answers.add((page.status, page.path, page.data))
    assert len(answers) == 1
    assert await ReaderMail.of(acme).count() == 4
    await mail_readers()
    assert sorted(received.recipients[0] for received in smtp_server.messages) == [ANN, "left@example.org"]
    assert await ReaderMail.across_orgs().count() == 0


async def test_an_address_gets_three_mails_an_hour_from_all_organizations(
    stranger: Visitor, acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    mailing_by(smtp_server, settings)
    paths = []
    for org in (acme, rival):
        await make_contact(org, ANN)
        paths.append(await path_of(stranger, org))
    for path in (paths * 3)[:5]:
        assert (await ask(stranger, path, ANN)).title == "Check your inbox"
        await mail_readers()
    assert len(smtp_server.messages) == 3


async def test_a_network_is_slowed_down_after_ten_tries(stranger: Visitor, acme: Organization) -> None:
    path = await path_of(stranger, acme)
    pages = [await ask(stranger, path, f"r{number}@example.org") for number in range(11)]
    assert [page.status for page in pages] == [200] * 10 + [429]
    assert "Too many tries from your network." in pages[-1].text
    assert pages[-1].response.headers["Retry-After"]


@pytest.mark.parametrize("email", ["", "ann", "a@b@c", "x" * 300 + "@example.org"])
async def test_what_is_no_address_is_refused(stranger: Visitor, acme: Organization, email: str) -> None:
    page = await ask(stranger, f"{await path_of(stranger, acme)}?l=de", email)
    assert (page.status, page.title) == (422, "Ihre Einstellungen")
    assert page.error_at("email") == "Geben Sie eine gültige E-Mail-Adresse ein, zum Beispiel ada@example.org."
    assert await ReaderMail.across_orgs().count() == 0


async def test_the_mail_is_in_the_language_of_the_page_that_asked_for_it(
    stranger: Visitor, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    mailing_by(smtp_server, settings)
    await make_contact(acme, ANN, language="fr")
    path = await path_of(stranger, acme)
    for query in ("?l=ar", "?l=ja", ""):
        await ask(stranger, f"{path}{query}", ANN)
        await mail_readers()
    subjects = [read(received)["Subject"] for received in smtp_server.messages]
    assert subjects == ["تفضيلاتك لدى \u2068Acme\u2069", "Acme の配信設定", "Vos préférences pour Acme"]
    assert "فتح التفضيلات" in body_of(read(smtp_server.messages[0]), "html")


async def test_the_instance_mails_suppressed_addresses_unless_they_bounced(
    stranger: Visitor, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    mailing_by(smtp_server, settings)
    for email in (ANN, "bob@example.com", "eva@example.org"):
        await make_contact(acme, email)
    await make_suppression(acme, ANN)
    await make_suppression(acme, "*@example.com", reason="manual")
    for email in (ANN, "bob@example.com", "eva@example.org"):
        await ask(stranger, await path_of(stranger, acme), email)
    await mail_readers()
    assert [received.recipients for received in smtp_server.messages] == [["bob@example.com"], ["eva@example.org"]]
    assert await ReaderMail.across_orgs().count() == 0


async def test_the_instance_mails_no_words_of_an_organization(
    stranger: Visitor, acme: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    settings = mailing_by(smtp_server, settings)
    await Organization.filter(id=acme.id).update(name="Win at https://evil.example/now")
    await acme.refresh_from_db()
    api = await make_api(stranger.app, acme)
    texts = dict.fromkeys(("preferences_link.subject", "preferences_link.after"), "Sign in at https://evil.example")
    status, _ = await api.patch("/v1/brand", {"texts": texts})
    assert status == 200
    await make_contact(acme, ANN)
    await ask(stranger, await path_of(stranger, acme), ANN)
    await mail_readers()
    (received,) = smtp_server.messages
    assert read(received)["Subject"] == "Your preferences for Win at https evil example now"
    assert "evil.example" not in body_of(read(received)) + body_of(read(received), "html")
    assert links_to(ANN, [received], settings.base_url)


async def test_an_unknown_key_is_a_friendly_404(stranger: Visitor, acme: Organization) -> None:
    path = await path_of(stranger, acme)
    for key in ("none", path.rpartition("/")[2] + "0", "%00" * 32, "ü" * 32):
        for where in ("", "/sent"):
            page = await stranger.get(f"/preferences/{key}{where}")
            assert (page.status, page.title) == (404, "This link doesn't work")


@pytest.mark.soak
async def test_the_answer_takes_the_same_time_for_every_address(
    stranger: Visitor, acme: Organization, rival: Organization
) -> None:
    path, seconds = await path_of(stranger, acme), defaultdict[str, list[float]](list)
    token = (await stranger.get(path)).token
    for number in range(TIMED):
        await make_contact(acme, f"known{number}@example.org")
        await make_contact(acme, f"left{number}@example.org", status="unsubscribed")
        await make_contact(rival, f"theirs{number}@example.org")
    for number in range(TIMED):
        for turn, kind in enumerate(("known", "left", "theirs", "nobody")):
            form = {"csrf_token": token, "email": f"{kind}{number}@example.org"}
            network = {"client": (f"203.{turn}.{number}.7", 50_000)}
            started = time.perf_counter()
            page = await stranger.post(path, form=form, scope_base=network, follow=False)
            seconds[kind].append(time.perf_counter() - started)
            assert page.status == 303
    medians = {kind: statistics.median(taken) for kind, taken in seconds.items()}
    assert max(medians.values()) < 1.2 * min(medians.values()), medians
