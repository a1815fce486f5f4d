"""Lists, uploads and deletes images and PDFs."""

from typing import Any

from quart import Blueprint, ResponseReturnValue, g, render_template, request

from webapp.domain.media import media as library
from webapp.domain.media.media import MAX_BYTES, MIB, SOURCE_BYTES, WIDE
from webapp.domain.media.uses import uses_of
from webapp.domain.roles import Action
from webapp.errors import ApiError, Conflict, ServiceUnavailable
from webapp.http.auth.permissions import guarded
from webapp.http.body.uploads import SentFile, Upload, takes_file
from webapp.http.flashes import flash
from webapp.http.forms import FORM, Form, in_words, redirect, render_dialog, render_page
from webapp.http.paging import ListPaging, query
from webapp.models import Media
from webapp.models.queries.picture_uses import RUNS
from webapp.pages.shared.filters import counted

blueprint = Blueprint("media", __name__, url_prefix="/media")
LIST = "/media"
FIELD_LENGTH = 100  # of the name of a field, like `blocks[0].url`


@blueprint.get("")
@guarded(Action.READ)
@query(ListPaging)
async def index(query_args: ListPaging) -> ResponseReturnValue:
    return await render_template("media/index.html", form=Form(), **await _about(query_args))


@blueprint.post("")
@guarded(Action.MEDIA)
@takes_file
async def create(upload: Upload) -> ResponseReturnValue:
    widest = WIDE if upload.form.values.get("scale") == "true" else 0
    results = [await _add(file, widest) async for file in upload.files if file.name]
    added, known = results.count(True), results.count(False)
    faults = [result for result in results if isinstance(result, str)]
    words = [f"{counted(added, 'file')} added."] if added else []
    words += [f"{counted(known, 'file')} {'was' if known == 1 else 'were'} here already."] if known else []
    if words:
        flash(" ".join(words))
    if results and not faults:
        return redirect(LIST)
    upload.form.errors["file"] = "\n".join(dict.fromkeys(faults)) or "Select at least one file."
    return await render_page("media/index.html", form=upload.form, **await _about(ListPaging()))


async def _add(file: SentFile, widest: int) -> bool | str:
    """True for a new picture, False for a known one, or the reason why it is refused."""
    try:
        data = await library.read_upload(file.name, file.pieces)
        _, is_new = await library.add_media(g.caller.org, file.name, data, widest=widest, takes_pdf=True)
    except ServiceUnavailable:
        raise
    except ApiError as refusal:
        return _sentence(refusal, file)
    return is_new


def _sentence(refusal: ApiError, file: SentFile) -> str:
    name, words = library.plain_name(file.name), in_words(refusal)
    text = words if words.startswith(name) else f"{name}: {words}"
    return f"{text.removesuffix('.')}."


@blueprint.route("/<uuid:media_id>/delete", methods=FORM)
@guarded(Action.MEDIA, library.find_media)
async def delete(media: Media) -> ResponseReturnValue:
    if request.method == "POST":
        try:
            await library.delete_media(g.caller.org, media, force="force" in await request.form)
            return redirect(LIST, f"{media.name} deleted.")
        except Conflict:  # the picture has been used since the dialog was shown
            pass
    uses, searched = await uses_of(g.caller.org, media)
    return await render_dialog("media/delete.html", media=media, uses=uses, searched=searched, sends=RUNS)


@blueprint.get("/choices")
@guarded(Action.READ)
async def choices() -> ResponseReturnValue:
    """The images to choose from for a field of another form."""
    return await _choices(request.args.get("field", ""), Form())


@blueprint.post("/choices")
@guarded(Action.MEDIA)
@takes_file
async def upload_choice(upload: Upload) -> ResponseReturnValue:
    chosen, form = "", upload.form
    try:
        file = await upload.first_file("Select an image.")
        data = await library.read_upload(file.name, file.pieces)
        media, _ = await library.add_media(g.caller.org, file.name, data, widest=WIDE)
        chosen = library.url_of(media)
    except ServiceUnavailable:
        raise
    except ApiError as refusal:
        form.errors["file"] = in_words(refusal)
    return await _choices(form.values.get("field", ""), form, chosen)


async def _choices(field: str, form: Form, chosen: str = "") -> ResponseReturnValue:
    name = field[:FIELD_LENGTH]
    return await render_page("media/_choices.html", name=name, form=form, chosen=chosen, **await offered_images())


async def offered_images() -> dict[str, Any]:
    images = await library.newest_images(g.caller.org)
    return {"images": images, "path_of": library.path_of, "url_of": library.url_of}


async def _about(asked: ListPaging) -> dict[str, Any]:
    return {
        "listed": await library.page_of_media(g.caller.org, asked.wanted),
        "asked": asked,
        "megabytes": MAX_BYTES // MIB,
        "source_megabytes": SOURCE_BYTES // MIB,
        "wide": WIDE,
        "path_of": library.path_of,
        "url_of": library.url_of,
        "words_of": library.words_of,
    }
