"""Checks an account's From address because someone asked: looks at DNS, and sends a probe that is read back."""

from pydantic import Field

from webapp import clock, db
from webapp.addresses import Address, normalize
from webapp.domain.emails.accept import accept_email
from webapp.domain.emails.inputs import NewEmail
from webapp.domain.emails.resolve_content import resolve_email
from webapp.domain.from_checks.checking import check_now
from webapp.domain.from_checks.from_checks import FromCheckView, from_check_of
from webapp.domain.from_checks.probes import await_probe, new_token
from webapp.domain.inputs import EmailAddress, Input, examples, read_input
from webapp.errors import Conflict, RateLimitExceeded, ValidationError
from webapp.models import Account, Organization, usage
from webapp.models.account import BounceReading
from webapp.models.queries.contacts.suppressed import reasons_against

PROBES_AN_HOUR = 3  # per account
HOUR, MINUTE = 3600, 60  # seconds
WORDS = """Pennypost sent this email from the account {name} to see what the receiving server says about {domain}.
It reads the answer from the header of this email. You can delete it.
"""


class NewFromCheck(Input):
    """What to check."""

    model_config = examples({"to": "bounces@northwind.example"})

    to: EmailAddress | None = Field(
        default=None,
        description="Where to send the probe: an address whose mailbox the account's bounce reading reads. By default, "
        "the account's own or that of the bounce mailbox.",
    )
    send_probe: bool = Field(default=True, description="If false, only DNS is looked at.")


async def check_from_address(org: Organization, account: Account, data: NewFromCheck) -> FromCheckView:
    """Raises Conflict without a From address or a mailbox to read, ValidationError for `to`, RateLimitExceeded."""
    if account.is_sandbox:
        raise Conflict("the sandbox delivers nothing to other servers, so there is nothing to check")
    if not account.from_domain:
        raise Conflict("the account has no From address; add one first")
    if data.send_probe:
        await _send_probe(org, account, data.to)
    await check_now(account)
    return await from_check_of(account)


def read_addresses(account: Account) -> list[str]:
    """The addresses whose mail is read back, the best one first; empty if no mailbox is read."""
    if account.bounce_reading == BounceReading.OFF:
        return []
    domain = account.from_domain
    own = (account.google_email, account.microsoft_email, account.smtp_username, account.from_email)
    other = (account.bounce_imap_username, account.from_email)
    addresses = list[str]()
    for name in own if account.bounce_reading == BounceReading.ACCOUNT else other:
        if name:
            try:
                addresses.append(normalize(name if "@" in name else f"{name}@{domain}"))
            except ValueError:  # a user name that is no address
                continue
    return list(dict.fromkeys(addresses))


async def _send_probe(org: Organization, account: Account, to: str | None) -> None:
    addresses = read_addresses(account)
    if not addresses:
        raise Conflict(
            "no mailbox is read, so a probe would not come back: switch on reading bounces for this account first"
        )
    address = addresses[0] if to is None else to
    if address.lower() not in map(str.lower, addresses):
        raise ValidationError.at("to", f"must be an address whose mailbox is read: {' or '.join(addresses)}")
    for reason in (await reasons_against(org.id, [address])).values():
        raise ValidationError.at("to", f"gets no email: {address} is {reason}")
    token = new_token()
    email = _email(account, address, token)
    async with db.write_transaction():
        now = clock.now()
        # Counted by the account's id, which is no metric's name.
        if not await usage.increment_within_hour(org.id, account.id.hex, PROBES_AN_HOUR, now):
            wait = HOUR - now.minute * MINUTE - now.second
            raise RateLimitExceeded(f"Limit of {PROBES_AN_HOUR} probes per hour and account reached.", wait)
        email_id = await accept_email(org, await resolve_email(org, email))
        await await_probe(account, token, email_id, address)


def _email(account: Account, to: str, token: str) -> NewEmail:
    domain = account.from_domain
    fields = {
        "from": Address(account.from_name or "", account.from_email or ""),
        "to": [to],
        "subject": f"Does mail from {domain} pass? ({token})",
        "text": WORDS.format(name=account.name, domain=domain),
        "account_key": account.account_key,
        "tracking": {"opens": False, "clicks": False},
    }
    return read_input(NewEmail, fields, strict=True)
