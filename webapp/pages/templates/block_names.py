"""The names of blocks in the editor, like `Button 6` or `Text 2 in column 1`."""

import re
from typing import Any

from webapp.http.forms import Form

BLOCK = re.compile(r"blocks\[(\d+)\](?:\.columns\[(\d+)\]\[(\d+)\])?")
BLOCK_LABELS = {
    "heading": "Heading",
    "text": "Text",
    "button": "Button",
    "image": "Image",
    "divider": "Divider",
    "spacer": "Space",
    "columns": "Columns",
    "social": "Social links",
    "code": "HTML",
    "footer": "Footer",
}


def named_faults(form: Form) -> list[str]:
    """The form's errors, those of blocks after the block's name."""
    return [_block_name(form.values["blocks"], field) + words for field, words in form.errors.items()]


def _block_name(blocks: list[dict[str, Any]], field: str) -> str:
    match = BLOCK.match(field)
    if match is None:
        return ""
    number, where = int(match[1]), ""
    block = blocks[number]
    if match[2] is not None:
        column, number = int(match[2]), int(match[3])
        block, where = block["columns"][column][number], f" in column {column + 1}"
    return f"{BLOCK_LABELS.get(block.get('type', ''), 'Block')} {number + 1}{where}: "
