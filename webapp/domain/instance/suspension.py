"""Suspends the whole instance: nothing is sent and no schedule runs until an operator resumes it."""

from webapp import clock
from webapp.errors import Conflict, ServiceUnavailable
from webapp.models import Instance
from webapp.models.instance import INSTANCE_ID, insert_row

RESUME_COMMAND = "pennypost accept-restore"
REASON_LENGTH = 255


async def find_suspension() -> Instance | None:
    return await Instance.get_or_none(id=INSTANCE_ID, held_at__isnull=False)


async def suspend_sending(reason: str) -> None:
    """Workers notice within a second; messages past DATA still go out, and new mail waits."""
    await insert_row()
    now = clock.now()
    await Instance.filter(id=INSTANCE_ID).update(held_at=now, held_reason=reason[:REASON_LENGTH], updated_at=now)


async def require_sending() -> None:
    """Raises ServiceUnavailable while suspended, for mail that cannot wait."""
    suspended = await find_suspension()
    if suspended is not None:
        raise ServiceUnavailable(f"sending is on hold ({suspended.held_reason}): nothing was sent, try again later")


async def resume_sending() -> None:
    """Raises Conflict if nothing is suspended."""
    suspended = Instance.filter(id=INSTANCE_ID, held_at__isnull=False)
    if not await suspended.update(held_at=None, held_reason=None, updated_at=clock.now()):
        raise Conflict("sending is not on hold")
