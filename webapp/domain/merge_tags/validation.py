"""A subject or a body with merge tags on its way into a mail, and in words what is wrong with it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from webapp.domain.inputs import SUBJECT_LENGTH
from webapp.domain.merge_tags.budget import Budget
from webapp.domain.merge_tags.merge_tags import Kind, is_html, missing_variables, render_tags
from webapp.domain.merge_tags.rendering import Rendered
from webapp.errors import FieldError, ValidationError


class MergeSource(NamedTuple):
    """A text with merge tags, the field that brought it, and what it is called in a fault."""

    field: str
    words: str
    text: str

    def missing(self, variables: Mapping[str, Any], budget: Budget | None = None) -> list[str]:
        """The variables that it needs and that have no value. Raises ValidationError where it passes a bound."""
        with self._telling():
            return missing_variables([self.text], variables, budget)

    def rendered(self, variables: Mapping[str, Any], kind: Kind, budget: Budget | None = None) -> str:
        """The text with its values. Raises ValidationError where it passes a bound."""
        with self._telling():
            return render_tags(self.text, variables, kind, budget)

    def fault(self, complaint: str) -> ValidationError:
        """The refusal of the field that brought it."""
        return ValidationError.of(self.field, f"{self.words} {complaint}")

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except ValueError as fault:
            raise self.fault(str(fault)) from None


def check_missing(
    field: str, sources: Sequence[MergeSource], given: Iterable[Mapping[str, Any]], budget: Budget | None = None
) -> None:
    """Raise ValidationError with `missing_variables` unless each of the `given` has all that the sources need.

    `field` is where a caller gives values.
    """
    missing = dict.fromkeys(
        name for variables in given for source in sources for name in source.missing(variables, budget)
    )
    if missing:
        fault = FieldError(field, f"{field} has no value for {', '.join(missing)}")
        raise ValidationError(details=[fault], missing_variables=list(missing))


def fill_in(
    subject: MergeSource, body: MergeSource, variables: Mapping[str, Any], budget: Budget | None = None
) -> Rendered:
    """The mail with its values. Raises ValidationError for what is no mail then. Others may share its `budget`."""
    title = subject.rendered(variables, Kind.SUBJECT, budget).strip()
    if not 1 <= len(title) <= SUBJECT_LENGTH:
        raise subject.fault(f"must have 1 to {SUBJECT_LENGTH} characters, and has {len(title):,} with these variables")
    kind = Kind.HTML if is_html(body.text) else Kind.TEXT
    text = body.rendered(variables, kind, budget)
    if not text.strip():
        raise body.fault("is empty")
    return Rendered(title, text, None) if kind is Kind.HTML else Rendered(title, None, text)
