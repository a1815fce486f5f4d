"""Imports of contacts: upload, columns, dry run, import and undo."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any

from quart import Blueprint, Response, ResponseReturnValue, g, render_template, request

from webapp.domain.contacts.consent_reader import LEFT, NOTHING, SKIPPED, SUBSCRIBED, UNKNOWN
from webapp.domain.contacts.custom_fields import list_fields
from webapp.domain.contacts.known_exports import known_export
from webapp.domain.csv_writer import BOM, csv_lines, csv_part
from webapp.domain.imports import imports, refusals
from webapp.domain.imports.csv_reader import DELIMITERS, ENCODINGS
from webapp.domain.imports.files import read_sample
from webapp.domain.imports.imports import ImportChoices
from webapp.domain.inputs import read_input
from webapp.domain.merge_tags.budget import run_in_render_pool
from webapp.domain.pagination import Page
from webapp.domain.roles import Action
from webapp.domain.segments import segments
from webapp.domain.topics.topics import all_topics
from webapp.errors import ApiError, Conflict, PayloadTooLarge
from webapp.http.auth.permissions import guarded
from webapp.http.body.uploads import Upload, takes_file
from webapp.http.downloads import stream_csv
from webapp.http.forms import FORM, Form, redirect, render_dialog, render_page
from webapp.http.paging import ListPaging, query
from webapp.models import ContactImport, Organization
from webapp.models.contact_import import ImportStatus
from webapp.pages.contacts.fields import KINDS
from webapp.pages.contacts.import_columns import MEANINGS, TOPIC_MEANINGS, choices_of, form_and_lines, offered_fields
from webapp.pages.segments.segments import segment_choice
from webapp.pages.shared.filters import sentence

blueprint = Blueprint("imports", __name__, url_prefix="/imports")
REFUSALS_SHOWN = 20
AT_WORK = (ImportStatus.CHECKING, ImportStatus.RUNNING, ImportStatus.UNDOING)
LABELS = {"mapping": "The choices", "new_segment": "A new segment", "segment_id": "The segment"}
SHOWN = ("mapping", "new_segment", "segment_id", "known", "consent")
ANSWERS = [("", "Choose…"), (SUBSCRIBED, "Subscribed"), (LEFT, "Unsubscribed"), (SKIPPED, "Skip these rows")]
ELSE = "Something else (no effect)"  # for a word in a column that is imported as another field
EFFECTS = {SUBSCRIBED: "Subscribed", LEFT: "Unsubscribed", SKIPPED: "Skipped", NOTHING: "No effect"}
WORDS_SHOWN = 100


@blueprint.get("")
@guarded(Action.CONTACTS)
@query(ListPaging)
async def index(query_args: ListPaging) -> ResponseReturnValue:
    listed = await imports.list_imports(g.caller.org, query_args.wanted)
    asking = {row.id for row in listed.rows if row.status == ImportStatus.CHECKED and await imports.unknown_words(row)}
    return await render_template("imports/index.html", listed=listed, asked=query_args, asking=asking)


@blueprint.get("/new")
@blueprint.post("")
@guarded(Action.CONTACTS)
@takes_file
async def create(upload: Upload) -> ResponseReturnValue:
    form, is_sent = upload.form, request.method == "POST"
    chosen = (form.values if is_sent else request.args).get("segment")
    segment = await segments.find_segment(g.caller.org, chosen) if chosen else None
    try:
        if is_sent:
            file = await upload.first_file("Select a file.")
            segment_id = segment.id if segment else None
            row = await imports.store_upload(g.caller.org, g.caller.user, file.name, file.pieces, segment_id)
            return redirect(f"/imports/{row.id}")
    except PayloadTooLarge:
        raise
    except ApiError as refusal:
        form.errors["file"] = _sentence(refusal.message)
    earlier = (await imports.list_imports(g.caller.org, Page(1, 1))).total > 0
    return await render_page("imports/new.html", form=form, segment=segment, earlier=earlier)


def _sentence(text: str | None) -> str:
    return f"{sentence(text or 'Something went wrong').removesuffix('.')}."


@blueprint.get("/<uuid:import_id>")
@guarded(Action.CONTACTS, imports.find_import)
async def show(row: ContactImport) -> ResponseReturnValue:
    if row.status == ImportStatus.UPLOADED:
        return await render_template("imports/columns.html", **await _choices(row))
    return await render_template("imports/show.html", **await _about(row))


@blueprint.get("/<uuid:import_id>/progress")
@guarded(Action.CONTACTS, imports.find_import)
async def progress(row: ContactImport) -> ResponseReturnValue:
    if row.status not in AT_WORK:
        return redirect(f"/imports/{row.id}")
    return await render_template("imports/_progress.html", **await _about(row))


@blueprint.route("/<uuid:import_id>/columns", methods=FORM)
@guarded(Action.CONTACTS, imports.find_import)
async def columns(row: ContactImport) -> ResponseReturnValue:
    form: Form | None = None
    if request.method == "POST":
        form = await Form.sent()
        with form.refusing(LABELS, (*SHOWN, *(f"column-{number}" for number in range(len(row.header))))):
            data = read_input(ImportChoices, choices_of(form, len(row.header)), strict=False)
            with suppress(Conflict):  # sent twice, or another user was faster; the import's page shows its state
                await imports.choose_columns(g.caller.org, row, data)
            return redirect(f"/imports/{row.id}")
    elif row.status not in (ImportStatus.UPLOADED, ImportStatus.CHECKED):
        return redirect(f"/imports/{row.id}")
    return await render_page("imports/columns.html", "imports/_columns.html", **await _choices(row, form))


@blueprint.post("/<uuid:import_id>/reading")
@guarded(Action.CONTACTS, imports.find_import)
async def reread_with(row: ContactImport) -> ResponseReturnValue:
    form, path = await Form.sent(), f"/imports/{row.id}/columns"
    delimiter: str = (await request.form).get("delimiter", "")  # not from `form`, which strips tabs
    try:
        delimiter = "\t" if delimiter == "tab" else delimiter
        await imports.reread_with(g.caller.org, row, form.values.get("encoding", ""), delimiter)
    except ApiError as refusal:
        return redirect(path, f"Couldn't read the file with these settings: {refusal.message}.", "bad")
    return redirect(path, "File re-read. Check that the columns look right.")


@blueprint.post("/<uuid:import_id>/words")
@guarded(Action.CONTACTS, imports.find_import)
async def answer_words(row: ContactImport) -> ResponseReturnValue:
    form = await Form.sent()
    rest = form.values.get("rest", "")  # the answer to words without one
    with form.refusing():
        with suppress(Conflict):  # as above
            await imports.answer_words(g.caller.org, row, lambda word: form.values.get(imports.field_of(word)) or rest)
        return redirect(f"/imports/{row.id}")
    return await render_page("imports/show.html", "imports/_questions.html", **await _about(row, form))


@blueprint.post("/<uuid:import_id>/run")
@guarded(Action.CONTACTS, imports.find_import)
async def run(row: ContactImport) -> ResponseReturnValue:
    return await _begin(row, imports.begin_run)


async def _begin(row: ContactImport, begin: Callable[[Organization, ContactImport], Awaitable[object]]) -> Response:
    try:
        await begin(g.caller.org, row)
    except Conflict as refusal:
        return redirect(f"/imports/{row.id}", _sentence(refusal.message), "info")
    return redirect(f"/imports/{row.id}")


@blueprint.route("/<uuid:import_id>/undo", methods=FORM)
@guarded(Action.CONTACTS, imports.find_import)
async def undo(row: ContactImport) -> ResponseReturnValue:
    if request.method == "POST":
        return await _begin(row, imports.begin_undo)
    if reason := imports.reason_not_undoable(row):
        return redirect(f"/imports/{row.id}", _sentence(reason), "info")
    return await render_dialog("imports/undo.html", row=row)


@blueprint.route("/<uuid:import_id>/discard", methods=FORM)
@guarded(Action.CONTACTS, imports.find_import)
async def discard(row: ContactImport) -> ResponseReturnValue:
    if request.method == "POST":
        await imports.discard_import(g.caller.org, row)
        return redirect("/imports", f"“{row.file_name}” discarded. No contacts were changed.")
    if not imports.can_be_discarded(row):
        return redirect(f"/imports/{row.id}")
    return await render_dialog("imports/discard.html", row=row)


@blueprint.get("/<uuid:import_id>/refused.csv")
@guarded(Action.CONTACTS, imports.find_import)
async def refused_rows(row: ContactImport) -> ResponseReturnValue:
    return stream_csv(_refused_lines(row), "refused.csv")


@blueprint.get("/<uuid:import_id>/misfits.csv")
@guarded(Action.CONTACTS, imports.find_import)
async def misfits(row: ContactImport) -> ResponseReturnValue:
    return stream_csv(_refused_lines(row, is_imported=True), "misfits.csv")


async def _refused_lines(row: ContactImport, *, is_imported: bool = False) -> AsyncIterator[bytes]:
    """With the file's own delimiter, because the program that wrote the file reads these."""
    width = len(row.header)
    yield BOM + csv_lines([[*row.header, "line", "reason"]], row.delimiter)
    async for part in refusals.iter_refusals(row, is_imported=is_imported):
        rows = [[*(refusal.cells + [""] * width)[:width], refusal.line, refusal.reason] for refusal in part]
        yield await csv_part(rows, row.delimiter)


async def _choices(row: ContactImport, form: Form | None = None) -> dict[str, Any]:
    sample = await read_sample(row)
    fields, has_topics = await list_fields(g.caller.org), bool(await all_topics(g.caller.org))
    form, lines = await run_in_render_pool(row.org_id, form_and_lines, row, form, sample, fields)
    return {
        "row": row,
        "form": form,
        "lines": lines,
        "export": known_export(row.header),
        "has_address_above": any("@" in heading for heading in row.header),
        **await segment_choice(row.segment_id),
        "meanings": [*MEANINGS, *TOPIC_MEANINGS] if has_topics else MEANINGS,
        "has_topics": has_topics,
        "kinds": KINDS.items(),
        "fields": offered_fields(row, fields),
        "encodings": ENCODINGS,
        "delimiters": DELIMITERS,
    }


async def _about(row: ContactImport, form: Form | None = None) -> dict[str, Any]:
    words = await imports.words_in(row) if row.status in (ImportStatus.CHECKED, ImportStatus.DONE) else []
    unknown = [word for word in words if word.meaning == UNKNOWN and row.status == ImportStatus.CHECKED]
    return {
        "row": row,
        "form": form or Form(),
        "words": words[:WORDS_SHOWN],
        "questions": unknown[: imports.MOST_ASKED],
        "questions_left": len(unknown[imports.MOST_ASKED :]),
        "answers": ANSWERS,
        "effects": EFFECTS,
        "other_answers": [(value, ELSE if value == SUBSCRIBED else label) for value, label in ANSWERS],
        "field_of": imports.field_of,
        "segment": await segments.find_if_there(g.caller.org, row.segment_id) if row.segment_id else None,
        "is_at_work": row.status in AT_WORK,
        "undo_until": imports.undo_until(row),
        "shown": REFUSALS_SHOWN,
        "refusals": await refusals.list_refusals(row, REFUSALS_SHOWN + 1),
        "misfits": await refusals.list_refusals(row, REFUSALS_SHOWN + 1, is_imported=True),
        "misfit_kinds": await refusals.kinds_of_misfits(row) if row.misfit_count else [],
    }
