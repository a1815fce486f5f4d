"""Looking for a part of an address, also of one whose domain is beyond ASCII and kept as A-labels."""

import pytest

from tests.api.conftest import make_api
from tests.apps import app_of
from tests.factories import make_account, make_mail
from tests.pages.conftest import make_person, visitor_for
from webapp.addresses import has_part, normalize, sought
from webapp.config import Settings
from webapp.models import Organization

IDN = "info@müller-bücher.example"
LIKE_IT = "info@möller-bucher.example"
ADDRESSES = [
    IDN, LIKE_IT, "info@mller-bcher.example", "hallo@straße.example", "jürgen@müller.example", "日本@日本語.example", "a@b.日本語.jp",
    "J.R@bücher.münchen.example", "ann@example.org",
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
