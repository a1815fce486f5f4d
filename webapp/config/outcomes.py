"""When events are posted to webhooks, and how many of a run's emails may bounce."""

from typing import NamedTuple

LONGEST_WEBHOOK_DELAY, MOST_ATTEMPTS = 7 * 86_400, 50  # seconds
WEBHOOK_SCHEDULE = "0,5,300,1800,7200,18000,36000,50400,72000,86400"  # what Standard Webhooks recommends


class ShareLimit(NamedTuple):
    """A share of a run's sent emails, which applies once `least` were sent."""

    share: float  # of 1
    least: int


def parse_webhook_schedule(text: str) -> tuple[float, ...]:
    try:
        delays = tuple(float(part) for part in text.split(","))
    except ValueError:
        delays = ()
    if not delays or len(delays) > MOST_ATTEMPTS or not all(0 <= delay <= LONGEST_WEBHOOK_DELAY for delay in delays):
        raise ValueError(
            f"must be up to {MOST_ATTEMPTS} numbers of seconds from 0 to {LONGEST_WEBHOOK_DELAY}, separated by commas"
        )
    return delays


def parse_share_limit(text: str) -> ShareLimit:
    try:
        share, least = text.split(",")
        limit = ShareLimit(float(share) / 100, int(least))
    except ValueError:
        limit = ShareLimit(0, 0)
    if not 0 < limit.share <= 1 or limit.least < 1:
        raise ValueError("must be a percentage and a number of emails, like 8,100")
    return limit
