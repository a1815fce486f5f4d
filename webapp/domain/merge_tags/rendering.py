"""Content with its merge values, for sending and for showing; its faults as errors of the field that brought it."""

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

from webapp.domain.inputs import SUBJECT_LENGTH
from webapp.domain.merge_tags.budget import Budget, ContentKind
from webapp.domain.merge_tags.merge_tags import is_html, missing_variables, render_tags
from webapp.errors import FieldError, ValidationError


class Rendered(NamedTuple):
    """Subject and bodies of one recipient's message, with one body at least."""

    subject: str
    html: str | None
    text: str | None

    @property
    def body_html(self) -> str:
        """The html; for a mail without one the escaped text with its line breaks."""
        if self.html is not None:
            return self.html
        return html.escape(self.text or "").replace("\r\n", "\n").replace("\n", "<br>\n")


class Stored(Protocol):
    @property
    def is_template(self) -> bool: ...

    @property
    def subject(self) -> str: ...

    @property
    def html(self) -> str | None: ...

    @property
    def text(self) -> str | None: ...


def render_lenient(content: Stored, variables: Mapping[str, Any]) -> Rendered:
    """The content for showing; where it exceeds a bound, its tags are left as they are."""
    try:
        return render_strict(content, variables)
    except ValueError:
        return Rendered(content.subject, content.html, content.text)


def render_strict(content: Stored, variables: Mapping[str, Any]) -> Rendered:
    """The content for sending. Raises ValueError, with a sentence, where it exceeds a bound."""
    if not content.is_template:
        return Rendered(content.subject, content.html, content.text)
    return Rendered(
        render_tags(content.subject, variables, ContentKind.SUBJECT),
        content.html and render_tags(content.html, variables, ContentKind.HTML),
        content.text and render_tags(content.text, variables, ContentKind.TEXT),
    )


class MergeSource(NamedTuple):
    """A text with merge tags, the field that brought it, and its name in messages."""

    field: str
    words: str
    text: str

    def missing(self, variables: Mapping[str, Any], budget: Budget | None = None) -> list[str]:
        """The required variables without a value. Raises ValidationError where it exceeds a bound."""
        with self._as_validation_error():
            return missing_variables([self.text], variables, budget)

    def render(self, variables: Mapping[str, Any], kind: ContentKind, budget: Budget | None = None) -> str:
        """Raises ValidationError where it exceeds a bound."""
        with self._as_validation_error():
            return render_tags(self.text, variables, kind, budget)

    def fault(self, complaint: str) -> ValidationError:
        return ValidationError.of(self.field, f"{self.words} {complaint}")

    @contextmanager
    def _as_validation_error(self) -> Iterator[None]:
        try:
            yield
        except ValueError as fault:
            raise self.fault(str(fault)) from None


def check_missing(
    field: str, sources: Sequence[MergeSource], given: Iterable[Mapping[str, Any]], budget: Budget | None = None
) -> None:
    """Raises ValidationError with `missing_variables` unless each of the `given` has all required values."""
    missing = dict.fromkeys(
        name for variables in given for source in sources for name in source.missing(variables, budget)
    )
    if missing:
        fault = FieldError(field, f"{field} has no value for {', '.join(missing)}")
        raise ValidationError(details=[fault], missing_variables=list(missing))


def fill_in(
    subject: MergeSource, body: MergeSource, variables: Mapping[str, Any], budget: Budget | None = None
) -> Rendered:
    """The mail with its values. Raises ValidationError where the result is not a mail."""
    title = subject.render(variables, ContentKind.SUBJECT, budget).strip()
    if not 1 <= len(title) <= SUBJECT_LENGTH:
        raise subject.fault(f"must have 1 to {SUBJECT_LENGTH} characters, and has {len(title):,} with these variables")
    kind = ContentKind.HTML if is_html(body.text) else ContentKind.TEXT
    text = body.render(variables, kind, budget)
    if not text.strip():
        raise body.fault("is empty")
    return Rendered(title, text, None) if kind is ContentKind.HTML else Rendered(title, None, text)
