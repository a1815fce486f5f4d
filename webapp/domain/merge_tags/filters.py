"""The filters of merge tags; none decodes, marks as safe or takes more than linear time (uniq, strip_html)."""

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

TEXT_LENGTH = 1_000_000  # characters
MAX_NUMBER = 10**18
STEPS = {"date": 100}  # extra, because parsing dates is slow
DIGITS = 18  # after the decimal point, and before it in text read as a number
NUMBER = re.compile(rf"[+-]?[0-9]{{1,{DIGITS}}}(\.[0-9]{{1,{DIGITS}}})?", re.ASCII)

Filter = Callable[..., Any]


class Placeholder(str):
    """A sample value that is shown, but replaced by `default` like a missing one."""

    __slots__ = ()
    force_liquid_default = True  # read by the library's `default`


def plain_text(value: Any) -> str:
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
    @wraps(function)
    def with_text(value: Any, *arguments: Any, **options: Any) -> Any:
        result = function(plain_text(value), *arguments, **options)
        return Placeholder(result) if isinstance(value, Placeholder) and isinstance(result, str) else result

    return with_text


def _replace(value: Any, old: Any, new: Any = "") -> str:
    text, sought, put = plain_text(value), plain_text(old), plain_text(new)
    _check_length(len(text) + text.count(sought) * len(put))
    return text.replace(sought, put)


def _join(value: Any, between: Any = " ") -> str:
    items, glue = [plain_text(item) for item in _listed(value)], plain_text(between)
    _check_length(len(items) * len(glue))
    return glue.join(items)


def _check_length(length: int) -> None:
    if length > TEXT_LENGTH:
        raise FilterArgumentError(f"a value is longer than {TEXT_LENGTH:,} characters", token=None)


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple | range) else []


def _of_numbers(calculate: Callable[[Any, Any], Any]) -> Filter:
    def calculated(value: Any, other: Any) -> int | float:
        left, right = _number(value), _number(other)
        whole = isinstance(left, int) and isinstance(right, int)  # otherwise decimals, so that 19.9 * 3 is 59.7
        result = calculate(left, right) if whole else float(calculate(Decimal(left), Decimal(right)))
        if abs(result) <= MAX_NUMBER:
            return int(result) if whole else float(result)
        raise FilterArgumentError(f"a number is larger than {MAX_NUMBER:,}", token=None)

    return calculated


def _abs(value: Any) -> int | float:
    number = _number(value)
    return abs(number) if isinstance(number, int) else float(abs(number))


def _round(value: Any, digits: Any = 0) -> int | float:
    places = max(min(int(_number(digits)), DIGITS), 0)
    rounded = Decimal(_number(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return float(rounded) if places else int(rounded)


def _number(value: Any) -> int | Decimal:
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return Decimal(str(value))
    if isinstance(value, str) and NUMBER.fullmatch(value.strip()):
        return Decimal(value) if "." in value else int(value)
    return 0


def _date(value: Any, pattern: Any) -> Any:
    pattern = plain_text(pattern)
    if (fault := pattern_fault(pattern)) is not None:
        raise FilterArgumentError(fault, token=None)
    date = read_date(plain_text(value)) if pattern else None
    return value if date is None else write_date(date, pattern)


FILTERS: Mapping[str, Filter] = {
    "default": misc.default,
    # text
    "append": lambda value, end: plain_text(value) + plain_text(end),
    "capitalize": _of_text(string.capitalize),
    "date": _date,
    "downcase": _of_text(string.downcase),
    "escape": plain_text,  # results are escaped when shown
    "lstrip": _of_text(string.lstrip),
    "prepend": lambda value, start: plain_text(start) + plain_text(value),
    "remove": lambda value, old: _replace(value, old, ""),
    "replace": _replace,
    "replace_first": lambda value, old, new="": plain_text(value).replace(plain_text(old), plain_text(new), 1),
    "rstrip": _of_text(string.rstrip),
    "split": _of_text(string.split),
    "squish": _of_text(string.squish),
    "strip": _of_text(string.strip),
    "truncate": _of_text(string.truncate),
    "truncatewords": _of_text(string.truncatewords),
    "upcase": _of_text(string.upcase),
    "url_encode": lambda value: quote_plus(plain_text(value)),
    # numbers
    "abs": _abs,
    "at_least": _of_numbers(max),
    "at_most": _of_numbers(min),
    "ceil": lambda value: math.ceil(_number(value)),
    "divided_by": _of_numbers(lambda left, right: left // right if isinstance(left, int) else left / right),
    "floor": lambda value: math.floor(_number(value)),
    "minus": _of_numbers(operator.sub),
    "modulo": _of_numbers(operator.mod),
    "plus": _of_numbers(operator.add),
    "round": _round,
    "times": _of_numbers(operator.mul),
    # lists
    "first": lambda value: next(iter(_listed(value)), None),
    "join": _join,
    "last": lambda value: next(reversed(_listed(value)), None),
    "map": array.map_,
    "reverse": array.reverse,
    "size": lambda value: len(value) if isinstance(value, str | list | tuple | dict | range) else 0,
    "slice": lambda value, start, length=1: string.slice_(
        value if isinstance(value, list) else plain_text(value), start, length
    ),
    "sort": array.sort,
    "where": array.where,
}
