"""The filters of merge tags, all of them: what is not named here is a fault of the template.

Each takes the value before the bar. They see plain values alone, and what they return is escaped when it is shown, so
that none can undo the escaping; `escape`, which templates made elsewhere have, leaves it to that. Left out on purpose:
what decodes (url_decode, base64_decode, escape_once), what marks text as safe, and what takes more time than its input
is long (uniq, strip_html).
"""

import math
import operator
import re
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Decimal
from functools import wraps
from typing import Any
from urllib.parse import quote_plus

from liquid.builtin.filters import array, misc, string
from liquid.exceptions import FilterArgumentError

from webapp.domain.merge_tags.dates import pattern_fault, read_date, write_date

LONGEST_TEXT = 1_000_000  # characters of a value
HIGHEST_NUMBER = 10**18
STEPS = {"date": 100}  # what a filter costs beside its result: dates are read as people write them
DIGITS = 18  # behind the decimal point, and before it in text that is read as a number
NUMBER = re.compile(rf"[+-]?[0-9]{{1,{DIGITS}}}(\.[0-9]{{1,{DIGITS}}})?", re.ASCII)

Filter = Callable[..., Any]


class Invented(str):
    """A value that stands for one nobody has given: it is shown, and gives way to a `default` as nothing does."""

    __slots__ = ()
    force_liquid_default = True  # what the library's `default` asks of a value


def plain_text(value: Any) -> str:
    """A value as a tag shows it: nothing for what is not there, the items of a list one after the other."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list | tuple):
        return "".join(plain_text(item) for item in value)
    return ""


def _of_text(function: Filter) -> Filter:
    """A filter that takes any value for the text that it shows."""

    @wraps(function)
    def with_text(value: Any, *arguments: Any, **options: Any) -> Any:
        result = function(plain_text(value), *arguments, **options)
        return Invented(result) if isinstance(value, Invented) and isinstance(result, str) else result

    return with_text


def _append(value: Any, end: Any) -> str:
    return plain_text(value) + plain_text(end)


def _prepend(value: Any, start: Any) -> str:
    return plain_text(start) + plain_text(value)


def _url_encode(value: Any) -> str:
    return quote_plus(plain_text(value))


def _remove(value: Any, old: Any) -> str:
    return _replace(value, old, "")


def _replace(value: Any, old: Any, new: Any = "") -> str:
    text, sought, put = plain_text(value), plain_text(old), plain_text(new)
    _check_length(len(text) + text.count(sought) * len(put))
    return text.replace(sought, put)


def _replace_first(value: Any, old: Any, new: Any = "") -> str:
    return plain_text(value).replace(plain_text(old), plain_text(new), 1)


def _join(value: Any, between: Any = " ") -> str:
    items, glue = [plain_text(item) for item in _listed(value)], plain_text(between)
    _check_length(len(items) * len(glue))
    return glue.join(items)


def _check_length(length: int) -> None:
    """Raise before a text is made that is much longer than what it is made of."""
    if length > LONGEST_TEXT:
        raise FilterArgumentError(f"a value has more than {LONGEST_TEXT:,} characters", token=None)


def _first(value: Any) -> Any:
    return next(iter(_listed(value)), None)


def _last(value: Any) -> Any:
    return next(reversed(_listed(value)), None)


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple | range) else []


def _size(value: Any) -> int:
    return len(value) if isinstance(value, str | list | tuple | dict | range) else 0


def _slice(value: Any, start: Any, length: Any = 1) -> Any:
    return string.slice_(value if isinstance(value, list) else plain_text(value), start, length)


def _of_numbers(calculate: Callable[[Any, Any], Any]) -> Filter:
    """A filter of two numbers: whole ones stay whole, others are decimal, so that 19.9 times 3 is 59.7."""

    def calculated(value: Any, other: Any) -> int | float:
        left, right = _number(value), _number(other)
        whole = isinstance(left, int) and isinstance(right, int)
        result = calculate(left, right) if whole else float(calculate(Decimal(left), Decimal(right)))
        if abs(result) <= HIGHEST_NUMBER:
            return int(result) if whole else float(result)
        raise FilterArgumentError(f"a number is over {HIGHEST_NUMBER:,}", token=None)

    return calculated


def _divide(left: Any, right: Any) -> Any:
    return left // right if isinstance(left, int) else left / right


def _abs(value: Any) -> int | float:
    number = _number(value)
    return abs(number) if isinstance(number, int) else float(abs(number))


def _ceil(value: Any) -> int:
    return math.ceil(_number(value))


def _floor(value: Any) -> int:
    return math.floor(_number(value))


def _round(value: Any, digits: Any = 0) -> int | float:
    places = max(min(int(_number(digits)), DIGITS), 0)
    rounded = Decimal(_number(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return float(rounded) if places else int(rounded)


def _number(value: Any) -> int | Decimal:
    """A value as a number; what is none is 0."""
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return Decimal(str(value))
    if isinstance(value, str) and NUMBER.fullmatch(value.strip()):
        return Decimal(value) if "." in value else int(value)
    return 0


def _date(value: Any, pattern: Any) -> Any:
    """A date, written after `pattern`; what is none stays as it is."""
    pattern = plain_text(pattern)
    if (fault := pattern_fault(pattern)) is not None:
        raise FilterArgumentError(fault, token=None)
    found = read_date(plain_text(value)) if pattern else None
    return value if found is None else write_date(found, pattern)


FILTERS: Mapping[str, Filter] = {
    "default": misc.default,
    # text
    "append": _append,
    "capitalize": _of_text(string.capitalize),
    "date": _date,
    "downcase": _of_text(string.downcase),
    "escape": plain_text,
    "lstrip": _of_text(string.lstrip),
    "prepend": _prepend,
    "remove": _remove,
    "replace": _replace,
    "replace_first": _replace_first,
    "rstrip": _of_text(string.rstrip),
    "split": _of_text(string.split),
    "squish": _of_text(string.squish),
    "strip": _of_text(string.strip),
    "truncate": _of_text(string.truncate),
    "truncatewords": _of_text(string.truncatewords),
    "upcase": _of_text(string.upcase),
    "url_encode": _url_encode,
    # numbers
    "abs": _abs,
    "at_least": _of_numbers(max),
    "at_most": _of_numbers(min),
    "ceil": _ceil,
    "divided_by": _of_numbers(_divide),
    "floor": _floor,
    "minus": _of_numbers(operator.sub),
    "modulo": _of_numbers(operator.mod),
    "plus": _of_numbers(operator.add),
    "round": _round,
    "times": _of_numbers(operator.mul),
    # lists
    "first": _first,
    "join": _join,
    "last": _last,
    "map": array.map_,
    "reverse": array.reverse,
    "size": _size,
    "slice": _slice,
    "sort": array.sort,
    "where": array.where,
}
