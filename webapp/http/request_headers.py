"""Passes request headers to views."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from quart import ResponseReturnValue, request
from quart_schema import document_headers

from webapp.domain.inputs import Input, read_input

View = Callable[..., Awaitable[ResponseReturnValue]]


def headers(model: type[Input]) -> Callable[[View], View]:
    """Passes the headers named by the aliases of `model` to the view, as `headers`. Raises ValidationError."""
    names = [field.alias for field in model.model_fields.values() if field.alias]

    def read() -> Input:
        values = {name: ", ".join(request.headers.getlist(name)) for name in names if name in request.headers}
        return read_input(model, values, strict=False)

    def decorate(view: View) -> View:
        @wraps(view)
        async def with_headers(*args: Any, **kwargs: Any) -> ResponseReturnValue:
            return await view(*args, **kwargs, headers=read())

        with_headers.read_headers = read  # type: ignore[attr-defined]  # for http/idempotency.py
        documented: View = document_headers(model)(with_headers)
        return documented

    return decorate
