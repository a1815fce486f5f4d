"""The suppression list: search, additions, removals, and CSV imports and exports."""

from quart import Blueprint, ResponseReturnValue, g, render_template, request

from webapp.domain.imports.suppression_file import FAULTS_KEPT, MAX_BYTES, import_suppressions
from webapp.domain.roles import Action
from webapp.domain.suppressions import suppressions
from webapp.domain.suppressions.suppressions import NewSuppression
from webapp.errors import ApiError, PayloadTooLarge
from webapp.http.auth.permissions import guarded
from webapp.http.auth.session import sent_back
from webapp.http.body.uploads import Upload, takes_file
from webapp.http.downloads import stream_csv
from webapp.http.flashes import flash
from webapp.http.forms import FORM, Form, redirect, render_dialog, render_page, submit_once, ticked_ids
from webapp.http.paging import query
from webapp.models import Suppression
from webapp.pages.shared.failures import SUPPRESSION_REASONS
from webapp.pages.shared.filters import counted, sentence
from webapp.pages.shared.search import ListSearch

blueprint = Blueprint("suppressions", __name__, url_prefix="/suppressions")
LIST = "/suppressions"
LABELS = {"email": "The address"}
MEGABYTE = 1024 * 1024


@blueprint.get("")
@guarded(Action.READ)
@query(ListSearch)
async def index(query_args: ListSearch) -> ResponseReturnValue:
    listed = await suppressions.page_of_suppressions(g.caller.org, query_args.q, query_args.wanted)
    context = {"listed": listed, "asked": query_args, "reasons": SUPPRESSION_REASONS}
    return await render_page("suppressions/index.html", "suppressions/_list.html", **context)


@blueprint.get("/export.csv")
@guarded(Action.READ)
@query(ListSearch)
async def export(query_args: ListSearch) -> ResponseReturnValue:
    return stream_csv(await suppressions.export_suppressions(g.caller.org, query_args.q), "suppressions.csv")


@blueprint.get("/new")
@blueprint.post("")
@guarded(Action.CONTACTS)
async def create() -> ResponseReturnValue:
    async def suppress() -> str:
        entry, is_new = await suppressions.add_one(g.caller.org, form.read(NewSuppression, "email"))
        flash(f"{entry.email} suppressed." if is_new else f"{entry.email} is already suppressed.")
        return LIST

    form = await Form.sent()
    if request.method == "POST":
        with form.refusing(LABELS, ("email",)):
            return redirect(await submit_once(form, suppress))
    return await render_page("suppressions/new.html", "suppressions/_form.html", form=form)


@blueprint.route("/<uuid:suppression_id>/remove", methods=FORM)
@guarded(Action.CONTACTS, suppressions.find_suppression)
async def remove(entry: Suppression) -> ResponseReturnValue:
    if request.method == "POST":
        await suppressions.remove(g.caller.org, [entry.id])
        return redirect(LIST, f"{entry.email} removed from the suppression list.")
    return await render_dialog("suppressions/remove.html", entry=entry)


@blueprint.post("/ticked/ask-remove")
@guarded(Action.CONTACTS)
async def ask_remove_ticked() -> ResponseReturnValue:
    """POST, because many ids are too long for a URL."""
    ids, back = await ticked_ids("suppression_id"), await sent_back(LIST)
    if not ids:
        return redirect(back, "Select at least one address.", "info")
    count = await suppressions.count_existing(g.caller.org, ids)
    return await render_dialog("suppressions/remove_ticked.html", ids=ids, count=count, back=back)


@blueprint.post("/ticked/remove")
@guarded(Action.CONTACTS)
async def remove_ticked() -> ResponseReturnValue:
    ids, back = await ticked_ids("suppression_id"), await sent_back(LIST)
    if not ids:
        return redirect(back, "Select at least one address.", "info")
    removed = await suppressions.remove(g.caller.org, ids)
    return redirect(back, f"{counted(len(removed), 'suppression')} removed.")


@blueprint.route("/import", methods=FORM)
@guarded(Action.CONTACTS)
@takes_file
async def import_file(upload: Upload) -> ResponseReturnValue:
    limit = {"megabytes": MAX_BYTES // MEGABYTE}
    try:
        if request.method == "POST":
            file = await upload.first_file("Select a file.")
            report = await import_suppressions(g.caller.org, file.name, file.pieces)
            context = {"report": report, "file_name": file.name, "faults_kept": FAULTS_KEPT}
            return await render_template("suppressions/imported.html", **context)
    except PayloadTooLarge:
        raise
    except ApiError as refusal:
        upload.form.errors["file"] = f"{sentence(str(refusal.message)).removesuffix('.')}."
    return await render_page("suppressions/import.html", form=upload.form, **limit)
