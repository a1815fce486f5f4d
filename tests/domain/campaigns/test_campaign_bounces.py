"""Which refusals leave a contact out of later campaigns, and what becomes of mail that waits for it."""

import pytest

from tests.factories import make_contact, make_run
from webapp import clock
from webapp.domain.delivery import retry_policy
from webapp.domain.delivery.account_breaker import Suspicions
from webapp.domain.delivery.campaign_content import CampaignContentCache
from webapp.domain.delivery.load_messages import load_messages
from webapp.domain.delivery.outcome_writer import save_outcomes
from webapp.domain.delivery.settle import settle
from webapp.models import Account, Contact, MailLog, Organization
from webapp.models.mail_log import HALTED
from webapp.models.outbox.claims import Claimed, claim
from webapp.sending.outcomes import Halted, Phase, classify

NOBODY = (550, "5.1.1 no such user", Phase.RCPT)


@pytest.fixture
async def contact(acme: Organization) -> Contact:
    return await make_contact(acme, "Ada@example.org")


async def claimed_for(contact: Contact, account: Account, **fields: str) -> Claimed:
    """A mail of a campaign's run to the contact, on its way."""
    _, (row_id,) = await make_run(await Organization.get(id=contact.org_id), [account], 1)
    changes = {"contact_id": contact.id, "to_email": contact.email, **fields}
    await MailLog.across_orgs().filter(id=row_id).update(**changes)
    (row,) = await claim(account.id, messages=1, lease_seconds=60)
    return row


async def refused(row: Claimed, code: int, text: str, phase: Phase) -> None:
    """Saves the outcome of a mail that the server answered so."""
    await save_outcomes(retry_policy.settlements([row], {row.to_email: classify(code, text, phase)}, 24))


async def is_bounced(contact: Contact) -> bool:
    await contact.refresh_from_db()
    return contact.bounced_at is not None


BOUNCES = [
    (550, "5.1.1 no such user", Phase.RCPT),
    (550, "5.1.1 <ada@example.org>: Recipient address rejected", Phase.DOT),
    (550, "no such user", Phase.RCPT),
]
NO_BOUNCES = [
    (550, "5.7.1 Client host [5.1.1.20] blocked using list.example", Phase.RCPT),
    (550, "5.1.1 no such sender", Phase.MAIL),
    (550, "5.1.1 over quota", Phase.RCPT),
    (450, "4.1.1 not now", Phase.RCPT),
]


@pytest.mark.parametrize(
    ("answer", "is_bounce"), [*((answer, True) for answer in BOUNCES), *((answer, False) for answer in NO_BOUNCES)]
)
async def test_only_a_server_that_does_not_know_the_address_leaves_the_contact_out(
    contact: Contact, account: Account, *, answer: tuple[int, str, Phase], is_bounce: bool
) -> None:
    row = await claimed_for(contact, account)
    await refused(row, *answer)
    assert await is_bounced(contact) is is_bounce


async def test_a_strangers_contact_is_not_left_out(rival: Organization, account: Account, contact: Contact) -> None:
    theirs = await make_contact(rival, contact.email)
    row = await claimed_for(contact, account, contact_id=str(theirs.id))
    await refused(row, *NOBODY)
    assert not await is_bounced(theirs)


async def test_mail_that_waits_for_an_address_found_wrong_meanwhile_is_not_sent(
    contact: Contact, account: Account
) -> None:
    row = await claimed_for(contact, account)
    await Contact.of(contact.org).filter(id=contact.id).update(bounced_at=clock.now())
    (message,) = await load_messages(account, [row], CampaignContentCache())
    assert "turned out not to exist" in (message.refusal or "")
    settled = await settle(message, message.for_all(Halted(message.refusal)), Suspicions())
    assert [one.status for one in settled.rows] == [HALTED]
