"""What servers say of a living person, from the mailbox to the mail log, its contact and the suppression list."""

from tests.api.conftest import Api
from tests.domain.bounces.conftest import Mailbox, sent_mail
from tests.domain.bounces.test_effects import suppressed
from tests.factories import make_contact
from tests.sending.reports.samples import ANN
from tests.sending.reports.samples.systems import CONTENT, LATER, SAID, SIZE
from webapp.models import Contact, Organization

OF_THE_LIVING = [said for said in SAID if said.verdict in (LATER, CONTENT, SIZE)]


async def test_a_living_person_is_neither_suppressed_nor_barred(
    api: Api, mailbox: Mailbox, acme: Organization, rival: Organization
) -> None:
    contacts = [await make_contact(org, ANN) for org in (acme, rival)]
    rows = [(await sent_mail(acme, mailbox.account))[0] for _ in OF_THE_LIVING]
    for said, row in zip(OF_THE_LIVING, rows, strict=True):
        mailbox.add(said.message, row.message_id)
    await mailbox.read()
    for said, row in zip(OF_THE_LIVING, rows, strict=True):
        _, answer = await api.get(f"/v1/mail-logs/{row.id}")
        assert answer["data"]["bounced_at"] is not None, said.text
        assert answer["data"]["bounce"]["type"] == "Transient", said.text
    assert await suppressed(acme) == []
    assert [(await Contact.get(id=contact.id)).bounced_at for contact in contacts] == [None, None]


async def test_a_final_failure_of_unknown_words_that_returns_our_message_is_undetermined(
    api: Api, mailbox: Mailbox, acme: Organization
) -> None:
    (row,) = await sent_mail(acme, mailbox.account)
    text = f"The mail to {ANN} could not be delivered, for a reason of ours.\n\nMessage-ID: {row.message_id}\n\nHi\n"
    mailbox.add(f"From: MAILER-DAEMON@relay.example\nSubject: Hello\n\n{text}".encode())
    await mailbox.read()
    _, answer = await api.get(f"/v1/mail-logs/{row.id}")
    assert answer["data"]["bounced_at"] is not None
    assert answer["data"]["bounce"]["type"] == "Undetermined"
    assert await suppressed(acme) == []
