"""Serves /metrics in Prometheus' text format: what this part counts, and the state of the whole instance."""

import asyncio
import shutil
from collections.abc import Iterable, Iterator, Mapping
from time import monotonic

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector
from quart import Quart, Response

from webapp import __version__, clock, db, health, metrics
from webapp.config import Settings
from webapp.domain.instance import workers
from webapp.models.queries import instance_gauges

MAX_AGE_SECONDS = 5.0  # of the instance's numbers, because several servers may ask
QUERY_SECONDS = 5.0
ANSWER_SECONDS = 8.0  # as Prometheus gives up after ten
LISTED_ACCOUNTS = 100


def create_metrics_app(settings: Settings) -> Quart:
    app = Quart("metrics")
    instance = _Instance(settings)

    @app.get("/metrics")
    async def show() -> Response:
        state = CollectorRegistry()
        state.register(await instance.read())
        text = await asyncio.to_thread(lambda: generate_latest(metrics.registry()) + generate_latest(state))
        return Response(text, content_type=CONTENT_TYPE_LATEST)

    return app


class _Families(Collector):
    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = list(families)

    def collect(self) -> Iterator[Metric]:
        return iter(self._families)


class _Instance:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._reading: asyncio.Task[list[Metric]] | None = None
        self._read_at = -MAX_AGE_SECONDS

    async def read(self) -> _Families:
        """Without what takes longer than ANSWER_SECONDS, such as a database that hangs; it is asked once at a time."""
        build = InfoMetricFamily("pennypost_build", "The version.", {"version": __version__})
        always = [build, _free_space(self._settings)]
        if not db.is_connected():  # this process isn't ready
            return _Families(always)
        is_old = monotonic() - self._read_at >= MAX_AGE_SECONDS
        if self._reading is None or (self._reading.done() and is_old):
            self._reading, self._read_at = asyncio.create_task(self._read()), monotonic()
        done, _ = await asyncio.wait({self._reading}, timeout=ANSWER_SECONDS)
        return _Families([*always, *(self._reading.result() if done else ())])

    async def _read(self) -> list[Metric]:
        parts = await health.check_parts(self._settings)
        families: list[Metric] = [_gauge("ready", "1 if the check of /readyz passes.", "check", _passed(parts))]
        try:
            async with asyncio.timeout(QUERY_SECONDS), db.read_connection():
                families += await _of_database()
        except Exception as error:  # noqa: BLE001 - the other metrics must be served all the same
            health.complaints.warn("metrics of the database could not be read: %s", str(error) or type(error).__name__)
        return families


def _free_space(settings: Settings) -> GaugeMetricFamily:
    folders = {"data": settings.data_dir, **({"database": settings.sqlite_path.parent} if settings.is_sqlite else {})}
    free = {name: shutil.disk_usage(folder).free for name, folder in folders.items() if folder.exists()}
    return _gauge("free_bytes", "Free space on the disks of this part.", "folder", free)


def _passed(parts: health.Readiness) -> dict[str, int]:
    return {check: int(state == health.OK) for check, state in parts._asdict().items()}


async def _of_database() -> list[Metric]:
    accounts = await instance_gauges.list_accounts(LISTED_ACCOUNTS)
    count, oldest = await instance_gauges.waiting_webhooks()
    due = await instance_gauges.oldest_due(accounts)
    ages = {str(account.account_id): account.seconds for account in accounts}
    left = {str(a.account_id): a.left(str(clock.today(a.timezone, clock.now()))) for a in accounts}
    at_limit = sum(number == 0 for number in left.values())
    return [
        _gauge("waiting_rows", "Emails that wait or are being sent.", "state", await instance_gauges.count_waiting()),
        _gauge("oldest_due_seconds", "How long the oldest email that could be sent has waited.", None, {"": due}),
        _gauge("account_oldest_due_seconds", "The same of each account, without campaigns.", "account", ages),
        _gauge("account_quota_left", "Emails that an account may still send today.", "account", left),
        _gauge("accounts", "Accounts by state.", "state", await instance_gauges.count_accounts()),
        _gauge("accounts_at_limit", "Accounts that may send nothing more today.", None, {"": at_limit}),
        _gauge("waiting_webhook_events", "Events that wait to be posted.", None, {"": count}),
        _gauge("oldest_webhook_event_seconds", "How long the oldest of them has been due.", None, {"": oldest}),
        _gauge("workers", "Workers with a fresh heartbeat.", None, {"": await workers.count_alive()}),
        _gauge("table_bytes", "Size of the database's tables.", "table", await instance_gauges.table_bytes()),
    ]  # fmt: skip


def _gauge(name: str, about: str, label: str | None, values: Mapping[str, float]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"pennypost_{name}", about, labels=[label] if label else [])
    for key, value in values.items():
        family.add_metric([key] if label else [], value)
    return family
