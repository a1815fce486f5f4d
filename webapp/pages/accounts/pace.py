"""The pace of an account: rates, its window, its ramp and its reserve, with what its provider allows as an offer."""

from collections.abc import Mapping
from typing import Any

from quart import Blueprint, ResponseReturnValue, g, render_template, request

from webapp.domain.accounts import accounts
from webapp.domain.accounts.inputs import AccountChanges
from webapp.domain.accounts.pace import DAY_NAMES, pace_sentences
from webapp.domain.accounts.today import today_of
from webapp.domain.auth.owners import TIMEZONES
from webapp.domain.roles import Action
from webapp.errors import FieldError, ValidationError
from webapp.http.auth.permissions import guarded
from webapp.http.forms import Form, redirect, render_page
from webapp.models import Account
from webapp.models.outbox.send_window import END_OF_DAY
from webapp.pages.accounts import smtp_presets

blueprint = Blueprint("pace", __name__, url_prefix="/accounts")
LIMITS = ("max_per_minute", "max_per_hour", "min_gap_seconds", "reserve_for_transactional")
WINDOW = {"from": "window_from", "to": "window_to", "timezone": "window_timezone"}
RAMP = ("start", "step_percent", "until")
PARTS = {f"send_window.{name}": field for name, field in WINDOW.items()} | {
    f"ramp.{name}": f"ramp_{name}" for name in RAMP
}
LABELS = {
    "window_from": "The opening hour",
    "window_to": "The closing hour",
    "window_timezone": "The time zone",
    "ramp_start": "The first day",
    "ramp_step_percent": "The growth",
    "ramp_until": "The end of the ramp",
    "max_per_minute": "Emails per minute",
    "max_per_hour": "Emails per hour",
    "min_gap_seconds": "The gap",
    "send_window": "The window",
    "ramp": "The ramp",
    "reserve_for_transactional": "The reserve",
}


@blueprint.get("/<uuid:account_id>/pace")
@guarded(Action.READ, accounts.find_account)
async def show(account: Account) -> ResponseReturnValue:
    values = _values(account)
    preset = smtp_presets.of_host(account)
    if preset is not None and request.args.get("offer") == preset.provider:
        values["max_per_minute"] = preset.max_per_minute
    return await render_template("accounts/pace.html", form=Form(values), **await _about(account))


@blueprint.post("/<uuid:account_id>/pace")
@guarded(Action.ACCOUNTS, accounts.find_account)
async def save(account: Account) -> ResponseReturnValue:
    form = await Form.sent()
    form.values["days"] = [day for day in (await request.form).getlist("days") if day]
    with form.refusing(LABELS, (*LIMITS, "send_window", "ramp", *PARTS.values())):
        form.values |= {name: form.values.get(name) for name in LIMITS}
        form.values |= {"send_window": _window(form.values), "ramp": _ramp(form.values)}
        await accounts.change_account(account, _read(form), clears_error=False)  # which is about its sign-in
        return redirect(f"/accounts/{account.id}/pace", "Pace saved.")
    await account.refresh()
    return await render_page("accounts/pace.html", "accounts/_pace.html", form=form, **await _about(account))


def _read(form: Form) -> AccountChanges:
    """Raises ValidationError, whose faults of a window and a ramp are at the form's own fields."""
    try:
        return form.read(AccountChanges)
    except ValidationError as refusal:
        renamed = refusal.renamed(lambda field: PARTS.get(field, field))
        raise ValidationError(details=[_among_optional(fault) for fault in renamed.details]) from None


def _among_optional(fault: FieldError) -> FieldError:
    """Each part of a window or a ramp is optional, as all of them are."""
    if fault.code == "missing" and fault.field in PARTS.values():
        return FieldError.at(fault.field, "is needed with the others, or leave all of them blank")
    return fault


def _values(account: Account) -> dict[str, Any]:
    """The form's values of a saved pace."""
    window, ramp = account.send_window, account.ramp or {}
    values = {name: getattr(account, name) for name in LIMITS} | {f"ramp_{name}": ramp.get(name) for name in RAMP}
    values["window_timezone"] = g.caller.org.timezone
    if window is not None:
        values |= {field: window[name] for name, field in WINDOW.items()}
        values |= {"days": window["days"], "includes_transactional": window.get("includes_transactional")}
    return {name: value for name, value in values.items() if value not in (None, False)}


def _window(values: Mapping[str, Any]) -> dict[str, Any] | None:
    """Whole days if no hour was entered; None if it is always open. The time zone is always selected."""
    days, is_whole_days = values["days"] or list(DAY_NAMES), not (values.get("window_from") or values.get("window_to"))
    if is_whole_days and set(days) >= DAY_NAMES.keys():
        return None
    entered = {**values, "window_from": "00:00", "window_to": END_OF_DAY} if is_whole_days else values
    window = {name: entered[field] for name, field in WINDOW.items() if entered.get(field)}
    return {**window, "days": days, "includes_transactional": bool(values.get("includes_transactional"))}


def _ramp(values: Mapping[str, Any]) -> dict[str, Any] | None:
    return {name: values[f"ramp_{name}"] for name in RAMP if values.get(f"ramp_{name}")} or None


async def _about(account: Account) -> dict[str, Any]:
    zones = TIMEZONES if g.caller.org.timezone in TIMEZONES else (g.caller.org.timezone, *TIMEZONES)
    item = await today_of(g.caller.org, account)
    return {
        "account": account,
        "days": DAY_NAMES.items(),
        "timezones": [(zone, zone.replace("_", " ")) for zone in zones],
        "preset": smtp_presets.of_host(account),
        "pace": pace_sentences(account, item.rules),
    }
