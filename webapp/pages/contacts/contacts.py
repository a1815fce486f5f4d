"""The list of contacts, and a contact."""

import re
from datetime import date
from typing import Any

from quart import Blueprint, Response, ResponseReturnValue, g, render_template, request

from webapp.domain.contacts import consents, contacts, deletion, search
from webapp.domain.contacts.custom_fields import list_fields, misfit_words, shown_value
from webapp.domain.contacts.export import export_contacts
from webapp.domain.contacts.inputs import ContactChanges, NewContact
from webapp.domain.events.events import EventFilters
from webapp.domain.imports.imports import newest_undoable
from webapp.domain.mail_logs import mail_logs
from webapp.domain.pagination import Listed, Page
from webapp.domain.roles import Action
from webapp.domain.segments import segments
from webapp.domain.suppressions.suppressions import entry_against
from webapp.domain.topics.choices import list_choices
from webapp.domain.tracking import people
from webapp.errors import FieldError, ValidationError
from webapp.http.auth.permissions import guarded
from webapp.http.downloads import stream_csv
from webapp.http.flashes import flash
from webapp.http.forms import FORM, Form, redirect, render_dialog, render_page, submit_once
from webapp.http.paging import query
from webapp.languages import LANGUAGES
from webapp.languages.spelling import search_form
from webapp.models import Contact
from webapp.models.contact import INPUT_FIELDS, ConsentKind, ContactStatus
from webapp.models.queries.contacts.suppressed import suppressions_against
from webapp.models.queries.contacts.typed_text import day_of
from webapp.pages.contacts.contact_form import FIELDS, changed_values, form_of, pairs_of, sent_pairs
from webapp.pages.contacts.list_columns import are_own, chosen_columns
from webapp.pages.contacts.search import ContactListQuery, ContactSearch, read_search
from webapp.pages.segments.conditions import condition_rows
from webapp.pages.segments.segments import segment_choice
from webapp.pages.shared.event_feed import latest_lines
from webapp.pages.shared.failures import SUPPRESSION_REASONS

blueprint = Blueprint("contacts", __name__, url_prefix="/contacts")
LABELS = {"email": "The address", "custom_fields": "The custom fields"}
SHOWN = tuple(field.name for field in INPUT_FIELDS)
RECENT_IMPORTS = 3
SHOWN_CONSENTS = 10
PAUSED_UNTIL = re.compile(r"(?<=Paused until: )[0-9]{4}-[0-9]{2}-[0-9]{2}")
CONSENT_KINDS = {
    ConsentKind.FORM: "Sign-up form",
    ConsentKind.IMPORT: "Import",
    ConsentKind.API: "Team or program",
    ConsentKind.PERSON: "The person",
}


@blueprint.get("")
@guarded(Action.READ)
@query(ContactListQuery)
async def index(query_args: ContactListQuery) -> ResponseReturnValue:
    asked = await read_search(query_args, request.args)
    may_import = g.caller.role.may(Action.CONTACTS)
    recent = await newest_undoable(g.caller.org, RECENT_IMPORTS) if may_import and not asked.is_filtered else []
    context = {**await _listed(asked), **await _rows(asked), "recent_imports": recent}
    text = await render_template("contacts/index.html", **context)
    return text, 422 if asked.fault_words else 200


@blueprint.get("/list")
@guarded(Action.READ)
@query(ContactListQuery)
async def list_rows(query_args: ContactListQuery) -> ResponseReturnValue:
    """The list, and the rows of conditions if one was added or removed."""
    asked = await read_search(query_args, request.args)
    rows = await _rows(asked) if asked.row_change else {}
    text = await render_template("contacts/_list.html", **await _listed(asked), **rows, swaps=bool(rows))
    return Response(text, headers={"HX-Replace-Url": asked.at("/contacts")}, content_type="text/html")


@blueprint.get("/export.csv")
@guarded(Action.READ)
@query(ContactListQuery)
async def export(query_args: ContactListQuery) -> ResponseReturnValue:
    asked = await read_search(query_args, request.args)
    return stream_csv(await export_contacts(g.caller.org, asked.filters), "contacts.csv")


async def _rows(asked: ContactSearch) -> dict[str, Any]:
    return await condition_rows(asked.form) if asked.row_change or asked.filter or asked.fault else {}


async def _listed(asked: ContactSearch) -> dict[str, Any]:
    page = asked.query.wanted
    listed = Listed[Contact]([], page, 0)
    if asked.fault is None:
        listed = await search.list_contacts(g.caller.org, asked.filters, page, asked.order)
    suppressed = await suppressions_against(g.caller.org.id, [contact.email for contact in listed.rows])
    shown = {"listed": listed, "asked": asked, "form": asked.form, "suppressed": suppressed}
    shown |= {"columns": await chosen_columns(), "columns_are_own": are_own()}
    return {**shown, **await segment_choice(asked.query.segment_id)}


@blueprint.get("/new")
@blueprint.post("")
@guarded(Action.CONTACTS)
async def create() -> ResponseReturnValue:
    async def add() -> str:
        await _check_types(form)
        contact = await contacts.add_contact(g.caller.org, changed_values(form).read(NewContact, "email"))
        flash("Contact added.")
        return f"/contacts/{contact.id}"

    form = await Form.sent({"status": ContactStatus.SUBSCRIBED})
    if request.method == "POST":
        with form.refusing(LABELS, _shown(form)):
            return redirect(await submit_once(form, add))
    return await _show_form("contacts/new.html", form)


def _shown(form: Form) -> tuple[str, ...]:
    return (*SHOWN, *(f"value-{pair.number}" for pair in sent_pairs(form)))


async def _check_types(form: Form) -> None:
    """Raises ValidationError for entered values that cannot be read as the types of their fields."""
    by_key = {field.name_key: field for field in await list_fields(g.caller.org)}
    faults = [
        FieldError(f"value-{pair.number}", f"{words}.")
        for pair in sent_pairs(form)
        if pair.is_changed and (field := by_key.get(search_form(pair.name)))
        if (words := misfit_words(pair.value, field, is_typed=True))
    ]
    if faults:
        raise ValidationError(details=faults)


async def _show_form(page: str, form: Form, **context: Any) -> ResponseReturnValue:
    pairs = pairs_of(form, await list_fields(g.caller.org))
    context |= {"form": form, "fields": FIELDS, "pairs": pairs, "day_of": day_of, "languages": LANGUAGES}
    return await render_page(page, "contacts/_form.html", **context)


@blueprint.get("/<uuid:contact_id>")
@guarded(Action.READ, contacts.find_contact)
async def show(contact: Contact) -> ResponseReturnValue:
    mail = await mail_logs.campaign_mail(g.caller.org, contact)
    member_of = await mail_logs.segments_of(g.caller.org, contact)
    choice = await segment_choice()
    ids = {segment.id for segment in member_of}
    offered = [(segment_id, name) for segment_id, name in choice["static_segments"] if segment_id not in ids]
    lines = await latest_lines(g.caller.org, EventFilters(contact_id=contact.id))
    suppression = await entry_against(g.caller.org, contact.email)
    about = {"contact": contact, "fields": FIELDS, "suppression": suppression, "lines": lines, "mail": mail}
    about["suppressed"] = [contact.email] if suppression else []
    hits = await people.list_hits(g.caller.org, [line.row.id for line in mail])
    about |= {"signs": people.best_by_row(hits)}
    about["paused"] = await mail_logs.paused_campaigns(g.caller.org, [line.row for line in mail])
    about |= {"member_of": member_of, "offered": offered, "segments_left": choice["segments_left"]}
    reason = suppression and SUPPRESSION_REASONS[suppression.reason]
    custom = {field.name: field for field in await list_fields(g.caller.org)}
    order = {name: position for position, name in enumerate(custom)}  # as on the page of fields
    values = sorted(contact.custom_fields.items(), key=lambda item: order.get(item[0], len(order)))
    about |= {"custom": custom, "custom_values": values, "shown_value": shown_value}
    about["topics"] = await list_choices(g.caller.org, contact)
    about["consents"] = await consents.list_consents(g.caller.org, contact, Page(size=SHOWN_CONSENTS))
    about |= {"consent_kinds": CONSENT_KINDS, "consent_words": _with_days, "languages": LANGUAGES}
    return await render_template("contacts/show.html", **about, reason=reason)


def _with_days(text: str) -> str:
    """The words of a choice with days as pages write them."""
    return PAUSED_UNTIL.sub(lambda day: date.fromisoformat(day[0]).strftime("%-d %b %Y"), text)


@blueprint.post("/<uuid:contact_id>/segments")
@guarded(Action.CONTACTS, contacts.find_contact)
async def join(contact: Contact) -> ResponseReturnValue:
    chosen, path = (await request.form).get("segment_id"), f"/contacts/{contact.id}"
    if not chosen:
        return redirect(path, "Select a segment.", "info")
    segment = await segments.find_segment(g.caller.org, chosen)
    await contacts.add_to_segment(g.caller.org, segment, [contact.id])
    return redirect(path, f"Added to “{segment.name}”.")


@blueprint.get("/<uuid:contact_id>/edit")
@blueprint.post("/<uuid:contact_id>")
@guarded(Action.CONTACTS, contacts.find_contact)
async def edit(contact: Contact) -> ResponseReturnValue:
    form = await Form.sent(form_of(contact).values)
    if request.method == "POST":
        with form.refusing(LABELS, _shown(form)):
            form.require("email")
            await _check_types(form)
            changes = changed_values(form, contact.custom_fields).read(ContactChanges)
            contact = await contacts.change_contact(g.caller.org, contact, changes)
            return redirect(f"/contacts/{contact.id}", f"{contact.email} saved.")
    return await _show_form("contacts/edit.html", form, contact=contact)


@blueprint.post("/<uuid:contact_id>/unsubscribe")
@guarded(Action.CONTACTS, contacts.find_contact)
async def unsubscribe(contact: Contact) -> ResponseReturnValue:
    contact = await _set_status(contact, ContactStatus.UNSUBSCRIBED)
    return redirect(f"/contacts/{contact.id}", f"{contact.email} was unsubscribed.")


@blueprint.route("/<uuid:contact_id>/subscribe", methods=FORM)
@guarded(Action.CONTACTS, contacts.find_contact)
async def subscribe(contact: Contact) -> ResponseReturnValue:
    if request.method == "POST":
        contact = await _set_status(contact, ContactStatus.SUBSCRIBED)
        return redirect(f"/contacts/{contact.id}", f"{contact.email} was resubscribed.")
    if contact.status == ContactStatus.SUBSCRIBED and contact.bounced_at is None:
        return redirect(f"/contacts/{contact.id}")
    return await render_dialog("contacts/subscribe.html", contact=contact)


async def _set_status(contact: Contact, status: ContactStatus) -> Contact:
    changes = ContactChanges.model_validate({"status": status.value})
    return await contacts.change_contact(g.caller.org, contact, changes)


@blueprint.route("/<uuid:contact_id>/delete", methods=FORM)
@guarded(Action.CONTACTS, contacts.find_contact)
async def delete(contact: Contact) -> ResponseReturnValue:
    if request.method == "POST":
        await deletion.delete_contact(g.caller.org, contact)
        return redirect("/contacts", f"{contact.email} deleted. The delivery log is kept.")
    return await render_dialog("contacts/delete.html", contact=contact)
