"""Reports that are matched by the tag of the return path they came to, and the login test that lets there be tags."""

from uuid import uuid4

import pytest

from tests.api.conftest import Api
from tests.domain.bounces.conftest import Mailbox, kinds_of, read_from, sent_mail, without_message_id
from tests.domain.bounces.test_effects import UNKNOWN, suppressed
from tests.fakes.imap_server import ImapServer
from tests.fakes.smtp_server import SmtpServer
from tests.sending.reports.samples import ANN, BOB, mail
from tests.sending.reports.samples.providers import MICROSOFT_FEEDBACK, WITHHELD, complaint
from tests.sending.reports.samples.servers import postfix, postfix_group
from webapp.domain.delivery.return_path import make_tag
from webapp.models import Account, AuditEntry, BounceReport, MailLog, Organization

UNTAGGED = b"bounces+7f3a@example.com"
OF_BOB = postfix(postfix_group(BOB, "5.1.1", "smtp; 550 5.1.1 no such user"))


def sent_to(report: bytes, tag: str) -> bytes:
    """The report without the email's Message-ID, as it comes to the tagged return path."""
    return without_message_id(report).replace(UNTAGGED, f"hello+{tag}@acme.example".encode())


def in_prose(tag: str, words: str) -> bytes:
    """A mailer's message that names nobody."""
    head = f"From: MAILER-DAEMON@mx.example.com\nTo: hello+{tag}@acme.example\nSubject: Undeliverable"
    return mail(f"{head}\n\nYour message was not delivered.\n\n{words}\n")


@pytest.fixture
async def row(mailbox: Mailbox, acme: Organization) -> MailLog:
    """An email to Ann that was sent before one to her that nothing is about."""
    (row,) = await sent_mail(acme, mailbox.account)
    await sent_mail(acme, mailbox.account)
    return row


async def bounced(org: Organization) -> list[MailLog]:
    return await MailLog.of(org).filter(bounced_at__not_isnull=True)


async def test_servers_change_the_case_and_put_the_address_in_other_fields(
    mailbox: Mailbox, acme: Organization, row: MailLog
) -> None:
    address = f"HELLO+{make_tag(acme.id, row.id).upper()}@ACME.EXAMPLE"
    mailbox.add(without_message_id(UNKNOWN).replace(b"To: " + UNTAGGED, f"Delivered-To: <{address}>".encode()))
    await mailbox.read()
    assert await bounced(acme) == [row]


@pytest.mark.parametrize(
    ("words", "is_bounce"),
    [("The server said: 550 5.1.1 no such user", True), ("The server said: 451 4.4.1 still trying", False)],
)
async def test_a_text_that_names_nobody_is_a_bounce_by_its_one_status(
    mailbox: Mailbox, acme: Organization, row: MailLog, words: str, *, is_bounce: bool
) -> None:
    mailbox.add(in_prose(make_tag(acme.id, row.id), words))
    mailbox.add(in_prose("x", words))
    await mailbox.read()
    assert await bounced(acme) == ([row] if is_bounce else [])
    assert await BounceReport.of(acme).count() == is_bounce


async def test_a_complaint_that_withholds_everything_names_the_return_path(
    mailbox: Mailbox, acme: Organization, row: MailLog
) -> None:
    from_path = f"Original-Mail-From: <hello+{make_tag(acme.id, row.id)}@acme.example>"
    fields = f"Feedback-Type: abuse\nUser-Agent: JMRP/2.0\nVersion: 1\n{from_path}\n"
    mailbox.add(without_message_id(complaint(MICROSOFT_FEEDBACK, fields, WITHHELD)))
    await mailbox.read()
    assert await kinds_of(row) == ["complained"]
    assert await suppressed(acme) == [(ANN, "complaint")]


async def test_forged_and_foreign_tags_match_nothing(
    mailbox: Mailbox, imap_server: ImapServer, acme: Organization, rival: Organization, row: MailLog
) -> None:
    async with ImapServer() as their_server:
        theirs = await read_from(their_server, rival)
        (their_row,) = await sent_mail(rival, theirs.account)
        tag = make_tag(acme.id, row.id)
        forged = tag[:-1] + ("a" if tag[-1] != "a" else "b")
        for wrong in (forged, make_tag(rival.id, their_row.id), make_tag(rival.id, row.id), make_tag(acme.id, uuid4())):
            mailbox.add(sent_to(OF_BOB, wrong))
        for wrong in (tag, make_tag(acme.id, their_row.id)):
            theirs.add(sent_to(OF_BOB, wrong))
        await mailbox.read()
        await theirs.read()
    for org in (acme, rival):
        assert await bounced(org) == []
        assert await suppressed(org) == []
    assert [mail_log_id for _, mail_log_id in (*await mailbox.reports(), *await theirs.reports())] == [None] * 6


async def test_a_reading_asks_the_account_s_server_once(
    api: Api, rival_api: Api, mailbox: Mailbox, smtp_server: SmtpServer
) -> None:
    path = f"/v1/accounts/{mailbox.account.id}"
    smtp_server.users = {"ann": "secret"}
    await api.patch(path, {"smtp_port": smtp_server.port, "smtp_security": "none"})
    _, answer = await api.patch(path, {"bounce_verp": True})
    assert (answer["data"]["bounce_verp"], answer["data"]["bounce_verp_works"]) == (True, None)
    for _ in range(2):
        await mailbox.read()
    _, answer = await api.get(path)
    assert (answer["data"]["bounce_verp_works"], answer["data"]["bounce_verp_error"]) == (True, None)
    assert [verb for verb in smtp_server.verbs if verb != "AUTH"] == ["EHLO", "MAIL", "RCPT", "RSET", "QUIT"]
    assert smtp_server.messages == []
    (asked,) = {command.line.partition("<")[2].partition(">")[0] for command in smtp_server.commands[2:4]}
    assert asked.startswith("hello+")
    entry = await AuditEntry.all().order_by("-id").first()
    assert ((entry and entry.details) or {})["bounce_verp"] == [False, True]
    assert (await rival_api.patch(path, {"bounce_verp": False}))[0] == 404
    _, answer = await api.patch(path, {"from_email": "news@acme.example"})  # nobody has asked for that one
    assert answer["data"]["bounce_verp_works"] is None


@pytest.mark.parametrize(
    ("step", "reply"), [("MAIL", "451 4.3.0 later"), ("RCPT", "553 5.7.1 Sender address rejected: not owned by user")]
)
async def test_a_server_that_refuses_tags_is_believed(
    api: Api, mailbox: Mailbox, smtp_server: SmtpServer, step: str, reply: str
) -> None:
    path = f"/v1/accounts/{mailbox.account.id}"
    smtp_server.refuse_tags(step, reply)
    given = {"smtp_port": smtp_server.port, "smtp_security": "none", "smtp_username": None, "smtp_password": None}
    login = {"bounce_reading": "mailbox", "bounce_imap_username": "ann", "bounce_imap_password": "secret"}
    assert (await api.patch(path, given | login | {"bounce_verp": True}))[0] == 200
    await mailbox.read()
    _, answer = await api.get(path)
    assert (answer["data"]["bounce_verp_works"], answer["data"]["bounce_verp_error"]) == (False, reply)
    assert answer["data"]["status"] == "active"
    assert smtp_server.messages == []


async def test_a_sign_in_that_fails_is_not_repeated_at_each_reading(
    api: Api, mailbox: Mailbox, smtp_server: SmtpServer
) -> None:
    smtp_server.users = {"ann": "another"}
    given = {"smtp_port": smtp_server.port, "smtp_security": "none", "bounce_verp": True}
    await api.patch(f"/v1/accounts/{mailbox.account.id}", given)
    for _ in range(3):
        await mailbox.read()
    assert len(smtp_server.logins) == 1
    assert (await mailbox.state()).last_error is None
    account = await Account.get(id=mailbox.account.id)
    assert (account.status, account.bounce_verp_works) == ("error", None)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"from_email": "news+eu@acme.example"}, "news+eu@acme.example has a + or = already"),
        ({"from_email": f"{'n' * 24}@acme.example"}, "leaves no room for a tag"),
        ({"smtp_host": "smtp.gmail.com"}, "smtp.gmail.com puts the account's own address in place of a return path"),
    ],
)
async def test_where_no_tag_would_come_back_that_is_said(
    api: Api, mailbox: Mailbox, smtp_server: SmtpServer, fields: dict[str, str], said: str
) -> None:
    given = {"smtp_port": smtp_server.port, "smtp_security": "none", "bounce_verp": True}
    await Account.filter(id=mailbox.account.id).update(**given, **fields)
    await mailbox.read()
    account = await Account.get(id=mailbox.account.id)
    assert account.bounce_verp_works is False
    assert said in (account.bounce_verp_error or "")
    assert "MAIL" not in smtp_server.verbs


async def test_google_accounts_have_no_tags(api: Api, mailbox: Mailbox) -> None:
    path = f"/v1/accounts/{mailbox.account.id}"
    google = {"provider_type": "google", "google_access_token": "a", "google_refresh_token": "b"}
    status, answer = await api.patch(path, google | {"bounce_verp": True})
    assert (status, answer["details"][0]["field"]) == (400, "bounce_verp")
    assert (await api.patch(path, {"bounce_verp": True}))[0] == 200
    status, answer = await api.patch(path, google)
    assert (status, answer["data"]["bounce_verp"]) == (200, False)
