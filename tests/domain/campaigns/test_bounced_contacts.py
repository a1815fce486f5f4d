"""`bounced_at` of a contact: set by campaign mail alone, and in force until somebody subscribes the contact again."""

import pytest

from tests.api.conftest import Api
from tests.factories import make_campaign, make_contact, make_segment, make_template
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all
from webapp.config import Settings
from webapp.domain.campaigns.runs import finish_runs
from webapp.models import Account, Contact, MailLog, Organization
from webapp.models.mail_log import FAILED


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
