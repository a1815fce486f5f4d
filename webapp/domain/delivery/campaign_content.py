"""The content of a campaign, compiled once per account: of each message only the values are made."""

import contextlib
import re
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from secrets import token_hex
from typing import Any, NamedTuple
from uuid import UUID

from webapp.addresses import Address
from webapp.domain.merge_tags.budget import ContentKind
from webapp.domain.merge_tags.dates import render_in
from webapp.domain.merge_tags.fast_path import FastTemplate, SlotValues, compile_tags
from webapp.domain.merge_tags.rendering import Rendered, Stored, render_strict
from webapp.models import Account, Content, Organization
from webapp.sending.mime import message as mime
from webapp.sending.mime.line_endings import DotStuffed
from webapp.sending.mime.preencoded import PreencodedPart, RenderedValues

KEPT_BYTES = 8 * 1024 * 1024  # of contents, which take a few times as much compiled
ENCODED = 2  # times the length of a body is that of a message, with its text and encoded
SPACES = re.compile(r"\s+")


class ContentError(ValueError):
    """Content that nobody's message can be made of: it passes a bound whatever the values are."""


class CampaignContent:
    """Subject and bodies as one account sends them.

    `length` in characters is that of the bodies. `size` is what the memory of a message goes by: the length, or that of
    the longest which was filled in.
    """

    def __init__(self, content: Stored, sender: Address, timezone: str = "UTC") -> None:
        """Compile nothing yet: that may take as long as a rendering. Tags may show the time in this timezone."""
        self.sender = sender
        self.length = self.size = len(content.html or "") + len(content.text or "")
        self._content, self._timezone = content, timezone
        self._frame: mime.MessageTemplate | None = None
        self._subject: FastTemplate | None = None
        self._html: _Body | None = None
        self._text: _Body | None = None
        self._is_compiled = False
        self._is_faulty: bool | None = None  # not known yet

    def _compile(self) -> None:
        """Compile what is of the common form. Raises ValueError where the content does not parse."""
        self._is_compiled = True
        content = self._content
        if content.html and content.text is None:
            html = _compiled(content, content.html, ContentKind.HTML)
            self._html = _Body(html, PreencodedPart("html", html.literals)) if html else None
            self._text = _text_body(html) if html else None
        else:
            self._html = _body(content, content.html, ContentKind.HTML)
            self._text = _body(content, content.text, ContentKind.TEXT)
        if self._text is None or (content.html is not None and self._html is None):
            return
        self._subject = _compiled(content, content.subject, ContentKind.SUBJECT)
        self._frame = mime.MessageTemplate(
            mime.MessageContent(self.sender, "", "" if self._html else None, "")
        )  # the last: then it is

    @property
    def is_simple(self) -> bool:
        """True where the fast way renders nearly all of its messages; known once the first is rendered."""
        return self._frame is not None and self._subject is not None

    def fill(self, variables: Mapping[str, Any], slots: mime.MessageFields, fields: bytes) -> DotStuffed:
        """The message for one recipient, `fields` among its headers; it may take as long as a rendering may.

        The bodies and the subject of the slots are not used. Raises ValueError for what no message can carry,
        ContentError where that lies in the content.
        """
        if not self._is_compiled:
            with contextlib.suppress(ValueError):  # the general way tells it of each message
                self._compile()
        return self.splice(variables, slots, fields) or self._built(variables, slots, fields)

    def splice(self, variables: Mapping[str, Any], slots: mime.MessageFields, fields: bytes) -> DotStuffed | None:
        """As `fill`, from compiled pieces, which takes little; None where something is not of the common form."""
        if self._frame is None or self._subject is None or self._text is None:
            return None
        subject, bodies = self._subject.render(variables), self._bodies(self._text, variables)
        if subject is None or bodies is None:
            return None
        return self._frame.assemble(mime.fields_of(slots, subject, fields), *bodies)

    def _bodies(self, text: "_Body", variables: Mapping[str, Any]) -> tuple[list[bytes], list[bytes]] | None:
        """Text and html in pieces, None where the general way has to make them."""
        values = text.compiled.values(variables)
        if values is None:
            return None
        shown = RenderedValues(values.written)
        if self._html is None:
            return text.pieces.fill(shown), []
        if self._html.compiled is text.compiled:
            return text.pieces.fill(_as_text(values, shown)), self._html.pieces.fill(shown)
        html = self._html.compiled.values(variables)
        return None if html is None else (text.pieces.fill(shown), self._html.pieces.fill(RenderedValues(html.written)))

    def _built(self, variables: Mapping[str, Any], slots: mime.MessageFields, fields: bytes) -> DotStuffed:
        render_in(self._timezone)
        try:
            mail: Rendered = render_strict(self._content, variables)
        except ValueError as fault:
            if self._fails_for_everybody():
                raise ContentError(str(fault)) from None
            raise
        message = mime.MessageTemplate(mime.MessageContent(self.sender, *mail)).render(slots, fields)
        self.size = max(self.size, len(message) // ENCODED)
        return message

    def _fails_for_everybody(self) -> bool:
        """True where it cannot be rendered even without values."""
        if self._is_faulty is None:
            self._is_faulty = False
            try:
                render_strict(self._content, {})
            except ValueError:
                self._is_faulty = True
        return self._is_faulty


class _Body(NamedTuple):
    """A compiled body. A text that is made of the html is compiled as that, and shows its slots where it has them."""

    compiled: FastTemplate
    pieces: PreencodedPart


def _as_text(values: SlotValues, shown: RenderedValues) -> RenderedValues:
    """The values as a text shows them that is made of html: no entities, each on one line."""
    if values.plain == values.written and shown.is_printable and "  " not in shown.together:
        return shown
    return RenderedValues([_on_one_line(value) for value in values.plain])


def _on_one_line(value: str) -> str:
    """As html shows it."""
    return value if value.isprintable() and "  " not in value else SPACES.sub(" ", value)


def _compiled(content: Stored, source: str, kind: ContentKind) -> FastTemplate | None:
    return compile_tags(source, kind) if content.is_template else FastTemplate(kind, [source], ())


def _body(content: Stored, source: str | None, kind: ContentKind) -> _Body | None:
    compiled = _compiled(content, source, kind) if source is not None else None
    return compiled and _Body(
        compiled, PreencodedPart("html" if kind is ContentKind.HTML else "plain", compiled.literals)
    )


def _text_body(html: FastTemplate) -> _Body:
    """The text part for all recipients, made of the html once: for each it would take a millisecond."""
    mark = f"x{token_hex(4)}x"
    source = html.literals[0] + "".join(
        f"{mark}{number}{mark}{literal}" for number, literal in enumerate(html.literals[1:])
    )
    pieces = re.split(rf"{mark}(\d+){mark}", mime.text_of(source))
    return _Body(html, PreencodedPart("plain", pieces[::2], [int(number) for number in pieces[1::2]]))


class CampaignContentCache:
    """The compiled contents that were used last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[UUID, UUID, Address], CampaignContent] = OrderedDict()

    async def load(self, account: Account, ids: Iterable[tuple[UUID, UUID]]) -> dict[UUID, CampaignContent]:
        """The contents of these (organization, content) ids by the content's; those that are gone are missing."""
        sender = Address(account.from_name or "", account.from_email or "")
        found = {}
        for org_id, content_id in ids:
            kept = self._kept.get((org_id, content_id, sender)) or await self._load(org_id, content_id, sender)
            if kept is not None:
                self._kept.move_to_end((org_id, content_id, sender))
                found[content_id] = kept
        return found

    async def _load(self, org_id: UUID, content_id: UUID, sender: Address) -> CampaignContent | None:
        content = await Content.across_orgs().get_or_none(id=content_id, org_id=org_id)
        if content is None:
            return None
        org = await Organization.get(id=org_id)
        made = self._kept[org_id, content_id, sender] = CampaignContent(content, sender, org.timezone)
        while len(self._kept) > 1 and sum(one.length for one in self._kept.values()) > KEPT_BYTES:
            self._kept.popitem(last=False)
        return made
