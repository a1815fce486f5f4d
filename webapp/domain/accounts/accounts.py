"""Adds, changes and deletes sending accounts, and shows today's use of their daily quotas and which send nothing."""

import asyncio
import secrets
from collections.abc import Collection, Iterable
from contextlib import suppress
from copy import copy
from typing import Any
from uuid import UUID

from tortoise.expressions import Q
from uuid_utils.compat import uuid7

from webapp import clock, crypto, db
from webapp.config import settings
from webapp.domain.accounts.credentials import (
    SANDBOX_HOST,
    SECRETS,
    ask_again,
    needs_smtp_password,
    seal_secret,
    sign_in_finding,
)
from webapp.domain.accounts.inputs import AccountChanges, NewAccount
from webapp.domain.accounts.pace import HIGHEST_DAILY_LIMIT, with_timezone
from webapp.domain.accounts.selection import check_scope
from webapp.domain.accounts.today import AccountToday, use_today
from webapp.domain.accounts.validation import (
    DIALLED,
    READING,
    apply_settings,
    require_mailbox_password,
    validate_host,
    validate_imap_host,
    validate_settings,
)
from webapp.domain.audit.audit import AuditAction, record_on
from webapp.domain.key_scope import current_scope
from webapp.domain.pagination import Listed, Page, fetch_page, in_order
from webapp.domain.plans import limits
from webapp.errors import Conflict, NotFound
from webapp.models import Account, AccountUsage, Campaign, FromCheck, MailboxReading, Organization
from webapp.models.account import EXPIRY_WARNING, BounceReading, ProviderType
from webapp.models.campaign import forget_account, scheduled_only_with
from webapp.models.outbox import daily_quota, failures, leases, ramp
from webapp.models.outbox.runs import REFRESH_SECONDS
from webapp.models.queries import account_health
from webapp.models.usage import Metric
from webapp.queue import Job, enqueue

POLL_SECONDS = 0.05
CAMPAIGNS_NAMED = 10
COLUMNS = {"name": "LOWER(name)", "created": "id"}


async def list_accounts(org: Organization, page: Page, sort: str = "-created") -> Listed[AccountToday]:
    """With their checks of From addresses."""
    used = f"SELECT used FROM account_usage WHERE account_id = accounts.id AND day = '{clock.today(org.timezone)}'"  # noqa: S608 - a date
    columns = COLUMNS | {"sent": f"COALESCE(({used}), 0)"}
    listed = await fetch_page(in_order(Account.of(org).prefetch_related("from_check"), columns, sort), page)
    return Listed(await use_today(org, listed.rows), listed.page, listed.total)


async def newest_accounts(org: Organization, count: int) -> list[AccountToday]:
    """With their checks of From addresses."""
    return await use_today(org, await Account.of(org).order_by("-id").limit(count).select_related("from_check"))


async def is_any_other(org: Organization, account: Account) -> bool:
    return await Account.of(org).filter(is_sandbox=False).exclude(id=account.id).exists()


find_account = Account.one_of


async def first_of_domains(org: Organization) -> list[Account]:
    """The oldest account of each domain that the organization sends from; none of the sandbox."""
    oldest: dict[str, Account] = {}
    for account in await Account.of(org).filter(is_sandbox=False, from_email__not_isnull=True).order_by("id"):
        oldest.setdefault(account.from_domain, account)
    return list(oldest.values())


async def domain_named(org: Organization, account_id: UUID) -> str:
    """The domain of a body's `domain_id`. Raises NotFound naming the field."""
    with suppress(NotFound):
        return (await find_domain(org, account_id)).from_domain
    raise NotFound("domain_id: domain not found")


async def find_domain(org: Organization, account_id: UUID | str) -> Account:
    """An account with a from address. Raises NotFound."""
    account = await find_account(org, account_id)
    if not account.from_domain:
        raise NotFound
    return account


async def ending_sign_ins() -> list[tuple[str, str]]:
    """The names of all organizations' accounts whose sign-in is known to end, each with the reason in sentences."""
    ending = Q(oauth_expires_at__lte=clock.now() + EXPIRY_WARNING) | Q(smtp_password__isnull=False)
    accounts = Account.across_orgs().filter(ending, is_sandbox=False).order_by("id")
    return [(account.name, words) async for account in accounts if (words := sign_in_finding(account))]


async def add_account(org: Organization, data: NewAccount) -> Account:
    """Raises PlanLimitExceeded, OutsideScope, ValidationError for settings that do not fit or a forbidden host."""
    current_scope().require_all_accounts("add one")
    _require_sender(data.from_email)
    account = Account(id=uuid7(), org_id=org.id, account_key=crypto.new_account_key())
    apply_settings(account, with_timezone(data.model_dump(), org.timezone))
    validate_settings(account)
    await validate_host(account)
    await validate_imap_host(account)
    async with db.write_transaction():
        await limits.consume(org, Metric.ACCOUNTS)
        await account.save(force_create=True)
        await _apply_reading(account)
        await FromCheck.begin(account)
        enqueue(Job.CHECK_FROM, account.id)
        await record_on(account, AuditAction.ACCOUNT_ADDED, **settings_of(account))
    return account


def _require_sender(from_email: str | None) -> None:
    """Raises OutsideScope."""
    if from_email is not None:
        current_scope().require_sender(from_email)


async def change_account(account: Account, data: AccountChanges, *, clears_error: bool = True) -> Account:
    """Changes a locked account and wakes it. Raises like `add_account`, Conflict, NotFound.

    If the server changes, a stored SMTP password must be entered again before the account sends; a changed IMAP server
    without its password is refused.
    """
    _refuse_sandbox(account)
    values, changed, org = data.given(), copy(account), await Organization.get(id=account.org_id)
    await check_scope(org, [account.id], None)
    _require_sender(values.get("from_email"))
    if values.get("send_window") is not None:
        values = with_timezone(values, org.timezone)
    columns = apply_settings(changed, values)
    validate_settings(changed)
    if columns & DIALLED:  # only then, because an unreachable host would block every other change
        await validate_host(changed)
    if columns & READING:
        await validate_imap_host(changed)
    async with db.write_transaction():
        await daily_quota.block_claims(account.id)  # waits for claims by the old quota
        await account_health.lock(account)
        await account.refresh()
        before = copy(account)
        columns = apply_settings(account, values)
        validate_settings(account)
        if columns & READING:
            require_mailbox_password(account)
        await _save(account, before, columns, clears_error=clears_error)
        if columns & {*READING, *DIALLED, "google_refresh_token", "oauth_refresh_token"}:
            await _apply_reading(account)
        if columns & {"from_email", "smtp_host"}:
            await FromCheck.begin(account)
            enqueue(Job.CHECK_FROM, account.id)
        if changes := differences(before, account, columns):
            await record_on(account, AuditAction.ACCOUNT_CHANGED, **changes)
        await _apply_limits(account, before)
    enqueue(Job.WAKE, account.id)
    if account.daily_mail_limit < before.daily_mail_limit:
        await _wait_until_noticed(account)
    return account


async def _save(account: Account, before: Account, columns: Iterable[str], *, clears_error: bool) -> None:
    waits = needs_smtp_password(account)
    if clears_error and not waits:
        await account_health.mark_healthy(before, ends_throttling=True)
    await account.save(update_fields=[*columns, "updated_at"])
    await account.refresh()
    if waits:
        await account_health.mark_broken(account, ask_again(account.smtp_host))
        await account.refresh()


async def _apply_limits(account: Account, before: Account) -> None:
    await daily_quota.shorten_waits(account)
    if account.ramp != before.ramp:
        await ramp.change(account.id, before.ramp, account.ramp)
    if account.daily_mail_limit > before.daily_mail_limit or account.ramp != before.ramp:
        await AccountUsage.filter(account_id=account.id, is_full=True).update(is_full=False)
        await daily_quota.release_deferred_of(account.id)


async def _apply_reading(account: Account) -> None:
    if account.bounce_reading == BounceReading.OFF:
        await MailboxReading.end(account)
        return
    await MailboxReading.begin(account)
    enqueue(Job.READ_MAILBOXES, account.id)


async def _wait_until_noticed(account: Account) -> None:
    """Waits until workers know of a lowered quota and have released messages they did not begin."""
    began = clock.elapsed()
    while clock.elapsed() - began < 2 * REFRESH_SECONDS:
        if not await leases.is_any_leased(account.id):
            break
        await asyncio.sleep(POLL_SECONDS)


async def campaigns_left_without(account: Account) -> Listed[Campaign]:
    """The scheduled campaigns that are halted when the account is deleted, newest first."""
    campaigns = await scheduled_only_with(account)
    return Listed(campaigns[: -CAMPAIGNS_NAMED - 1 : -1], Page(1, CAMPAIGNS_NAMED), len(campaigns))


async def delete_account(org: Organization, account: Account) -> None:
    """Keeps its mail logs, fails unsent rows and halts scheduled campaigns that no other account can send.

    Raises Conflict for the sandbox, OutsideScope, NotFound if gone.
    """
    _refuse_sandbox(account)
    await check_scope(org, [account.id], None)
    async with db.write_transaction():
        await forget_account(account)  # first, because the start of a run locks its campaign before the counters
        await limits.release(org, Metric.ACCOUNTS)
        # Before its rows fail, because the deletion waits for emails that are being accepted for it.
        if not await Account.of(org).filter(id=account.id).delete():
            raise NotFound
        await record_on(account, AuditAction.ACCOUNT_DELETED, **settings_of(account))
        await failures.fail_rows_of_account(account.id, f"the account {account.name} was deleted")


def _refuse_sandbox(account: Account) -> None:
    if account.is_sandbox:
        raise Conflict("the built-in sandbox account cannot be changed or deleted")


async def sandbox_account(org: Organization) -> Account:
    """Creates the account on first use; locks the organization."""
    if account := await Account.of(org).get_or_none(is_sandbox=True):
        return account
    async with db.write_transaction():
        await Organization.select_for_update().get(id=org.id)  # serializes concurrent first uses
        if account := await Account.of(org).get_or_none(is_sandbox=True):
            return account
        account = Account(
            id=uuid7(),
            org_id=org.id,
            name="Sandbox",
            provider_type=ProviderType.SMTP,
            account_key=crypto.new_account_key(),
            daily_mail_limit=HIGHEST_DAILY_LIMIT,
            smtp_host=SANDBOX_HOST,
            smtp_port=settings().sandbox_port,
            smtp_security="none",
            from_email="sandbox@pennypost.example",
            from_name=org.name,
            is_sandbox=True,
        )
        account.smtp_username = account.account_key
        account.smtp_password = seal_secret(account, "smtp_password", secrets.token_urlsafe(32))
        await account.save()
    return account


AUDITED = [name for name in AccountChanges.model_fields if name not in SECRETS]


def settings_of(account: Account) -> dict[str, Any]:
    """The settings in use, without the name and state."""
    unused = {"name", "status"}
    if not account.has_oauth_sign_in:
        unused.add("oauth_grant")
    if account.smtp_username is None:
        unused.add("smtp_auth")
    values = {name: getattr(account, name) for name in AUDITED if name not in unused}
    return {name: value for name, value in values.items() if value not in (None, False, BounceReading.OFF)}


def differences(before: Account, after: Account, changed: Collection[str]) -> dict[str, Any]:
    values = {name: [getattr(before, name), getattr(after, name)] for name in AUDITED if name in changed}
    secrets = [name for name in SECRETS if name in changed]
    return values | {name: "removed" if getattr(after, name) is None else "changed" for name in secrets}
