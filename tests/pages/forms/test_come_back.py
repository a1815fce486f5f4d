"""Sign-ups of erased addresses: during the erasure, and in a backup from before it."""

from uuid import uuid4

import pytest

from tests.api.conftest import make_api
from tests.factories import make_contact, make_mail
from tests.pages.conftest import Visitor
from tests.pages.forms.conftest import ADA, Inbox, ask
from tests.support.dump import dumped
from webapp import db
from webapp.domain.contacts import consent
from webapp.domain.forms import sign_up
from webapp.domain.forms.floods import bar_restored
from webapp.domain.personal_data.erase import erase_restored, process_pending
from webapp.models import Account, BarredAddress, Event, MailLog, Organization, PendingSignUp, SignUpForm, Tombstone
from webapp.models.base.org_model import AT_ONCE
from webapp.models.suppression import address_digest


async def finish_erasures() -> None:
    """Does what a worker does within some seconds."""
    while await Tombstone.filter(next_at__isnull=False).update(next_at=AT_ONCE):
        await process_pending()


async def test_a_sign_up_during_the_erasure_is_kept_and_everything_before_is_erased(
    stranger: Visitor, acme: Organization, account: Account, form: SignUpForm, inbox: Inbox
) -> None:
    contact, api = await make_contact(acme, ADA), await make_api(stranger.app, acme)
    await ask(stranger, form)  # before the erasure
    (former,) = await make_mail(acme, account, ADA)
    assert (await api.post(f"/v1/contacts/{contact.id}/erase"))[0] == 200
    assert await PendingSignUp.of(acme).count() == 0
    assert await Tombstone.of(acme).filter(next_at__isnull=False).exists()
    stranger.app.extensions.pop("sign_up_throttle")  # as if the limits of the address were over
    await ask(stranger, form)
    link = await inbox.link()
    await finish_erasures()
    assert (await stranger.post(link)).title == "You're in"
    back = (await api.get(f"/v1/contacts/{ADA}"))[1]["data"]
    confirmed = await Event.of(acme).get(type="contact.confirmed")
    assert (confirmed.contact_id and str(confirmed.contact_id), confirmed.data["email"]) == (back["id"], ADA)
    sent = {row.id: row.to_email for row in await MailLog.of(acme)}
    assert sent.pop(former) == "erased"
    assert list(sent.values()) == [ADA]


async def test_who_is_back_before_the_erasure_ends_keeps_what_is_new(
    stranger: Visitor, acme: Organization, form: SignUpForm, inbox: Inbox
) -> None:
    contact, api = await make_contact(acme, ADA), await make_api(stranger.app, acme)
    assert (await api.post(f"/v1/contacts/{contact.id}/erase"))[0] == 200
    await ask(stranger, form)
    assert (await stranger.post(await inbox.link())).title == "You're in"
    email = await api.post("/v1/emails", {"to": [ADA], "subject": "Hi", "text": "Hi", "from": "hello@acme.example"})
    await finish_erasures()
    assert {row.to_email for row in await MailLog.of(acme)} == {ADA}
    named = {event.type for event in await Event.of(acme) if ADA in str(event.data)}
    assert {"contact.created", "contact.confirmed"} <= named
    assert (await api.get(f"/v1/emails/{email[1]['id']}"))[1]["data"]["text"] == "Hi"
    assert await Tombstone.of(acme).count() == 1  # without the digest, because the address is free again


@pytest.mark.parametrize("is_written", [True, False])
async def test_a_restored_sign_up_of_an_address_that_was_erased_since_is_erased_and_mailed_nothing(
    stranger: Visitor, acme: Organization, form: SignUpForm, inbox: Inbox, *, is_written: bool
) -> None:
    for email in (ADA, "bob@example.org"):
        await ask(stranger, form, email)
    if is_written:
        await sign_up.queue.send()
    async with db.write_transaction():
        await consent.record_erased(acme.id, uuid4(), address_digest(acme.id, ADA))
    await erase_restored()
    assert await inbox.links() == []
    assert len(await inbox.links("bob@example.org")) == 1
    await finish_erasures()
    assert [table for table, text in await dumped() if ADA in text] == []


async def test_a_restored_sign_up_from_after_the_erasure_is_kept(
    stranger: Visitor, acme: Organization, form: SignUpForm, inbox: Inbox
) -> None:
    async with db.write_transaction():
        await consent.record_erased(acme.id, uuid4(), address_digest(acme.id, ADA))
    await ask(stranger, form)
    await erase_restored()
    assert (await stranger.post(await inbox.link())).title == "You're in"


async def test_a_restore_bars_the_addresses_again_whose_owners_signed_up_for_nothing(
    stranger: Visitor, acme: Organization, rival: Organization, form: SignUpForm, inbox: Inbox
) -> None:
    await ask(stranger, form)
    link = await inbox.link()
    await stranger.post(f"{link}/wrong")
    await BarredAddress.all().delete()  # as in a backup from before
    await bar_restored()
    stranger.app.extensions.pop("sign_up_throttle")  # as if the limits of the address were over
    await ask(stranger, form)
    assert await inbox.links() == [link]
    assert not await BarredAddress.of(rival).exists()
