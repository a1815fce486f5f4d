"""`make bench-large` at a thousandth of its size: it measures everything it says it does, whatever the figures are."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import SUFFIX

ROOT = Path(__file__).resolve().parents[3]
SECONDS = 170
FIGURES = {
    "campaign": {
        "send answers, not analysed": "< 1 s",
        "first mail after the answer, not analysed": "< 3 s",
        "send answers, analysed": "< 1 s",
        "first mail after the answer, analysed": "< 3 s",
        "mails after stop has answered": "< 51",
        "worker's peak memory": "< 150 MB",
    },
    "transactional": {
        "p95, another account, at its receiver": "< 2 s",
        "p95, the campaign's account, by its rows": "< 2 s",
    },
}


@pytest.mark.soak
@pytest.mark.postgres
@pytest.mark.parametrize("what", FIGURES)
def test_each_figure_is_printed_with_its_bound(what: str) -> None:
    command = [sys.executable, "-m", "tests.tools.bench.large", what, "--contacts", "2000"]
    command += ["--database", f"pennypost_bench_large{SUFFIX}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert not done.stderr
    for label, bound in FIGURES[what].items():
        assert re.search(
            rf"^{re.escape(label)} +[\d.,]+ .*{re.escape(bound)} +(ok|MISSED)$", done.stdout, re.MULTILINE
        ), label
    assert (done.returncode == 1) == ("MISSED" in done.stdout)
    received = re.findall(r"^mails received, and rows sent +.* (ok|MISSED)$", done.stdout, re.MULTILINE)
    assert received == ["ok"] * 2 * (what == "campaign")
