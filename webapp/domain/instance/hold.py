"""The hold of the whole instance: nothing is sent and no schedule fires until an operator lets it go on."""

from webapp.errors import Conflict, ServiceUnavailable
from webapp.models import instance
from webapp.models.instance import Suspension

GO_ON = "pennypost accept-restore"  # what an operator runs
REASON_LENGTH = 255


async def find_hold() -> Suspension | None:
    """Since when nothing is sent, and why; None while the instance sends."""
    return await instance.find_suspension()


async def hold_sending(reason: str) -> None:
    """Hold the instance for a reason in words, of which REASON_LENGTH characters are kept.

    Workers see it within a second. A message after DATA is not stopped any more. What is handed in meanwhile waits.
    """
    await instance.suspend(reason[:REASON_LENGTH])


async def refuse_while_held() -> None:
    """Raise ServiceUnavailable while the instance is held: for what cannot wait to be sent."""
    found = await find_hold()
    if found is not None:
        raise ServiceUnavailable(f"sending is on hold ({found.reason}): nothing was sent, try again later")


async def let_go_on() -> None:
    """Let the instance send again; workers look every few seconds. Raises Conflict where it is not held."""
    if not await instance.resume():
        raise Conflict("nothing is on hold: mail is sent as usual")
