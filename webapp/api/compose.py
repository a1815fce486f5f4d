"""/api/v1/compose: the older way to send, which /v1 does not have."""

from quart import Blueprint, Quart, ResponseReturnValue, current_app, g
from typing_extensions import TypedDict

from webapp.api.responses import answers
from webapp.domain.emails.compose.compose import ComposeService
from webapp.domain.emails.compose.inputs import NewCompose
from webapp.domain.roles import Action
from webapp.http.auth.permissions import guarded
from webapp.http.body.json_body import SEND_BYTES, json_body
from webapp.http.event_stream import shutdown_event
from webapp.http.memory import remember

blueprint = Blueprint("compose", __name__, url_prefix="/compose")


class Refused(TypedDict):
    """A recipient that failed, and the reason."""

    email: str
    error: str


class Composed(TypedDict):
    """The result of a compose request."""

    ok: bool
    sent: int
    failed: list[Refused]


def register(app: Quart) -> None:
    remember(app, "compose", ComposeService)

    async def stop_at_shutdown() -> None:
        await shutdown_event(app).wait()
        app.extensions["compose"].stop()

    @app.before_serving
    async def begin() -> None:
        app.add_background_task(stop_at_shutdown)


@blueprint.post("")
@guarded(Action.SEND)
@json_body(NewCompose, max_bytes=SEND_BYTES, inline_bytes=1024)
@answers(Composed)
async def create(data: NewCompose) -> ResponseReturnValue:
    """Send an email to each recipient; the response waits until all are sent or have failed."""
    service: ComposeService = current_app.extensions["compose"]
    outcomes = await service.compose(g.caller.org, data)
    failed = [Refused(email=email, error=error) for email, error in outcomes if error is not None]
    return {"ok": not failed, "sent": len(outcomes) - len(failed), "failed": failed}
