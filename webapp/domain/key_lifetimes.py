"""How long a key lasts, as a person chooses it from a list."""

from datetime import datetime, timedelta

from webapp import clock
from webapp.errors import ValidationError

DAYS = {"7": 7, "30": 30, "90": 90, "365": 365}


def expires_after(lifetime: str) -> datetime | None:
    """When a key made now ends; the empty lifetime has no end. Raises ValidationError for one that is not offered."""
    if not lifetime:
        return None
    if lifetime not in DAYS:
        raise ValidationError.of("lifetime", "lifetime must be one of the list")
    return clock.now() + timedelta(days=DAYS[lifetime])
