"""Sign-ups, confirmations, erasures and deletions at the same time lock rows in one order, and lose no choice."""

import asyncio

import pytest

from tests.factories import make_contact, make_form, make_segment
from tests.fakes.worker import eventually
from tests.locks import count_waiting, held, holding, somebody_waits
from tests.pages.conftest import Visitor
from tests.pages.forms.conftest import ADA, Inbox, ask
from tests.plans import use_plans
from webapp.config import Settings
from webapp.domain.contacts import contacts
from webapp.domain.forms.forms import delete_form
from webapp.domain.personal_data.erase import erase_contact
from webapp.domain.plans import limits
from webapp.models import Account, BarredAddress, Contact, Organization, PendingSignUp, Segment, SignUpForm
from webapp.models.queries.sign_ups import count_sign_up
from webapp.models.usage import Metric

pytestmark = pytest.mark.postgres


async def is_waiting(statements: int) -> bool:
    return await count_waiting() == statements


async def test_a_sign_up_that_waits_for_its_contact_leaves_the_form_to_confirmations(
    stranger: Visitor, acme: Organization, account: Account, inbox: Inbox, settings: Settings
) -> None:
    use_plans(settings, {"enterprise": {"max_contacts": 1}})
    form = await make_form(acme, double_opt_in=False)
    await ask(stranger, form)
    async with holding(lambda: limits.release(acme, Metric.CONTACTS, 0)):
        work = asyncio.create_task(inbox.links())
        await eventually(somebody_waits)
        await asyncio.wait_for(count_sign_up(form.id, "confirmed"), 5)
    await work
    assert await Contact.of(acme).count() == 1


async def test_a_confirmation_that_waits_for_its_contact_leaves_the_sign_up_to_an_erasure(
    stranger: Visitor, acme: Organization, form: SignUpForm, inbox: Inbox
) -> None:
    contact = await make_contact(acme, ADA, status="unsubscribed")
    await ask(stranger, form)
    link = await inbox.link()
    async with holding(lambda: contacts.lock_contact(acme, contact.id)):
        confirming = asyncio.create_task(stranger.post(link))
        await eventually(somebody_waits)
        await asyncio.wait_for(PendingSignUp.of(acme).delete(), 5)
    assert (await confirming).status == 404
    await contact.refresh_from_db()
    assert contact.status == "unsubscribed"


async def test_without_confirmations_nobody_comes_back_who_leaves_while_a_sign_up_is_settled(
    stranger: Visitor, acme: Organization, account: Account, inbox: Inbox
) -> None:
    segment, contact = await make_segment(acme), await make_contact(acme, ADA)
    form = await make_form(acme, double_opt_in=False, segment_ids=[str(segment.id)])
    await ask(stranger, form)
    async with holding(lambda: contacts.unsubscribe_contacts(acme, [contact.id])):
        settling = asyncio.create_task(inbox.link())
        await eventually(somebody_waits)
    link = await settling
    await contact.refresh_from_db()
    assert contact.status == "unsubscribed"
    assert (await stranger.post(link)).title == "You're in"


@pytest.mark.parametrize("double_opt_in", [True, False])
async def test_an_erasure_and_a_sign_up_that_is_settled_do_not_wait_for_each_other(
    stranger: Visitor, acme: Organization, account: Account, inbox: Inbox, *, double_opt_in: bool
) -> None:
    segment, contact = await make_segment(acme), await make_contact(acme, ADA)
    form = await make_form(acme, double_opt_in=double_opt_in, segment_ids=[str(segment.id)])
    await ask(stranger, form)
    table = "pending_sign_ups" if double_opt_in else "contacts"
    async with held(f"SELECT id FROM {table} WHERE org_id = $1 FOR UPDATE", acme.id):
        erasing = asyncio.create_task(erase_contact(acme, contact))
        await eventually(somebody_waits)
        settling = asyncio.create_task(inbox.links())
        await eventually(lambda: is_waiting(2))
    await asyncio.gather(erasing, settling)
    assert not await Contact.of(acme).exists()
    assert not await PendingSignUp.of(acme).exists()


async def test_a_form_is_deleted_after_the_confirmations_that_have_begun(
    stranger: Visitor, acme: Organization, account: Account, inbox: Inbox
) -> None:
    segment = await make_segment(acme)
    form = await make_form(acme, segment_ids=[str(segment.id)])
    await ask(stranger, form)
    link = await inbox.link()
    async with holding(lambda: Segment.lock_many(acme, [segment.id])):
        confirming = asyncio.create_task(stranger.post(link))
        await eventually(lambda: is_waiting(1))
        deleting = asyncio.create_task(delete_form(acme, form))
        await eventually(lambda: is_waiting(2))
    await asyncio.gather(confirming, deleting)
    assert (await Contact.of(acme).get()).email == ADA
    assert not await SignUpForm.of(acme).exists()


async def test_a_sign_up_that_could_not_be_saved_leaves_the_address_its_mail(
    stranger: Visitor, acme: Organization, form: SignUpForm, inbox: Inbox
) -> None:
    other = await make_form(acme)
    async with holding(lambda: delete_form(acme, form)):
        asking = asyncio.create_task(ask(stranger, form))
        await eventually(somebody_waits)
    assert (await asking).status == 404
    assert (await ask(stranger, other)).status == 202
    assert await inbox.link()


async def test_a_person_refuses_two_sign_ups_at_once(
    stranger: Visitor, acme: Organization, form: SignUpForm, inbox: Inbox
) -> None:
    await ask(stranger, form)
    stranger.app.extensions.pop("sign_up_throttle")  # as if the limits of the address were over
    await ask(stranger, await make_form(acme))
    links = await inbox.links()
    async with held("SELECT id FROM pending_sign_ups WHERE org_id = $1 FOR UPDATE", acme.id):
        refusing = [asyncio.create_task(stranger.post(f"{link}/wrong")) for link in links]
        await eventually(lambda: is_waiting(2))
    pages = await asyncio.gather(*refusing)
    assert sorted(page.status for page in pages) == [200, 404]  # the second finds its link useless
    assert not await PendingSignUp.of(acme).exists()
    assert await BarredAddress.of(acme).count() == 1
