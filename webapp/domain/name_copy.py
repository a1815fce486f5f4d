"""The name of a copy, which differs from those of the original and of earlier copies."""

from typing import Any

from tortoise.queryset import QuerySet

LONGEST = 200  # characters of a name
MOST = 100  # further copies have the last number


async def name_copy(rows: QuerySet[Any], column: str, name: str, kind: str = "copy") -> str:
    """`May (copy)`, or `May (copy 2)` if that is the name of one of the `rows`, and so on."""
    endings = [f" ({kind})", *(f" ({kind} {number})" for number in range(2, MOST + 1))]
    names = [name[: LONGEST - len(ending)] + ending for ending in endings]
    taken: list[Any] = await rows.filter(**{f"{column}__in": names}).values_list(column, flat=True)
    return next((free for free in names if free not in taken), names[-1])
