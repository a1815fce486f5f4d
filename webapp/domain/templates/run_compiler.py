"""Runs compiler.py on letters in a few bounded processes."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

import orjson

from webapp.bounded_process import BoundedScript
from webapp.domain.merge_tags.budget import run_in_render_pool
from webapp.domain.merge_tags.masking import TagMask
from webapp.domain.templates.links import check_letter_link
from webapp.errors import ValidationError

T = TypeVar("T")

MIB = 1024 * 1024
# The largest letters take 100 MiB and half a second.
SCRIPT = BoundedScript(
    Path(__file__).with_name("compiler.py"), memory_bytes=128 * MIB, cpu_seconds=5, output_bytes=8 * MIB
)
HTML_LENGTH = 2_000_000  # characters, including merge tags, which attributes may repeat at each element


class CompilerInput(NamedTuple):
    """MJML and HTML fragments with hidden merge tags; faults name `field`, or the field that a fragment is from.

    `finish` returns the letter's HTML for that of the MJML and of the fragments, in which the tags are still hidden.
    """

    mjml: str
    mask: TagMask
    field: str
    finish: Callable[[str, Collection[str]], str]
    fragments: Mapping[str, str] = {}  # by field

    def line_at(self, at: int) -> int:
        """The source line at a byte position of the MJML."""
        return self.mask.restore(self.mjml.encode()[:at].decode(errors="ignore")).count("\n") + 1

    def read(self, answer: dict[str, Any]) -> str:
        """The letter's HTML. Raises ValidationError."""
        if "fault" in answer:
            words = (str(self.line_at(word)) if isinstance(word, int) else word for word in answer["fault"])
            raise self._fault(self.mask.restore("".join(words)), answer["at"], answer["field"])
        written = answer["html"], *answer["fragments"].values()
        if sum(map(self.mask.restored_length, written)) > HTML_LENGTH:
            raise self._fault(f"would make more than {HTML_LENGTH:,} characters of HTML")
        for at, url in answer["links"]:
            try:
                check_letter_link(self.mask.restore(url))
            except ValueError as fault:
                raise self._fault(f"href {fault}", at) from None
        return self.finish(answer["html"], answer["fragments"].values())

    def _fault(self, words: str, at: int | None = None, field: str | None = None) -> ValidationError:
        words = words if at is None else f"has an error at line {self.line_at(at)}: {words}"
        return ValidationError.at(field or self.field, words)


async def compile_letter(caller: UUID, make: Callable[[], CompilerInput]) -> str:
    """The HTML of a letter. Raises ValidationError for a fault, and ServiceUnavailable."""
    (html,) = await compile_letters(caller, [make])
    if isinstance(html, ValidationError):
        raise html
    return html


async def compile_letters(caller: UUID, makes: Sequence[Callable[[], CompilerInput]]) -> list[str | ValidationError]:
    """The HTML of each letter, or its fault. Raises ServiceUnavailable."""
    prepared = await run_in_render_pool(caller, lambda: [_attempt(make) for make in makes])
    letters = [letter for letter in prepared if isinstance(letter, CompilerInput)]
    answers = iter(await _answers(caller, letters) if letters else [])

    def finish(letter: CompilerInput | ValidationError) -> str | ValidationError:
        return letter if isinstance(letter, ValidationError) else _attempt(partial(letter.read, next(answers)))

    return await run_in_render_pool(caller, lambda: list(map(finish, prepared)))


async def _answers(caller: UUID, letters: list[CompilerInput]) -> list[dict[str, Any]]:
    """Compiles all in one process; if a letter crashes it, each in its own."""
    fields = [{"mjml": letter.mjml, "fragments": letter.fragments, "token": letter.mask.token} for letter in letters]
    output = await SCRIPT.run(caller, data=orjson.dumps({"letters": fields}))
    if output is not None:
        answers: list[dict[str, Any]] = orjson.loads(output)["letters"]
        return answers
    if len(letters) > 1:
        return [answer for letter in letters for answer in await _answers(caller, [letter])]
    return [{"fault": ["is too complex to be compiled: shorten it, or nest less"], "at": None, "field": None}]


def _attempt(call: Callable[[], T]) -> T | ValidationError:
    try:
        return call()
    except ValidationError as fault:
        return fault
