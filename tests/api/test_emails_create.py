from tests.api.conftest import Api
from tests.factories import make_account
from webapp.models import Email, MailLog, Organization

MAIL = {"from": "Acme <hello@acme.example>", "to": ["ada@example.org"], "subject": "Hello", "html": "<p>Hello</p>"}


async def test_a_mail_becomes_a_row(api: Api, acme: Organization) -> None:
    account = await make_account(acme)
    status, body = await api.post("/v1/emails", MAIL)
    assert status == 200, body
    row = await MailLog.get(id=body["id"])
    assert (row.status, row.to_email, row.account_id) == ("pending", "ada@example.org", account.id)
    assert row.email_id == (await Email.get()).id
