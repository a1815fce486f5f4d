"""The custom fields of contacts: labels, types and order."""

from quart import Blueprint, ResponseReturnValue, g, render_template, request

from webapp.domain.contacts import bulk, custom_fields, search
from webapp.domain.contacts.custom_fields import FieldInput
from webapp.domain.contacts.field_uses import FieldUses
from webapp.domain.roles import Action
from webapp.errors import Conflict
from webapp.http.auth.permissions import guarded
from webapp.http.forms import FORM, Form, redirect, render_dialog, render_page
from webapp.models import CustomField
from webapp.models.contact import CustomFieldKind
from webapp.pages.shared.filters import counted

blueprint = Blueprint("contact_fields", __name__, url_prefix="/contacts/fields")
PLACE = "/contacts/fields"
GONE = PLACE, "This field is no longer there.", "info"
MOST_SHOWN = 40  # characters of a value
LABELS = {"label": "The label", "position": "The position"}
KINDS = {
    CustomFieldKind.TEXT: "Text",
    CustomFieldKind.NUMBER: "Number",
    CustomFieldKind.DATE: "Date",
    CustomFieldKind.BOOLEAN: "Yes or no",
}


@blueprint.get("")
@guarded(Action.READ)
async def index() -> ResponseReturnValue:
    fields = await custom_fields.list_fields(g.caller.org)
    return await render_template("contacts/fields.html", fields=fields, kinds=KINDS)


@blueprint.route("/new", methods=FORM)
@guarded(Action.CONTACTS)
async def create() -> ResponseReturnValue:
    form = await Form.sent({"kind": CustomFieldKind.TEXT})
    if request.method == "POST":
        with form.refusing(LABELS):
            field = await custom_fields.add_field(g.caller.org, form.read(FieldInput, "label"))
            return redirect(PLACE, f"Field “{field.label}” added.")
    return await _show(form, None)


@blueprint.route("/edit", methods=FORM)
@guarded(Action.CONTACTS)
async def edit() -> ResponseReturnValue:
    field = await _field()
    if field is None:
        return redirect(*GONE)
    form = await Form.sent({"label": field.label, "kind": field.kind, "position": str(field.position)})
    if request.method == "POST":
        form.values.pop("name", None)
        with form.refusing(LABELS):
            field = await custom_fields.save_field(g.caller.org, field, form.read(FieldInput, "label"))
            return redirect(PLACE, f"Field “{field.label}” saved.{await _warning(field)}")
    return await _show(form, field)


async def _warning(field: CustomField) -> str:
    misfit = await custom_fields.misfit_of(g.caller.org, field)
    if misfit is None:
        return ""
    shown = misfit if len(misfit) <= MOST_SHOWN else f"{misfit[:MOST_SHOWN]}…"
    if field.kind == CustomFieldKind.BOOLEAN:
        return (
            f" Some values are neither true nor false, such as “{shown}”. Conditions leave them out until you "
            "import them again, which reads words like “ja”."
        )
    kind = f"{KINDS[CustomFieldKind(field.kind)].lower()}s"
    return f" Some values are not {kind}, such as “{shown}”. Conditions that compare {kind} leave them out."


@blueprint.route("/delete", methods=FORM)
@guarded(Action.CONTACTS)
async def delete() -> ResponseReturnValue:
    """Asks again if another number of contacts has a value than was confirmed."""
    field = await _field()
    if field is None:
        return redirect(*GONE)
    count = await search.count_contacts(g.caller.org, bulk.having_value(field))
    uses = await (await FieldUses.read(g.caller.org)).of(field)
    if uses or (await request.form).get("confirm") != str(count):
        return await render_dialog("contacts/delete_field.html", field=field, count=count, uses=uses)
    try:
        change = await bulk.delete_field(g.caller.org, field)
    except Conflict as refusal:
        return redirect(PLACE, f"“{field.label}” was not deleted: {refusal.message}.", "info")
    if change.finished_at is None or change.failure:
        return redirect(f"/contacts/changes/{change.id}")
    values = f", with the values of {counted(change.changed_count, 'contact')}" if change.changed_count else ""
    return redirect(PLACE, f"“{field.label}” deleted{values}.")


async def _field() -> CustomField | None:
    sent = await request.form if request.method == "POST" else request.args
    return await custom_fields.find_field(g.caller.org, sent.get("name", ""))


async def _show(form: Form, field: CustomField | None) -> ResponseReturnValue:
    return await render_page("contacts/field.html", "contacts/_field.html", form=form, field=field, kinds=KINDS)
