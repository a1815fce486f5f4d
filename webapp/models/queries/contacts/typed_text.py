"""Reads texts as the numbers and days that people write, also with decimal commas."""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from typing import Any

NUMBER, DATE = "#", "@"  # prefixes of names
PLAIN = re.compile(r"[+-]?[0-9]{1,15}(?:\.[0-9]{1,9})?")
DECIMAL_COMMA = re.compile(r"[+-]?[0-9]{1,15},[0-9]{1,9}")
# Thousands with a decimal sign, or two groups of thousands: 1.234,50 and 1.234.567, 1,234.50 and 1,234,567.
DOTTED_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:(?:\.[0-9]{3}){1,4},[0-9]{1,9}|(?:\.[0-9]{3}){2,4})")
COMMA_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:(?:,[0-9]{3}){1,4}\.[0-9]{1,9}|(?:,[0-9]{3}){2,4})")
EITHER = re.compile(r"[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}")  # thousands in one country, decimals in another
ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")
DOTTED_DATE = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})(?![0-9])")


def typed_values(text: str) -> Iterator[tuple[str, Any]]:
    """The number and the day that a search form can be read as, with their signs."""
    if (number := number_of(text)) is not None:
        yield NUMBER, number
    if day := day_of(text):
        yield DATE, day


def number_of(text: str) -> float | None:
    """1234.5, 1234,5, 1.234,50 and 1,234.50 are numbers; a single dot is a decimal point, and 1,234 is unclear."""
    if PLAIN.fullmatch(text):
        return float(text)
    if DOTTED_THOUSANDS.fullmatch(text):
        return float(text.replace(".", "").replace(",", "."))
    if COMMA_THOUSANDS.fullmatch(text):
        return float(text.replace(",", ""))
    if DECIMAL_COMMA.fullmatch(text) and not is_unclear(text):
        return float(text.replace(",", "."))
    return None


def is_unclear(text: str) -> bool:
    """True for 1,234 and 1.234, which mean a thousand and more or one and a bit."""
    return EITHER.fullmatch(text) is not None


def readings_of(text: str) -> str:
    """The numbers that an unclear text can mean, each as a text that is clear: 1234 or 1.2340, 1250 or 1.25."""
    whole, _, decimals = text.replace(",", ".").partition(".")
    short = decimals.rstrip("0")
    number = f"{whole}.{decimals}0" if short == decimals else f"{whole}.{short}".rstrip(".")
    return f"{whole}{decimals} or {number}"


def whole_day_of(text: str) -> str | None:
    """The day that a text is and has nothing after, as in ISO 8601."""
    return day_of(text) if ISO_DATE.fullmatch(text) or DOTTED_DATE.fullmatch(text) else None


def day_of(text: str) -> str | None:
    """The day that a text begins with, as in ISO 8601."""
    with suppress(ValueError):
        if ISO_DATE.match(text):
            return date.fromisoformat(text[:10]).isoformat()
        if dotted := DOTTED_DATE.match(text):
            day, month, year = map(int, dotted.groups())
            return date(year, month, day).isoformat()
    return None
