"""POST /v1/emails of many callers at once: committed together, and each answered for its own."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

import pytest
from quart import Quart

from tests.api.conftest import Api, make_api
from tests.api.mails import MAIL
from tests.factories import make_account, make_org
from tests.faults.support.callers import Callers
from tests.faults.support.web import client_of, new_key, web_running, with_port
from tests.faults.support.world import until
from tests.plans import use_plans
from tests.queries import count_queries
from webapp import clock, db
from webapp.config import Settings
from webapp.domain.accounts.accounts import change_account
from webapp.domain.accounts.inputs import AccountChanges
from webapp.domain.api_keys import NewKey, issue_key, revoke_key
from webapp.domain.auth.owners import set_plan
from webapp.domain.plans.plans import plan_named
from webapp.models import Account, Content, Email, MailLog, Organization, usage
from webapp.models.usage import Metric, month_of

MANY = 40
PATIENCE = 120.0  # seconds


async def test_each_has_its_own_answer_and_its_own_rows(
    app: Quart, api: Api, account: Account, acme: Organization, rival: Organization
) -> None:
    others = await make_account(rival)
    stranger = await make_api(app, rival)
    asked = [
        (api, MAIL | {"subject": f"Mail {number}"} | ({"account_key": others.account_key} if number % 4 == 0 else {}))
        for number in range(MANY)
    ]
    asked += [(stranger, MAIL | {"subject": "A stranger's"}) for _ in range(5)]
    answers = await asyncio.gather(*(client.post("/v1/emails", mail) for client, mail in asked))
    for number, (status, _) in enumerate(answers[:MANY]):
        assert status == (404 if number % 4 == 0 else 200), number
    assert {status for status, _ in answers[MANY:]} == {200}
    contents = {content.id: content.subject for content in await Content.of(acme)}
    subjects = {str(email.id): contents[email.content_id] for email in await Email.of(acme)}
    assert subjects == {
        body["id"]: f"Mail {number}" for number, (status, body) in enumerate(answers[:MANY]) if status == 200
    }
    assert await MailLog.of(acme).count() == len(subjects)
    assert await MailLog.of(rival).count() == 5


async def test_they_share_transactions(api: Api, account: Account) -> None:
    with count_queries() as sent:
        answers = await asyncio.gather(*(api.post("/v1/emails", MAIL) for _ in range(MANY)))
    assert Counter(status for status, _ in answers) == {200: MANY}
    inserts = [statement for statement in sent if statement.startswith("INSERT INTO emails ")]
    assert 1 <= len(inserts) <= MANY // 2


async def test_one_that_passes_the_quota_takes_no_other_with_it(
    settings: Settings, api: Api, account: Account, acme: Organization
) -> None:
    use_plans(settings, {"free": {"monthly_email_quota": MANY}})
    await Organization.filter(id=acme.id).update(plan="free")
    too_many = [f"ada{number}@example.org" for number in range(MANY + 1)]
    mails = [MAIL | ({"to": too_many} if number == 3 else {}) for number in range(MANY)]
    answers = await asyncio.gather(*(api.post("/v1/emails", mail) for mail in mails))
    assert [status for status, _ in answers] == [403 if number == 3 else 200 for number in range(MANY)]
    assert await MailLog.of(acme).count() == MANY - 1
    assert await usage.used_of(acme.id, Metric.EMAILS, month_of(clock.now())) == MANY - 1


# No email that is valid is refused so; a fault of ours would be.
REFUSE = {
    "sqlite": """CREATE TRIGGER refuse BEFORE INSERT ON contents WHEN NEW.subject = 'Mail 3'
                 BEGIN SELECT RAISE(ABORT, 'refused'); END""",
    "postgres": "ALTER TABLE contents ADD CONSTRAINT refuse CHECK (subject <> 'Mail 3')",
}
ALLOW = {"sqlite": "DROP TRIGGER refuse", "postgres": "ALTER TABLE contents DROP CONSTRAINT refuse"}


async def test_one_that_the_database_refuses_takes_no_other_with_it(
    settings: Settings, api: Api, account: Account, acme: Organization
) -> None:
    await db.connection().execute_script(REFUSE[settings.dialect])
    try:
        mails = [MAIL | {"subject": f"Mail {number}"} for number in range(MANY)]
        answers = await asyncio.gather(*(api.send("POST", "/v1/emails", json=mail) for mail in mails))
    finally:
        await db.connection().execute_script(ALLOW[settings.dialect])
    assert [answer.status_code for answer in answers] == [500 if number == 3 else 200 for number in range(MANY)]
    subjects = [content.subject for content in await Content.of(acme)]
    assert sorted(subjects) == sorted(f"Mail {number}" for number in range(MANY) if number != 3)
    assert await MailLog.of(acme).count() == await Email.of(acme).count() == MANY - 1


@pytest.mark.timeout(300)
@pytest.mark.parametrize("programs", [2, pytest.param(10, marks=pytest.mark.soak)])
async def test_what_is_changed_is_obeyed_within_a_second_while_programs_go_on(
    settings: Settings, account: Account, acme: Organization, rival: Organization, programs: int
) -> None:
    settings = with_port(use_plans(settings, {"basic": {"monthly_email_quota": 0}}))
    lowered, revoked = await make_org("Lowered"), await issue_key(acme, NewKey(name="robot", role="sender"))
    await Organization.filter(id=acme.id).update(strict_from=True)
    paused, moved = await make_account(acme), await make_account(acme, from_email="news@old.example")
    for org in (lowered, rival):
        await make_account(org)
    changes: dict[str, Callable[[], Awaitable[object]]] = {
        "key": lambda: revoke_key(revoked.key),
        "plan": lambda: set_plan(lowered, "basic"),
        "account": lambda: change_account(paused, AccountChanges(status="paused")),
        "address": lambda: change_account(moved, AccountChanges(from_email="news@new.example")),
    }
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(web_running(settings))
        keys = {"key": revoked.secret, "plan": await new_key(lowered), "stranger": await new_key(rival)}
        fields = {"account": {"account_key": paused.account_key}, "address": {"from": "news@old.example"}}
        callers = {}
        for name in ("stranger", *reversed(changes)):  # the key last, so that it is as fresh as can be when it changes
            key = keys.get(name) or await new_key(acme)
            client = await stack.enter_async_context(client_of(settings, key, PATIENCE))
            callers[name] = await stack.enter_async_context(Callers([client], programs, **fields.get(name, {})))
            await callers[name].until_accepted(1, PATIENCE)
        assert {answer.status for some in callers.values() for answer in some.answers} == {200}
        late = {"stranger": clock.elapsed()}
        for name, change in changes.items():
            await change()
            late[name] = clock.elapsed() + 1  # what is asked from then on, however long it takes
        for name, some in callers.items():
            await until(lambda some=some, since=late[name]: len(some.since(since)) >= 20, PATIENCE)
    answered = {"key": {401, 429}, "plan": {403}, "account": {400}, "address": {400}, "stranger": {200}}
    for name, some in callers.items():
        assert {answer.status for answer in some.since(late[name])} <= answered[name], name
    assert {answer.burst for answer in callers["plan"].since(late["plan"])} == {str(plan_named("basic").burst)}
