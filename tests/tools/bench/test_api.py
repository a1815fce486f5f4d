"""`make bench-api`: what it computes and prints, and all of it among few rows."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import SUFFIX
from tests.tools.bench.api_figures import Figures, Round, growth_line
from tests.tools.bench.api_service import BARE, bare_handler
from tests.tools.bench.load import Load, LoadClient, read_wrk

ROOT = Path(__file__).resolve().parents[3]
SECONDS = 570
WRK = """Running 5s test @ http://127.0.0.1:8000/
  1 threads and 50 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency    13.40ms    4.71ms  61.30ms   86.21%
    Req/Sec     3.72k    30.10     3.80k    68.00%
  Latency Distribution
     50%  850.00us
     75%   14.02ms
     90%   18.11ms
     99%    1.27s{space}
  18603 requests in 5.01s, 9.90MB read
{errors}Requests/sec:   3713.17
Transfer/sec:      1.98MB
"""
LINE = r"^{} +\d+\.\d %  +\d+\.\d\d ms  p50 \d+ +p99 \d+ +[\d,]+ /s  others \d+\.\d\d"
GROWN = r"^{} +\d+\.\d\d times +[\d,]+ to +[\d,]+ /s  p50 +\d+ to +\d+  p99 +\d+ to +\d+  others \d+\.\d\d \d+\.\d\d"


def a_round(answered: int = 18_500, *, bare: float = 8_600, others: float = 0.05, p99: float = 37) -> Round:
    """A round of five seconds, 0.26 ms of the web's processor for each request."""
    load = Load(answered=answered, failed=0, seconds=5, p50=12.4, p99=p99)
    return Round(load, 0.00026 * answered, others, bare)


def test_what_wrk_prints_is_read() -> None:
    assert read_wrk(WRK.format(space=" ", errors="")) == Load(18_603, 0, 5.01, 0.85, 1270)


@pytest.mark.parametrize(
    ("errors", "failed"),
    [
        ("  Non-2xx or 3xx responses: 7\n", 7),
        ("  Socket errors: connect 1, read 2, write 3, timeout 4\n  Non-2xx or 3xx responses: 5\n", 15),
    ],
)
def test_what_failed_is_counted(errors: str, failed: int) -> None:
    assert read_wrk(WRK.format(space="", errors=errors)).failed == failed


def test_a_route_is_a_line_of_medians() -> None:
    rounds = [a_round(), a_round(17_000, others=0.31, p99=99), a_round(30_000, bare=8_700, p99=20)]
    assert Figures(rounds).line("GET /v1/contacts/{id}", 0.4) == (
        f"{'GET /v1/contacts/{id}':64} 43.0 %  0.26 ms  p50 12   p99 37      3,700 /s  others 0.05 0.31 0.05"
    )


@pytest.mark.parametrize(
    ("share", "p99", "missed"),
    [(0.45, 37, "  MISSED: under 45%"), (0.4, 125, "  MISSED: p99 over 10 times p50"), (None, 125, "  others 0.05")],
)
def test_a_bound_that_is_missed_is_named(share: float | None, p99: float, missed: str) -> None:
    assert Figures([a_round(p99=p99)]).line("POST /v1/emails", share).endswith(missed)


def test_growth_is_that_of_the_time_for_a_request() -> None:
    few, many = Figures([a_round(3_000)] * 2), Figures([a_round(2_000, p99=600)] * 2)
    line = growth_line("GET /v1/contacts", few, many, 500)
    assert " 1.50 times     600 to    400 /s  p50   12 to   12  p99   37 to  600  others 0.05 0.05" in line
    assert line.endswith("  MISSED: over 1.3 times, p99 over 500")
    assert not growth_line("GET /v1/contacts", few, Figures([a_round(2_400)] * 2), 500).count("MISSED")


@pytest.mark.parametrize(("p99", "missed"), [(55, "  others 0.05 0.05"), (56, "  MISSED: p99 over 1.5 times")])
def test_the_growth_of_a_look_up_is_that_of_its_times(p99: float, missed: str) -> None:
    few, many = Figures([a_round(3_000)]), Figures([a_round(2_000, p99=p99)])
    assert growth_line("GET /v1/emails?to={address}", few, many, growth=1.5).endswith(missed)


def test_a_route_that_never_answers_missed_its_bounds() -> None:
    silent = replace(a_round(), load=Load(0, 0, 5, 0, 0))
    line = Figures([silent]).line("GET /v1/emails", 0.06)
    assert "  0.0 %" in line
    assert "MISSED: under 6%, p99 over 10 times p50" in line
    assert " inf times " in growth_line("GET /v1/emails", Figures([a_round()]), Figures([silent]), None)


@pytest.mark.soak
@pytest.mark.parametrize("ours", [True, False])
async def test_a_client_counts_what_is_answered(tmp_path: Path, *, ours: bool) -> None:
    client = LoadClient(tmp_path, 5, ours=ours)
    async with bare_handler() as port:
        load = await client.ask(port, [BARE], 3)
        with pytest.raises(RuntimeError, match="requests failed"):
            await client.ask(port, [BARE, BARE.replace(b"/", b"/nothing", 1)], 3)
    assert load.failed == 0
    assert load.answered > 10
    assert 0 < load.p50 <= load.p99 < 3000


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.postgres
@pytest.mark.parametrize(
    ("part", "client", "pattern", "labels"),
    [
        ("one", "wrk", LINE, ["GET /v1/emails, never analysed", "GET /v1/emails", "POST /v1/emails"]),
        ("growth", "ours", GROWN, ["GET /v1/emails", "POST /v1/emails"]),
    ],
)
def test_each_route_is_measured(part: str, client: str, pattern: str, labels: list[str]) -> None:
    command = [
        sys.executable,
        "-m",
        "tests.tools.bench.api",
        part,
        "--client",
        client,
        "--only",
        "list-emails",
        "post-email",
    ]
    command += ["--rounds", "1", "--seconds", "3", "--rows", "200", "--many", "400", "--connections", "5"]
    command += ["--database", f"pennypost_bench_api{SUFFIX}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert not done.stderr
    for label in labels:
        assert re.search(pattern.format(re.escape(label)), done.stdout, re.MULTILINE), label
    assert (done.returncode == 1) == ("MISSED" in done.stdout)
