"""/v1/accounts and its response bodies."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field
from quart import Blueprint, g
from typing_extensions import TypedDict

from webapp import models
from webapp.api.responses import Done, Many, One, Time, answers, makes, shaped
from webapp.domain.accounts import accounts
from webapp.domain.accounts.inputs import AccountChanges, NewAccount
from webapp.domain.accounts.pace import Ramp, SendWindow
from webapp.domain.accounts.today import AccountToday, today_of
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import json_body
from webapp.http.paging import Paging, query

blueprint = Blueprint("accounts", __name__, url_prefix="/accounts")


class Account(TypedDict):
    """A sending account; its secrets are never returned."""

    id: UUID
    name: str
    provider_type: Literal["smtp", "google", "microsoft"]
    account_key: str
    daily_mail_limit: int
    concurrency: int
    max_per_minute: int | None
    max_per_hour: int | None
    min_gap_seconds: int | None
    send_window: SendWindow | None
    ramp: Ramp | None
    reserve_for_transactional: int | None
    smtp_host: str | None
    smtp_port: int | None
    smtp_username: str | None
    smtp_security: Literal["auto", "tls", "starttls", "none"] | None
    smtp_auth: Literal["password", "oauth2"]
    oauth_provider: Literal["microsoft", "google", "custom"] | None
    oauth_grant: Literal["refresh_token", "client_credentials"]
    oauth_scope: str | None
    oauth_token_url: str | None
    oauth_client_id: str | None
    oauth_expires_at: Annotated[Time | None, Field(description="When the sign-in ends, where the provider says so.")]
    google_email: str | None
    microsoft_email: str | None
    from_email: str | None
    from_name: str | None
    status: Literal["active", "paused", "error"]
    sent_today: int
    remaining_today: int
    remaining_for_campaigns: Annotated[int, Field(description="Without what is reserved for transactional email.")]
    slowdowns: Annotated[
        list[str], Field(description="Providers of recipients that asked it to slow down, each as a sentence.")
    ]
    from_check_verdict: Annotated[
        Literal["passing", "failing", "unknown"],
        Field(description="Whether its From address passes; `GET /v1/accounts/{id}/from-check` says why."),
    ]
    last_error: str | None
    bounce_reading: Literal["off", "account", "mailbox"]
    bounce_imap_host: str | None
    bounce_imap_port: int | None
    bounce_imap_security: Literal["tls", "starttls", "none"] | None
    bounce_imap_username: str | None
    bounce_warning: Annotated[str | None, Field(description="The latest bounce because of the sender's reputation.")]
    bounce_verp: bool
    bounce_verp_works: Annotated[bool | None, Field(description="Null until the account's server was asked.")]
    bounce_verp_error: Annotated[str | None, Field(description="Why emails keep the plain return path.")]
    last_used_at: Time | None
    created_at: Time
    updated_at: Time
    has_smtp_password: bool
    has_google_token: bool
    has_oauth_token: bool
    has_oauth_client_secret: bool
    has_bounce_imap_password: bool


@makes(Account)
def _account(view: AccountToday) -> Account:
    return shaped(
        Account,
        view.account,
        sent_today=view.sent_today,
        remaining_today=view.remaining_today,
        remaining_for_campaigns=view.remaining_for_campaigns,
        slowdowns=list(view.slowdowns),
        from_check_verdict=view.from_check_verdict,
        has_smtp_password=view.account.smtp_password is not None,
        has_google_token=view.account.google_access_token is not None,
        has_oauth_token=view.account.oauth_refresh_token is not None,
        has_oauth_client_secret=view.account.oauth_client_secret is not None,
        has_bounce_imap_password=view.account.bounce_imap_password is not None,
    )


@blueprint.get("")
@guarded(Action.READ)
@query(Paging)
@answers(Many[Account])
async def index(query_args: Paging) -> object:
    """List sending accounts, newest first."""
    return await accounts.list_accounts(g.caller.org, query_args.wanted)


@blueprint.post("")
@guarded(Action.ACCOUNTS)
@json_body(NewAccount)
@answers(One[Account], 201)
async def create(data: NewAccount) -> object:
    """Add a sending account.

    An smtp account needs `smtp_host` and `smtp_port`, a google account both tokens, a microsoft account
    `oauth_refresh_token`. Secrets are never returned.
    """
    account = await accounts.add_account(g.caller.org, data)
    return await today_of(g.caller.org, account)


@blueprint.get("/<account_id>")
@guarded(Action.READ, accounts.find_account)
@answers(One[Account])
async def show(account: models.Account) -> object:
    """Get a sending account."""
    return await today_of(g.caller.org, account)


@blueprint.patch("/<account_id>")
@guarded(Action.ACCOUNTS, accounts.find_account)
@json_body(AccountChanges)
@answers(One[Account])
async def change(account: models.Account, data: AccountChanges) -> object:
    """Change a sending account.

    Omitted fields keep their values, including `smtp_password`. Any change clears the account's `error` status.
    """
    account = await accounts.change_account(account, data)
    return await today_of(g.caller.org, account)


@blueprint.delete("/<account_id>")
@guarded(Action.ACCOUNTS, accounts.find_account)
@answers(Done)
async def remove(account: models.Account) -> None:
    """Delete a sending account.

    Its mail logs are kept. Unsent email fails, and scheduled campaigns that no other account can send are halted.
    """
    await accounts.delete_account(g.caller.org, account)
