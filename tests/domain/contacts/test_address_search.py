"""Looking for a part of an address, also of one whose domain is beyond ASCII and kept as A-labels."""

import random

import pytest

from tests.api.conftest import make_api
from tests.apps import app_of
from tests.factories import make_account, make_mail
from tests.pages.conftest import make_person, visitor_for
from webapp.addresses import has_part, normalize, readable, sought
from webapp.config import Settings
from webapp.domain.emails.emails import search_emails
from webapp.domain.mail_logs.search import MailLogSearch, search_rows
from webapp.domain.pagination import Cursor
from webapp.models import Organization

IDN = "info@müller-bücher.example"
LIKE_IT = "info@möller-bucher.example"
ADDRESSES = [
    IDN, LIKE_IT, "info@mller-bcher.example", "hallo@straße.example", "jürgen@müller.example", "日本@日本語.example", "a@b.日本語.jp",
    "J.R@bücher.münchen.example", "ann@example.org",
]  # fmt: skip
FORMS = [
    "müller-bücher", "MÜLLER-BÜCHER", "info@müller-bücher.example", "xn--mller-bcher-thbg", "müller", "ü", "er-büch", "o@mü",
    "bücher.ex", "mu\u0308ller-bu\u0308cher",
]  # fmt: skip


@pytest.fixture
async def addresses(acme: Organization, rival: Organization) -> list[str]:
    """The addresses that our organization has written to, the newest first; the other one has written to one of them."""
    account = await make_account(acme)
    normalized = [normalize(address) for address in ADDRESSES]
    for address in normalized:
        await make_mail(acme, account, address)
    await make_mail(rival, await make_account(rival), normalized[0])
    return normalized[::-1]


def test_a_domain_reads_as_people_write_it() -> None:
    assert readable(normalize(IDN)) == IDN
    assert readable("a@xn--\ud800.example") == "a@xn--\ud800.example"
    assert readable("nobody") == "nobody"


async def test_whatever_part_is_looked_for_is_found_page_by_page(acme: Organization, addresses: list[str]) -> None:
    chance = random.Random(1)
    parts = [*FORMS, *(text[chance.randrange(len(text)) :][: chance.randint(1, 12)] for text in ADDRESSES * 8)]
    for part in parts:
        expected = [address for address in addresses if has_part(address, sought(part))]
        found, cursor = list[str](), Cursor(2)
        while True:
            page = await search_rows(acme, MailLogSearch(to=part), cursor)
            found += [row.to_email for row in page.found.rows]
            goes_on = page.stopped_at or page.found.older
            if goes_on is None:
                break
            cursor = Cursor(2, after=goes_on)
        assert found == expected, part
        emails = await search_emails(acme, MailLogSearch(to=part), Cursor(50))
        assert [email.addresses["to"][0] for email in emails.found.rows] == expected, part


async def test_either_form_finds_it_under_contacts_emails_and_mail_logs(
    settings: Settings, acme: Organization, addresses: list[str]
) -> None:
    app = app_of(settings)
    owner, api = await visitor_for(app, acme, await make_person(acme, "ada@acme.example")), await make_api(app, acme)
    for address in (IDN, LIKE_IT):
        assert (await api.post("/v1/contacts", {"email": address}))[0] == 201
    for form in ("MÜLLER-BÜCHER", "xn--mller-bcher-thbg", "ü"):
        for path, name in (("/contacts", "q"), ("/emails", "to"), ("/mail-logs", "to")):
            page = await owner.get(path, query_string={name: form})
            assert normalize(IDN) in page.text, path
            assert (normalize(LIKE_IT) in page.text) == has_part(normalize(LIKE_IT), sought(form)), path
        status, body = await api.answer("GET", "/v1/contacts", query_string={"q": form})
        assert (status, body["data"][-1]["email"]) == (200, normalize(IDN))
