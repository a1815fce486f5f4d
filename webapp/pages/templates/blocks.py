"""The buttons of the block editor, which change the form and save nothing."""

import copy
import re
from typing import Any, NamedTuple

import pydantic
from pydantic import TypeAdapter
from quart import Blueprint, Response, ResponseReturnValue, g, render_template

from webapp.domain.roles import Action
from webapp.domain.templates import templates
from webapp.domain.templates.blocks import BLOCKS
from webapp.http.auth.permissions import guarded, large_form
from webapp.http.forms import wants_fragment
from webapp.pages.media.library import offered_images
from webapp.pages.templates.block_names import BLOCK_LABELS
from webapp.pages.templates.editing import Block, about, blocks_of, fields_of, sent_form

blueprint = Blueprint("template_blocks", __name__, url_prefix="/templates")

# New blocks by the name of their button.
NEW: dict[str, Block] = {
    "heading": {"type": "heading", "text": "A heading"},
    "text": {"type": "text", "text": "Write here."},
    "button": {"type": "button", "text": "Read more", "url": "https://example.com"},
    "image": {"type": "image"},
    "divider": {"type": "divider"},
    "spacer": {"type": "spacer", "height": 24},
    "columns": {"type": "columns", "columns": [[{"type": "text", "text": "Write here."}] for _ in range(2)]},
    "columns3": {"type": "columns", "columns": [[{"type": "text", "text": "Write here."}] for _ in range(3)]},
    "social": {"type": "social"},
    "code": {"type": "code"},
    "footer": {"type": "footer", "unsubscribe": "Unsubscribe"},
}
FOCUSED = {"image": "images", "spacer": "height", "social": "links", "code": "html"}  # "text" for others
FIRST: list[Block] = [
    {"type": "heading", "text": 'Hello {{ first_name | default: "there" }}'},
    {"type": "text", "text": "Once a month, we'll send you what's new."},
    {"type": "button", "text": "Read more", "url": "https://example.com"},
    {"type": "footer", "unsubscribe": "Unsubscribe"},
]
DELETED = TypeAdapter(dict[str, str])
NUMBER = re.compile(r"\d{1,3}")
PATH = re.compile(r"blocks(?:\[(\d{1,3})\](?:\.columns\[(\d)\](?:\[(\d{1,3})\])?)?)?")


class Acted(NamedTuple):
    """What to focus, the block to add others below, a deleted block's fields, and the block to choose an image for."""

    focus: str = ""
    below: str = ""
    deleted: dict[str, str] | None = None
    restore: str = ""  # the action
    images_at: str = ""


class Spot(NamedTuple):
    """A list of blocks, and the number of a block in it; None means the list."""

    blocks: list[Block]
    name: str
    number: int | None


@blueprint.post("/blocks")
@guarded(Action.TEMPLATES)
@large_form
async def change() -> ResponseReturnValue:
    form = await sent_form()
    blocks: list[Block] = form.values.setdefault("blocks", [])
    acted: dict[str, Any] = act(blocks, form.values.pop("do", ""), form.values.pop("deleted", ""))._asdict()
    if acted["images_at"]:
        acted |= await offered_images()
    if wants_fragment():
        page = await render_template("templates/_blocks.html", form=form, block_labels=BLOCK_LABELS, **acted)
        # The preview updates on input events.
        return Response(page, headers={"HX-Trigger": "input"}, mimetype="text/html")
    template_id = form.values.get("template_id")
    context: dict[str, Any] = {"form": form, **acted, "is_edited": True, **await about(form)}
    if template_id:
        template = await templates.find_template(g.caller.org, template_id)
        return await render_template("templates/show.html", template=template, **context)
    return await render_template("templates/new.html", **context)


def act(blocks: list[Block], asked: str, deleted: str = "") -> Acted:
    """Does a button's action, like `up blocks[3]`, `move 0 blocks[3]`, `add text blocks[3]` or `add text blocks`.

    `restore 3 blocks` brings back the `deleted` block, whose fields are JSON.
    """
    action, _, rest = asked.partition(" ")
    kind, _, path = rest.rpartition(" ")  # `kind` is the block to add, or the number of a moved or restored block
    spot = _spot(blocks, path)
    if spot is None:
        return Acted()
    if action == "restore":
        return _restore(blocks, spot, kind, deleted)
    if action == "add":
        return _add(blocks, spot, kind)
    if spot.number is None:
        return Acted()
    here, number = spot.blocks, spot.number
    match action:
        case "up" if number > 0:
            here[number - 1 : number + 1] = here[number], here[number - 1]
            number -= 1
        case "down" if number + 1 < len(here):
            here[number : number + 2] = here[number + 1], here[number]
            number += 1
        case "move" if NUMBER.fullmatch(kind) and int(kind) < len(here):
            here.insert(int(kind), here.pop(number))
            number = int(kind)
        case "copy" if _count(blocks) < BLOCKS:
            here.insert(number + 1, copy.deepcopy(here[number]))
            number += 1
        case "delete":
            fields, restore = dict(fields_of(here.pop(number), "blocks[0]")), f"restore {number} {spot.name}"
            focus = f"{spot.name}[{min(number, len(here) - 1)}] delete" if here else ""
            return Acted(focus, deleted=fields, restore=restore)
    block = f"{spot.name}[{number}]"
    focus = f"{block}.images" if action == "images" else f"{block} {action}"
    return Acted(focus, block if action == "below" else "", images_at=block if action == "images" else "")


def _add(blocks: list[Block], spot: Spot, kind: str) -> Acted:
    """Adds a block below a block, or else at the end of the list, where a footer stays last."""
    is_inside = spot.name != "blocks"
    if kind not in NEW or _count(blocks) >= BLOCKS or (is_inside and "columns" in kind):
        return Acted()
    number = _end_of(spot.blocks, kind) if spot.number is None else spot.number + 1
    spot.blocks.insert(number, copy.deepcopy(NEW[kind]))
    name = f"{spot.name}[{number}]"
    below = "" if spot.number is None else name
    if kind == "divider":  # which has no field
        return Acted(f"{name} copy", below)
    within = ".columns[0][0]" if kind.startswith("columns") else ""
    return Acted(f"{name}{within}.{FOCUSED.get(kind, 'text')}", below)


def _end_of(blocks: list[Block], kind: str) -> int:
    is_above_footer = kind != "footer" and bool(blocks) and blocks[-1].get("type") == "footer"
    return len(blocks) - is_above_footer


def _restore(blocks: list[Block], spot: Spot, number: str, deleted: str) -> Acted:
    try:
        restored = blocks_of(DELETED.validate_json(deleted))[:1]
    except pydantic.ValidationError:
        return Acted()
    is_inside = spot.name != "blocks"
    if not NUMBER.fullmatch(number) or _count([*blocks, *restored]) > BLOCKS or (is_inside and _count(restored) > 1):
        return Acted()
    at = min(int(number), len(spot.blocks))
    spot.blocks[at:at] = restored
    return Acted(f"{spot.name}[{at}] delete")


def _spot(blocks: list[Block], path: str) -> Spot | None:
    match = PATH.fullmatch(path)
    if match is None:
        return None
    number, column, inner = (None if part is None else int(part) for part in match.groups())
    name = "blocks"
    if number is not None and column is not None:
        try:
            blocks, name, number = blocks[number]["columns"][column], f"blocks[{number}].columns[{column}]", inner
        except LookupError:
            return None
    return Spot(blocks, name, number) if number is None or number < len(blocks) else None


def _count(blocks: list[Block]) -> int:
    return sum(1 + sum(len(column) for column in block.get("columns", ())) for block in blocks)
