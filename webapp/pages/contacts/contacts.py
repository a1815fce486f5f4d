"""The list of contacts, and a contact."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from quart import Blueprint, Response, ResponseReturnValue, g, render_template, request

from webapp.contact_fields import FieldKind
from webapp.domain.contacts import consents, contacts, deletion, search
from webapp.domain.contacts.custom_fields import list_fields, misfit_words, shown_value
from webapp.domain.contacts.export import export_contacts
from webapp.domain.contacts.fields import snapshot
from webapp.domain.contacts.inputs import ContactChanges, NewContact
from webapp.domain.csv_writer import as_text
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
from webapp.http.flashes import flash
from webapp.http.forms import FORM, Form, redirect, render_dialog, render_page, submit_once
from webapp.http.paging import query
from webapp.languages import LANGUAGES
from webapp.models import Contact, CustomField
from webapp.models.contact import INPUT_FIELDS, ConsentKind, ContactStatus, CustomFieldKind, search_form
from webapp.models.queries.contacts.typed_text import day_of, whole_day_of
from webapp.pages.contacts.list_columns import DEFAULT, chosen_columns
from webapp.pages.contacts.search import ContactListQuery, ContactSearch, read_search
from webapp.pages.mail.views import stream_csv
from webapp.pages.segments.conditions import condition_rows
from webapp.pages.segments.segments import segment_choice
from webapp.pages.shared.event_feed import latest_lines
from webapp.pages.suppressions import REASONS

blueprint = Blueprint("contacts", __name__, url_prefix="/contacts")
FIELDS = [field for field in INPUT_FIELDS if field.kind not in (FieldKind.CUSTOM, FieldKind.STATUS)]
FIELD_NAMES = [field.name for field in FIELDS]
DAYS = [field.name for field in FIELDS if field.kind is FieldKind.TIME]  # which the form has as days in UTC
DAY = len("2026-11-20")
CHECKBOXES = [field.name for field in FIELDS if field.kind is FieldKind.BOOLEAN]
SHOWN_BEFORE = "shown-"  # before a field's name, in the hidden field with its value when the form was opened
LABELS = {"email": "The address", "custom_fields": "The custom fields"}
SHOWN = tuple(field.name for field in INPUT_FIELDS)
BLANK_PAIRS = 3  # for new custom fields, also without JavaScript
MAX_PAIRS = 500
RECENT_IMPORTS = 3
SHOWN_CONSENTS = 10
CONSENT_KINDS = {
    ConsentKind.FORM: "Sign-up form",
    ConsentKind.IMPORT: "Import",
    ConsentKind.API: "Team or program",
    ConsentKind.PERSON: "The person",
}
PAIR = re.compile(r"(?:name|value)-([0-9]{1,3})")


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
    shown = {"listed": listed, "asked": asked, "form": asked.form}
    shown |= {"columns": await chosen_columns(), "default_columns": DEFAULT}
    return {**shown, **await segment_choice(asked.query.segment_id)}


@blueprint.get("/new")
@blueprint.post("")
@guarded(Action.CONTACTS)
async def create() -> ResponseReturnValue:
    async def add() -> str:
        await _check_types(form)
        contact = await contacts.add_contact(g.caller.org, given_contact(form).read(NewContact, "email"))
        flash("Contact added.")
        return f"/contacts/{contact.id}"

    form = await Form.sent({"status": ContactStatus.SUBSCRIBED})
    if request.method == "POST":
        with form.refusing(LABELS, _shown(form)):
            return redirect(await submit_once(form, add))
    return await _show_form("contacts/new.html", form)


def _shown(form: Form) -> tuple[str, ...]:
    return (*SHOWN, *(f"value-{pair.number}" for pair in _sent_pairs(form)))


async def _check_types(form: Form) -> None:
    """Raises ValidationError for entered values that cannot be read as the types of their fields."""
    by_key = {field.name_key: field for field in await list_fields(g.caller.org)}
    faults = [
        FieldError(f"value-{pair.number}", f"{words}.")
        for pair in _sent_pairs(form)
        if pair.is_changed and (field := by_key.get(search_form(pair.name)))
        if (words := misfit_words(pair.value, field))
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
    hits = await people.list_hits(g.caller.org, [line.row.id for line in mail])
    about |= {"signs": people.best_by_row(hits)}
    about |= {"member_of": member_of, "offered": offered, "segments_left": choice["segments_left"]}
    reason = suppression and REASONS[suppression.reason]
    about |= {"custom": {field.name: field for field in await list_fields(g.caller.org)}, "shown_value": shown_value}
    about["topics"] = await list_choices(g.caller.org, contact)
    about["consents"] = await consents.list_consents(g.caller.org, contact, Page(size=SHOWN_CONSENTS))
    return await render_template("contacts/show.html", **about, reason=reason, consent_kinds=CONSENT_KINDS)


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
            changes = given_contact(form, contact.custom_fields).read(ContactChanges)
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


def form_of(contact: Any) -> Form:
    form = Form({name: value for name, value in snapshot(contact, FIELD_NAMES).items() if value not in (None, False)})
    form.values |= {name: form.values[name][:DAY] for name in DAYS if name in form.values}
    for number, (name, value) in enumerate(contact.custom_fields.items()):
        form.values |= {f"name-{number}": name, f"value-{number}": as_text(value)}
    form.values |= {f"{SHOWN_BEFORE}{name}": value for name, value in form.values.items()}
    form.values |= {f"{SHOWN_BEFORE}{name}": "1" for name in CHECKBOXES if name in form.values}
    return form


class Pair(NamedTuple):
    """A custom field in the form."""

    number: int
    name: str = ""
    value: str = ""
    shown_name: str = ""  # when the form was opened
    shown: str = ""

    @property
    def is_changed(self) -> bool:
        return (self.name, self.value) != (self.shown_name, self.shown)


def pairs_of(form: Form, fields: list[CustomField]) -> list[tuple[Pair, CustomField | None]]:
    """The custom fields of a form: those that it has, the organization's others, and blank ones."""
    by_key = {field.name_key: field for field in fields}
    sent = [_with_day(pair, by_key.pop(search_form(pair.name), None)) for pair in _sent_pairs(form)]
    next_number = max((pair.number for pair, _ in sent), default=-1) + 1
    others = [*((field.name, field) for field in by_key.values()), *[("", None)] * BLANK_PAIRS]
    unfilled = [
        (Pair(number, name, shown_name=name), field) for number, (name, field) in enumerate(others, next_number)
    ]
    return [*sent, *unfilled][:MAX_PAIRS]


def _with_day(pair: Pair, field: CustomField | None) -> tuple[Pair, CustomField | None]:
    """The pair with days as date inputs take them; as shown before, too, so that they change only by hand."""
    if field is not None and field.kind == CustomFieldKind.DATE:
        value, shown = (whole_day_of(text) or text for text in (pair.value, pair.shown))
        pair = pair._replace(value=value, shown=shown)
    return pair, field


def given_contact(form: Form, known: Mapping[str, Any] | None = None) -> Form:
    """The values to save: of a contact that is there only changed ones, because others may have changed the rest."""
    values = {name: form.values.get(name) for name in FIELD_NAMES if name not in CHECKBOXES}
    if known is not None and f"{SHOWN_BEFORE}email" in form.values:
        values = {name: value for name, value in values.items() if value != form.values.get(f"{SHOWN_BEFORE}{name}")}
        custom = _with_changes(form, known)
    else:
        custom = {pair.name: pair.value for pair in _sent_pairs(form) if pair.value}
    if known is None or custom != known:
        values["custom_fields"] = custom
    checked = {name: name in form.values for name in CHECKBOXES}
    values |= {name: now for name, now in checked.items() if now != (f"{SHOWN_BEFORE}{name}" in form.values)}
    if form.values.get("status"):
        values["status"] = form.values["status"]
    return Form(values, id=form.id)


def _with_changes(form: Form, known: Mapping[str, Any]) -> dict[str, Any]:
    """The custom fields with the changes that the form makes; an empty value removes one."""
    custom = dict(known)
    for pair in _sent_pairs(form):
        if pair.is_changed:
            custom.pop(pair.shown_name, None)
            custom |= {pair.name: pair.value} if pair.value else {}
    return custom


def _sent_pairs(form: Form) -> list[Pair]:
    numbers = sorted({int(match[1]) for name in form.values if (match := PAIR.fullmatch(name))})
    parts = ("name", "value", f"{SHOWN_BEFORE}name", f"{SHOWN_BEFORE}value")
    return [
        Pair(number, *(str(form.values.get(f"{part}-{number}", "")).strip() for part in parts))
        for number in numbers
        if number < MAX_PAIRS
    ]
