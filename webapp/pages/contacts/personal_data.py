"""Downloads and erases all that is stored of a contact."""

from quart import Blueprint, Response, ResponseReturnValue, g, request

from webapp.addresses import email_key
from webapp.domain.contacts import contacts
from webapp.domain.personal_data.erase import erase_contact
from webapp.domain.personal_data.export import export_contact, json_of
from webapp.domain.roles import Action
from webapp.errors import ValidationError
from webapp.http.auth.permissions import guarded
from webapp.http.downloads import LONGEST_SECONDS, stream
from webapp.http.forms import FORM, Form, redirect, render_dialog
from webapp.models import Contact

blueprint = Blueprint("personal_data", __name__, url_prefix="/contacts")


@blueprint.get("/<uuid:contact_id>/data.json")
@guarded(Action.PERSONAL_DATA, contacts.find_contact)
async def export(contact: Contact) -> Response:
    parts = await export_contact(g.caller.org, contact)
    return stream(json_of(contact, parts), "contact.json", "application/json", LONGEST_SECONDS)


@blueprint.route("/<uuid:contact_id>/erase", methods=FORM)
@guarded(Action.PERSONAL_DATA, contacts.find_contact)
async def erase(contact: Contact) -> ResponseReturnValue:
    form = await Form.sent()
    if request.method == "POST":
        with form.refusing(shown=("typed",)):
            if email_key(form.values.get("typed", "").strip()) != contact.email_key:
                raise ValidationError.of("typed", "Type the address exactly as it is above.")
            await erase_contact(g.caller.org, contact)
            return redirect("/contacts", "Contact erased. Its address can't be added again.")
    return await render_dialog("contacts/erase.html", contact=contact, form=form)
