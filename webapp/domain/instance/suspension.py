"""Suspends the whole instance: nothing is sent and no schedule runs until an operator resumes it."""

from webapp.errors import Conflict, ServiceUnavailable
from webapp.models import instance
from webapp.models.instance import Suspension

RESUME_COMMAND = "pennypost accept-restore"
REASON_LENGTH = 255


async def find_suspension() -> Suspension | None:
    return await instance.find_suspension()


async def suspend_sending(reason: str) -> None:
    """Workers notice within a second; messages past DATA still go out, and new mail waits."""
    await instance.suspend(reason[:REASON_LENGTH])


async def require_sending() -> None:
    """Raises ServiceUnavailable while suspended, for mail that cannot wait."""
    suspension = await find_suspension()
    if suspension is not None:
        raise ServiceUnavailable(f"sending is on hold ({suspension.reason}): nothing was sent, try again later")


async def resume_sending() -> None:
    """Raises Conflict if nothing is suspended."""
    if not await instance.resume():
        raise Conflict("sending is not on hold")
