"""Tagged return paths (VERP): who gets one, and that no mail fails because a server wants none."""

from uuid import UUID, uuid4

import pytest

from tests.factories import account_on, make_mail, make_run, want_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all
from tests.support.messages import parsed
from webapp.config import Settings
from webapp.domain.delivery.return_path import ids_in, make_tag
from webapp.models import Account, CampaignRun, MailLog, Organization
from webapp.models.mail_log import FAILED, SENT
from webapp.sending.return_path import TAG_LENGTH, tags_in

TAGS = {"bounce_reading": "account", "bounce_verp": True, "bounce_verp_works": True}
NOT_YOURS = "553 5.7.1 sender address rejected: not owned by user"


def rows_of(server: SmtpServer, org: Organization) -> list[UUID]:
    """The organization's mail logs that the return paths of the server's messages name."""
    return ids_in(org.id, tags_in(f"<{one.mail_from}>" for one in server.messages))


@pytest.mark.usefixtures("settings")
def test_a_tag_names_what_it_was_made_for_to_its_organization_alone() -> None:
    org_id, row_id = uuid4(), uuid4()
    tag = make_tag(org_id, row_id)
    assert (len(tag), tag, tag.isalnum()) == (TAG_LENGTH, tag.lower(), True)
    assert ids_in(org_id, [tag]) == [row_id]
    assert ids_in(uuid4(), [tag]) == []
    for place in (0, TAG_LENGTH - 1):
        forged = tag[:place] + ("a" if tag[place] != "a" else "b") + tag[place + 1 :]
        assert ids_in(org_id, [forged]) == []


async def test_each_email_has_a_return_path_of_its_own(
    acme: Organization, rival: Organization, settings: Settings, smtp_server: SmtpServer
) -> None:
    account = await account_on(smtp_server, acme, **TAGS)
    (single,) = await make_mail(acme, account)
    several = await make_mail(acme, account, "bob@example.org", "eve@example.org")
    run, members = await make_run(acme, [account], 3)
    await want_mail(acme, run)
    await deliver_all(settings)
    assert await MailLog.of(acme).exclude(status=SENT).count() == 0
    assert all(one.mail_from.startswith("hello+") for one in smtp_server.messages)
    messages = [parsed(one.content) for one in smtp_server.messages]
    assert {one["From"].addresses[0].addr_spec for one in messages} == {"hello@acme.example"}
    shared = [str(one["To"]) for one in messages if one["Message-ID"] == f"<{several[0].hex}@acme.example>"]
    assert shared == ["bob@example.org, eve@example.org"] * 2
    assert sorted(rows_of(smtp_server, acme)) == sorted([single, *several, *members])
    assert rows_of(smtp_server, rival) == []


@pytest.mark.parametrize(
    "changes", [{"bounce_verp": False}, {"bounce_verp_works": None}, {"from_email": "another@acme.example"}]
)
async def test_any_other_has_the_plain_one(
    acme: Organization, settings: Settings, smtp_server: SmtpServer, changes: dict[str, str | bool | None]
) -> None:
    account = await account_on(smtp_server, acme, **TAGS | changes)
    await make_mail(acme, account)
    await deliver_all(settings)
    assert [one.mail_from for one in smtp_server.messages] == ["hello@acme.example"]


@pytest.mark.parametrize(
    ("step", "reply", "pipelining"),
    [
        ("MAIL", NOT_YOURS, True),
        ("MAIL", "451 4.1.8 try again later", False),
        ("RCPT", NOT_YOURS, False),
        ("DOT", "554 5.2.252 SendAsDenied; not allowed to send as hello+x@acme.example", True),
    ],
)
async def test_a_server_that_wants_no_tags_gets_every_mail_once_without(
    acme: Organization, settings: Settings, smtp_server: SmtpServer, step: str, reply: str, *, pipelining: bool
) -> None:
    smtp_server.pipelining = pipelining
    smtp_server.refuse_tags(step, reply)
    account = await account_on(smtp_server, acme, **TAGS)
    run, rows = await make_run(acme, [account], 12)
    await want_mail(acme, run)
    email = await make_mail(acme, account, "bob@example.org", "eve@example.org")
    await deliver_all(settings)
    assert sorted(smtp_server.recipients()) == sorted(
        ["bob@example.org", "eve@example.org", *(f"reader{number}@example.org" for number in range(12))]
    )
    assert {one.mail_from for one in smtp_server.messages} == {"hello@acme.example"}
    assert smtp_server.violations == []
    assert await MailLog.of(acme).filter(id__in=[*rows, *email], status=SENT, attempts=0).count() == 14
    assert (await CampaignRun.get(id=run.id)).epoch == 0  # it was never halted
    account = await Account.get(id=account.id)
    assert [account.status, account.last_error, account.rests, account.bounce_verp] == ["active", None, 0, True]
    # What may have been a moment's trouble is asked again at the next reading.
    expected = (False, reply) if reply.startswith("5") else (None, None)
    assert (account.bounce_verp_works, account.bounce_verp_error) == expected
    tried = len(smtp_server.commands)
    await make_mail(acme, account)
    await deliver_all(settings)
    assert not any("+" in command.line for command in smtp_server.commands[tried:])


@pytest.mark.parametrize(
    ("step", "reply", "offers"), [("RCPT", "550 5.1.1 no such user", 1), ("RCPT", "550 5.7.1 sender is blocked", 2)]
)
async def test_a_refusal_for_another_reason_is_what_it_was_and_tags_go_on(
    acme: Organization, settings: Settings, smtp_server: SmtpServer, step: str, reply: str, offers: int
) -> None:
    smtp_server.reply(step, reply)
    account = await account_on(smtp_server, acme, **TAGS)
    (row_id,) = await make_mail(acme, account)
    await deliver_all(settings)
    row = await MailLog.get(id=row_id)
    assert (row.status, row.error, smtp_server.messages) == (FAILED, reply, [])
    assert smtp_server.verbs.count("MAIL") == offers
    account = await Account.get(id=account.id)
    assert (account.bounce_verp_works, account.bounce_verp_error) == (True, None)
