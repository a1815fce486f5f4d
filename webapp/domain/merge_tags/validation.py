"""Faults of a subject or body with merge tags, as errors of the request's field."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from webapp.domain.inputs import SUBJECT_LENGTH
from webapp.domain.merge_tags.budget import Budget, ContentKind
from webapp.domain.merge_tags.merge_tags import is_html, missing_variables, render_tags
from webapp.domain.merge_tags.rendering import Rendered
from webapp.errors import FieldError, ValidationError


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
