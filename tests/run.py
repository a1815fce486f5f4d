"""All the tests at once: on PostgreSQL, on SQLite, with a Redis server and in a browser.

`--require-all` fails where one must be left out; `--quick` runs those that neither wait nor start processes, on SQLite.
A leg whose part is absent on this machine is named at the end, in one line; nothing else is skipped.
"""

import argparse
import asyncio
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import asyncpg

ROOT = Path(__file__).resolve().parent.parent
POSTGRES = os.environ.get("TEST_DATABASE_URL", "postgres://postgres@127.0.0.1:5432/postgres")
REDIS = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/9")
LEG_SECONDS = 3_000  # of a leg that hangs: two at once take two thirds of it on two slow cores
BROWSER = "tests/browser"
DOVECOT = "tests/sending/reports/test_dovecot.py"
APART = "tests/service/test_one_mail.py::test_three_processes_one_mail"

# What runs on PostgreSQL too, because the code under test knows the dialect or relies on its locks and types, and a
# request to every route and page. Tests here that use no database run once.
ON_BOTH = (
    "tests/api/campaigns/test_campaigns_stop.py",
    "tests/api/campaigns/test_large_sends.py",
    "tests/api/campaigns/test_runs.py",
    "tests/api/compose/test_compose_delivery.py",
    "tests/api/contacts/test_contacts.py",
    "tests/api/contacts/test_dynamic_segments.py",
    "tests/api/contacts/test_erasing.py",
    "tests/api/contacts/test_many_contacts.py",
    "tests/api/contacts/test_segment_contacts.py",
    "tests/api/emails/test_cancel.py",
    "tests/api/emails/test_emails_at_once.py",
    "tests/api/emails/test_emails_quota.py",
    "tests/api/emails/test_emails_read.py",
    "tests/api/every_route/test_at_once.py",
    "tests/api/every_route/test_errors.py",
    "tests/api/every_route/test_every_body.py",
    "tests/api/every_route/test_lists.py",
    "tests/api/every_route/test_matrix.py",
    "tests/api/every_route/test_representation.py",
    "tests/api/limits/test_allowance.py",
    "tests/api/limits/test_idempotency.py",
    "tests/api/limits/test_plan_limits.py",
    "tests/api/limits/test_request_log.py",
    "tests/api/mail_logs",
    "tests/api/test_hot_statements.py",
    "tests/attacks/test_hostile_requests.py",
    "tests/cli/test_database.py",
    "tests/cli/test_parts.py",
    "tests/cli/test_smtp.py",
    "tests/db",
    "tests/domain/accounts/test_oauth_tokens.py",
    "tests/domain/auth/test_one_time_link_emails.py",
    "tests/domain/bounces/test_effects.py",
    "tests/domain/bounces/test_reading.py",
    "tests/domain/campaigns/test_campaign_delivery.py",
    "tests/domain/campaigns/test_review_names.py",
    "tests/domain/campaigns/test_run_counts.py",
    "tests/domain/campaigns/test_scheduled_runs.py",
    "tests/domain/campaigns/test_scheduler.py",
    "tests/domain/contacts/test_address_search.py",
    "tests/domain/contacts/test_consent.py",
    "tests/domain/contacts/test_upsert.py",
    "tests/domain/delivery/test_account_queue.py",
    "tests/domain/delivery/test_account_trouble.py",
    "tests/domain/delivery/test_dispatcher.py",
    "tests/domain/delivery/test_hard_bounces.py",
    "tests/domain/delivery/test_live_state.py",
    "tests/domain/delivery/test_load_messages.py",
    "tests/domain/delivery/test_mail_log_states.py",
    "tests/domain/delivery/test_missing_key.py",
    "tests/domain/delivery/test_robustness.py",
    "tests/domain/delivery/test_run_breaker.py",
    "tests/domain/events",
    "tests/domain/home",
    "tests/domain/imports/test_choices_kept.py",
    "tests/domain/imports/test_worker.py",
    "tests/domain/instance",
    "tests/domain/notifications",
    "tests/domain/personal_data",
    "tests/domain/plans/test_limits.py",
    "tests/domain/segments",
    "tests/domain/suppressions/test_runs.py",
    "tests/domain/suppressions/test_waiting_emails.py",
    "tests/domain/tracking/test_hits.py",
    "tests/domain/tracking/test_judging.py",
    "tests/domain/webhooks/test_deliver.py",
    "tests/domain/webhooks/test_every_event_type.py",
    "tests/domain/webhooks/test_shares.py",
    "tests/faults",
    "tests/jobs",
    "tests/models",
    "tests/ops/test_health.py",
    "tests/pages/auth/test_claim.py",
    "tests/pages/auth/test_join.py",
    "tests/pages/auth/test_reset_password.py",
    "tests/pages/auth/test_security.py",
    "tests/pages/campaigns/test_people.py",
    "tests/pages/forms",
    "tests/pages/shared/test_guards.py",
    "tests/pages/shared/test_sorting.py",
    "tests/pages/test_queries.py",
    "tests/pages/test_shares.py",
    "tests/service/test_metrics.py",
    "tests/service/test_one_mail.py",
    "tests/service/test_processes.py",
    "tests/smtp/test_submitting.py",
    "tests/test_migrations.py",
    "tests/tools/bench",
)
# Bytecode is kept, whatever the machine's own custom: hundreds of processes import the same.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
WORKERS = {"sqlite": 3, "postgres": 3}  # on two cores too: many tests wait for processes and clocks
LINE_END = "\n"
MEMORY = Path("/dev/shm")  # Linux has a disk in memory there
ROOM = 2 * 1024**3  # bytes; what a test has written is removed when it has passed


@dataclass
class Leg:
    """One call of pytest, and why it is left out where it is."""

    name: str
    arguments: list[str]
    absent: str | None = None
    seconds: int = LEG_SECONDS
    folder: Path | None = None  # where its tests write, None for the machine's usual place
    closing: str = ""
    report: ET.Element | None = None
    is_passed: bool = False

    @property
    def skipped(self) -> int:
        """How many tests were skipped."""
        suites = self.report.iter("testsuite") if self.report is not None else ()
        return sum(int(suite.get("skipped", "0")) for suite in suites)

    @property
    def failures(self) -> list[str]:
        """The tests that failed, each with the first line of why."""
        cases = self.report.iter("testcase") if self.report is not None else ()
        return [
            f"{case.get('classname')}::{case.get('name')}: {fault.get('message', '').partition(LINE_END)[0]}"
            for case in cases
            for fault in (*case.iter("failure"), *case.iter("error"))
        ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--require-all", action="store_true", help="fail when a leg is left out or a test is skipped")
    parser.add_argument("--quick", action="store_true", help="run what neither waits nor starts processes")
    parser.add_argument("tests", nargs="*", help="run these alone, on both databases")
    arguments = parser.parse_args()
    if arguments.quick:
        leg = Leg(
            "quick", ["--database", "sqlite", "--quick", *in_parallel(WORKERS["sqlite"])], folder=folder_in_memory()
        )
        run(leg)
        return close([leg], required=arguments.require_all)
    legs = legs_of(arguments.tests) if arguments.tests else all_legs()
    with ThreadPoolExecutor() as at_once:
        list(at_once.map(run, [leg for leg in legs if leg.absent is None]))
    return close(legs, required=arguments.require_all)


def in_parallel(workers: int) -> list[str]:
    """The arguments of pytest for all tests but those of a leg of their own."""
    apart = [f"--ignore={BROWSER}", f"--ignore={DOVECOT}"]
    return ["-n", str(workers), "--dist", "worksteal", *apart, "-p", "no:playwright"]


def all_legs() -> list[Leg]:
    server = "sqlite" if why_no_postgres() else "postgres"
    folder = folder_in_memory()
    return [
        Leg(
            "PostgreSQL",
            ["--database", "postgres", "--database-only", *in_parallel(WORKERS["postgres"]), *ON_BOTH],
            absent=why_no_postgres(),
            folder=folder,
        ),
        Leg("SQLite", ["--database", "sqlite", *in_parallel(WORKERS["sqlite"])], folder=folder),
        Leg("Redis server", ["--database", server, "--redis-server", APART], absent=why_no_redis(), folder=folder),
        Leg("browser", ["--database", "sqlite", BROWSER], absent=why_no_browser(), folder=folder),
        Leg("IMAP server", ["--database", "sqlite", DOVECOT], absent=why_no_dovecot()),
    ]


def legs_of(tests: list[str]) -> list[Leg]:
    return [
        Leg("PostgreSQL", ["--database", "postgres", *tests], absent=why_no_postgres()),
        Leg("SQLite", ["--database", "sqlite", *tests]),
    ]


def folder_in_memory() -> Path | None:
    """Where no commit of thousands of databases waits for a disk: no test pulls the plug. None where there is none."""
    is_there = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= ROOM
    return MEMORY if is_there else None


def why_no_postgres() -> str | None:
    parts = urlsplit(POSTGRES)
    place = f"{parts.hostname or 'its socket'}:{parts.port or 5432}"

    async def knock() -> None:
        await (await asyncpg.connect(POSTGRES, timeout=5)).close()

    try:
        asyncio.run(knock())
    except OSError:
        return f"PostgreSQL ({place} does not answer)"
    except asyncpg.PostgresError as error:
        return f"PostgreSQL ({place} answers: {error}; set TEST_DATABASE_URL)"
    return None


def why_no_redis() -> str | None:
    parts = urlsplit(REDIS)
    try:
        socket.create_connection((parts.hostname or "127.0.0.1", parts.port or 6379), timeout=2).close()
    except OSError:
        return f"a Redis server ({parts.netloc} does not answer); the other legs use the embedded one"
    return None


def chromium() -> str | None:
    """The browser; without windows it takes a third less time."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")


def why_no_browser() -> str | None:
    return None if chromium() else "the browser (no chromium-headless-shell or chromium on the PATH)"


def dovecot() -> str | None:
    """The program, which Debian keeps off the PATH of people."""
    return shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def why_no_dovecot() -> str | None:
    return None if dovecot() else "the IMAP server (no dovecot on the PATH or in /usr/sbin)"


def run(leg: Leg) -> None:
    """Run a leg, showing what pytest says, and keep its closing line."""
    print(f"\n--- {leg.name}", flush=True)
    with tempfile.TemporaryDirectory(dir=leg.folder) as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", *leg.arguments]
        command += [f"--basetemp={folder}/tests"] if leg.folder else []
        with subprocess.Popen(
            command, cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True, errors="replace"
        ) as pytest:
            bound = threading.Timer(leg.seconds, pytest.kill)
            bound.start()
            for line in pytest.stdout or ():
                print(f"{leg.name}: {line}", end="", flush=True)
                leg.closing = line.strip() or leg.closing
            bound.cancel()
        leg.is_passed = pytest.wait() == 0
        leg.report = ET.parse(report).getroot() if report.exists() else None


def close(legs: list[Leg], *, required: bool) -> int:
    """Say how each leg went and return the exit code."""
    print("\n--- in all", flush=True)
    for leg in legs:
        if leg.absent:
            print(f"left out: {leg.absent}")
        else:
            print(f"{'passed' if leg.is_passed else 'FAILED'}: {leg.name}: {leg.closing}")
            for failure in leg.failures:
                print(f"    {failure}")
    incomplete = any(leg.absent or leg.skipped for leg in legs)
    if required and incomplete:
        print("FAILED: everything was required, and something was left out or skipped")
    is_good = all(leg.absent or leg.is_passed for leg in legs) and not (required and incomplete)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
