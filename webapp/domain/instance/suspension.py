"""The suspension of the whole instance: nothing is sent and no schedule runs until an operator resumes it."""

from webapp.errors import Conflict, ServiceUnavailable
from webapp.models import instance
from webapp.models.instance import Suspension

RESUME_COMMAND = "pennypost accept-restore"  # what an operator runs
REASON_LENGTH = 255


async def find_suspension() -> Suspension | None:
    return await instance.find_suspension()


async def suspend_sending(reason: str) -> None:
    """Workers notice within a second; a message past DATA still goes out, and new mail waits."""
    await instance.suspend(reason[:REASON_LENGTH])


async def require_sending() -> None:
    """Raises ServiceUnavailable while suspended, for mail that cannot wait."""
    found = await find_suspension()
    if found is not None:
        raise ServiceUnavailable(f"sending is on hold ({found.reason}): nothing was sent, try again later")


async def resume_sending() -> None:
    """Raises Conflict when nothing is suspended."""
    if not await instance.resume():
        raise Conflict("sending is not on hold")
