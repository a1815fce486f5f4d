"""Reports that were once judged wrongly, from the mailbox to the mail log, its contact and the suppression list."""

import pytest

from tests.api.conftest import Api
from tests.domain.bounces.conftest import Mailbox, sent_mail
from tests.domain.bounces.test_effects import suppressed
from tests.factories import make_contact
from tests.sending.reports.samples.misjudged import ADA, MISJUDGED, OURS
from webapp.models import Contact, Organization
from webapp.sending.reports.parse import Kind, parse

LIVING = [name for name in MISJUDGED if name.startswith(("s", "p"))]


async def test_a_living_person_is_neither_suppressed_nor_barred(
    api: Api, mailbox: Mailbox, acme: Organization, rival: Organization
) -> None:
    contacts = [await make_contact(org, ADA) for org in (acme, rival)]
    rows = {name: (await sent_mail(acme, mailbox.account, ADA))[0] for name in LIVING}
    for name, row in rows.items():
        mailbox.add(MISJUDGED[name].replace(OURS.encode(), row.message_id.encode()))
    await mailbox.read()
    for name, row in rows.items():
        _, answer = await api.get(f"/v1/mail-logs/{row.id}")
        assert answer["data"]["bounced_at"] is not None, name
        assert answer["data"]["bounce"]["type"] == "Transient", name
    assert await suppressed(acme) == []
    assert [(await Contact.get(id=contact.id)).bounced_at for contact in contacts] == [None, None]


@pytest.mark.parametrize("name", [name for name in MISJUDGED if name not in LIVING])
def test_what_was_missed_or_taken_for_something_else_is_known(name: str) -> None:
    (verdict,) = parse(MISJUDGED[name])
    assert (verdict.recipient, OURS in verdict.message_ids) == (ADA, True)
    if name == "m13-hotmail-jmrp":
        assert verdict.kind == Kind.COMPLAINT
    else:
        assert verdict.bounce is not None
        assert (verdict.kind, verdict.bounce.sub_type) == (Kind.BOUNCE, "NoEmail")


async def test_a_final_failure_of_unknown_words_that_returns_our_message_is_undetermined(
    api: Api, mailbox: Mailbox, acme: Organization
) -> None:
    (row,) = await sent_mail(acme, mailbox.account, ADA)
    text = f"The mail to {ADA} could not be delivered, for a reason of ours.\n\nMessage-ID: {row.message_id}\n\nHi\n"
    mailbox.add(f"From: MAILER-DAEMON@relay.example\nSubject: Hello\n\n{text}".encode())
    await mailbox.read()
    _, answer = await api.get(f"/v1/mail-logs/{row.id}")
    assert answer["data"]["bounced_at"] is not None
    assert answer["data"]["bounce"]["type"] == "Undetermined"
    assert await suppressed(acme) == []
