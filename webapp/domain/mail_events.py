"""What happened to a mail-log row on its way."""

from webapp.models import Account, MailEvent, MailLog, Organization

EVENTS_SHOWN = 200


async def list_events(org: Organization, row: MailLog) -> list[MailEvent]:
    """The row's moves that were not the plain way, oldest first."""
    return await MailEvent.of(org).filter(mail_log_id=row.id).order_by("id").limit(EVENTS_SHOWN)


async def account_names(org: Organization, rows: list[MailLog]) -> dict[str, str]:
    """The names of the accounts that these rows leave through, by id; deleted ones are missing."""
    wanted = {row.account_id for row in rows if row.account_id}
    found = await Account.of(org).filter(id__in=list(wanted)).only("id", "name")
    return {str(account.id): account.name for account in found}


async def account_of(org: Organization, row: MailLog) -> Account | None:
    """The account that the row leaves through; None before one is chosen and after it was deleted."""
    return await Account.of(org).get_or_none(id=row.account_id) if row.account_id else None
