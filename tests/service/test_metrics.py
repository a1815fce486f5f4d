"""The metrics of a part, added up over its processes, and the gauges of the instance."""

import os
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.conftest import free_port
from tests.factories import account_on, make_account, make_contact
from tests.fakes.smtp_server import SmtpServer
from tests.faults.support.processes import FROM_NOTHING, kill, start
from tests.faults.support.web import client_of, new_key, web_running, with_port
from tests.faults.support.world import queue_mails, until, until_received, until_sent
from tests.locks import held
from tests.structure import ROOT
from tests.support.starter import children_of
from webapp.config import Settings
from webapp.models import Organization

pytestmark = [pytest.mark.timeout(180), pytest.mark.slow]

PATIENCE = 60.0
Labels = dict[str, str]


def with_metrics(settings: Settings) -> Settings:
    return replace(settings, metrics_port=free_port())


async def scrape(settings: Settings) -> str:
    async with httpx2.AsyncClient(timeout=30) as client:
        answer = await client.get(f"http://127.0.0.1:{settings.metrics_port}/metrics")
    assert answer.status_code == 200
    return answer.text


def value(text: str, name: str, **labels: str) -> float:
    """The sum of a metric's samples with these labels."""
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return sum(sample.value for sample in samples if sample.name == name and labels.items() <= sample.labels.items())


def names_in(text: str) -> set[str]:
    """The names of our metrics in a scrape."""
    return {family.name for family in text_string_to_metric_families(text) if family.name.startswith("pennypost_")}


@asynccontextmanager
async def worker_of(settings: Settings, *options: str, program: str | None = None) -> AsyncIterator[int]:
    """The id of a worker that is ready."""
    process = await start(settings, "worker", *options, program=program)
    try:
        await until(lambda: "ready" in (settings.data_dir / "worker.log").read_text(), PATIENCE)
        yield process.pid
    finally:
        await kill(process)


async def test_a_part_reports_its_counts_and_the_state_of_the_instance_and_nothing_of_a_person(
    acme: Organization, rival: Organization, settings: Settings
) -> None:
    web, worker = with_metrics(with_port(settings)), with_metrics(settings)
    async with SmtpServer() as smtp:
        account, resting = await account_on(smtp, acme, daily_mail_limit=10), await make_account(rival, status="paused")
        await make_contact(rival, "stranger@rival.example")
        async with web_running(web), client_of(web, await new_key(acme)) as client, worker_of(worker):
            await queue_mails(acme, account, 3, "ada")
            await until_received(smtp, 3)
            await until_sent(acme)
            for path in ("/contacts", "/contacts", "/nothing-of-the-kind"):
                await client.get(path)
            of_web, of_worker = await scrape(web), await scrape(worker)
    assert value(of_web, "pennypost_http_requests_total", route="/v1/contacts", status="200") == 2
    assert value(of_web, "pennypost_http_requests_total", route="other", status="404") == 1
    assert value(of_web, "pennypost_http_request_seconds_count", route="/v1/contacts") == 2
    assert value(of_worker, "pennypost_mail_outcomes_total", account=str(account.id), outcome="sent") == 3
    assert value(of_worker, "pennypost_settle_seconds_count") >= 1
    documented = re.findall(r"pennypost_\w+", (ROOT / "docs/monitoring.md").read_text())
    assert names_in(of_web + of_worker) == {name.removesuffix("_total") for name in documented}
    alerts = (ROOT / "deploy/alerts.yml").read_text()
    assert set(re.findall(r"pennypost_\w+", alerts)) <= set(documented)
    for text in (of_web, of_worker):
        assert value(text, "pennypost_ready", check="worker") == 1
        assert value(text, "pennypost_workers") == 1
        assert value(text, "pennypost_waiting_rows", state="pending") == 0
        assert value(text, "pennypost_accounts", state="paused") == 1
        assert value(text, "pennypost_account_quota_left", account=str(account.id)) == 7
        assert value(text, "pennypost_free_bytes", folder="data") > 0
        for secret in ("stranger", "rival.example", "ada0", str(rival.id), str(resting.id)):
            assert secret not in text


@pytest.mark.postgres
async def test_metrics_are_served_while_the_database_hangs(acme: Organization, settings: Settings) -> None:
    worker = with_metrics(settings)
    async with worker_of(worker), held("LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE"):
        text = await scrape(worker)
    assert value(text, "pennypost_build_info") == 1
    assert value(text, "pennypost_settle_seconds_bucket", le="+Inf") == 0
    assert "pennypost_accounts" not in text


@pytest.mark.postgres
async def test_processes_of_a_part_add_up_and_one_that_is_killed_is_replaced(
    acme: Organization, settings: Settings
) -> None:
    web, worker = with_metrics(with_port(settings)), with_metrics(settings)
    async with SmtpServer() as smtp:
        account = await account_on(smtp, acme, daily_mail_limit=10_000)
        async with (
            web_running(web, "web", "--processes", "2", program=FROM_NOTHING),
            client_of(web, await new_key(acme)) as client,
            worker_of(worker, "--processes", "2", program=FROM_NOTHING) as parent,
        ):
            client.headers["Connection"] = "close"  # so that any process may get the next one
            for _ in range(20):
                assert (await client.get("/contacts")).status_code == 200
            assert value(await scrape(web), "pennypost_http_requests_total", route="/v1/contacts") == 20
            await queue_mails(acme, account, 200)
            await until_received(smtp, 20)
            (victim, *_) = children_of(parent)
            os.kill(victim, signal.SIGKILL)
            assert value(await scrape(worker), "pennypost_build_info") == 1  # the port answers on
            await until(lambda: len(children_of(parent)) == 2 and victim not in children_of(parent), 10)
            await until_sent(acme, 150)
            sent = value(await scrape(worker), "pennypost_mail_outcomes_total", outcome="sent")
    assert 200 - 50 <= sent <= 200  # what the killed one had sent and not saved is counted by who sends it again
    assert len(smtp.messages) <= 200 + account.concurrency


@pytest.mark.postgres
async def test_a_start_removes_the_metrics_of_a_parent_that_was_killed(database: str, settings: Settings) -> None:
    def files_of(parent: int) -> list[Path]:
        return list(Path("/dev/shm").glob(f"pennypost-metrics-{parent}-*/*.db"))

    worker = with_metrics(settings)
    async with worker_of(worker, "--processes", "2", program=FROM_NOTHING) as killed:
        assert files_of(killed)
    assert files_of(killed)
    async with worker_of(worker, "--processes", "2", program=FROM_NOTHING) as parent:
        await until(lambda: files_of(parent) and not files_of(killed), PATIENCE)
