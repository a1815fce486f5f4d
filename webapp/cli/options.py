"""What subcommands share: options, the event loop, and a quiet end when the output is closed."""

import sys
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec

import click

from webapp.errors import PennypostError

Parameters = ParamSpec("Parameters")


class Commands(click.Group):
    def invoke(self, ctx: click.Context) -> Any:
        """Ends quietly when the output is closed, as in `pennypost doctor | head`."""
        from webapp.cli import output

        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            if output.is_closed():  # else a server closed its connection
                output.end_like_others()
            raise


def asynchronous(work: Callable[Parameters, Coroutine[Any, Any, None]]) -> Callable[Parameters, None]:
    @wraps(work)
    def run(*args: Parameters.args, **options: Parameters.kwargs) -> None:
        import asyncio

        asyncio.run(work(*args, **options))

    return run


def password_option(words: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def read(_context: click.Context, _option: click.Parameter, is_asked: bool) -> str | None:  # noqa: FBT001 - click's
        try:
            return sys.stdin.buffer.read().decode().removesuffix("\n").removesuffix("\r") if is_asked else None
        except UnicodeDecodeError:
            raise PennypostError("the password on standard input is not UTF-8 text") from None

    return click.option("--password-stdin", "password", is_flag=True, callback=read, help=words)


def processes_option(
    default: int | None, words: str, variable: str = "PENNYPOST_PROCESSES"
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(
        "--processes",
        type=click.IntRange(1, 64),
        default=default,
        envvar=variable,
        show_envvar=True,
        metavar="N",
        help=words,
    )
