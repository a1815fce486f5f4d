"""Actions on the contacts that are ticked in the list."""

from uuid import UUID

from quart import Blueprint, ResponseReturnValue, g, request

from webapp.domain.contacts import contacts
from webapp.domain.pagination import MAX_PAGE_SIZE
from webapp.domain.roles import Action
from webapp.domain.segments import segments
from webapp.http.auth.permissions import guarded
from webapp.http.auth.session import local_path
from webapp.http.forms import checked_ids, redirect, render_dialog
from webapp.pages.shared.filters import counted

blueprint = Blueprint("ticked_contacts", __name__, url_prefix="/contacts/ticked")
NONE_TICKED = "Select at least one contact.", "info"


@blueprint.post("/segment")
@guarded(Action.CONTACTS)
async def join() -> ResponseReturnValue:
    chosen, ids, back = (await request.form).get("join"), await _ticked(), await _list_url()
    if not chosen or not ids:
        return redirect(back, "Select contacts and a segment.", "info")
    segment = await segments.find_segment(g.caller.org, chosen)
    joined = await contacts.add_to_segment(g.caller.org, segment, ids)
    return redirect(back, f"{counted(joined, 'contact')} added to “{segment.name}”.")


@blueprint.post("/unsubscribe")
@guarded(Action.CONTACTS)
async def unsubscribe() -> ResponseReturnValue:
    ids, back = await _ticked(), await _list_url()
    if not ids:
        return redirect(back, *NONE_TICKED)
    count = await contacts.unsubscribe_contacts(g.caller.org, ids)
    return redirect(back, f"{counted(count, 'contact')} unsubscribed.")


@blueprint.post("/ask-delete")
@guarded(Action.CONTACTS)
async def ask_delete() -> ResponseReturnValue:
    """Asks with POST, because so many ids are too long for a URL."""
    ids, back = await _ticked(), await _list_url()
    if not ids:
        return redirect(back, *NONE_TICKED)
    words = counted(await contacts.count_existing(g.caller.org, ids), "contact")
    return await render_dialog("contacts/delete_ticked.html", ids=ids, counted=words, back=back)


@blueprint.post("/delete")
@guarded(Action.CONTACTS)
async def delete() -> ResponseReturnValue:
    ids, back = await _ticked(), await _list_url()
    if not ids:
        return redirect(back, *NONE_TICKED)
    count = await contacts.delete_contacts(g.caller.org, ids)
    return redirect(back, f"{counted(count, 'contact')} deleted. Their mail logs are kept.")


async def _list_url() -> str:
    return local_path((await request.form).get("back") or "/contacts")


async def _ticked() -> list[UUID]:
    return list(dict.fromkeys(await checked_ids("contact_id")))[:MAX_PAGE_SIZE]
