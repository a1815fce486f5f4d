"""Actions on the contacts that are ticked in the list."""

from uuid import UUID

from quart import Blueprint, ResponseReturnValue, g, request

from webapp.domain.contacts import bulk
from webapp.domain.contacts.contacts import delete_contacts
from webapp.domain.pagination import MAX_PAGE_SIZE
from webapp.domain.roles import Action
from webapp.domain.segments import segments
from webapp.http.auth.permissions import guarded
from webapp.http.auth.session import local_path
from webapp.http.flashes import flash
from webapp.http.forms import checked_ids, redirect, render_dialog

blueprint = Blueprint("ticked_contacts", __name__, url_prefix="/contacts/ticked")


@blueprint.post("/segment")
@guarded(Action.CONTACTS)
async def join() -> ResponseReturnValue:
    chosen, ids = (await request.form).get("join"), await _ticked()
    if not chosen or not ids:
        flash("Tick the contacts and choose a segment first.", "info")
        return await _back()
    segment = await segments.find_segment(g.caller.org, chosen)
    joined = await bulk.add_to_segment(g.caller.org, segment, ids)
    flash(f"{_counted(joined)} joined “{segment.name}”.")
    return await _back()


@blueprint.post("/unsubscribe")
@guarded(Action.CONTACTS)
async def unsubscribe() -> ResponseReturnValue:
    ids = await _ticked()
    if not ids:
        return await _none_ticked()
    count = await bulk.unsubscribe_contacts(g.caller.org, ids)
    flash(f"{_counted(count)} unsubscribed: no more campaigns.")
    return await _back()


@blueprint.post("/ask-delete")
@guarded(Action.CONTACTS)
async def ask_delete() -> ResponseReturnValue:
    """Asks with POST, because so many ids are too long for a URL."""
    ids = await _ticked()
    if not ids:
        return await _none_ticked()
    count = await bulk.count_existing(g.caller.org, ids)
    return await render_dialog("contacts/delete_ticked.html", ids=ids, counted=_counted(count), back=await _list_url())


@blueprint.post("/delete")
@guarded(Action.CONTACTS)
async def delete() -> ResponseReturnValue:
    ids = await _ticked()
    if not ids:
        return await _none_ticked()
    count = await delete_contacts(g.caller.org, ids)
    flash(f"{_counted(count)} deleted. The log of their mail stays.")
    return await _back()


async def _none_ticked() -> ResponseReturnValue:
    flash("Tick the contacts first.", "info")
    return await _back()


async def _back() -> ResponseReturnValue:
    return redirect(await _list_url())


async def _list_url() -> str:
    return local_path((await request.form).get("back") or "/contacts")


async def _ticked() -> list[UUID]:
    return list(dict.fromkeys(await checked_ids("contact_id")))[:MAX_PAGE_SIZE]


def _counted(count: int) -> str:
    return f"{count:,} contact{'' if count == 1 else 's'}"
