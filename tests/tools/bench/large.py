"""A campaign to a million contacts, and other mail meanwhile, each figure with its bound: `make bench-large`.

Both, or one: `make bench-large ARGS="transactional"`.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import uvloop

from tests.tools.bench.million import measure_million
from tests.tools.bench.transactional import measure_transactional
from tests.tools.bench.verdicts import Verdicts

WHAT = ("campaign", "transactional")


async def main() -> int:
    """Measure; the exit code says whether every bound was kept."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.bench.large", description=__doc__)
    parser.add_argument("what", nargs="*", default=WHAT, help=", ".join(WHAT))
    parser.add_argument("--contacts", type=int, default=1_000_000, help="of the campaign")
    parser.add_argument("--database", default="pennypost_bench_large", help="its name on PostgreSQL, made anew")
    chosen = parser.parse_args()
    verdicts = Verdicts()
    with tempfile.TemporaryDirectory() as name:
        if "campaign" in chosen.what:
            await measure_million(Path(name), chosen.database, chosen.contacts, verdicts)
        if "transactional" in chosen.what:
            await measure_transactional(Path(name), chosen.database, chosen.contacts, verdicts)
    return int(verdicts.is_missed)


if __name__ == "__main__":
    sys.exit(uvloop.run(main()))
