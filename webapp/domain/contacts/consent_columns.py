"""Recognizes columns, and names of files, that say who may get campaigns; never subscribes anybody again."""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from webapp.domain.contacts import heading_words as words
from webapp.domain.contacts.status_words import (
    ANY_LEAVING,
    LEFT_ANYWHERE,
    LONGEST_WORD,
    YES_OR_NO,
    has_answers,
    is_leaving,
    plain_word,
    spaced,
    status_in,
    word_of_leaving,
)

CUSTOM = "custom:"  # before the name of a custom field
STATUS, UNSUBSCRIBED = "status", "unsubscribed"
CONSENT = (STATUS, UNSUBSCRIBED)
FEW_WORDS = 12  # different words that a status column has at most under an unrelated heading
# Matched against words separated by spaces, with every word for leaving replaced by LEFT.
LEFT_FILE = re.compile(
    r"\b(?:(?:non|not|never|no longer) ?(?:subscri\w+|opted in)|(?!no)\w*unsub\w*|\w*opt(?:ed)? ?outs?"
    r"|cleaned ?(?=members?|email|segment|audience|contacts|subscribers|addresses)|(?!no)\w*bounce[ds]"
    r"|(?:hard|soft|e?mail) ?bounce|bounce(?= (?:list|report|export|log|e?mails?|addresses|contacts|members|\d)|$)"
    r"|suppress\w*|\w*complain\w*|(?:black|block) ?list\w*|do ?not ?(?:e?mail|contact|market|send)\w*"
    rf"|(?!no)\w*{ANY_LEAVING.pattern}\w*)"
)
STAYING = re.compile(
    r"\b(?:no|not|non|never|without|excl\w*|except\w*|minus|less|but|w o|free of|cleaned of|sans|ohne|sin|remov\w+"
    r"|filter\w+|scrub\w+|incl\w*|plus)\b.*\bLEFT\b|\bLEFT\b.*\b(?:removed|excluded|filtered|free|too)\b"
    r"|\b(?:subscribed|active|all)\b"
)


class Subject(StrEnum):
    """The subject of an unrelated column with cells that the review asks about."""

    ENDING = "ending"  # a filled cell may mean that the person left
    TIME_OF_CONSENT = "time of consent"  # an empty cell may mean that the person never agreed
    FREQUENCY = "frequency"  # “never” means no mail
    TAGS = "tags"  # one of them may mean that the person left


class Heading(NamedTuple):
    kind: str | None  # suggested, even if the column is imported as something else
    subject: Subject | None
    needs_yes: bool  # an empty cell is a missing “yes”, as below “Newsletter”
    is_either_way: bool  # “yes” may mean either
    is_of_another_way: bool  # consent to other messages, such as SMS

    @property
    def is_telling(self) -> bool:
        """True if cells mean more under this heading than under others."""
        return bool(self.kind or self.subject or self.is_either_way)


@lru_cache(maxsize=4_096)  # asked again for each batch of a file
def read_heading(text: str) -> Heading:
    asked = spaced(text)
    kind = consent_field(text, ())
    return Heading(
        kind,
        None if kind else _subject_of(asked),
        _is_of_mail(asked) and not words.HEADS & set(asked.split()) and not words.OF_STATUS.search(plain_word(text)),
        is_either_way(text),
        _is_of_another_way(asked),
    )


def consent_field(heading: str, cells: Iterable[str]) -> str | None:
    """STATUS or UNSUBSCRIBED if the column says who may get campaigns, even in unknown words."""
    plain, asked = plain_word(heading), spaced(heading)
    if plain in LEFT_ANYWHERE or any(map(words.LEFT_HEADINGS.fullmatch, (plain, plain_word(asked)))):
        return UNSUBSCRIBED
    filled = [cell for cell in cells if plain_word(cell)]
    others = [cell for cell in filled if words.LINK_OR_ADDRESS.match(cell) or len(cell) > LONGEST_WORD]
    are_others = others and 2 * len(others) >= len(filled)
    is_another = _is_of_another_way(asked) or _subject_of(asked) in (Subject.FREQUENCY, Subject.TAGS)
    if plain not in words.CLEAR and (are_others or is_another):
        return None
    if plain in words.CLEAR or is_either_way(heading):
        return STATUS
    if _is_of_leaving(asked) and not any(words.TYPICAL.search(plain_word(cell)) for cell in filled):
        return UNSUBSCRIBED
    return STATUS if _are_statuses(asked, filled) else None


def _are_statuses(asked: str, cells: Sequence[str]) -> bool:
    has_left = any(map(word_of_leaving, cells))
    if not is_like_status(asked):
        return has_left and len(set(map(plain_word, cells))) <= FEW_WORDS
    if words.STATES & set(asked.split()) and not words.OF_MAIL.search(asked):
        # A state is a region unless its words are of consent: ON is Ontario, and NO is Norway.
        return has_left or any(status_in(cell) and plain_word(cell) not in YES_OR_NO for cell in cells)
    return True


def is_like_status(heading: str) -> bool:
    asked = spaced(heading)
    parts = {word for word in asked.split() if not word.isdigit()}
    known = words.HEADS | words.COMMON | YES_OR_NO  # also for “Permission (yes = 1)”
    is_bare = bool(parts & words.HEADS) and parts <= known
    return is_bare or plain_word(heading) in words.CLEAR or _is_of_leaving(asked) or _is_of_mail(asked)


def is_either_way(heading: str) -> bool:
    asked = spaced(heading)
    if not _is_of_leaving(asked):
        return False
    if "=" in heading or words.EITHER_WAY & set(asked.split()):
        return True
    if not _names_leaving(asked):  # but “Newsletter: yes, no, not sure”
        return has_answers(heading)
    is_negated = ANY_LEAVING.search(plain_word(asked)) and not is_leaving(plain_word(asked))
    return bool(is_negated or words.WANTING.search(asked))


def _is_of_another_way(asked: str) -> bool:
    return bool(words.OTHER_WAYS.search(asked)) and not re.search(r"email|newsletter", asked)


def _subject_of(asked: str) -> Subject | None:
    parts, is_of_leaving = asked.split(), _is_of_leaving(asked)
    if _is_ending_alone(asked) or words.END_OF_SUBSCRIPTION.search(asked):
        return Subject.ENDING
    if words.OF_FREQUENCY.search(asked) and (words.OF_MAIL.search(asked) or words.ABOUT_MAIL.search(asked)):
        return Subject.FREQUENCY
    if words.TAGS.search(asked) and not words.HEADS & set(parts) and not _is_of_mail(asked) and not is_of_leaving:
        return Subject.TAGS
    is_of_consent = words.OF_CONSENT.search(asked) or words.OF_CONSENT_TO_MAIL.search(asked)
    is_another = words.DETAIL.search(asked) or words.OF_ANOTHER_THING.search(asked) or is_of_leaving
    return Subject.TIME_OF_CONSENT if is_of_consent and words.OF_TIME.search(asked) and not is_another else None


def _is_of_mail(asked: str, *, at_a_time: bool = False) -> bool:
    if words.DETAIL.search(asked) or (words.OF_TIME.search(asked) and not at_a_time):
        return False
    return bool(
        words.OF_MAIL.search(asked) or (words.OF_CONSENT.search(asked) and not words.OF_ANOTHER_THING.search(asked))
    )


def _is_of_leaving(asked: str) -> bool:
    """True if "yes" under this heading means that the person left."""
    parts = set(asked.split())
    if "inactive" in parts and parts <= words.COMMON | {"inactive"}:
        return True
    if _names_leaving(asked) and (words.OF_LEAVING_ITSELF.search(asked) or not words.DETAIL.search(asked)):
        return not words.OF_ANOTHER_THING.search(asked) or bool(words.OF_MAIL.search(asked))
    return bool(words.NEGATING.search(asked)) and _is_of_mail(asked, at_a_time=True)


def _names_leaving(asked: str) -> bool:
    if _has_ending(asked) and words.OF_MAIL.search(asked) and not _is_ending_alone(asked):  # “Newsletter cancelled on”
        return True
    return bool(ANY_LEAVING.search(plain_word(asked)) or words.OF_LEAVING.search(asked))


def _has_ending(asked: str) -> bool:
    return any(map(words.ENDING.fullmatch, asked.split()))


def _is_ending_alone(asked: str) -> bool:
    return _has_ending(asked) and all(word in words.ENDED or words.ENDING.fullmatch(word) for word in asked.split())


def are_gone(file_name: str) -> bool:
    """True if the name says that everyone in the file has left, like a Mailchimp export's."""
    name = LEFT_FILE.sub("LEFT ", spaced(re.sub(r"\.\w+$", "", file_name)))
    return "LEFT" in name and not STAYING.search(name)
