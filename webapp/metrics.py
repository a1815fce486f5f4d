"""Counters and histograms of this process in Prometheus' terms, which metrics_endpoint serves."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram, disable_created_metrics
from prometheus_client.multiprocess import MultiProcessCollector

from webapp.logs import RateLimitedLogger

disable_created_metrics()  # type: ignore[no-untyped-call]  # they double the number of series

# In whose files the processes that share a port add up; it must be set before this is imported.
MULTIPROC_DIR = "PROMETHEUS_MULTIPROC_DIR"
MOST_ACCOUNTS = 500  # with labels of their own, because each label is a time series for ever
MOST_FILES = 100
OTHER = "other"  # the label of the rest
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds

requests = Counter("pennypost_http_requests", "Requests by route and status.", ["method", "route", "status"])
request_seconds = Histogram("pennypost_http_request_seconds", "Time to answer.", ["route"], buckets=BUCKETS)
_outcomes = Counter("pennypost_mail_outcomes", "Rows that a worker finished or put back.", ["account", "outcome"])
claim_seconds = Histogram("pennypost_claim_seconds", "Time to claim a batch of rows.", buckets=BUCKETS)
settle_seconds = Histogram("pennypost_settle_seconds", "Time to save a batch of outcomes.", buckets=BUCKETS)
lost_leases = Counter("pennypost_lost_leases", "Outcomes of rows whose lease was lost.")
reclaimed = Counter("pennypost_reclaimed_rows", "Rows of dead workers that wait again.")
webhook_attempts = Counter("pennypost_webhook_attempts", "Posts to webhooks.", ["outcome"])
webhook_seconds = Histogram("pennypost_webhook_seconds", "Time of a post to a webhook.", buckets=BUCKETS)
smtp_sessions = Counter("pennypost_smtp_sessions", "Connections of programs that submit email by SMTP.")
smtp_emails = Counter("pennypost_smtp_emails", "Emails submitted by SMTP, by the code of the reply.", ["code"])
blocked_loop_seconds = Counter("pennypost_blocked_loop_seconds", "Time for which work blocked the event loop.")

_accounts: dict[UUID, str] = {}
_complaints = RateLimitedLogger(logging.getLogger(__name__))


def count_outcome(account_id: UUID, outcome: str, rows: int) -> None:
    if account_id not in _accounts and len(_accounts) < MOST_ACCOUNTS:
        _accounts[account_id] = str(account_id)
    _outcomes.labels(_accounts.get(account_id, OTHER), outcome).inc(rows)


@contextmanager
def harmless() -> Iterator[None]:
    """Lets work go on if the files of the metrics can't be written."""
    try:
        yield
    except OSError as error:
        _complaints.warn("metrics can't be counted: %s", error)


def registry() -> CollectorRegistry:
    """All processes' metrics if they share a port, else this one's."""
    if MULTIPROC_DIR not in os.environ:
        return REGISTRY
    _forget_oldest(Path(os.environ[MULTIPROC_DIR]))
    together = CollectorRegistry()
    MultiProcessCollector(together)  # type: ignore[no-untyped-call]  # registers itself
    return together


def is_running(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # another user's
        pass
    return True


def _forget_oldest(folder: Path) -> None:
    """Removes files of processes that ended long ago, because each scrape reads them all."""
    files = sorted(folder.glob("*.db"), key=lambda file: file.stat().st_mtime)
    for file in files[:-MOST_FILES]:
        if not is_running(int(file.stem.rpartition("_")[2])):
            file.unlink(missing_ok=True)
