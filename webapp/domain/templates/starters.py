"""Renders the gallery of starters in the organization's brand."""

from webapp.domain.contacts.unsubscribe import sample_links
from webapp.domain.merge_tags.budget import ContentKind, run_in_render_pool
from webapp.domain.merge_tags.rendering import render_tags
from webapp.domain.templates.blocks import load_blocks
from webapp.domain.templates.brand import style_of
from webapp.domain.templates.compile import blocks_letter
from webapp.domain.templates.preview import INVENTED
from webapp.domain.templates.run_compiler import compile_letter
from webapp.domain.templates.starter_letters import STARTERS, Starter
from webapp.errors import NotFound
from webapp.models import Organization

_BY_KEY = {starter.key: starter for starter in STARTERS}


def find_starter(key: str) -> Starter:
    """Raises NotFound."""
    if key not in _BY_KEY:
        raise NotFound
    return _BY_KEY[key]


async def starter_letter(org: Organization, starter: Starter) -> str:
    """The starter's HTML in the organization's brand, filled in for the gallery."""
    style, blocks = await style_of(org), load_blocks(starter.blocks)
    values = {**INVENTED, **starter.values} | sample_links()
    html = await compile_letter(org.id, lambda: blocks_letter(blocks, style))
    return await run_in_render_pool(org.id, render_tags, html, values, ContentKind.HTML)
