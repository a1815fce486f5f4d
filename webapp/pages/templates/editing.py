"""The template editor's form, for each kind of template, and its preview."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from quart import Response, g, request

from webapp.contact_fields import CONTACT_FIELDS
from webapp.domain.templates.blocks import COLUMNS
from webapp.domain.templates.links import complete_link
from webapp.domain.templates.preview import (
    CLIPPED_BYTES,
    Preview,
    PreviewInput,
    merge_fields,
    preview_template,
    sample_addresses,
)
from webapp.errors import ApiError, FieldError, Outdated, ValidationError
from webapp.http.forms import Form, render_page
from webapp.models import Template
from webapp.models.contact import STANDARD_FIELDS
from webapp.models.template import TemplateKind
from webapp.pages.mail.frame import mail_frame, text_frame
from webapp.pages.templates.block_names import BLOCK_LABELS, named_faults

WRITTEN = ("name", "alias", "subject", "body", "mjml")
CHOSEN = ("sample", "view", "images", "dark")  # settings of the preview, which are not saved
LABELS = {
    "name": "The name",
    "alias": "The alias",
    "subject": "The subject",
    "body": "The body",
    "mjml": "The MJML",
    "blocks": "The blocks",
    "sample": "The contact",
}
KINDS = {TemplateKind.BLOCKS: "Blocks", TemplateKind.HTML: "HTML", TemplateKind.MJML: "MJML", TemplateKind.TEXT: "Text"}
BOUNDS: dict[str, Any] = {
    "kinds": KINDS,
    "views": {"desktop": "Desktop", "phone": "Phone", "text": "Plain text"},
    "clipped_bytes": CLIPPED_BYTES,
    "block_labels": BLOCK_LABELS,
    "named_faults": named_faults,
}
FIELD = re.compile(r"blocks\[(\d{1,3})\](?:\.columns\[(\d)\]\[(\d{1,3})\])?\.(\w+)")
NEEDED = {  # the fields without which a block shows nothing
    "heading": ("text",),
    "text": ("text",),
    "button": ("text", "url"),
    "image": ("url",),
    "code": ("html",),
    "social": ("links",),
}

LINK_FIELDS = {"button": "url", "image": "link"}
LINKS = [
    ("unsubscribe_url", "Unsubscribe"),
    ("preferences_url", "Preferences"),
    ("browser_url", "View in the browser"),
]

Block = dict[str, Any]


async def sent_form() -> Form:
    """The editor's form as sent, with the blocks as a list."""
    form = await Form.sent()
    values = form.values
    values["kind"] = kind = kind_named(values.get("kind"))
    values.setdefault("subject", "")
    blocks = blocks_of(values)
    if kind is TemplateKind.BLOCKS:
        values["blocks"] = blocks
    content = {TemplateKind.MJML: "mjml", TemplateKind.BLOCKS: "blocks"}.get(kind, "body")
    for name in {"body", "mjml", "blocks"} - {content}:
        values.pop(name, None)
    if content != "blocks":
        values[content] = values.get(content, "").replace("\r\n", "\n")
    return form


def saved_form(template: Template) -> Form:
    chosen = {name: request.args[name][:254] for name in CHOSEN if request.args.get(name)}
    return Form(
        {
            **template.as_input,
            "edition": template.edition,
            "name": template.name,
            **({"alias": template.alias} if template.alias else {}),
            "kind": TemplateKind(template.kind),
            **chosen,
        }
    )


def kind_named(name: str | None) -> TemplateKind:
    return TemplateKind(name) if name in list(TemplateKind) else TemplateKind.HTML


async def show_preview(form: Form, *, is_marked: bool = False) -> Preview | None:
    """The form's preview, without incomplete blocks. If it fails, adds the errors to the form and returns None."""
    try:
        shown = Form(form.values | {"blocks": _filled_in(form.values.get("blocks", []))})
        return await preview_template(g.caller.org, shown.read(PreviewInput), is_marked=is_marked)
    except ApiError as refusal:
        refuse(form, refusal)
        return None


async def framed(form: Form) -> Response:
    is_editable = form.values["kind"] == TemplateKind.BLOCKS
    preview = await show_preview(form, is_marked=is_editable)
    if preview is None:
        return text_frame(" ".join(form.errors.values()))
    return preview_frame(preview, form.values, is_editable=is_editable)


def preview_frame(preview: Preview, chosen: Mapping[str, Any] = {}, *, is_editable: bool = False) -> Response:
    """The preview in a frame, with the chosen settings; the editor's script can reach an editable one."""
    if chosen.get("view") == "text" or preview.mail.html is None:
        return text_frame(preview.text)
    return mail_frame(preview.mail.html, images="images" in chosen, dark="dark" in chosen, is_editable=is_editable)


async def refused(form: Form, refusal: ApiError, page: str, **context: Any) -> Response:
    refuse(form, refusal)
    if isinstance(refusal, Outdated):
        form.values["edition"] = refusal.changed.edition  # the next save replaces what others saved
    return await render_page(page, form=form, preview=None, **await _offered(), **context)


async def about(form: Form) -> dict[str, Any]:
    return {"preview": await show_preview(form), **await _offered()}


async def _offered() -> dict[str, Any]:
    """The contacts to preview for, the merge tags, and the form of a copy."""
    tag_groups = await merge_tags() | {"Links in campaigns": LINKS}
    return {
        "samples": await sample_addresses(g.caller.org),
        "copy_form": Form(),
        "tag_groups": tag_groups,
        **BOUNDS,
    }


async def merge_tags() -> dict[str, list[tuple[str, str]]]:
    """The merge tags to insert into any field, each with its label, in groups."""
    standard = [(field.name, field.label) for field in CONTACT_FIELDS if field.name in STANDARD_FIELDS]
    custom = await merge_fields(g.caller.org)
    return {"Contact": standard, "Custom fields": custom}


def refuse(form: Form, refusal: ApiError) -> None:
    """Shows an error's sentences at their fields, including those of blocks."""
    details = refusal.details if isinstance(refusal, ValidationError) else []
    if details:
        details = [_at_one_field(fault) for fault in details]
        refusal = ValidationError(details=details)
    of_blocks = tuple(fault.field for fault in details if "[" in fault.field)
    form.refuse(refusal, LABELS, (*WRITTEN, "sample", *of_blocks))


def _at_one_field(fault: FieldError) -> FieldError:
    """The fault at the block's one field for links, if it is about one of its links."""
    block, is_link, _ = fault.field.partition(".links[")
    if not is_link:
        return fault
    return FieldError.at(f"{block}.links", "needs a name and an address like https://example.com on each line")


def _filled_in(blocks: list[Block]) -> list[Block]:
    """Replaces incomplete blocks by empty space, so that the others keep their numbers."""
    shown = []
    for block in blocks:
        is_ready = all(block.get(name) for name in NEEDED.get(block.get("type", ""), ()))
        columns = {"columns": [_filled_in(column) for column in block["columns"]]} if "columns" in block else {}
        shown.append(block | columns if is_ready else {"type": "spacer", "height": 4})
    return shown


def blocks_of(values: dict[str, Any]) -> list[Block]:
    """Removes the fields of blocks from the form's values, and returns the blocks."""
    written: dict[int, Block] = {}
    for name in [name for name in values if name.startswith("blocks[")]:
        text, field = values.pop(name), FIELD.fullmatch(name)
        if field is None or field[4] == "columns":
            continue
        block = written.setdefault(int(field[1]), {})
        if field[2] is not None:
            column = block.setdefault("columns", {}).setdefault(int(field[2]), {})
            block = column.setdefault(int(field[3]), {})
        block[field[4]] = text
    return [_block(block) for _, block in sorted(written.items())]


def fields_of(block: Block, name: str) -> Iterator[tuple[str, str]]:
    """The fields of a block in the form, the reverse of `blocks_of`."""
    for field, value in block.items():
        if field == "columns":
            yield f"{name}.count", str(len(value))
            for number, column in enumerate(value):
                for inner_number, inner in enumerate(column):
                    yield from fields_of(inner, f"{name}.columns[{number}][{inner_number}]")
        elif field == "links":
            yield f"{name}.links", "\n".join(f"{link['name']} {link['url']}" for link in value)
        else:
            yield f"{name}.{field}", str(value)


def field_with_tag(template: Template, tag: str) -> str:
    """The first field of the editor's form that shows a merge tag, or "" if none does."""
    is_used = re.compile(rf"\{{\{{[^{{}}]*(?<![\w-]){re.escape(tag)}(?![\w-])").search
    written = template.as_input
    fields: list[tuple[str, str]] = [(name, written[name]) for name in ("subject", "body", "mjml") if name in written]
    for number, block in enumerate(written.get("blocks", [])):
        fields += fields_of(block, f"blocks[{number}]")
    return next((name for name, text in fields if is_used(text)), "")


def _block(fields: Mapping[str, Any]) -> Block:
    block = dict(fields)
    if block.get("type") == "columns":
        columns = block.pop("columns", {})
        count = COLUMNS[1] if block.pop("count", "") == str(COLUMNS[1]) else COLUMNS[0]
        block["columns"] = [
            [_block(inner) for _, inner in sorted(columns.get(number, {}).items())] for number in range(count)
        ]
    link = LINK_FIELDS.get(block.get("type", ""), "")
    if link in block:
        block[link] = complete_link(block[link])
    if "image" in block:  # chosen in the media library
        block["url"] = block.pop("image")
    if block.get("type") == "social" and "links" in block:
        block["links"] = [_link(line) for line in block["links"].splitlines() if line.strip()]
    return block


def _link(line: str) -> dict[str, str]:
    words = line.split()
    return {"name": " ".join(words[:-1]) or words[-1], "url": complete_link(words[-1])}
