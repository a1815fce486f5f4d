"""The sentences of pages and mails for readers, and around signing in: a file for each language.

Values are in braces, like `{sender}`. Every file has the keys and values of `en.toml`; a file's section and name
make the key of a sentence, like `unsubscribe.title`.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache
from pathlib import Path

from markupsafe import Markup

LANGUAGES = {
    "en": "English",
    "de": "Deutsch",
    "fr": "Français",
    "es": "Español",
    "it": "Italiano",
    "nl": "Nederlands",
    "pt": "Português",
    "pl": "Polski",
    "sv": "Svenska",
    "tr": "Türkçe",
    "uk": "Українська",
    "ja": "日本語",
    "ar": "العربية",
}
DEFAULT = "en"
OURS = ("notice", "account", "account_mail", "join", "claim", "team_mail")  # sections
RIGHT_TO_LEFT = ("ar",)
# Formats of a date, like 2026-12-24 where none is here.
DATES = {
    "en": "{day} {month_name} {year}",
    **dict.fromkeys(("fr", "es", "it", "pt", "ar"), "{day:02}/{month:02}/{year}"),
    **dict.fromkeys(("de", "pl", "tr", "uk"), "{day:02}.{month:02}.{year}"),
    "nl": "{day:02}-{month:02}-{year}",
    "ja": "{year}年{month}月{day}日",
}
# What separates thousands, if not a comma.
THOUSANDS = dict.fromkeys(("de", "es", "it", "nl", "tr"), ".") | dict.fromkeys(("fr", "pt", "pl", "sv", "uk"), "\u00a0")
LANGUAGE_TAG_LENGTH = 35  # characters, as RFC 5646, 4.4.1 recommends at least
LANGUAGE_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*", re.ASCII)  # RFC 5646, 2.1, without private tags
ISOLATED = Markup("<bdi>{}</bdi>")
ISOLATED_TEXT = "\u2068{}\u2069"  # in plain text (UAX 9, 2.4)
VALUE = re.compile(r"\{(\w+)\}")
VALUE_AND_STOP = re.compile(r"\{(\w+)\}(\.?)")


class Translator:
    """Returns sentences in one language; an organization's own words come before ours."""

    def __init__(self, language: str, own: Mapping[str, str]) -> None:
        self.language = language
        self.direction = "rtl" if language in RIGHT_TO_LEFT else "ltr"
        self._own = own

    def __call__(self, key: str, **values: str) -> Markup:
        """The sentence as HTML."""
        # An address keeps its own direction.
        written = ISOLATED if self.direction == "rtl" else Markup("{}")
        shown = {name: written.format(value) for name, value in values.items()}
        return Markup(_filled(Markup.escape(self._sentence(key)), shown, values))  # noqa: S704 - both are escaped

    def plain(self, key: str, **values: str) -> str:
        """The sentence as plain text."""
        written = ISOLATED_TEXT if self.direction == "rtl" else "{}"
        return _filled(self._sentence(key), {name: written.format(value) for name, value in values.items()}, values)

    def _sentence(self, key: str) -> str:
        return self._own.get(key) or sentences(self.language)[key]

    def number(self, number: int) -> str:
        return f"{number:,}".replace(",", THOUSANDS.get(self.language, ","))

    def date(self, day: date) -> str:
        names = {"day": day.day, "month": day.month, "month_name": f"{day:%B}", "year": day.year}
        return DATES.get(self.language, "{year}-{month:02}-{day:02}").format_map(names)


def _filled(sentence: str, shown: Mapping[str, str], values: Mapping[str, str]) -> str:
    """Ends with one full stop after a value like “Acme Inc.”."""
    return VALUE_AND_STOP.sub(
        lambda value: shown[value[1]] + ("" if values[value[1]].endswith(".") else value[2]), sentence
    )


@cache
def sentences(language: str) -> dict[str, str]:
    """Every sentence of a language by its key."""
    sections = tomllib.loads((Path(__file__).parent / f"{language}.toml").read_text(encoding="utf-8"))
    return {f"{section}.{name}": text for section, texts in sections.items() for name, text in texts.items()}


def own_sentences(language: str) -> dict[str, str]:
    """Those that an organization may say in its own words: all but those of pages that know no organization."""
    return {key: text for key, text in sentences(language).items() if key.partition(".")[0] not in OURS}


def values_of(sentence: str) -> set[str]:
    """The names in braces."""
    return set(VALUE.findall(sentence))


def language_tag(text: str) -> str:
    """A BCP 47 tag in its usual spelling, like `pt-BR` for `PT_br` (RFC 5646, 2.1.1). Raises ValueError."""
    tag = text.strip().replace("_", "-")
    if len(tag) > LANGUAGE_TAG_LENGTH or not LANGUAGE_TAG.fullmatch(tag):
        raise ValueError("must be a language tag like de or pt-BR")
    language, *others = tag.split("-")
    script, region = 4, 2  # characters
    spelled = {script: str.title, region: str.upper}
    return "-".join([language.lower(), *(spelled.get(len(part), str.lower)(part) for part in others)])


def is_language_tag(text: str) -> bool:
    try:
        return bool(language_tag(text))
    except ValueError:
        return False


def best_language(tags: Iterable[str | None]) -> str | None:
    """The first known language among BCP 47 tags; `pt-BR` is `pt`."""
    primary = ((tag or "").replace("_", "-").partition("-")[0].lower() for tag in tags)
    return next((language for language in primary if language in LANGUAGES), None)
