"""Actions on the ticked contacts of the list, or on all that its search finds."""

from typing import Any
from urllib.parse import parse_qsl

from quart import Blueprint, ResponseReturnValue, g, request

from webapp.domain.contacts import bulk, contacts, deletion, search
from webapp.domain.contacts.search import ContactFilters
from webapp.domain.inputs import read_input
from webapp.domain.roles import Action
from webapp.domain.segments import segments
from webapp.errors import Conflict
from webapp.http.auth.permissions import guarded
from webapp.http.auth.session import sent_back
from webapp.http.forms import Form, redirect, render_dialog, render_page, ticked_ids
from webapp.models import BulkChange, Segment
from webapp.models.contact import BulkAction
from webapp.pages.contacts.search import ContactListQuery, read_search
from webapp.pages.shared.filters import counted, number, sentence

blueprint = Blueprint("ticked_contacts", __name__, url_prefix="/contacts")
NONE_TICKED = "Select at least one contact.", "info"


@blueprint.post("/ticked/segment")
@guarded(Action.CONTACTS)
async def join() -> ResponseReturnValue:
    chosen, ids, back = (await request.form).get("join"), await ticked_ids("contact_id"), await sent_back("/contacts")
    filters = await _all_matching()
    if not chosen or not (ids or filters):
        return redirect(back, "Select contacts and a segment.", "info")
    segment = await segments.find_segment(g.caller.org, chosen)
    if filters is not None:
        return await _change_all(filters, BulkAction.SEGMENT, back, segment)
    joined = await contacts.add_to_segment(g.caller.org, segment, ids)
    return redirect(back, _done_words(BulkAction.SEGMENT, joined, segment))


@blueprint.post("/ticked/unsubscribe")
@guarded(Action.CONTACTS)
async def unsubscribe() -> ResponseReturnValue:
    return await _change_ticked(BulkAction.UNSUBSCRIBE, asks="confirm" not in await request.form)


@blueprint.post("/ticked/ask-delete")
@guarded(Action.CONTACTS)
async def ask_delete() -> ResponseReturnValue:
    """POST, because many ids are too long for a URL."""
    return await _change_ticked(BulkAction.DELETE, asks=True)


@blueprint.post("/ticked/delete")
@guarded(Action.CONTACTS)
async def delete() -> ResponseReturnValue:
    return await _change_ticked(BulkAction.DELETE, asks=False)


async def _change_ticked(action: BulkAction, *, asks: bool) -> ResponseReturnValue:
    """Changes the ticked contacts, or all that match if their number was entered; `asks` for confirmation first."""
    ids, back = await ticked_ids("contact_id"), await sent_back("/contacts")
    filters, form = await _all_matching(), await Form.sent()
    if filters is not None:
        count = await search.count_contacts(g.caller.org, filters)
        if not asks and form.values.get("confirm", "").replace(",", "").strip() == str(count):
            return await _change_all(filters, action, back)
        if not asks:
            form.errors["confirm"] = f"Enter {number(count)} to {action} {counted(count, 'contact')}."
        asked: dict[str, Any] = {"form": form}
    elif not ids:
        return redirect(back, *NONE_TICKED)
    elif asks:
        count, asked = await bulk.count_existing(g.caller.org, ids), {"ids": ids}
    else:
        change = deletion.delete_contacts if action == BulkAction.DELETE else contacts.unsubscribe_contacts
        return redirect(back, _done_words(action, await change(g.caller.org, ids)))
    about = {"action": action, "count": count, "back": back, "search": await _search()}
    if action == BulkAction.DELETE:
        about["unsubscribed"] = await bulk.count_unsubscribed(g.caller.org, ids if filters is None else filters)
    return await render_dialog("contacts/confirm_ticked.html", **about, **asked)


@blueprint.get("/changes/<uuid:change_id>")
@guarded(Action.CONTACTS, bulk.find_change)
async def show(change: BulkChange) -> ResponseReturnValue:
    segment = await segments.find_if_there(g.caller.org, change.segment_id) if change.segment_id else None
    action = BulkAction(change.action)
    field = bulk.field_of(g.caller.org, change) if action is BulkAction.FIELD else None
    words = "" if field else _done_words(action, change.changed_count, segment)
    context = {"change": change, "segment": segment, "field": field, "words": words}
    return await render_page("contacts/change.html", "contacts/_change.html", **context)


@blueprint.post("/changes/<uuid:change_id>/stop")
@guarded(Action.CONTACTS, bulk.find_change)
async def stop(change: BulkChange) -> ResponseReturnValue:
    await bulk.stop_change(g.caller.org, change)
    return redirect(f"/contacts/changes/{change.id}")


async def _change_all(
    filters: ContactFilters, action: BulkAction, back: str, segment: Segment | None = None
) -> ResponseReturnValue:
    try:
        change = await bulk.change_all(g.caller.org, filters, action, segment)
    except Conflict as refusal:
        return redirect(back, f"{sentence(str(refusal.message))}.", "info")
    if change.finished_at is None or change.failure:
        return redirect(f"/contacts/changes/{change.id}")
    return redirect(back, _done_words(action, change.changed_count, segment))


def _done_words(action: BulkAction, count: int, segment: Segment | None = None) -> str:
    words = {
        BulkAction.SEGMENT: f"added to “{segment.name}”." if segment else "added to the segment.",
        BulkAction.UNSUBSCRIBE: "unsubscribed.",
        BulkAction.DELETE: "deleted. Their deliveries are kept.",
    }
    return f"{counted(count, 'contact')} {words[action]}"


async def _all_matching() -> ContactFilters | None:
    """The list's search if all contacts were selected, else None. Raises ValidationError for faulty conditions."""
    path, _, text = (await _search()).partition("?")
    if not (await request.form).get("all") or path != "/contacts":
        return None
    args = dict(parse_qsl(text))
    values = {name: args[name] for name in ContactListQuery.model_fields if name in args}
    asked = await read_search(read_input(ContactListQuery, values, strict=False), args)
    return asked.filters if asked.is_filtered else None


async def _search() -> str:
    """The list's URL as sent, which may be too long for a link; never redirect to it."""
    return (await request.form).get("back") or "/contacts"
