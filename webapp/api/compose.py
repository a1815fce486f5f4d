"""/api/v1/compose: the older way to send, at the older address only."""

import asyncio
from collections.abc import AsyncGenerator
from typing import cast

from quart import Blueprint, Quart, ResponseReturnValue, current_app, g
from quart_schema import document_response

from webapp.api import responses
from webapp.domain.emails.compose.compose import Composer, NewCompose
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import SEND_BYTES, json_body

blueprint = Blueprint("compose", __name__, url_prefix="/compose")


def register(app: Quart) -> None:
    """Adds the route and the compose service, which ends when the app shuts down."""
    app.extensions["composer"] = Composer()

    @app.while_serving
    async def close_at_the_end() -> AsyncGenerator[None, None]:
        closing = asyncio.create_task(_close_when_told(app))
        yield
        await closing


async def _close_when_told(app: Quart) -> None:
    await cast("asyncio.Event", app.shutdown_event).wait()
    await app.extensions["composer"].close()


@blueprint.post("")
@guarded(Action.SEND)
@json_body(NewCompose, max_bytes=SEND_BYTES, inline_bytes=1024)
@document_response(responses.Composed)
async def create(data: NewCompose) -> ResponseReturnValue:
    """Send a mail to each recipient, and answer when all of them are sent or have failed."""
    composer: Composer = current_app.extensions["composer"]
    return responses.composed(await composer.compose(g.caller.org, data))
