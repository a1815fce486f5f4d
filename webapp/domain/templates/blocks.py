"""Blocks: the parts of a letter that people compose without HTML, and their bounds."""

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, TypeAlias

import orjson
from pydantic import AfterValidator, Field, StringConstraints, TypeAdapter

from webapp.domain.inputs import Input, Integer, OneLine, StrictInput
from webapp.domain.merge_tags.masking import without_tags
from webapp.domain.templates.links import URL_LENGTH, check_image, check_link
from webapp.domain.templates.mjml import CSS_RULES
from webapp.errors import InvalidValue

BLOCKS = 200  # per letter, including those in columns
BLOCK_BYTES = 256 * 1024  # of all blocks as JSON
COLUMNS = (2, 3)
LINKS = 12  # per social block
ELEMENTS = 1_000  # per HTML block, because the parser overflows its stack at a few thousand nested ones
ELEMENT = re.compile(r"<[a-zA-Z]")
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
MARKDOWN = (
    "Markdown: `**bold**`, `*italic*`, `[words](https://example.com)`, and lists of lines that begin with `-` or `1.`"
)

Align: TypeAlias = Literal["left", "center", "right"]


def clean(text: str) -> str:
    """The text with only line feeds as line ends. Raises ValueError for control characters."""
    if CONTROLS.search(text):
        raise ValueError("must not contain control characters")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _html(text: str) -> str:
    if sum(1 for _ in ELEMENT.finditer(text)) > ELEMENTS:
        raise InvalidValue.bound("most", f"{ELEMENTS:,} HTML elements")
    if without_tags(text).count("{") > CSS_RULES:
        raise InvalidValue.bound("most", f"{CSS_RULES} CSS rules")
    return text


def _condition(text: str) -> str:
    text = text.strip()
    if not text or "%}" in text or "{%" in text or without_tags(text) != text:
        raise ValueError('must be a condition like `first_name` or `plan == "pro"`')
    return text


Words = Annotated[str, StringConstraints(min_length=1, max_length=50_000), AfterValidator(clean)]
Line = Annotated[str, StringConstraints(min_length=1, max_length=1_000), OneLine]
Url = Annotated[str, StringConstraints(min_length=1, max_length=URL_LENGTH), OneLine, AfterValidator(check_link)]
ImageUrl = Annotated[str, StringConstraints(min_length=1, max_length=URL_LENGTH), OneLine, AfterValidator(check_image)]
Condition = Annotated[str, StringConstraints(max_length=500), OneLine, AfterValidator(_condition)]


class Block(StrictInput):
    show_when: Condition | None = Field(
        default=None, description='Shows the block only to whom this is true of, like `first_name` or `plan == "pro"`.'
    )


class HeadingBlock(Block):
    """A heading."""

    type: Literal["heading"]
    text: Line
    level: Annotated[Integer, Field(ge=1, le=3)] = 1
    align: Align = "left"


class TextBlock(Block):
    """Paragraphs and lists."""

    type: Literal["text"]
    text: Words = Field(description=MARKDOWN)
    align: Align = "left"


class ButtonBlock(Block):
    """A link that looks like a button."""

    type: Literal["button"]
    text: Line
    url: Url
    align: Align = "left"


class ImageBlock(Block):
    """An image on the web."""

    type: Literal["image"]
    url: ImageUrl
    alt: Annotated[str, StringConstraints(max_length=1_000), OneLine] = Field(
        default="", description="What it shows, for readers who don't see it; empty for decoration."
    )
    link: Url | None = None
    width: Annotated[Integer, Field(ge=16, le=1_200)] | None = Field(
        default=None, description="In pixels; as wide as the letter allows if omitted."
    )
    align: Align = "center"


class DividerBlock(Block):
    """A line across."""

    type: Literal["divider"]


class SpacerBlock(Block):
    """Empty space."""

    type: Literal["spacer"]
    height: Annotated[Integer, Field(ge=4, le=200)] = Field(default=24, description="In pixels.")


class SocialLink(StrictInput):
    """A page of yours elsewhere."""

    name: Line
    url: Url


class SocialBlock(Block):
    """Links to your pages elsewhere, by name: images of other services would report your readers to them."""

    type: Literal["social"]
    links: Annotated[list[SocialLink], Field(min_length=1, max_length=LINKS)]
    align: Align = "center"


class CodeBlock(Block):
    """HTML of your own."""

    type: Literal["code"]
    html: Annotated[
        str, StringConstraints(min_length=1, max_length=BLOCK_BYTES), AfterValidator(clean), AfterValidator(_html)
    ]


class FooterBlock(Block):
    """The sender's address, and in campaigns links to the browser and to unsubscribe."""

    type: Literal["footer"]
    text: Words | None = Field(default=None, description=f"Why people get this email. {MARKDOWN}")
    address: Words | None = Field(default=None, description="Your postal address; the brand's if omitted.")
    browser: Line | None = Field(
        default=None, description="The words of a link to the email in the browser, in campaigns; none if omitted."
    )
    unsubscribe: Line = Field(default="Unsubscribe", description="The words of the link.")
    align: Align = "center"


Plain: TypeAlias = (
    HeadingBlock
    | TextBlock
    | ButtonBlock
    | ImageBlock
    | DividerBlock
    | SpacerBlock
    | SocialBlock
    | CodeBlock
    | FooterBlock
)
Column = list[Annotated[Plain, Field(discriminator="type")]]


class ColumnsBlock(Block):
    """Two or three columns side by side, one below the other on phones. No columns within columns."""

    type: Literal["columns"]
    columns: Annotated[list[Column], Field(min_length=COLUMNS[0], max_length=COLUMNS[1])]


AnyBlock: TypeAlias = Plain | ColumnsBlock


def walk(blocks: Sequence[AnyBlock], name: str = "blocks") -> Iterator[tuple[str, AnyBlock]]:
    """Every block with its name in messages, like `blocks[3].columns[0][1]`."""
    for number, block in enumerate(blocks):
        yield f"{name}[{number}]", block
        if isinstance(block, ColumnsBlock):
            for column_number, column in enumerate(block.columns):
                yield from walk(column, f"{name}[{number}].columns[{column_number}]")


def _bounded(blocks: list[AnyBlock]) -> list[AnyBlock]:
    if sum(1 for _ in walk(blocks)) > BLOCKS:
        raise ValueError(f"must be at most {BLOCKS}, counting those in columns")
    if len(orjson.dumps(stored(blocks))) > BLOCK_BYTES:
        raise ValueError(f"must take at most {BLOCK_BYTES // 1024} KB")
    return blocks


Blocks = Annotated[
    list[Annotated[AnyBlock, Field(discriminator="type")]], Field(max_length=BLOCKS), AfterValidator(_bounded)
]
Mjml = Annotated[str, StringConstraints(max_length=BLOCK_BYTES), AfterValidator(clean)]
_BLOCKS: TypeAdapter[list[AnyBlock]] = TypeAdapter(Blocks)
TYPES = ("heading", "text", "button", "image", "divider", "spacer", "columns", "social", "code", "footer")


def stored(blocks: Sequence[AnyBlock]) -> list[dict[str, Any]]:
    """The blocks as stored in the database and shown by the API."""
    return [block.model_dump(mode="json", exclude_none=True) for block in blocks]


def load_blocks(source: Any) -> list[AnyBlock]:
    """The blocks of a saved template."""
    return _BLOCKS.validate_python(source)


class BlocksInput(Input):
    """An input with blocks, whose faults name the block, like `blocks[3].url`."""

    @classmethod
    def name_of(cls, loc: Sequence[int | str]) -> str:
        name = ""
        for before, part in zip(["", *loc], loc, strict=False):
            if isinstance(part, int):
                name += f"[{part}]"
            elif not (isinstance(before, int) and part in TYPES):  # added by pydantic for the kind of block
                name += f".{part}" if name else part
        return name
