"""Every measurement, or those that are named: `make bench ARGS="delivery --recipients 10000 --connections 10"`."""

import argparse
import tempfile
from pathlib import Path

import uvloop

from tests.tools.bench.comparisons import measure_letters, measure_pace, measure_topics, measure_webhooks
from tests.tools.bench.delivery import CONNECTIONS, measure_delivery
from tests.tools.bench.intake import measure_intake
from tests.tools.bench.processes import measure_processes
from tests.tools.bench.submission import measure_submission

WHAT = ("delivery", "processes", "intake", "submission", "webhooks", "letters", "pace", "topics")
LARGE, SMALL = 50_000, 10_000


async def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.tools.bench", description=__doc__)
    parser.add_argument("what", nargs="*", default=WHAT, help=", ".join(WHAT))
    parser.add_argument(
        "--recipients", type=int, help=f"of the campaign: {LARGE:,}, or {SMALL:,} of most that are compared"
    )
    parser.add_argument("--connections", type=int, nargs="+", default=CONNECTIONS, help="of the account, one run each")
    parser.add_argument("--mails", type=int, default=1000, help="handed in over the API")
    parser.add_argument("--callers", type=int, default=16, help="requests at once")
    parser.add_argument("--processes", type=int, default=1, help="of `pennypost smtp`")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        if "delivery" in chosen.what:
            await measure_delivery(Path(name), chosen.recipients or LARGE, chosen.connections)
        if "processes" in chosen.what:
            await measure_processes(Path(name), chosen.recipients or LARGE)
        if "intake" in chosen.what:
            await measure_intake(Path(name), chosen.mails, chosen.callers)
        if "submission" in chosen.what:
            await measure_submission(Path(name), chosen.recipients or SMALL, chosen.processes)
        if "webhooks" in chosen.what:
            await measure_webhooks(Path(name), chosen.recipients or SMALL)
        if "letters" in chosen.what:
            await measure_letters(Path(name), chosen.recipients or SMALL)
        if "pace" in chosen.what:
            await measure_pace(Path(name), chosen.recipients or SMALL)
        if "topics" in chosen.what:
            await measure_topics(Path(name), chosen.recipients or LARGE)


if __name__ == "__main__":
    uvloop.run(main())
