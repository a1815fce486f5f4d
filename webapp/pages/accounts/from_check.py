"""The check of an account's From address on its page."""

from quart import Blueprint, ResponseReturnValue, g, render_template

from webapp.domain.accounts import accounts
from webapp.domain.emails.send_probe import NewFromCheck, check_from_address, read_addresses
from webapp.domain.from_checks.from_checks import from_check_of
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.http.forms import Form, redirect
from webapp.models import Account

blueprint = Blueprint("from_check", __name__, url_prefix="/accounts/<uuid:account_id>/from-check")


@blueprint.get("")
@guarded(Action.READ, accounts.find_account)
async def show(account: Account) -> ResponseReturnValue:
    return await _page(account, Form({}))


@blueprint.post("")
@guarded(Action.ACCOUNTS, accounts.find_account)
async def send(account: Account) -> ResponseReturnValue:
    form = await Form.sent()
    with form.refusing({"to": "Send it to"}, ("to",)):
        await check_from_address(g.caller.org, account, form.read(NewFromCheck))
        return redirect(f"/accounts/{account.id}/from-check", "Probe sent. Its results appear here once it was read.")
    return await _page(account, form), 422


@blueprint.post("/dns")
@guarded(Action.ACCOUNTS, accounts.find_account)
async def look_up(account: Account) -> ResponseReturnValue:
    await check_from_address(g.caller.org, account, NewFromCheck(send_probe=False))
    return redirect(f"/accounts/{account.id}/from-check", "DNS checked just now.")


async def _page(account: Account, form: Form) -> str:
    addresses = [(address, address) for address in read_addresses(account)]
    check = await from_check_of(account)
    return await render_template(
        "accounts/from_check.html", account=account, check=check, form=form, addresses=addresses
    )
