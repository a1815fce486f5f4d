"""Members are mailed what happened to their campaigns and accounts: those who want it, and once."""

import asyncio
from collections.abc import Collection
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.factories import make_account, make_campaign, make_run
from tests.fakes.smtp_server import Received, SmtpServer
from tests.pages.conftest import make_person
from tests.support.instance_mail import body_of, mailing_by, read
from webapp import clock
from webapp.config import Settings
from webapp.domain.campaigns.runs import finish_runs, keep_counts
from webapp.domain.campaigns.stop import STOPPED, resume_campaign, stop_campaign, stopped_by
from webapp.domain.instance.restore import quarantine
from webapp.domain.instance.suspension import resume_sending
from webapp.domain.notifications.notifications import send_notifications
from webapp.domain.roles import Role
from webapp.domain.team.team import remove_member
from webapp.domain.templates.brand import BrandChanges, change_brand
from webapp.languages import LANGUAGES, Translator
from webapp.models import Account, Campaign, CampaignRun, MailLog, Membership, Notification, Organization, User
from webapp.models.mail_log import FAILED, SENT
from webapp.models.queries import account_health

ADA, BEN, RITA = "ada@acme.example", "ben@acme.example", "rita@rival.example"
ALL = ("finished", "halted", "account")
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
ERROR = "535 5.7.8 wrong password"


@pytest.fixture
async def settings(settings: Settings, smtp_server: SmtpServer) -> Settings:
    return mailing_by(smtp_server, settings)


@pytest.fixture
async def ada(acme: Organization, rival: Organization) -> User:
    """Our owner; a stranger wants everything."""
    await wants(await make_person(rival, RITA), ALL)
    return await make_person(acme, ADA)


async def wants(user: User, kinds: Collection[str]) -> None:
    await Membership.across_orgs().filter(user_id=user.id).update(notify_about=list(kinds))


async def start(org: Organization, recipients: int = 3, **fields: Any) -> tuple[Campaign, CampaignRun]:
    """A campaign with a run whose rows wait."""
    campaign = await make_campaign(org, title="November", status="sending")
    run, _ = await make_run(org, [await make_account(org)], recipients)
    await CampaignRun.of(org).filter(id=run.id).update(**{"campaign_id": campaign.id, **fields})
    return campaign, run


async def finish(org: Organization, run: CampaignRun, failed: int = 0) -> None:
    """As workers do it, the last of them."""
    rows = await MailLog.of(org).filter(campaign_run_id=run.id).order_by("id").values_list("id", flat=True)
    await MailLog.of(org).filter(id__in=rows[:failed]).update(status=FAILED)
    await MailLog.of(org).filter(id__in=rows[failed:]).update(status=SENT)
    await finish_runs()
    await keep_counts()


async def break_down(account: Account, error: str = ERROR) -> None:
    await account_health.mark_broken(await Account.across_orgs().get(id=account.id), error)


async def stop(org: Organization, campaign: Campaign, reason: str = STOPPED) -> None:
    await Campaign.of(org).filter(id=campaign.id).update(next_run_at=clock.now() + HOUR, status="scheduled")
    await stop_campaign(org, await Campaign.of(org).get(id=campaign.id), reason)


async def wait_over() -> None:
    """As if the time had come at which what waits is tried again."""
    await Notification.all().update(due_at=clock.now() - timedelta(seconds=1))


def subjects_for(address: str, server: SmtpServer) -> list[str]:
    return [str(read(one)["Subject"]) for one in server.messages if one.recipients == [address]]


def text_of(received: Received, kind: str = "plain") -> str:
    return body_of(read(received), kind)


async def test_a_finished_campaign_is_mailed_with_its_results(
    acme: Organization, ada: User, settings: Settings, smtp_server: SmtpServer
) -> None:
    await wants(ada, ["finished"])
    campaign, run = await start(acme, 1_205)
    await send_notifications()
    assert smtp_server.messages == []
    await finish(acme, run, failed=2)
    await send_notifications()
    await send_notifications()
    (received,) = smtp_server.messages
    assert received.recipients == [ADA]
    assert read(received)["Subject"] == "“November” was sent (recipients: 1,203)"
    place, choice = f"{settings.base_url}/campaigns/{campaign.id}", f"{settings.base_url}/security#notifications"
    assert text_of(received) == (
        "The campaign “November” has finished.\n\nSent: 1,203\nFailed: 2\nNot sent: 0\n\n"
        f"{place}\n\nYou get this email as a member of Acme. Choose which emails you get:\n{choice}\n"
    )
    html = text_of(received, "html")
    assert "<p>Sent: 1,203<br>Failed: 2<br>Not sent: 0</p>" in html
    assert f'<a href="{place}"' in html
    assert f'<a href="{choice}">' in html
    assert await Notification.all().count() == 0


@pytest.mark.parametrize("language", LANGUAGES)
async def test_mails_are_in_the_language_of_the_organization(
    acme: Organization, rival: Organization, ada: User, smtp_server: SmtpServer, language: str
) -> None:
    for org, code in ((acme, language), (rival, "de")):
        await change_brand(org, BrandChanges.model_validate({"language": code}))
    await wants(ada, ["finished", "halted"])
    _, run = await start(acme, 1_203)
    await finish(acme, run)
    await stop(acme, await make_campaign(acme, title="Weekly"), "too many bounces")
    await send_notifications()
    t, person = Translator(language, {}), [one for one in smtp_server.messages if one.recipients == [ADA]]
    finished, paused = (f"team_mail.{name}" for name in ("sent_subject", "paused_subject"))
    expected = {t.plain(finished, title="November", count=t.number(1_203)), t.plain(paused, title="Weekly")}
    assert {str(read(one)["Subject"]) for one in person} == expected
    for one in person:
        assert f'<div lang="{language}" dir="{t.direction}">' in text_of(one, "html")
        assert t.plain("team_mail.after", name="Acme") in text_of(one)
        assert t.plain("team_mail.view_campaign") in text_of(one, "html")


async def test_a_halted_campaign_is_mailed_to_owners_and_admins_unless_they_choose(
    acme: Organization, ada: User, settings: Settings, smtp_server: SmtpServer
) -> None:
    await make_person(acme, BEN, Role.ADMIN)
    await make_person(acme, "eve@acme.example", Role.EDITOR)
    await wants(await make_person(acme, "off@acme.example"), [])
    await wants(await make_person(acme, "vera@acme.example", Role.VIEWER), ["halted"])
    campaign, _ = await start(acme)
    await MailLog.of(acme).filter(id=(await MailLog.of(acme).first()).id).update(status=SENT)  # type: ignore[union-attr]  # there are three
    await stop_campaign(acme, campaign, "the last 20 emails were rejected. Fix the cause, then resume")
    await send_notifications()
    await send_notifications()
    assert sorted(smtp_server.recipients()) == [ADA, BEN, "vera@acme.example"]
    assert subjects_for(ADA, smtp_server) == ["“November” was paused"]
    text = text_of(smtp_server.messages[0])
    reason = "the last 20 emails were rejected. Fix the cause, then resume"
    assert f"The campaign “November” was paused.\nReason: {reason}\n" in text
    assert "Sent: 1\nFailed: 0\nNot sent: 2\n\nNothing more of it is sent until someone resumes it" in text
    assert f"\n{settings.base_url}/campaigns/{campaign.id}\n" in text


@pytest.mark.usefixtures("settings")
async def test_each_halt_is_mailed_and_none_to_who_stopped_it_or_that_is_over(
    acme: Organization, ada: User, smtp_server: SmtpServer
) -> None:
    await make_person(acme, BEN)
    campaign = await make_campaign(acme, title="Weekly")
    for reason in (stopped_by(ada), STOPPED):
        await stop(acme, campaign, reason)
        await send_notifications()
        await resume_campaign(acme, campaign)
        await send_notifications()
    assert subjects_for(BEN, smtp_server) == ["“Weekly” was paused"] * 2
    assert len(subjects_for(ADA, smtp_server)) == 1
    await stop(acme, campaign)
    await resume_campaign(acme, campaign)
    await send_notifications()
    assert len(smtp_server.messages) == 3


async def test_an_account_that_breaks_is_mailed_with_its_error_and_what_to_do(
    acme: Organization, ada: User, settings: Settings, smtp_server: SmtpServer
) -> None:
    account = await make_account(acme, name="Shop")
    google = await make_account(acme, name="<i>Google", provider_type="google", from_email=None)
    await break_down(account, f"{ERROR}\r\nor expired.")
    await send_notifications()
    await break_down(google)
    await send_notifications()
    assert smtp_server.recipients() == [ADA, ADA]
    assert subjects_for(ADA, smtp_server) == ["The account “Shop” can't send", "The account “<i>Google” can't send"]
    text, other = map(text_of, smtp_server.messages)
    assert f"The account “Shop (hello@acme.example)” can't send: {ERROR} or expired.\n" in text
    assert "waits until it works again. Correct its settings, or test its login, on its page:\n" in text
    assert f"\n{settings.base_url}/accounts/{account.id}\n" in text
    assert "The account “<i>Google” can't send:" in other
    assert "The account “&lt;i&gt;Google” can&#x27;t send:" in text_of(smtp_server.messages[1], "html")
    assert "Reconnect Google on its page:" in other


async def test_a_sign_in_that_ends_soon_is_mailed_once_before_and_again_when_it_has_ended(
    acme: Organization, ada: User, settings: Settings, smtp_server: SmtpServer
) -> None:
    later = await make_account(acme, name="Later", oauth_expires_at=clock.now() + 49 * HOUR)
    account = await make_account(
        acme, name="Gmail", provider_type="google", oauth_expires_at=clock.now() + 47 * HOUR, last_error=None
    )
    for _ in range(2):
        await send_notifications()
    assert subjects_for(ADA, smtp_server) == ["The sign-in of “Gmail” ends soon"]
    text = text_of(smtp_server.messages[0])
    assert f"Its sign-in expires on {account.oauth_expires_at:%-d %B %Y, %H:%M} UTC. " in text
    assert "The reason is that the OAuth client is in testing. Reconnect the account." in text
    assert f"\n{settings.base_url}/accounts/{account.id}\n" in text

    ended = {"oauth_expires_at": clock.now() - MINUTE, "announced_at": clock.now() - HOUR}
    await Account.of(acme).filter(id=account.id).update(**ended)
    await break_down(account, "Google access for this account has ended")
    for _ in range(2):
        await send_notifications()
    assert subjects_for(ADA, smtp_server)[1:] == ["The account “Gmail” can't send"]
    assert (await Account.of(acme).get(id=later.id)).announced_at is None


@pytest.mark.usefixtures("settings", "ada")
async def test_an_account_that_flaps_is_mailed_at_most_once_an_hour(
    acme: Organization, smtp_server: SmtpServer
) -> None:
    account = await make_account(acme)

    async def flap() -> None:
        await account_health.mark_healthy(account)
        await break_down(account)
        await send_notifications()

    for _ in range(3):
        await flap()
    assert len(smtp_server.messages) == 1
    await Account.of(acme).filter(id=account.id).update(announced_at=clock.now() - HOUR + MINUTE)
    await flap()
    assert len(smtp_server.messages) == 1
    await Account.of(acme).filter(id=account.id).update(announced_at=clock.now() - HOUR)
    for _ in range(3):
        await flap()
    assert len(smtp_server.messages) == 2


@pytest.mark.parametrize(
    ("minutes", "fields", "mails"),
    [(14, {}, 0), (16, {}, 1), (16, {"status": "paused"}, 0), (16, {"is_sandbox": True}, 0)],
)
@pytest.mark.usefixtures("settings", "ada")
async def test_an_account_that_cannot_connect_is_mailed_after_a_quarter_of_an_hour(
    acme: Organization, smtp_server: SmtpServer, minutes: int, fields: dict[str, Any], mails: int
) -> None:
    await make_account(acme, failing_since=clock.now() - minutes * MINUTE, **fields)
    await send_notifications()
    assert subjects_for(ADA, smtp_server) == ["The account “Main” can't connect"] * mails


@pytest.mark.parametrize(
    "fields", [{"joined_after": clock.now()}, {"trigger_key": f"retry-row:{UUID(int=7)}"}, {"campaign_id": UUID(int=7)}]
)
@pytest.mark.usefixtures("settings")
async def test_no_run_of_single_recipients_or_of_a_deleted_campaign_is_mailed(
    acme: Organization, ada: User, smtp_server: SmtpServer, fields: dict[str, Any]
) -> None:
    await wants(ada, ALL)
    _, run = await start(acme, **fields)
    await finish(acme, run)
    await send_notifications()
    assert (await CampaignRun.of(acme).get(id=run.id)).is_announced
    assert smtp_server.messages == []


@pytest.mark.usefixtures("settings")
async def test_who_left_or_chose_otherwise_since_gets_nothing(
    acme: Organization, ada: User, smtp_server: SmtpServer
) -> None:
    ben, eve = await make_person(acme, BEN), await make_person(acme, "eve@acme.example")
    smtp_server.reply("GREETING", "421 4.3.2 not now", close=True, times=1)
    await break_down(await make_account(acme))
    await send_notifications()
    assert await Notification.all().count() == 3
    await remove_member(acme, ada, (await Membership.of(acme).get(user_id=ben.id)).id)
    await wants(eve, ["finished"])
    await wait_over()
    await send_notifications()
    assert smtp_server.recipients() == [ADA]
    assert await Notification.all().count() == 0


@pytest.mark.usefixtures("settings", "ada")
async def test_of_many_workers_one_mails(acme: Organization, smtp_server: SmtpServer) -> None:
    smtp_server.delay("DOT", 0.2)
    campaign = await make_campaign(acme)
    await stop(acme, campaign)
    await break_down(await make_account(acme))
    await asyncio.gather(*(send_notifications() for _ in range(5)))
    await send_notifications()
    assert smtp_server.recipients() == [ADA, ADA]


@pytest.mark.usefixtures("settings", "ada")
async def test_a_restored_instance_mails_nothing_that_may_have_been_mailed_since_its_backup(
    acme: Organization, smtp_server: SmtpServer
) -> None:
    smtp_server.reply("GREETING", "421 4.3.2 not now", close=True, times=1)
    await break_down(await make_account(acme))
    await send_notifications()
    await break_down(await make_account(acme))
    await start(acme)
    await quarantine(reason="a test")
    await wait_over()
    await send_notifications()
    assert smtp_server.messages == []
    await resume_sending()
    await send_notifications()
    assert subjects_for(ADA, smtp_server) == ["“November” was paused"]
