"""What a worker knows of accounts and runs without asking for each message."""

import asyncio

import pytest

from tests.factories import make_account, make_run
from webapp.domain.delivery.campaign_content import Contents
from webapp.domain.delivery.live_state import Served
from webapp.domain.delivery.load_messages import messages_of
from webapp.models import Account, Content, MailLog, Organization, outbox
from webapp.models.outbox import Claimed


async def claimed(org: Organization, account: Account) -> list[Claimed]:
    await make_run(org, [account], 2)
    return await outbox.claim(account.id, messages=2, lease_seconds=60)


async def test_a_stop_is_seen_at_the_next_look_and_a_resume_by_the_next_claim(acme: Organization) -> None:
    account, served = await make_account(acme), Served()
    rows = await claimed(acme, account)
    run_id = rows[0].campaign_run_id
    assert run_id is not None
    served.add(account, rows)
    assert served.goes_on(rows)
    await outbox.halt_run(run_id, "it was stopped")
    assert served.goes_on(rows)
    await served.look(rows)
    assert not served.goes_on(rows)
    await outbox.resume_run(run_id)
    await served.look(rows)
    assert not served.goes_on(rows)  # they were claimed before the stop
    anew = [row._replace(run_epoch=(row.run_epoch or 0) + 1) for row in rows]
    served.add(account, anew)
    assert served.goes_on(anew)
    await served.look([])
    assert not served.goes_on(anew)


@pytest.mark.parametrize(("change", "may_send"), [({"name": "Other"}, True), ({"status": "paused"}, False)])
async def test_an_account_is_as_it_was_at_the_latest_look(
    acme: Organization, change: dict[str, str], *, may_send: bool
) -> None:
    account, served = await make_account(acme), Served()
    rows = await claimed(acme, account)
    served.add(account, rows)
    await Account.of(acme).filter(id=account.id).update(**change)
    assert served.account_for(account) is account
    await served.look(rows)
    assert (served.account_for(account) is not None) == may_send
    await Account.of(acme).filter(id=account.id).delete()
    await served.look(rows)
    assert served.account_for(account) is None


async def test_a_lowered_limit_is_told_from_one_that_was_raised(acme: Organization) -> None:
    account, served = await make_account(acme, daily_mail_limit=10), Served()
    rows = await claimed(acme, account)
    for limit, is_lowered in ((11, False), (10, False), (9, True)):
        await Account.of(acme).filter(id=account.id).update(daily_mail_limit=limit)
        await served.look(rows)
        assert served.is_lowered(account) == is_lowered


async def test_without_a_look_of_late_no_campaign_mail_goes(acme: Organization) -> None:
    account, served = await make_account(acme), Served(stale_seconds=0.05)
    rows = await claimed(acme, account)
    served.add(account, rows)
    await asyncio.sleep(0.1)
    assert not served.goes_on(rows)  # a stop may have been answered meanwhile
    assert served.goes_on([row._replace(campaign_run_id=None) for row in rows])  # nobody stops a mail of its own


async def test_an_account_is_the_same_object_until_it_is_changed(acme: Organization) -> None:
    account, served = await make_account(acme), Served()
    rows = await claimed(acme, account)
    served.add(account, rows)
    served.add(await Account.of(acme).get(id=account.id), rows)
    await outbox.record_use([account.id])
    await served.look(rows)
    assert served.account_for(account) is account
    await Account.of(acme).filter(id=account.id).update(smtp_host="mx.other.example")
    await served.look(rows)
    changed = served.account_for(account)
    assert changed is not None
    assert changed is not account
    assert changed.smtp_host == "mx.other.example"


async def test_what_is_claimed_during_a_look_is_not_forgotten_by_it(acme: Organization) -> None:
    account, served = await make_account(acme), Served()
    rows = await claimed(acme, account)

    class Held(list[Claimed]):
        """Something is claimed as soon as the look has read which rows are held."""

        def __bool__(self) -> bool:
            served.add(account, rows)
            return False

    await served.look(Held())
    assert served.goes_on(rows)
    assert served.account_for(account) is account


async def test_a_message_has_the_content_of_its_own_organization_alone(acme: Organization, rival: Organization) -> None:
    account = await make_account(acme)
    rows = await claimed(acme, account)
    theirs = await Content.create(org=rival, subject="Theirs", html="<p>Theirs</p>", text=None)
    await MailLog.of(acme).update(content_id=theirs.id)
    contents = Contents()
    (foreign, own) = await messages_of(account, [rows[0]._replace(content_id=theirs.id), rows[1]], contents)
    assert foreign.maker is None
    assert own.maker is not None
    assert own.maker.size == len("<p>News</p>")
    assert "deleted" in (own.refusal or "")  # there is no such contact
