"""/v1/accounts."""

from quart import Blueprint, g

from webapp.api import account_responses
from webapp.api.responses import Done, Many, One, answers
from webapp.domain.accounts import accounts
from webapp.domain.accounts.inputs import AccountChanges, NewAccount
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import json_body
from webapp.http.paging import Paging, query
from webapp.models import Account

blueprint = Blueprint("accounts", __name__, url_prefix="/accounts")


@blueprint.get("")
@guarded(Action.READ)
@query(Paging)
@answers(Many[account_responses.Account])
async def index(query_args: Paging) -> object:
    """List sending accounts, newest first."""
    return await accounts.list_accounts(g.caller.org, query_args.wanted)


@blueprint.post("")
@guarded(Action.ACCOUNTS)
@json_body(NewAccount)
@answers(One[account_responses.Account], 201)
async def create(data: NewAccount) -> object:
    """Add a sending account.

    An smtp account needs `smtp_host` and `smtp_port`, a google account both tokens. Secrets are never returned.
    """
    account = await accounts.add_account(g.caller.org, data)
    return await accounts.today_of(g.caller.org, account)


@blueprint.get("/<account_id>")
@guarded(Action.READ, accounts.find_account)
@answers(One[account_responses.Account])
async def show(account: Account) -> object:
    """Get a sending account."""
    return await accounts.today_of(g.caller.org, account)


@blueprint.patch("/<account_id>")
@guarded(Action.ACCOUNTS, accounts.find_account)
@json_body(AccountChanges)
@answers(One[account_responses.Account])
async def change(account: Account, data: AccountChanges) -> object:
    """Change a sending account.

    Omitted fields keep their values, including `smtp_password`. Any change clears the account's `error` status.
    """
    account = await accounts.change_account(account, data)
    return await accounts.today_of(g.caller.org, account)


@blueprint.delete("/<account_id>")
@guarded(Action.ACCOUNTS, accounts.find_account)
@answers(Done)
async def remove(account: Account) -> None:
    """Delete a sending account.

    Its mail logs are kept. Unsent email fails.
    """
    await accounts.delete_account(g.caller.org, account)
