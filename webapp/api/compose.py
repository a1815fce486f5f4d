"""/api/v1/compose: the older way to send, at the older address only."""

import asyncio
from collections.abc import AsyncGenerator
from typing import cast

from quart import Blueprint, Quart, ResponseReturnValue, current_app, g
from quart_schema import document_response

from webapp.api import mail_responses
from webapp.domain.emails.compose.compose import ComposeService
from webapp.domain.emails.compose.inputs import NewCompose
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import SEND_BYTES, json_body

blueprint = Blueprint("compose", __name__, url_prefix="/compose")


def register(app: Quart) -> None:
    app.extensions["compose"] = ComposeService()

    @app.while_serving
    async def stop_at_shutdown() -> AsyncGenerator[None, None]:
        stopping = asyncio.create_task(_stop_at_shutdown(app))
        yield
        await stopping


async def _stop_at_shutdown(app: Quart) -> None:
    await cast("asyncio.Event", app.shutdown_event).wait()
    app.extensions["compose"].stop()


@blueprint.post("")
@guarded(Action.SEND)
@json_body(NewCompose, max_bytes=SEND_BYTES, inline_bytes=1024)
@document_response(mail_responses.Composed)
async def create(data: NewCompose) -> ResponseReturnValue:
    """Send an email to each recipient; the response waits until all are sent or have failed."""
    service: ComposeService = current_app.extensions["compose"]
    outcome = await service.compose(g.caller.org, data)
    failed = [{"email": one.email, "error": one.error} for one in outcome.failed]
    return {"ok": not failed, "sent": outcome.sent, "failed": failed}
