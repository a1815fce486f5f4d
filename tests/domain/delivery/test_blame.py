"""An answer is blamed on what it is about: the message, its recipient, or the account that sends it."""

from datetime import timedelta
from functools import partial
from uuid import UUID

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st
from uuid_utils.compat import uuid7

from tests.api.conftest import Api
from tests.domain.delivery.test_retry_policy import claimed
from tests.factories import account_on, make_mail
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import eventually, working
from tests.faults.support.world import all_are, until, until_row
from webapp import clock
from webapp.config import Settings
from webapp.domain.delivery import retry_policy
from webapp.domain.delivery.account_breaker import Suspicions, corroborated
from webapp.models import Account, AccountUsage, Email, MailLog, Organization
from webapp.models.mail_log import DEFERRED, FAILED, PENDING, SENDING, SENT
from webapp.sending.outcomes import AFTER_MAIL, Blame, Delivered, Phase, TryLater, classify

PATIENCE = 40.0  # seconds
HOURLY = "550 5.7.1 hourly sending limit exceeded"


async def trouble(account: Account) -> tuple[str, str | None, int, int]:
    found = await Account.get(id=account.id)
    return found.status, found.last_error, found.rests, found.throttles


async def day(account: Account) -> tuple[int, bool]:
    found = await AccountUsage.get(account_id=account.id)
    return found.used, found.is_full


WELL = ("active", None, 0, 0)


@pytest.fixture
async def stranger(rival: Organization, smtp_server: SmtpServer) -> Account:
    """A stranger's account with an email, and a server that takes it."""
    account = await account_on(smtp_server, rival)
    await make_mail(rival, account)
    return account


async def check_it_goes_on(stranger: Account) -> None:
    """Checks that our trouble is none of the stranger's."""
    await eventually(MailLog.filter(account_id=stranger.id, status=SENT).exists, PATIENCE)
    assert (await trouble(stranger), await day(stranger)) == (WELL, (1, False))


@pytest.mark.parametrize(
    ("step", "reply", "status", "attempts"),
    [
        ("DOT", "552 5.3.4 Message from sender is larger than the size limit", FAILED, 0),
        ("DOT", HOURLY, PENDING, 1),
        ("RCPT", "530 5.7.0 Authentication required", PENDING, 1),
    ],
)
async def test_what_is_about_one_message_is_its_own_trouble(
    acme: Organization, settings: Settings, smtp_server: SmtpServer, step: str, reply: str, status: str, attempts: int
) -> None:
    account = await account_on(smtp_server, acme, concurrency=1)
    smtp_server.reply(step, reply, times=1)
    (bad,) = await make_mail(acme, account, "bad@example.org")
    for number in range(5):
        await make_mail(acme, account, f"reader{number}@example.org")
    async with working(settings):
        await eventually(lambda: are_done(acme, 5), PATIENCE)
    mail = await MailLog.of(acme).get(id=bad)
    assert (mail.status, mail.error, mail.attempts, mail.waiting_since) == (status, reply, attempts, None)
    assert (await trouble(account), await day(account)) == (WELL, (5, False))


async def are_done(org: Organization, sent: int) -> bool:
    is_in_flight = await MailLog.of(org).filter(status=SENDING).exists()
    return not is_in_flight and await MailLog.of(org).filter(status=SENT).count() == sent


async def let_time_pass(org: Organization) -> None:
    """All that waits is due, and no account rests any more."""
    due = clock.now() - timedelta(seconds=1)
    await MailLog.of(org).filter(status=PENDING).update(next_attempt_at=due)
    await Account.of(org).filter(rest_until__isnull=False).update(rest_until=due)


async def test_a_second_message_that_is_refused_so_makes_it_rest_and_no_message_does_so_twice(
    acme: Organization, stranger: Account, settings: Settings, smtp_server: SmtpServer
) -> None:
    account = await account_on(smtp_server, acme, concurrency=1)
    for number in range(2):
        smtp_server.refuse(f"bad{number}@example.org", HOURLY)
        await make_mail(acme, account, f"bad{number}@example.org")
    async with working(settings):
        await eventually(Account.of(acme).filter(rests__gt=0).exists, PATIENCE)
        await eventually(lambda: are_done(acme, 0), PATIENCE)
        await check_it_goes_on(stranger)
        assert (await trouble(account), await day(account)) == (("active", HOURLY, 1, 0), (0, False))
        assert (await Account.get(id=account.id)).rest_until - clock.now() < timedelta(minutes=1)  # type: ignore[operator]  # it rests
        assert await MailLog.of(acme).order_by("id").values_list("attempts", flat=True) == [1, 0]
        await make_mail(acme, account, "ada@example.org")
        for tries in range(1, 3):
            await let_time_pass(acme)
            await eventually(partial(are_tried_again, acme, tries), PATIENCE)
            assert await are_done(acme, 1)
            assert (await trouble(account), await day(account)) == (WELL, (1, False))


ASK = "530 5.7.0 Authentication required"


async def test_an_account_is_broken_when_several_messages_are_to_sign_in_first_and_waits_without_attempts(
    acme: Organization, stranger: Account, settings: Settings
) -> None:
    async with SmtpServer() as server:
        server.reply("RCPT", ASK)
        account = await account_on(server, acme)
        for number in range(5):
            await make_mail(acme, account, f"reader{number}@example.org")
        async with working(settings):
            await eventually(lambda: is_broken(account), PATIENCE)
            await check_it_goes_on(stranger)
            await eventually(lambda: are_done(acme, 0), PATIENCE)
            assert sorted(await MailLog.of(acme).values_list("attempts", flat=True)) == [0, 0, 0, 0, 1]
            for _ in range(2):  # probes
                asked = server.verbs.count("RCPT")
                await let_time_pass(acme)
                await until(lambda: server.verbs.count("RCPT") > asked, PATIENCE)  # noqa: B023 - it is waited for
                await eventually(lambda: is_broken(account), PATIENCE)
            assert sorted(await MailLog.of(acme).values_list("attempts", flat=True)) == [0, 0, 0, 0, 1]
            server.heal()
            await let_time_pass(acme)
            await eventually(lambda: are_done(acme, 5), PATIENCE)
    assert await trouble(account) == WELL


async def is_broken(account: Account) -> bool:
    found = await Account.get(id=account.id)
    return (found.status, found.last_error) == ("error", ASK) and (found.rest_until or clock.now()) > clock.now()


@pytest.mark.parametrize(
    ("step", "reply", "pipelining"),
    [("RCPT", "503 5.5.1 bad sequence of commands", False), ("MAIL", "501 bad syntax of the sender's address", True)],
)
async def test_a_message_that_a_server_always_answers_so_fails_alone_and_others_go_at_once(
    acme: Organization, stranger: Account, settings: Settings, step: str, reply: str, *, pipelining: bool
) -> None:
    async with SmtpServer(pipelining=pipelining) as server:
        server.refuse("bad@example.org", reply)
        account = await account_on(server, acme)
        (bad,) = await make_mail(acme, account, "ann@example.org" if step == "MAIL" else "bad@example.org")
        if step == "MAIL":
            await Email.of(acme).update(sender="Bad <bad@example.org>")
        for number in range(20):
            await make_mail(acme, account, f"reader{number}@example.org")
        async with working(settings):
            await eventually(lambda: are_done(acme, 20), PATIENCE)
            await let_time_pass(acme)
            await check_it_fails_alone(acme, account, bad, reply, sent=20)
            await check_it_goes_on(stranger)
        assert len(server.recipients()) == len(set(server.recipients()))


async def check_it_fails_alone(org: Organization, account: Account, bad: UUID, reply: str, sent: int) -> None:
    """Each try of the bad mail is an attempt of its own, and costs the account and its other mail nothing."""
    for attempts in range(1, 3):
        await until_row(bad, PENDING, attempts=attempts)
        await make_mail(org, account, f"later{attempts}@example.org")
        await let_time_pass(org)
        await eventually(partial(are_done, org, sent + attempts), PATIENCE)
    await until_row(bad, PENDING, attempts=3)
    await MailLog.of(org).filter(id=bad).update(first_tried_at=clock.now() - timedelta(hours=25))
    await let_time_pass(org)
    await until_row(bad, FAILED, error=f"{reply} (gave up after 24 hours)")
    found = await Account.get(id=account.id)
    assert (found.status, found.rests, found.last_error) == ("active", 0, None)


@pytest.mark.parametrize(
    ("reply", "words", "costs"),
    [
        ("", "127.0.0.1 closed the connection", (1, 0)),
        ("454 sending rate exceeded", "454 sending rate exceeded", (0, 1)),
    ],
)
async def test_a_message_that_seems_to_be_its_accounts_trouble_is_so_once(
    acme: Organization, stranger: Account, settings: Settings, reply: str, words: str, costs: tuple[int, int]
) -> None:
    async with SmtpServer() as server:
        server.refuse("bad@example.org", reply)
        account = await account_on(server, acme)
        (bad,) = await make_mail(acme, account, "bad@example.org")
        async with working(settings):
            await until_row(bad, PENDING, waiting_since__not_isnull=True)
            found = await Account.get(id=account.id)
            assert (found.rests, found.throttles, found.last_error) == (*costs, words)
            for number in range(20):
                await make_mail(acme, account, f"reader{number}@example.org")
            due = clock.now() - timedelta(seconds=1)  # the bad one went behind those that waited
            await MailLog.of(acme).filter(id=bad).update(next_attempt_at=due + timedelta(seconds=0.5))
            await MailLog.of(acme).exclude(id=bad).update(next_attempt_at=due)
            await Account.of(acme).filter(id=account.id).update(rest_until=due)
            await eventually(lambda: are_done(acme, 20), PATIENCE)
            await check_it_fails_alone(acme, account, bad, words, sent=20)
            await check_it_goes_on(stranger)
        assert (await Account.get(id=account.id)).throttles == costs[1]


WORDS = [
    "", "no", "message too big", "Authentication required", "relaying to this recipient denied",
    "hourly sending limit exceeded", "daily limit of the recipient exceeded",
    "Throttling failure: Maximum sending rate exceeded", "Throttling failure: Daily message quota exceeded",
    "Daily SMTP relay limit exceeded for customer", "Submission quota exceeded", "Too many messages, slow down",
    "too many recipients", "bad sequence of commands", "closing connection",
]  # fmt: skip
STATUSES = ["", *(f"{{}}.{subject}.{detail} " for subject in range(8) for detail in (*range(12), 57, 90, 232, 650))]


@given(
    st.integers(400, 599),
    st.sampled_from(STATUSES),
    st.sampled_from(WORDS),
    st.sampled_from(AFTER_MAIL),
    st.lists(st.booleans(), min_size=8, max_size=8),
)
@hypothesis.settings(max_examples=400)
def test_no_answer_to_one_message_breaks_its_account_or_makes_it_rest_twice(
    code: int, status: str, words: str, phase: Phase, others_go: list[bool]
) -> None:
    outcome = classify(code, status.format(code // 100) + words, phase)
    account, suspicions = Account(id=uuid7(), status="active"), Suspicions()
    row = claimed("bad@example.org", account_id=account.id)
    blames = []
    for do_others_go in others_go:
        is_first_try = row.attempts == 0 and row.seconds_waiting is None
        found = corroborated({row.to_email: outcome}, account, suspicions, is_first_try=is_first_try)
        (settled,) = retry_policy.settlements([row], found, 24)
        blames += [one.blame for one in found.values() if isinstance(one, TryLater)]
        if settled.status is FAILED:
            break
        row = row._replace(
            attempts=row.attempts + settled.attempted, seconds_waiting=60.0 if settled.waits_for_account else None
        )
        if do_others_go:
            corroborated({"ada@example.org": Delivered(250, "ok")}, account, suspicions, is_first_try=True)
    assert Blame.MISCONFIGURED not in blames
    assert all(blame is Blame.MESSAGE for blame in blames[1:])
    assert bool(blames) == isinstance(outcome, TryLater)


@pytest.mark.parametrize(
    ("reply", "pipelining"),
    [
        ("452 4.5.3 Too many recipients", False),
        ("451 4.3.0 Multiple destination domains per transaction is unsupported. Please try again.", True),
    ],
)
async def test_recipients_beyond_what_a_transaction_takes_go_in_others(
    acme: Organization, stranger: Account, settings: Settings, reply: str, *, pipelining: bool
) -> None:
    async with SmtpServer(pipelining=pipelining, most_recipients=2, one_too_many=reply) as server:
        server.refuse("gone@example.org")
        account = await account_on(server, acme)
        readers = [f"reader{number}@example.org" for number in range(5)]
        await make_mail(acme, account, *readers, "gone@example.org")
        async with working(settings):
            await eventually(lambda: are_done(acme, 5), PATIENCE)
            await check_it_goes_on(stranger)
        assert sorted(server.recipients()) == readers
        assert max(len(message.recipients) for message in server.messages) == 2
        assert len({message.content.partition(b"Message-ID:")[2][:60] for message in server.messages}) == 1
    rows = {row.to_email: (row.status, row.attempts, row.error) for row in await MailLog.of(acme)}
    assert rows.pop("gone@example.org") == (FAILED, 0, "550 5.1.1 no such user")
    assert set(rows.values()) == {(SENT, 0, None)}
    assert (await trouble(account), await day(account)) == (WELL, (5, False))


async def are_tried_again(org: Organization, tries: int) -> bool:
    """Whether each that waits has been refused so often since, and the other went."""
    found = sorted(await MailLog.of(org).filter(status=PENDING).values_list("attempts", flat=True))
    return found == [tries, 1 + tries] and await are_done(org, 1)


async def test_a_status_that_names_the_quota_fills_the_day_once_for_each_message(
    acme: Organization, stranger: Account, settings: Settings, smtp_server: SmtpServer, api: Api
) -> None:
    full_up = "550 5.4.5 Daily user sending limit exceeded"
    account = await account_on(smtp_server, acme, concurrency=1)
    smtp_server.refuse("bad@example.org", full_up)
    await make_mail(acme, account, "bad@example.org")
    async with working(settings):
        await eventually(AccountUsage.filter(account_id=account.id, is_full=True).exists, PATIENCE)
        await eventually(lambda: are_done(acme, 0), PATIENCE)
        await check_it_goes_on(stranger)
        await make_mail(acme, account, "ada@example.org")
        await eventually(lambda: all_are(acme, DEFERRED), PATIENCE)
        _, shown = await api.get(f"/v1/accounts/{account.id}")
        told = [shown["data"][name] for name in ("status", "sent_today", "remaining_today", "last_error")]
        assert told == ["active", 0, 0, full_up]
        limit = {"daily_mail_limit": account.daily_mail_limit + 1}  # a person knows better
        assert (await api.patch(f"/v1/accounts/{account.id}", limit))[0] == 200
        await let_time_pass(acme)
        await eventually(lambda: are_done(acme, 1), PATIENCE)
        await eventually(MailLog.of(acme).filter(status=PENDING, attempts=1).exists, PATIENCE)
    assert (await trouble(account), await day(account)) == (WELL, (1, False))
