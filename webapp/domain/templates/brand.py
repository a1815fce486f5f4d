"""The brand of an organization: the style of its letters made of blocks, and the words of its pages for readers."""

import functools
import logging
import random
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints
from uuid_utils.compat import uuid7

from webapp import clock, db
from webapp.domain.audit.audit import AuditAction, record
from webapp.domain.contacts.unsubscribe import sample_links
from webapp.domain.inputs import Input, Integer, NonBlank, OneLine, examples, nearest, partial
from webapp.domain.merge_tags.budget import ContentKind, run_in_render_pool
from webapp.domain.merge_tags.rendering import has_tags, render_tags
from webapp.domain.templates.blocks import AnyBlock, clean, load_blocks
from webapp.domain.templates.compile import blocks_letter
from webapp.domain.templates.links import URL_LENGTH, check_image
from webapp.domain.templates.run_compiler import CompilerInput, compile_letter, compile_letters
from webapp.domain.templates.style import READABLE, VISIBLE, LetterStyle, contrast
from webapp.errors import FieldError, ServiceUnavailable, ValidationError
from webapp.languages import DEFAULT as DEFAULT_LANGUAGE
from webapp.languages import LANGUAGES, Translator, best_language, own_sentences, values_of
from webapp.models import Brand, Organization, Template
from webapp.models.base.row import FIRST_ID
from webapp.models.template import TemplateKind

log = logging.getLogger(__name__)

DEFAULT = LetterStyle()
BATCH = 20  # templates compiled in one process, and saved in one transaction
REQUEST_SECONDS = 2.0  # for a request to compile templates; a worker compiles the rest
COLOR = re.compile(r"#?([0-9a-fA-F]{6}|[0-9a-fA-F]{3})")
NAMES = ("background", "text", "accent", "button", "font", "width", "logo_url", "address")

SAMPLE = [
    {"type": "heading", "text": "Spring news"},
    {"type": "text", "text": "This is how your emails look, with **bold words** and [a link](https://example.com)."},
    {"type": "button", "text": "Read more", "url": "https://example.com"},
    {"type": "divider"},
    {"type": "footer", "text": "You get this email because you signed up for our news."},
]


def _color(text: str) -> str:
    color = COLOR.fullmatch(text.strip())
    if color is None:
        raise ValueError("must be a color like #1d4ed8")
    digits = color[1].lower()
    return "#" + (digits if len(digits) == 6 else "".join(digit * 2 for digit in digits))  # noqa: PLR2004 - the long form


def _untagged(text: str) -> str:
    if has_tags(text):
        raise ValueError("must not contain merge tags")
    return text


Color = Annotated[str, StringConstraints(max_length=20), AfterValidator(_color)]
LogoUrl = Annotated[
    str,
    StringConstraints(min_length=1, max_length=URL_LENGTH),
    OneLine,
    AfterValidator(_untagged),
    AfterValidator(check_image),
]
Sentence = Annotated[str, StringConstraints(min_length=1, max_length=500), OneLine, NonBlank]
Address = Annotated[
    str, StringConstraints(min_length=1, max_length=1_000), AfterValidator(clean), AfterValidator(_untagged)
]


class WholeBrand(Input):
    """The brand of an organization; every field has a default."""

    background: Color = Field(default=DEFAULT.background, description="The color behind the letter.")
    text: Color = Field(default=DEFAULT.text, description="The color of texts.")
    accent: Color = Field(default=DEFAULT.accent, description="The color of links.")
    button: Color = Field(default=DEFAULT.button, description="The color of buttons; their text is black or white.")
    font: Literal["system", "arial", "verdana", "tahoma", "trebuchet", "georgia", "times", "courier"] = Field(
        default="system", description="A font that mail programs have."
    )
    width: Annotated[Integer, Field(ge=400, le=800)] = Field(default=DEFAULT.width, description="In pixels.")
    logo_url: LogoUrl | None = Field(default=None, description="An image at the top of every letter.")
    address: Address | None = Field(default=None, description="Your postal address, for the footer.")
    language: Literal[*LANGUAGES] = Field(  # type: ignore[valid-type]  # the languages are data
        default=DEFAULT_LANGUAGE,
        description="The language of emails to members, and of pages for readers who chose none and whose browser asks "
        "for none that Pennypost speaks.",
    )
    texts: dict[str, Sentence] = Field(
        default_factory=dict,
        description="Your own sentences on pages for readers, in your language, by their key: "
        + ", ".join(f"`{key}`" for key in own_sentences(DEFAULT_LANGUAGE))
        + ". Values like `{sender}` stay in braces.",
    )


@partial(WholeBrand)
class BrandChanges(Input):
    """The fields to change; omitted fields keep their values."""

    model_config = examples({"accent": "#b45309", "button": "#b45309"})


async def find_brand(org: Organization) -> Brand:
    """The organization's brand, or an unsaved one with defaults."""
    defaults = {name: getattr(DEFAULT, name) for name in NAMES}
    return await Brand.of(org).get_or_none() or Brand(id=uuid7(), org_id=org.id, **defaults)


async def style_of(org: Organization) -> LetterStyle:
    return style_with(org, await find_brand(org))


def style_with(org: Organization, brand: Brand) -> LetterStyle:
    return LetterStyle(**{name: getattr(brand, name) for name in NAMES}, sender=org.name)


async def member_translator(org: Organization) -> Translator:
    """For emails to members: in the organization's language, but in our words, because our server sends them."""
    return Translator(translator(await find_brand(org), None).language, {})


def translator(brand: Brand, language: str | None) -> Translator:
    """In the language of a BCP 47 tag if Pennypost speaks it, else in the organization's, which has its own words."""
    spoken = best_language([language, brand.language]) or DEFAULT_LANGUAGE
    return Translator(spoken, brand.texts if spoken == brand.language else {})


async def locked_style(org: Organization) -> LetterStyle:
    """Locks the style against changes until the transaction ends."""
    await org.lock_settings()
    return await style_of(org)


async def body_of_blocks(
    org: Organization, blocks: list[AnyBlock], style: LetterStyle, *, is_marked: bool = False
) -> str:
    """The HTML of blocks. Raises ValidationError that names a block."""
    return await compile_letter(org.id, lambda: blocks_letter(blocks, style, is_marked=is_marked))


async def sample_letter(
    org: Organization, blocks: Any = SAMPLE, values: Mapping[str, Any] = {}, style: LetterStyle | None = None
) -> str:
    """The blocks in the style or else the organization's brand, filled in with the values and sample links."""
    html = await body_of_blocks(org, load_blocks(blocks), style or await style_of(org))
    return await run_in_render_pool(org.id, render_tags, html, {**values, **sample_links()}, ContentKind.HTML)


def sample_style(org: Organization, data: WholeBrand) -> LetterStyle:
    """The style of a brand that is not saved. Raises ValidationError for colours with too little contrast."""
    brand = Brand(id=uuid7(), org_id=org.id, **data.model_dump(include=set(NAMES)))
    _check_contrast(brand, set(NAMES))
    return style_with(org, brand)


async def change_brand(org: Organization, data: BrandChanges | WholeBrand) -> Brand:
    """Locks the organization's settings, and recompiles its templates of blocks.

    Raises ValidationError for colours with too little contrast, and for texts with unknown keys or values.
    """
    values = data.given() if isinstance(data, BrandChanges) else data.model_dump()
    async with db.write_transaction():
        await org.lock_settings()
        brand = await find_brand(org)
        changed = {
            name: [getattr(brand, name), value] for name, value in values.items() if getattr(brand, name) != value
        }
        if not changed:
            return brand
        brand.update_from_dict({name: new for name, (_, new) in changed.items()})
        _check_contrast(brand, set(values))
        _check_texts(brand.texts)
        if changed.keys() & set(NAMES):
            brand.compile_after = FIRST_ID
        await brand.save()
        await record(org, AuditAction.BRAND_CHANGED, brand.id, org.name, **changed)
    with suppress(ServiceUnavailable):  # a worker continues
        await compile_again(org, clock.elapsed() + REQUEST_SECONDS)
    return brand


def _check_contrast(brand: Brand, changed: set[str]) -> None:
    faults = []
    for name, least, part in (("text", READABLE, "text"), ("accent", VISIBLE, "links")):
        ratio = contrast(getattr(brand, name), brand.background)
        if ratio < least:
            field = name if name in changed else "background"
            words = f"{field} makes {part} hard to read: {getattr(brand, name)} on {brand.background} has a contrast of"
            faults.append(FieldError(field, f"{words} {ratio:.1f}, and {least:g} is the least"))
    if faults:
        raise ValidationError(details=faults)


def _check_texts(texts: Mapping[str, str]) -> None:
    """Raises ValidationError that names each unknown key, and each sentence with a value that it does not have."""
    faults, known_texts = [], own_sentences(DEFAULT_LANGUAGE)
    for key, text in texts.items():
        ours = known_texts.get(key)
        field = f"texts.{key}"
        if ours is None:
            near = nearest(key, list(known_texts))
            faults.append(FieldError.at(field, f"is not a sentence{f': did you mean {near}?' if near else ''}"))
        elif unknown := sorted(values_of(text) - values_of(ours)):
            known = ", ".join(f"{{{name}}}" for name in sorted(values_of(ours))) or "none"
            faults.append(FieldError.at(field, f"has no value {{{unknown[0]}}}: it has {known}"))
    if faults:
        raise ValidationError(details=faults)


async def compile_again(org: Organization, until: float) -> bool:
    """Recompiles templates of blocks with a changed brand, BATCH in one process, until a time of `clock.elapsed`.

    Locks the organization's settings and the templates while it saves. True if all are done.
    """
    while clock.elapsed() < until:
        style, brand = await style_of(org), await Brand.of(org).get_or_none()
        if brand is None or brand.compile_after is None:
            return True
        after = brand.compile_after
        batch = await Template.of(org).filter(kind=TemplateKind.BLOCKS, id__gt=after).order_by("id").limit(BATCH)
        compiled = await compile_letters(org.id, [functools.partial(_letter_of, template, style) for template in batch])
        async with db.write_transaction():
            is_same_style = await locked_style(org) == style
            brand = await Brand.of(org).get(id=brand.id)
            if is_same_style and brand.compile_after == after:  # else changed, or saved by another process
                await _save(org, batch, compiled)
                brand.compile_after = batch[-1].id if len(batch) == BATCH else None
                await brand.save(update_fields=["compile_after"])
    return False


def _letter_of(template: Template, style: LetterStyle) -> CompilerInput:
    """Raises ValidationError for blocks saved under other rules."""
    try:
        return blocks_letter(load_blocks(template.blocks), style)
    except ValueError as fault:
        raise ValidationError(str(fault)) from None


async def _save(org: Organization, batch: Sequence[Template], compiled: Sequence[str | ValidationError]) -> None:
    """Saves compiled bodies, except for changed templates and failed ones, whose old bodies are still sent."""
    bodies = dict(zip([template.id for template in batch], compiled, strict=True))
    read = {template.id: template.blocks for template in batch}
    for template in await Template.of(org).filter(id__in=list(bodies)).order_by("id").select_for_update():
        body = bodies[template.id]
        if isinstance(body, ValidationError):
            log.warning("a template cannot be compiled again: %s", body, extra={"template": str(template.id)})
        elif template.blocks == read[template.id]:  # else the change compiled it with the new style
            template.body = body
            await template.save(update_fields=["body"])


async def finish_compiling(seconds: float) -> None:
    """Compiles what requests did not finish, for at most `seconds`."""
    until = clock.elapsed() + seconds
    brands = await Brand.unfinished()
    random.shuffle(brands)  # so that no organization is always first
    for brand in brands:
        await compile_again(brand.org, until)
