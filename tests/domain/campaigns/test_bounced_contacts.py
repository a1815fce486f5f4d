"""`bounced_at` of a contact: which refusals of campaign mail set it, and what it holds back until the contact is subscribed again."""

import pytest

from tests.api.conftest import Api
from tests.factories import make_campaign, make_contact, make_run, make_segment, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all
from webapp.config import Settings
from webapp.domain.campaigns.runs import finish_runs
from webapp.domain.delivery import retry_policy
from webapp.domain.delivery.outcome_writer import save_outcomes
from webapp.models import Account, Contact, MailLog, Organization
from webapp.models.mail_log import FAILED
from webapp.models.outbox.claims import Claimed, claim
from webapp.sending.outcomes import Phase, classify


@pytest.fixture
async def contact(acme: Organization, rival: Organization, smtp_server: SmtpServer) -> Contact:
    """A contact whose address does not exist; a stranger knows it too."""
    smtp_server.refuse("gone@example.org", "550 5.1.1 no such user")
    await make_contact(rival, "gone@example.org")
    return await make_contact(acme, "gone@example.org")


async def bounced_at(api: Api, contact: Contact) -> str | None:
    found: str | None = (await api.get(f"/v1/contacts/{contact.id}"))[1]["data"]["bounced_at"]
    return found


async def test_a_transactional_mail_to_an_address_that_does_not_exist_marks_no_contact(
    api: Api, account: Account, contact: Contact, settings: Settings
) -> None:
    mail = {"from": "hello@acme.example", "to": contact.email, "subject": "Hello", "text": "Hello"}
    assert (await api.post("/v1/emails", mail))[0] == 200
    await deliver_all(settings)
    assert [row.status for row in await MailLog.across_orgs().all()] == [FAILED]
    assert await bounced_at(api, contact) is None


async def test_later_campaigns_leave_the_contact_out_until_it_is_subscribed_again(
    api: Api, acme: Organization, rival: Organization, account: Account, contact: Contact, settings: Settings
) -> None:
    segment = await make_segment(acme, contact, await make_contact(acme))
    campaign = await make_campaign(acme, segment=segment, template=await make_template(acme))

    async def send(queued: int) -> None:
        status, answer = await api.post(f"/v1/campaigns/{campaign.id}/send", {})
        assert (status, answer.get("contacts_messaged")) == (200, queued), answer
        await deliver_all(settings)
        await finish_runs()

    await send(2)
    assert await bounced_at(api, contact) is not None
    assert (await Contact.of(rival).get()).bounced_at is None
    await send(1)
    await api.patch(f"/v1/contacts/{contact.id}", {"first_name": "Ada"})
    await send(1)
    _, answer = await api.patch(f"/v1/contacts/{contact.id}", {"status": "subscribed"})
    assert answer["data"]["bounced_at"] is None
    await send(2)


async def claimed_for(contact: Contact, account: Account, **fields: str) -> Claimed:
    """A mail of a campaign's run to the contact, on its way."""
    _, (row_id,) = await make_run(await Organization.get(id=contact.org_id), [account], 1)
    changes = {"contact_id": contact.id, "to_email": contact.email, **fields}
    await MailLog.across_orgs().filter(id=row_id).update(**changes)
    (row,) = await claim(account.id, messages=1, lease_seconds=60)
    return row


async def is_bounced_by(contact: Contact, row: Claimed, code: int, text: str, phase: Phase) -> bool:
    """Saves that the server answered so, and says whether campaigns leave the contact out from now on."""
    await save_outcomes(retry_policy.settlements([row], {row.to_email: classify(code, text, phase)}, 24))
    return (await Contact.get(id=contact.id)).bounced_at is not None


@pytest.mark.parametrize(
    ("code", "text", "phase", "is_bounce"),
    [
        (550, "5.1.1 <ada@example.org>: Recipient address rejected", Phase.DOT, True),
        (550, "no such user", Phase.RCPT, True),
        (550, "5.7.1 Client host [5.1.1.20] blocked using list.example", Phase.RCPT, False),
        (550, "5.1.1 no such sender", Phase.MAIL, False),
        (550, "5.1.1 over quota", Phase.RCPT, False),
        (450, "4.1.1 not now", Phase.RCPT, False),
    ],
)
async def test_only_a_server_that_does_not_know_the_address_leaves_the_contact_out(
    contact: Contact, account: Account, code: int, text: str, phase: Phase, *, is_bounce: bool
) -> None:
    assert await is_bounced_by(contact, await claimed_for(contact, account), code, text, phase) is is_bounce


async def test_a_strangers_contact_is_not_left_out(rival: Organization, account: Account, contact: Contact) -> None:
    theirs = await Contact.of(rival).get()
    row = await claimed_for(contact, account, contact_id=str(theirs.id))
    assert not await is_bounced_by(theirs, row, 550, "5.1.1 no such user", Phase.RCPT)
