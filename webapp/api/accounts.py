"""/v1/accounts."""

from quart import Blueprint, ResponseReturnValue, g
from quart_schema import document_response

from webapp.api import account_responses, responses
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
@document_response(responses.Many[account_responses.Account])
async def index(query_args: Paging) -> ResponseReturnValue:
    """List sending accounts, newest first."""
    listed = await accounts.list_accounts(g.caller.org, query_args.wanted)
    return responses.many(listed, account_responses.account)


@blueprint.post("")
@guarded(Action.ACCOUNTS)
@json_body(NewAccount)
@document_response(responses.One[account_responses.Account], 201)
async def create(data: NewAccount) -> ResponseReturnValue:
    """Add a sending account.

    An smtp account needs `smtp_host` and `smtp_port`, a google account both tokens. Secrets are never returned.
    """
    account = await accounts.add_account(g.caller.org, data)
    return responses.one(account_responses.account(await accounts.today_of(g.caller.org, account))), 201


@blueprint.get("/<account_id>")
@guarded(Action.READ, accounts.find_account)
@document_response(responses.One[account_responses.Account])
async def show(account: Account) -> ResponseReturnValue:
    """Get a sending account."""
    return responses.one(account_responses.account(await accounts.today_of(g.caller.org, account)))


@blueprint.patch("/<account_id>")
@guarded(Action.ACCOUNTS, accounts.find_account)
@json_body(AccountChanges)
@document_response(responses.One[account_responses.Account])
async def change(account: Account, data: AccountChanges) -> ResponseReturnValue:
    """Change a sending account.

    Omitted fields keep their values, including `smtp_password`. Any change clears the account's `error` status.
    """
    account = await accounts.change_account(account, data)
    return responses.one(account_responses.account(await accounts.today_of(g.caller.org, account)))


@blueprint.delete("/<account_id>")
@guarded(Action.ACCOUNTS, accounts.find_account)
@document_response(responses.Done)
async def remove(account: Account) -> ResponseReturnValue:
    """Delete a sending account.

    Its mail logs are kept. Unsent email fails.
    """
    await accounts.delete_account(g.caller.org, account)
    return {"ok": True}
