"""POST /api/v1/compose: the rules of the specification's "Compose", and what the contract adds."""

from collections.abc import AsyncIterator
from email.message import EmailMessage
from typing import Any
from uuid import uuid4

import pytest

from tests.api.conftest import Api
from tests.factories import account_on, make_account, make_contact, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import dispatching
from tests.support.messages import parsed, part
from webapp import clock
from webapp.config import Settings
from webapp.domain.accounts.accounts import sandbox_account
from webapp.models import Account, AccountUsage, Contact, Content, MailLog, Organization, OrgUsage, SandboxMail
from webapp.models.mail_log import FAILED, SENT
from webapp.models.usage import month_of
from webapp.sandbox_inbox import sandbox_inbox
from webapp.server import listen

pytestmark = pytest.mark.usefixtures("started", "worker")

PATH = "/api/v1/compose"
TO_ADA = {"emails": ["ada@example.org"]}


@pytest.fixture
async def account(smtp_server: SmtpServer, acme: Organization) -> Account:
    return await account_on(smtp_server, acme, from_name="Acme")


@pytest.fixture
async def worker(settings: Settings) -> AsyncIterator[None]:
    async with dispatching(settings):
        yield


async def ask(api: Api, account: Account, **fields: Any) -> tuple[int, Any]:
    """Compose a mail that is fine but for `fields`; one that is `...` is left out."""
    mail = {"account_key": account.account_key, "subject": "Hello", "body": "<p>Hi</p>", "recipients": TO_ADA} | fields
    return await api.post(PATH, {name: value for name, value in mail.items() if value is not ...})


async def compose(api: Api, account: Account, **fields: Any) -> dict[str, Any]:
    """As `ask`, where the answer is what became of each recipient."""
    status, body = await ask(api, account, **fields)
    assert status == 200, body
    assert list(body) == ["ok", "sent", "failed"]
    assert body["ok"] is (body["failed"] == [])
    assert type(body["sent"]) is int
    assert all(list(one) == ["email", "error"] and one["error"] for one in body["failed"])
    found: dict[str, Any] = body
    return found


async def refuse(api: Api, account: Account, field: str, **fields: Any) -> str:
    """Compose a mail that is refused for `field`, see that nothing of it is kept, and return the message."""
    status, body = await ask(api, account, **fields)
    assert (status, body["error"]) == (400, "ValidationError"), body
    assert body["details"][0]["field"] == field, body
    assert body["message"].startswith(field)
    assert await kept() == 0
    message: str = body["message"]
    return message


async def kept() -> int:
    return await MailLog.all().count() + await Content.all().count()


def message(server: SmtpServer, number: int = 0) -> EmailMessage:
    return parsed(server.messages[number].content)


async def test_a_compose_is_sent_when_it_answers_and_says_how_it_went(
    api: Api, account: Account, smtp_server: SmtpServer
) -> None:
    assert await compose(api, account) == {"ok": True, "sent": 1, "failed": []}
    assert smtp_server.recipients() == ["ada@example.org"]
    row = await MailLog.get()
    assert (row.kind, row.campaign_id, row.campaign_run_id, row.email_id) == ("compose", None, None, None)
    assert (row.account_id, row.from_email, row.to_email) == (account.id, "hello@acme.example", "ada@example.org")
    assert (row.recipient_type, row.response_code, row.lease_token, row.error) == ("to", 250, None, None)
    (shown,) = (await api.get("/v1/mail-logs"))[1]["data"]
    assert (shown["status"], shown["subject"], shown["body_html"]) == ("sent", "Hello", "<p>Hi</p>")
    assert shown["sent_at"] is not None


async def test_the_answer_names_what_to_use_instead(api: Api, account: Account) -> None:
    response = await api.send("POST", PATH, json={})
    assert response.headers["Deprecation"].startswith("@")
    assert response.headers["Link"] == '</v1/emails>; rel="successor-version"'


class TestRule1AccountKey:
    """account_key (string `acc_...`, not the account uuid) is required."""

    async def test_it_is_required_and_a_string(self, api: Api, account: Account) -> None:
        assert await refuse(api, account, "account_key", account_key=...) == "account_key is required"
        await refuse(api, account, "account_key", account_key=1)

    async def test_an_account_that_cannot_send_is_refused_with_the_reason(self, api: Api, acme: Organization) -> None:
        for fields, reason in (
            ({"provider_type": "google", "smtp_host": None, "smtp_port": None}, "not connected to Google yet"),
            ({"status": "paused"}, "paused"),
            ({"from_email": None}, "has no From address"),
        ):
            assert reason in await refuse(api, await make_account(acme, **fields), "account_key")


class TestRule2Content:
    """Content is either template_id or both subject and body; never both kinds together."""

    async def test_both_kinds_and_half_of_one_kind_are_refused(
        self, api: Api, acme: Organization, account: Account
    ) -> None:
        template = await make_template(acme)
        for part_ in ("subject", "body"):
            words = await refuse(api, account, "template_id", template_id=str(template.id), **{part_: ...})
            assert words == "template_id cannot be combined with subject and body"
            words = await refuse(api, account, "template_id", **{part_: ...})
            assert words == "template_id or both subject and body are required"

    async def test_what_is_no_content_is_refused(self, api: Api, acme: Organization, account: Account) -> None:
        for field, values in (
            ("subject", [" ", "a\nb", "x" * 999, "{{ a"]),
            ("body", [" \n", {}, "<p>{% if a %}</p>"]),
        ):
            for value in values:
                await refuse(api, account, field, **{field: value})
        assert "line 2, column" in await refuse(api, account, "body", body="<p>\n{{ a | nothing }}</p>")
        template = await make_template(acme, body=" ")
        await refuse(api, account, "template_id", subject=..., body=..., template_id=str(template.id))

    async def test_a_body_without_an_html_tag_is_plain_text(
        self, api: Api, account: Account, smtp_server: SmtpServer
    ) -> None:
        await compose(api, account, body="Hello <ada@example.org>, {{ a }}", variables={"a": "1 < 2"})
        assert message(smtp_server).get_content_type() == "text/plain"
        assert message(smtp_server).get_content().strip() == "Hello <ada@example.org>, 1 < 2"
        assert (await Content.get()).html is None


class TestRule3Recipients:
    """Recipients: { emails: [string] } or { type: "contacts", contact_ids: [uuid] }."""

    async def test_what_names_nobody_or_names_them_in_two_ways_is_refused(self, api: Api, account: Account) -> None:
        ids = {"type": "contacts", "contact_ids": [str(uuid4())]}
        for field, values in (
            ("recipients", [..., {}, {"type": "contacts"}, {"contact_ids": [str(uuid4())]}, TO_ADA | ids]),
            ("recipients.emails", [{"emails": []}, {"emails": "ada@example.org"}]),
            ("recipients.emails.1", [{"emails": ["ada@example.org", "nonsense"]}]),
            ("recipients.emails.0", [{"emails": ["ada@example.org\r\nBcc: x@example.org"]}]),
            ("recipients.contact_ids", [ids | {"contact_ids": []}]),
            ("recipients.type", [ids | {"type": "segment"}]),
        ):
            for recipients in values:
                await refuse(api, account, field, recipients=recipients)

    async def test_somebody_named_twice_gets_one_mail(
        self, api: Api, acme: Organization, account: Account, smtp_server: SmtpServer
    ) -> None:
        emails = ["ada@example.org", "bob@example.org", "Ada@Example.org", "ada@example.org"]
        assert (await compose(api, account, recipients={"emails": emails}))["sent"] == 2
        contact = await make_contact(acme, "eve@example.org")
        assert (await compose(api, account, recipients=to_contacts(contact, contact)))["sent"] == 1
        assert sorted(smtp_server.recipients()) == ["ada@example.org", "bob@example.org", "eve@example.org"]

    async def test_an_unsubscribed_contact_named_by_id_is_not_mailed_and_stands_under_failed(
        self, api: Api, acme: Organization, account: Account, smtp_server: SmtpServer
    ) -> None:
        gone = await make_contact(acme, "gone@example.org", status="unsubscribed")
        here = await make_contact(acme, "here@example.org")
        answer = await compose(api, account, recipients=to_contacts(gone, here))
        failed = [{"email": "gone@example.org", "error": "the contact is unsubscribed"}]
        assert answer == {"ok": False, "sent": 1, "failed": failed}
        assert smtp_server.recipients() == ["here@example.org"]
        assert [row.to_email for row in await MailLog.all()] == ["here@example.org"]

    async def test_an_address_is_mailed_whatever_a_contact_of_it_says(
        self, api: Api, acme: Organization, account: Account
    ) -> None:
        await make_contact(acme, "ada@example.org", status="unsubscribed")
        assert (await compose(api, account))["sent"] == 1


def to_contacts(*contacts: Contact) -> dict[str, Any]:
    return {"type": "contacts", "contact_ids": [str(contact.id) for contact in contacts]}


class TestRule4Variables:
    """`variables` (object) fills {{ placeholders }}; without a required one: 400 with `missing_variables`."""

    async def test_they_fill_subject_and_body_and_break_out_of_neither(
        self, api: Api, account: Account, smtp_server: SmtpServer
    ) -> None:
        await compose(
            api,
            account,
            subject="Order {{ order.id }}",
            body="<p>Dear {{ name | default: 'friend' }}, {{ order.total }}</p>",
            variables={"order": {"id": "42\r\nBcc: eve@example.org", "total": "<b>9.90"}, "other": 1},
        )
        subject, html = "Order 42Bcc: eve@example.org", "<p>Dear friend, &lt;b&gt;9.90</p>"
        assert (message(smtp_server)["Subject"], message(smtp_server)["Bcc"]) == (subject, None)
        assert html in part(message(smtp_server), "html")
        assert smtp_server.recipients() == ["ada@example.org"]
        (shown,) = (await api.get("/v1/mail-logs"))[1]["data"]
        assert (shown["subject"], shown["body_html"]) == (subject, html)

    async def test_a_tag_without_a_value_is_missing_and_nothing_is_sent(
        self, api: Api, acme: Organization, account: Account, smtp_server: SmtpServer
    ) -> None:
        template = await make_template(
            acme, subject="{{ b }}", body="<p>{{ a }} {{ b }} {{ c | default: 1 }} {{ d }}</p>"
        )
        for content in (
            {"template_id": str(template.id), "subject": ..., "body": ...},
            {"subject": template.subject, "body": template.body},
        ):
            status, body = await ask(api, account, variables={"d": 1, "a": ""}, **content)
            assert (status, body["error"]) == (400, "ValidationError")
            assert body["missing_variables"] == ["b", "a"]
            assert body["details"][0]["field"] == "variables"
        assert (await kept(), smtp_server.messages) == (0, [])

    async def test_a_contact_offers_a_template_its_own_values_and_those_of_the_request_go_before(
        self, api: Api, acme: Organization, account: Account, smtp_server: SmtpServer
    ) -> None:
        ada = await make_contact(acme, "ada@example.org", first_name="Ada", custom_fields={"town": "Ulm", "x": "his"})
        bob = await make_contact(acme, "bob@example.org", first_name="Bob", custom_fields={"town": "Bonn"})
        template = await make_template(acme, subject="{{ first_name }} of {{ town }}, {{ email }}: {{ x }}", body="Hi")
        content = {"template_id": str(template.id), "subject": ..., "body": ..., "variables": {"x": "ours"}}
        assert (await compose(api, account, recipients=to_contacts(ada, bob), **content))["sent"] == 2
        assert {row.contact_id for row in await MailLog.all()} == {ada.id, bob.id}
        assert {message(smtp_server, number)["Subject"] for number in (0, 1)} == {
            "Ada of Ulm, ada@example.org: ours",
            "Bob of Bonn, bob@example.org: ours",
        }

    async def test_what_one_contact_has_no_value_for_is_missing(
        self, api: Api, acme: Organization, account: Account
    ) -> None:
        ada = await make_contact(acme, first_name="Ada")
        nameless = await make_contact(acme)
        gone = await make_contact(acme, status="unsubscribed")
        subject = "{{ first_name }}"
        status, body = await ask(api, account, subject=subject, recipients=to_contacts(ada, nameless))
        assert (status, body["missing_variables"]) == (400, ["first_name"])
        answer = await compose(api, account, subject=subject, recipients=to_contacts(ada, gone))
        assert answer["sent"] == 1


class TestRule5Limits:
    """At most 100 recipients per request; account daily limits still apply."""

    async def test_100_recipients_are_taken(self, api: Api, account: Account, smtp_server: SmtpServer) -> None:
        emails = [f"reader{number}@example.org" for number in range(100)]
        assert (await compose(api, account, recipients={"emails": emails}))["sent"] == 100
        assert sorted(smtp_server.recipients()) == sorted(emails)
        assert smtp_server.most_connections <= account.concurrency

    async def test_101_recipients_are_refused(self, api: Api, account: Account) -> None:
        emails = [f"reader{number}@example.org" for number in range(101)]
        await refuse(api, account, "recipients.emails", recipients={"emails": emails})
        ids = [str(uuid4()) for _ in range(101)]
        await refuse(api, account, "recipients.contact_ids", recipients={"type": "contacts", "contact_ids": ids})

    async def test_what_does_not_fit_into_the_day_fails_with_the_reason(
        self, api: Api, account: Account, smtp_server: SmtpServer
    ) -> None:
        await Account.filter(id=account.id).update(daily_mail_limit=7)
        await AccountUsage.create(account_id=account.id, day=clock.today("UTC"), used=5)
        emails = [f"reader{number}@example.org" for number in range(5)]
        answer = await compose(api, account, recipients={"emails": emails})
        error = "the account's daily limit of 7 is reached"
        assert answer == {
            "ok": False,
            "sent": 2,
            "failed": [{"email": address, "error": error} for address in emails[2:]],
        }
        assert sorted(smtp_server.recipients()) == emails[:2]
        rows = await MailLog.all().order_by("id")
        assert [(row.status, row.error) for row in rows] == [(SENT, None)] * 2 + [(FAILED, error)] * 3
        assert (await AccountUsage.get()).used == 7

    async def test_the_monthly_quota_is_all_or_nothing(
        self, api: Api, acme: Organization, account: Account, smtp_server: SmtpServer
    ) -> None:
        await Organization.filter(id=acme.id).update(plan="free")
        await OrgUsage.create(org=acme, metric="monthly_email_quota", period=month_of(clock.now()), used=2_998)
        emails = [f"reader{number}@example.org" for number in range(3)]
        status, body = await ask(api, account, recipients={"emails": emails})
        assert (status, body["error"]) == (403, "PlanLimitExceeded")
        assert (body["limit"], body["max"], body["current"]) == ("monthly_email_quota", 3_000, 2_998)
        assert await kept() == 0
        assert (await compose(api, account, recipients={"emails": emails[:2]}))["sent"] == 2
        assert smtp_server.recipients() == emails[:2]

    async def test_the_sandbox_counts_towards_no_limit(self, api: Api, acme: Organization, settings: Settings) -> None:
        await Organization.filter(id=acme.id).update(plan="free")
        await OrgUsage.create(org=acme, metric="monthly_email_quota", period=month_of(clock.now()), used=3_000)
        async with sandbox_inbox(listen("127.0.0.1", settings.sandbox_port, "PENNYPOST_SANDBOX_PORT")):
            answer = await compose(api, await sandbox_account(acme))
        assert answer == {"ok": True, "sent": 1, "failed": []}
        assert (await SandboxMail.get()).rcpt_tos == ["ada@example.org"]


class TestRule6ToOnly:
    """Cc and Bcc are not supported (To only)."""

    async def test_cc_and_bcc_are_refused(self, api: Api, account: Account) -> None:
        for field in ("cc", "bcc"):
            eve = {field: ["eve@example.org"]}
            assert await refuse(api, account, field, **eve) == f"{field} is not a known field"
            await refuse(api, account, f"recipients.{field}", recipients=TO_ADA | eve)

    async def test_each_recipient_gets_a_message_of_its_own(
        self, api: Api, account: Account, smtp_server: SmtpServer
    ) -> None:
        await compose(api, account, recipients={"emails": ["ada@example.org", "bob@example.org"]})
        rows = {row.to_email: row for row in await MailLog.all()}
        for number, received in enumerate(smtp_server.messages):
            found = message(smtp_server, number)
            assert [found["To"]] == received.recipients
            assert (found["Cc"], found["Bcc"], found["From"]) == (None, None, "Acme <hello@acme.example>")
            row = rows[received.recipients[0]]
            assert found["Message-ID"] == row.message_id == f"<{row.id.hex}@acme.example>"
        assert len(smtp_server.messages) == 2
