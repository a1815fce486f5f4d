"""Finds the tests that need no process, no clock and no browser, by what they and their fixtures refer to."""

import inspect
from collections.abc import Iterator
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

SLOW = {
    *("sleep", "Popen", "fork", "create_subprocess_exec", "subprocess"),
    *("embedded_redis", "run_worker", "playwright"),
    *("delay", "hang"),  # by which a server of the tests is asked to take its time
}
PROMPT = {"tests.fakes.smtp_server"}  # takes its time only when asked to


def is_quick(item: pytest.Function) -> bool:
    """True where nothing that the test or a fixture of it refers to waits or starts a process."""
    fixtures = [found[-1].func for found in item._fixtureinfo.name2fixturedefs.values() if found]
    return not any(is_slow(_function(one)) for one in (item.obj, *fixtures))


@cache
def is_slow(start: FunctionType) -> bool:
    """True where the function, or one of the tests that it reaches, refers to what waits or starts a process."""
    seen, waiting = {start}, [start]
    while waiting:
        function = waiting.pop()
        names = set(_names(function.__code__))
        if names & SLOW:
            return True
        found = {one for name in names for one in _ours(function.__globals__.get(name), names)}
        waiting += found - seen
        seen |= found
    return False


def _names(code: CodeType) -> Iterator[str]:
    """The globals and attributes that a function refers to, and the functions inside it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _ours(value: Any, names: set[str]) -> Iterator[FunctionType]:
    """The functions of the tests that a global stands for; of a module those that are named with it."""
    if isinstance(value, ModuleType):
        for name in names & vars(value).keys() if value.__name__.startswith("tests.") else ():
            yield from _ours(vars(value)[name], set())
    elif str(getattr(value, "__module__", "")).startswith("tests.") and value.__module__ not in PROMPT:
        members = vars(value).values() if isinstance(value, type) else (value,)
        yield from (function for member in members if isinstance(function := _function(member), FunctionType))


def _function(value: Any) -> Any:
    """The function under its decorators."""
    found = getattr(value, "__func__", value)
    return inspect.unwrap(found) if callable(found) else found
