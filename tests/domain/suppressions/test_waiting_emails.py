"""Emails that wait while one of their recipients is suppressed: that row fails, and the others go."""

from tests.api.conftest import Api
from tests.api.mails import send
from tests.factories import make_contact, make_mail, make_suppression, make_topic
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all
from tests.pages.conftest import Visitor
from tests.support.topics import choose
from webapp.config import Settings
from webapp.domain.suppressions.suppressions import add, remove
from webapp.models import Account, AccountUsage, Email, MailEvent, MailLog, Organization, Suppression

THREE = ["ada@example.org", "bob@example.org", "eve@example.org"]


async def test_one_of_three_fails_and_the_others_get_the_message(
    api: Api, acme: Organization, rival: Organization, account: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    await make_suppression(rival, "ada@example.org")
    email_id = await send(api, to=THREE)
    await add(acme, ["BOB@example.org"], "complaint")
    await deliver_all(settings)
    (received,) = smtp_server.messages
    assert received.recipients == ["ada@example.org", "eve@example.org"]
    _, shown = await api.get(f"/v1/emails/{email_id}")
    assert [row["status"] for row in shown["data"]["recipients"]] == ["sent", "failed", "sent"]
    failed = await MailLog.of(acme).get(to_email="bob@example.org")
    assert (failed.error or "").startswith("suppressed: complaint on ")
    (event,) = await MailEvent.of(acme).filter(mail_log_id=failed.id)
    assert (event.from_status, event.to_status, event.cause) == ("sending", "failed", failed.error)
    assert (await AccountUsage.get(account_id=account.id)).used == 2  # the day's quota has what was sent
    await account.refresh_from_db()
    assert (account.status, account.last_error, account.failing_since) == ("active", None, None)


async def test_a_failed_row_is_retried_once_its_address_is_no_longer_suppressed(
    owner: Visitor, rival_owner: Visitor, acme: Organization, account: Account
) -> None:
    (row_id,) = await make_mail(acme, account, "ann@example.org")
    await MailLog.of(acme).filter(id=row_id).update(status="failed", error="550 no")
    await add(acme, ["*@example.org"], "manual")
    place = f"/mail-logs/{row_id}"
    page = await owner.submit(await owner.get(place), f"{place}/retry")
    assert "ann@example.org is suppressed: *@example.org, manual on " in " ".join(page.notes)
    assert await MailLog.of(acme).count() == 1
    token = (await rival_owner.get("/accounts")).token
    assert (await rival_owner.post(f"{place}/retry", form={"csrf_token": token})).status == 404
    await remove(acme, [entry.id for entry in await Suppression.of(acme)])
    await owner.submit(await owner.get(place), f"{place}/retry")
    assert [row.status for row in await MailLog.of(acme).order_by("id")] == ["failed", "pending"]


async def test_nobody_retries_an_email_to_someone_who_opted_out_of_its_topic(
    owner: Visitor, acme: Organization, account: Account
) -> None:
    contact, topic = await make_contact(acme, "ann@example.org"), await make_topic(acme, name="News")
    (row_id,) = await make_mail(acme, account, contact.email)
    await Email.of(acme).update(topic_id=topic.id)
    await MailLog.of(acme).filter(id=row_id).update(status="failed", error="550 no")
    await choose(topic, contact, subscription="opt_out")
    place = f"/mail-logs/{row_id}"
    page = await owner.submit(await owner.get(place), f"{place}/retry")
    assert 'ann@example.org: opted out of "News" on ' in " ".join(page.notes)
    assert await MailLog.of(acme).count() == 1
    await choose(topic, contact, subscription="opt_in")
    await owner.submit(await owner.get(place), f"{place}/retry")
    assert [row.status for row in await MailLog.of(acme).order_by("id")] == ["failed", "pending"]
