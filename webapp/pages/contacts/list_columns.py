"""The columns of the list of contacts, which each browser chooses."""

import json
from typing import NamedTuple

from quart import Blueprint, ResponseReturnValue, g, render_template, request

from webapp.domain.contacts.custom_fields import fields_by_name, list_fields, shown_value
from webapp.domain.inputs import storable
from webapp.domain.roles import Action
from webapp.http.auth.cookies import read_cookie, set_cookie
from webapp.http.auth.permissions import guarded
from webapp.http.auth.session import sent_back
from webapp.http.forms import FORM, redirect
from webapp.languages.spelling import search_form
from webapp.models import Contact, CustomField
from webapp.models.queries.contacts.segment_filter import CUSTOM

blueprint = Blueprint("contact_columns", __name__, url_prefix="/contacts/columns")
COOKIE = "contact_columns"
COOKIE_SECONDS = 365 * 24 * 3600
MOST = 6  # beside the address and the status
COLUMNS = {"phone": "Phone", "created_at": "Added", "last_active_at": "Last active"}
DEFAULT = ["phone", "created_at"]


class Column(NamedTuple):
    name: str  # of a recorded value or text, or of a custom field in its search form
    label: str
    field: CustomField | None = None

    def custom_value(self, contact: Contact) -> str:
        key = self.name.removeprefix(CUSTOM)
        values = (value for name, value in contact.custom_fields.items() if search_form(name) == key)
        return shown_value(next(values, None), self.field)


async def chosen_columns() -> list[Column]:
    names = _names()
    fields = await fields_by_name(g.caller.org) if any(name.startswith(CUSTOM) for name in names) else {}
    return [_column(name, fields.get(name)) for name in names]


def _column(name: str, field: CustomField | None) -> Column:
    label = field.label if field else COLUMNS.get(name) or name.removeprefix(CUSTOM)
    return Column(name, label, field)


def are_own() -> bool:
    """True if this browser chose the columns; a phone shows no others."""
    return _chosen() is not None


def _names() -> list[str]:
    chosen = _chosen()
    return DEFAULT if chosen is None else chosen


def _chosen() -> list[str] | None:
    try:
        names = json.loads(read_cookie(COOKIE) or "null")
    except ValueError:
        return None
    if not isinstance(names, list):
        return None
    texts = [storable(name) for name in names if isinstance(name, str)]
    return [name for name in dict.fromkeys(texts) if name in COLUMNS or name.startswith(CUSTOM)][:MOST]


@blueprint.route("", methods=FORM)
@guarded(Action.READ)
async def choose() -> ResponseReturnValue:
    fields = await list_fields(g.caller.org)
    offered = COLUMNS | {f"{CUSTOM}{search_form(field.name)}": field.label for field in fields}
    chosen, error, back = _names(), "", await sent_back("/contacts")
    if request.method == "POST":
        chosen = [name for name in (await request.form).getlist("column") if name in offered]
        if len(chosen) <= MOST:
            response = redirect(back)
            set_cookie(response, COOKIE, json.dumps(chosen), max_age=COOKIE_SECONDS)
            return response
        error = f"Select {MOST} columns at most."
    about = {"offered": offered, "chosen": chosen, "most": MOST, "error": error, "back": back}
    return await render_template("contacts/columns.html", **about), 422 if error else 200
