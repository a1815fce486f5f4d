"""Reports that were once judged wrongly, from the mailbox to the mail log, its contact and the suppression list."""

from typing import NamedTuple

import pytest

from tests.api.conftest import Api
from tests.domain.bounces.conftest import Mailbox, kinds_of, sent_mail
from tests.domain.bounces.test_effects import suppressed
from tests.factories import make_contact
from tests.sending.reports.samples.misjudged import ADA, MISJUDGED, OURS
from webapp.models import Contact, Organization

PERMANENT = [name for name in MISJUDGED if name.startswith(("h", "m")) and name != "m13-hotmail-jmrp"]


class Result(NamedTuple):
    kinds: list[str]
    is_suppressed: bool
    is_barred: bool


async def result_of(mailbox: Mailbox, org: Organization, name: str) -> tuple[str, Result]:
    (row,) = await sent_mail(org, mailbox.account, ADA)
    contact = await make_contact(org, ADA)
    mailbox.add(MISJUDGED[name].replace(OURS.encode(), row.message_id.encode()))
    await mailbox.read()
    is_barred = (await Contact.get(id=contact.id)).bounced_at is not None
    return str(row.id), Result(await kinds_of(row), bool(await suppressed(org)), is_barred)


@pytest.mark.parametrize("name", [name for name in MISJUDGED if name.startswith(("s", "p"))])
async def test_a_living_person_is_neither_suppressed_nor_barred(
    api: Api, mailbox: Mailbox, acme: Organization, rival: Organization, name: str
) -> None:
    theirs = await make_contact(rival, ADA)
    row_id, result = await result_of(mailbox, acme, name)
    assert result == Result(["bounced"], is_suppressed=False, is_barred=False)
    _, answer = await api.get(f"/v1/mail-logs/{row_id}")
    assert answer["data"]["bounced_at"] is not None
    assert answer["data"]["bounce"]["type"] == "Transient"
    assert (await Contact.get(id=theirs.id)).bounced_at is None


@pytest.mark.parametrize("name", PERMANENT)
async def test_an_address_that_does_not_exist_is_suppressed(mailbox: Mailbox, acme: Organization, name: str) -> None:
    _, result = await result_of(mailbox, acme, name)
    assert result == Result(["bounced"], is_suppressed=True, is_barred=True)


async def test_a_complaint_of_outlook_s_users_is_read(mailbox: Mailbox, acme: Organization) -> None:
    _, result = await result_of(mailbox, acme, "m13-hotmail-jmrp")
    assert result == Result(["complained"], is_suppressed=True, is_barred=False)


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
