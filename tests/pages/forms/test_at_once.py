"""Sign-ups, confirmations, erasures and the deletion of a form lock the same rows in one order."""

import asyncio

import pytest

from tests.api.conftest import make_api
from tests.factories import make_contact, make_form
from tests.fakes.worker import eventually
from tests.locks import holding, somebody_waits
from tests.pages.conftest import Visitor
from tests.pages.forms.conftest import ADA, Inbox, ask
from tests.plans import use_plans
from webapp.config import Settings
from webapp.domain.contacts import contacts
from webapp.domain.plans import limits
from webapp.models import Account, Contact, Organization, PendingSignUp, SignUpForm
from webapp.models.queries.sign_ups import count_sign_up
from webapp.models.usage import Metric

pytestmark = pytest.mark.postgres


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


async def test_the_deletion_of_a_form_waits_for_a_confirmation_without_locking_the_form(
    stranger: Visitor, acme: Organization, form: SignUpForm, inbox: Inbox
) -> None:
    await ask(stranger, form)
    await inbox.link()
    api = await make_api(stranger.app, acme)
    async with holding(lambda: PendingSignUp.of(acme).select_for_update().get()):
        deleting = asyncio.create_task(api.delete(f"/v1/forms/{form.id}"))
        await eventually(somebody_waits)
        await asyncio.wait_for(count_sign_up(form.id, "confirmed"), 5)
    assert (await deleting)[0] == 200
    assert await PendingSignUp.of(acme).count() == 0


async def test_a_sign_up_by_a_form_that_is_being_deleted_finds_none(
    stranger: Visitor, acme: Organization, form: SignUpForm
) -> None:
    async with holding(form.delete):
        asking = asyncio.create_task(ask(stranger, form))
        await eventually(somebody_waits)
    assert (await asking).status == 404
    assert await PendingSignUp.of(acme).count() == 0
