"""A campaign's content, compiled once per account, so that each message costs only its values."""

import contextlib
import re
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from secrets import token_hex
from typing import Any, NamedTuple
from uuid import UUID

from webapp.addresses import Address
from webapp.domain.delivery.run_files import ContentError, EncodedFiles, RunFiles
from webapp.domain.link_signing import BROWSER_URL
from webapp.domain.merge_tags.budget import ContentKind
from webapp.domain.merge_tags.dates import render_in
from webapp.domain.merge_tags.fast_path import (
    Conditions,
    Decided,
    FastTemplate,
    SlotValues,
    compile_tags,
    conditions_of,
)
from webapp.domain.merge_tags.rendering import Rendered, has_tags, render_strict
from webapp.domain.tracking.placeholders import links_of, tracked, untracked
from webapp.models import Account, Content, ContentFile, Organization, TrackedLink
from webapp.sending.mime import message as mime
from webapp.sending.mime.html_text import text_of
from webapp.sending.mime.line_endings import DotStuffed
from webapp.sending.mime.preencoded import PreencodedPart, RenderedValues

CACHE_BYTES = 8 * 1024 * 1024  # of source; compiled content takes a few times as much
ENCODED = 2  # the message's size in lengths of the bodies
SOURCES = 3  # subject, HTML and text
VARIANTS = 16  # per content, for different outcomes of its conditions; the library renders others
SPACES = re.compile(r"\s+")

Outcomes = tuple[Decided, ...]  # of the conditions in subject, HTML and text


class CampaignContent:
    """Subject and bodies as one account sends them; `size` is that of the longest message so far.

    Bounces go to the account, even if the content has another From.
    """

    def __init__(
        self,
        content: Content,
        account: Address,
        timezone: str = "UTC",
        links: Sequence[TrackedLink] = (),
        files: RunFiles | None = None,
    ) -> None:
        self.sender = Address(content.from_name or account.name, content.from_email or account.email)
        self.return_path = account.email
        self.reply_to = (Address("", content.reply_to),) if content.reply_to else ()
        sources = content.subject, content.html or "", content.text or ""
        self.has_browser_link = any(BROWSER_URL in source for source in sources)
        self.files = files
        self._length = len(content.html or "") + len(content.text or "")
        self.size = self._length + (files.size if files else 0)
        self.tracked = tracked(content, links)
        # For contacts who must not be tracked; compiled on first use.
        self.untracked = (
            CampaignContent(untracked(content, links), account, timezone, files=files) if self.tracked else self
        )
        self._content = content
        self._timezone = timezone
        self._conditions: list[Conditions] | None = None  # of subject, HTML and text; None until read
        self._compiled: dict[Outcomes, _Compiled | None] = {}

    @property
    def length(self) -> int:
        """Characters of its source, for each compiled variant and for the untracked one."""
        own = self._length * max(1, len(self._compiled))
        return own if self.untracked is self else own + self.untracked.length

    @property
    def is_simple(self) -> bool:
        """True if `render_fast` suffices for nearly all messages; known after the first rendering."""
        return self.files is None and any(self._compiled.values())

    def render(
        self, variables: Mapping[str, Any], slots: mime.MessageFields, fields: bytes, files: bytes = b""
    ) -> DotStuffed:
        """The message for one recipient; blocks. Raises ValueError if it cannot be made, ContentError if none can."""
        with contextlib.suppress(ValueError):  # which _render_full raises for each message
            self._compile_for(variables)
        return self.render_fast(variables, slots, fields, files) or self._render_full(variables, slots, fields, files)

    def render_fast(
        self, variables: Mapping[str, Any], slots: mime.MessageFields, fields: bytes, files: bytes = b""
    ) -> DotStuffed | None:
        """Like `render`, immediately from compiled pieces, or None."""
        outcomes = self._decide(variables)
        compiled = None if outcomes is None else self._compiled.get(outcomes)
        return compiled and compiled.render(variables, slots, fields, files)

    def _decide(self, variables: Mapping[str, Any]) -> Outcomes | None:
        decided = [conditions.decide(variables) for conditions in self._conditions or ()]
        outcomes = tuple(outcome for outcome in decided if outcome is not None)
        return outcomes if len(outcomes) == SOURCES else None

    def _compile_for(self, variables: Mapping[str, Any]) -> None:
        """Compiles it for all with the same outcomes of its conditions. Raises ValueError if it does not parse."""
        if self._conditions is None:
            content = self._content
            sources = [content.subject, content.html or "", content.text or ""]
            read = [source if content.is_template and has_tags(source) else "" for source in sources]
            self._conditions = [conditions_of(source) for source in read]
        outcomes = self._decide(variables)
        if outcomes is not None and outcomes not in self._compiled and len(self._compiled) < VARIANTS:
            self._compiled[outcomes] = _compiled(self._content, outcomes, self._frame)

    @property
    def _frame(self) -> mime.MessageContent:
        """What all messages have in common; bodies and subject are filled in."""
        return mime.MessageContent(
            self.sender, "", text="", reply_to=self.reply_to, is_followed_by_files=self.files is not None
        )

    def _render_full(
        self, variables: Mapping[str, Any], slots: mime.MessageFields, fields: bytes, files: bytes
    ) -> DotStuffed:
        render_in(self._timezone)
        try:
            mail: Rendered = render_strict(self._content, variables)
        except ValueError as fault:
            if self._always_fails:
                raise ContentError(str(fault)) from None
            raise
        message = mime.MessageTemplate(replace(self._frame, **mail._asdict())).render(slots, fields, files)
        self.size = max(self.size, len(message) // ENCODED)
        return message

    @cached_property
    def _always_fails(self) -> bool:
        try:
            render_strict(self._content, {})
        except ValueError:
            return True
        return False


class _Body(NamedTuple):
    """A compiled body; a text derived from the HTML has the compiled HTML."""

    compiled: FastTemplate
    pieces: PreencodedPart


class _Compiled(NamedTuple):
    template: mime.MessageTemplate
    subject: FastTemplate
    html: _Body | None
    text: _Body

    def render(
        self, variables: Mapping[str, Any], slots: mime.MessageFields, fields: bytes, files: bytes
    ) -> DotStuffed | None:
        subject, bodies = self.subject.render(variables), self._bodies(variables)
        if subject is None or bodies is None:
            return None
        return self.template.assemble(mime.fields_of(slots, subject, fields), *bodies, files)

    def _bodies(self, variables: Mapping[str, Any]) -> tuple[list[bytes], list[bytes]] | None:
        values = self.text.compiled.values(variables)
        if values is None:
            return None
        shown = RenderedValues(values.written)
        if self.html is None:
            return self.text.pieces.fill(shown), []
        if self.html.compiled is self.text.compiled:
            return self.text.pieces.fill(_as_text(values, shown)), self.html.pieces.fill(shown)
        html = self.html.compiled.values(variables)
        if html is None:
            return None
        return self.text.pieces.fill(shown), self.html.pieces.fill(RenderedValues(html.written))


def _compiled(content: Content, outcomes: Outcomes, frame: mime.MessageContent) -> _Compiled | None:
    """None if the templates are not simple. Raises ValueError if one does not parse."""
    of_subject, of_html, of_text = outcomes
    html = _body(content, content.html or None, ContentKind.HTML, of_html)
    if html is not None and content.text is None:
        text: _Body | None = _text_body(html.compiled)
    else:
        text = _body(content, content.text, ContentKind.TEXT, of_text)
    subject = _template(content, content.subject, ContentKind.SUBJECT, of_subject)
    if subject is None or text is None or (content.html is not None and html is None):
        return None
    return _Compiled(mime.MessageTemplate(replace(frame, html="" if html else None)), subject, html, text)


def _as_text(values: SlotValues, shown: RenderedValues) -> RenderedValues:
    if values.plain == values.written and shown.is_printable and "  " not in shown.together:
        return shown
    one_line = (v if v.isprintable() and "  " not in v else SPACES.sub(" ", v) for v in values.plain)
    return RenderedValues(list(one_line))


def _template(content: Content, source: str, kind: ContentKind, decided: Decided) -> FastTemplate | None:
    return compile_tags(source, kind, decided) if content.is_template else FastTemplate(kind, [source], ())


def _body(content: Content, source: str | None, kind: ContentKind, decided: Decided) -> _Body | None:
    compiled = _template(content, source, kind, decided) if source is not None else None
    return compiled and _Body(
        compiled, PreencodedPart("html" if kind is ContentKind.HTML else "plain", compiled.literals)
    )


def _text_body(html: FastTemplate) -> _Body:
    """Derives the text part from the HTML once, because it would take a millisecond per message."""
    token = f"x{token_hex(4)}x"
    source = html.literals[0] + "".join(
        f"{token}{number}{token}{literal}" for number, literal in enumerate(html.literals[1:])
    )
    pieces = re.split(rf"{token}(\d+){token}", text_of(source))
    return _Body(html, PreencodedPart("plain", pieces[::2], [int(number) for number in pieces[1::2]]))


class CampaignContentCache:
    def __init__(self) -> None:
        self._contents: OrderedDict[tuple[UUID, UUID, Address], CampaignContent] = OrderedDict()
        self._files = EncodedFiles()  # shared by all accounts

    async def load(self, account: Account, ids: Iterable[tuple[UUID, UUID]]) -> dict[UUID, CampaignContent]:
        """The contents of these (organization, content) ids, by content id; deleted ones are missing."""
        sender = Address(account.from_name or "", account.from_email or "")
        loaded = {}
        for org_id, content_id in ids:
            content = self._contents.get((org_id, content_id, sender)) or await self._load(org_id, content_id, sender)
            if content is not None:
                self._contents.move_to_end((org_id, content_id, sender))
                loaded[content_id] = content
        while len(self._contents) > 1 and sum(content.length for content in self._contents.values()) > CACHE_BYTES:
            self._contents.popitem(last=False)
        return loaded

    async def _load(self, org_id: UUID, content_id: UUID, sender: Address) -> CampaignContent | None:
        row = await Content.across_orgs().get_or_none(id=content_id, org_id=org_id)
        if row is None:
            return None
        org = await Organization.get(id=org_id)
        links = await links_of(org_id, row)
        files = await ContentFile.of(org).filter(content_id=row.id).order_by("position")
        attached = RunFiles(files, self._files) if files else None
        content = CampaignContent(row, sender, org.timezone, links, attached)
        self._contents[org_id, content_id, sender] = content
        return content
