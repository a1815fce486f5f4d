"""All the tests at once: on PostgreSQL, on SQLite, with a Redis server and in a browser.

`--require-all` fails where one must be left out; `--quick` runs those that need no process, no clock and no browser, on
SQLite. A leg whose part is absent on this machine is named at the end, in one line; nothing else is skipped.
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

# What uses a database but says nothing about it need not be told twice; what uses none is left out by itself.
ONCE = (
    "tests/test_architecture.py",
    "tests/api/accounts/test_account_settings.py::test_what_is_required_is_named_all_of_it",
    "tests/api/accounts/test_accounts.py::TestHosts::test_a_private_host_is_refused",
    "tests/api/accounts/test_accounts.py::test_a_bad_field_is_named",
    "tests/api/accounts/test_accounts.py::test_a_page_that_is_no_number_from_one_is_refused",
    "tests/api/every_route/test_bodies.py",
    "tests/api/campaigns/test_campaigns.py::test_what_a_schedule_lacks_is_named",
    "tests/api/compose/test_compose.py::TestRule1AccountKey::test_it_is_a_string",
    "tests/api/compose/test_compose.py::TestRule2Content::test_a_malformed_template_id_is_refused",
    "tests/api/compose/test_compose.py::TestRule2Content::test_both_kinds_are_refused",
    "tests/api/compose/test_compose.py::TestRule2Content::test_half_of_one_kind_is_refused",
    "tests/api/compose/test_compose.py::TestRule2Content::test_what_is_no_subject_or_body_is_refused",
    "tests/api/compose/test_compose.py::TestRule3Recipients::test_what_names_nobody_or_names_them_in_two_ways_is_refused",
    "tests/api/compose/test_compose.py::TestRule4Variables::test_what_is_no_small_object_is_refused",
    "tests/api/compose/test_compose.py::TestRule6ToOnly::test_a_field_that_is_not_known_is_refused",
    "tests/api/emails/test_emails_create.py::test_a_bad_field_is_named_and_nothing_is_kept",
    "tests/api/emails/test_emails_limits.py::test_an_unknown_field_of_a_send_is_refused_however_deep_it_is",
    "tests/api/emails/test_emails_limits.py::test_cr_lf_and_nul_are_refused_wherever_they_could_end_a_line",
    "tests/api/emails/test_emails_limits.py::test_headers_that_the_service_writes_are_refused_in_any_case",
    "tests/api/emails/test_emails_limits.py::test_what_is_one_too_many_or_malformed_is_refused",
    "tests/api/every_route/test_errors.py",
    "tests/api/every_route/test_every_body.py::test_a_body_of_a_mib_is_taken_and_one_byte_more_is_not",
    "tests/api/every_route/test_every_body.py::test_a_send_may_have_40_mib_and_not_a_byte_more",
    "tests/api/every_route/test_every_body.py::test_an_unknown_field_of_a_send_is_refused",
    "tests/api/every_route/test_every_body.py::test_what_is_not_json_is_refused",
    "tests/api/limits/test_rate_limit.py",
    "tests/api/media/test_media.py::test_a_name_is_one_line_without_folders",
    "tests/api/media/test_media.py::test_a_photo_is_turned_upright_and_does_not_say_where_it_was_taken",
    "tests/api/media/test_media.py::test_a_wide_picture_is_scaled_where_that_is_asked_for",
    "tests/api/media/test_media.py::test_an_animation_stays_one",
    "tests/api/media/test_media.py::test_each_kind_is_what_it_says",
    "tests/api/media/test_media.py::test_no_text_is_left",
    "tests/api/media/test_media.py::test_what_is_no_picture_is_refused_by_its_name",
    "tests/api/test_reference.py",
    "tests/test_roles.py",
    "tests/api/every_route/test_routes.py",
    "tests/api/every_route/test_schemathesis.py",
    "tests/attacks/test_cross_site.py::test_no_other_site_reads_an_answer",
    "tests/attacks/test_guessing.py",
    "tests/attacks/test_hostile_requests.py::test_no_cookie_makes_a_fault",
    "tests/attacks/test_hostile_requests.py::test_no_way_leads_to_another_site",
    "tests/attacks/test_imports.py",
    "tests/attacks/test_injection.py::test_no_header_name_passes_that_is_none_or_ours",
    "tests/attacks/test_injection.py::test_no_line_break_passes_the_api",
    "tests/attacks/test_injection.py::test_no_smtp_command_passes_the_api",
    "tests/attacks/test_links.py::test_no_answer_names_the_host_that_was_asked_for",
    "tests/attacks/test_passwords.py",
    "tests/attacks/test_ssrf.py",
    "tests/attacks/test_stored_scripts.py",
    "tests/base/test_media_store.py",
    "tests/cli/test_keys.py::test_a_key_lasts_for_the_seconds_that_were_asked_for",
    "tests/cli/test_admin.py",
    "tests/cli/test_refusals.py",
    "tests/domain/delivery/test_blame.py",
    "tests/domain/delivery/test_greeting.py",
    "tests/domain/delivery/test_throttling.py",
    "tests/faults/test_out_of_step.py",
    "tests/jobs/test_arq_worker.py",
    "tests/cli/test_up.py",
    "tests/pages/accounts/test_accounts.py::test_bad_settings_are_named_at_their_fields",
    "tests/pages/accounts/test_accounts.py::test_what_must_be_there_cannot_be_emptied",
    "tests/pages/organization/test_audit_log.py::test_what_means_nothing_is_told_at_its_field",
    "tests/pages/shared/test_client.py",
    "tests/pages/shared/test_forms.py::test_a_form_from_another_site_is_refused",
    "tests/pages/shared/test_forms.py::test_a_form_without_a_token_is_refused",
    "tests/pages/shared/test_forms.py::test_another_sessions_token_is_refused",
    "tests/pages/shared/test_forms.py::test_what_is_no_form_is_refused",
    "tests/pages/accounts/test_google.py::test_a_cookie_that_is_not_ours_is_no_attempt",
    "tests/pages/shared/test_headers.py",
    "tests/pages/contacts/test_imports.py::test_what_is_no_table_is_refused_in_words",
    "tests/pages/organization/test_invitations.py::test_nobody_invites_above_their_own_role",
    "tests/pages/organization/test_api_requests.py::test_no_bytes_make_a_fault",
    "tests/pages/organization/test_api_requests.py::test_what_means_nothing_is_told_at_its_field",
    "tests/pages/organization/test_team.py::test_nobody_removes_who_stands_above_them",
    "tests/pages/organization/test_team.py::test_nobody_reaches_above_their_own_role",
)
# Bytecode is kept, whatever the machine's own custom: hundreds of processes import the same.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
WORKERS = 3  # of each database, on two cores too: many tests wait for processes and clocks
QUICK_WORKERS = 2  # which never wait
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
    parser.add_argument("--quick", action="store_true", help="run what needs no process, no clock and no browser")
    arguments = parser.parse_args()
    if arguments.quick:
        leg = Leg("quick", ["--database", "sqlite", "--quick", *in_parallel(QUICK_WORKERS)], folder=folder_in_memory())
        run(leg)
        return close([leg], required=arguments.require_all)
    legs = all_legs()
    with ThreadPoolExecutor() as at_once:
        list(at_once.map(run, [leg for leg in legs if leg.absent is None]))
    return close(legs, required=arguments.require_all)


def in_parallel(workers: int) -> list[str]:
    """The arguments of pytest for all tests but those of a leg of their own."""
    apart = [f"--ignore={BROWSER}", f"--ignore={DOVECOT}"]
    return ["-n", str(workers), "--dist", "worksteal", *apart, "-p", "no:playwright"]


def all_legs() -> list[Leg]:
    parallel = in_parallel(WORKERS)
    once = ["--database-only", *(f"--deselect={test}" for test in ONCE)]
    server = "sqlite" if why_no_postgres() else "postgres"
    folder = folder_in_memory()
    return [
        Leg(
            "PostgreSQL",
            ["--database", "postgres", *parallel, *once],
            absent=why_no_postgres(),
            folder=folder,
        ),
        Leg("SQLite", ["--database", "sqlite", *parallel], folder=folder),
        Leg("Redis server", ["--database", server, "--redis-server", APART], absent=why_no_redis(), folder=folder),
        Leg("browser", ["--database", "sqlite", BROWSER], absent=why_no_browser(), folder=folder),
        Leg("IMAP server", ["--database", "sqlite", DOVECOT], absent=why_no_dovecot()),
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


def why_no_browser() -> str | None:
    return None if shutil.which("chromium") else "the browser (no chromium on the PATH)"


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
