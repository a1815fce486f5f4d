"""Subject and body as the content of a mail, and those of a template sent as it is."""

from typing import NamedTuple
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp.domain.merge_tags.merge_tags import has_tags, is_html
from webapp.domain.merge_tags.rendering import MergeSource
from webapp.models import Content, Template


class ContentSource(NamedTuple):
    subject: MergeSource
    body: MergeSource

    def content(self, org_id: UUID) -> Content:
        """An unsaved row, with html when the body has an HTML tag."""
        kind = "html" if is_html(self.body.text) else "text"
        return Content(
            id=uuid7(),
            org_id=org_id,
            subject=self.subject.text,
            is_template=any(has_tags(source.text) for source in self),
            **{kind: self.body.text},
        )


def source_of(template: Template) -> ContentSource:
    """The content of a template sent as it is. Raises ValidationError for an empty subject or body."""
    named = "template_id names a template whose"
    source = ContentSource(
        MergeSource("template_id", f"{named} subject", template.subject),
        MergeSource("template_id", f"{named} body", template.body),
    )
    for part in source:
        if not part.text.strip():
            raise part.fault("is empty")
    return source
