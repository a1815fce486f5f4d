"""Looking for a part of an address whose domain is beyond ASCII and kept as A-labels."""

from tests.api.conftest import Api
from tests.factories import make_mail
from tests.pages.conftest import Visitor
from webapp.addresses import normalize
from webapp.models import Account, Organization

IDN = "info@müller-bücher.example"
LIKE_IT = "info@möller-bucher.example"
BOTH = "ller-b"  # a part of both
FORMS = ("MÜLLER-BÜCHER", "mu\u0308ller-bu\u0308cher", "xn--mller-bcher-thbg", "ü", BOTH)


async def test_either_form_finds_it_under_contacts_emails_and_mail_logs(
    api: Api, owner: Visitor, acme: Organization, account: Account
) -> None:
    for address in (LIKE_IT, IDN):
        assert (await api.post("/v1/contacts", {"email": address}))[0] == 201
        await make_mail(acme, account, normalize(address))
    for form in FORMS:
        for path, name in (("/contacts", "q"), ("/emails", "to"), ("/mail-logs", "to")):
            page = await owner.get(path, query_string={name: form})
            assert IDN in page.text, path
            assert (LIKE_IT in page.text) == (form == BOTH), path
        status, body = await api.answer("GET", "/v1/contacts", query_string={"q": form})
        assert (status, body["data"][0]["email"]) == (200, normalize(IDN))
