"""What each page costs with 100,000 contacts and 1,000,000 rows of mail, each figure with its bound: `make bench-pages`.

Of each page: the milliseconds until its last byte, in the middle and at worst of several visits, and the kilobytes of a
first visit as they are transferred, with all static files of the page. With `ARGS="--contacts 1000000"` one campaign
reaches a million contacts and has over 200,000 hits. Of its CSV file of who opened: the milliseconds until its first
byte, and the memory that the web process takes meanwhile. It needs PostgreSQL.
"""

import argparse
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path

import httpx2
import uvloop

from tests.faults.support.web import web_running, with_port
from tests.support.memory import watched_service
from tests.tools.bench.crowding import OF_CAMPAIGNS, crowd
from tests.tools.bench.world import drop, world
from tests.tools.showcase.filling import Showcase, fill
from tests.tools.showcase.tour import Stop, stops
from webapp import db
from webapp.app import create_app
from webapp.config import Settings
from webapp.domain.campaigns import runs
from webapp.domain.home import daily_chart
from webapp.models import Organization

VISITS = 7
MILLISECONDS, KILOBYTES = 300.0, 150.0
ENGAGEMENT, ENGAGEMENT_MILLISECONDS = "field-0=campaign&", 500.0  # conditions on who opened and clicked
MEGABYTES = 50.0  # of memory for a CSV file
# What people look for in the long lists.
SEARCHES = (
    "/contacts?q=number+99999",
    "/contacts?q=nobody",
    "/contacts?status=unsubscribed",
    "/contacts?status=bounced",
    "/contacts?page=4000",
    "/contacts?sort=email",
    "/contacts?sort=-email&page=1000",
    "/contacts?field-0=campaign&op-0=opened&value-0={campaign_id}",
    "/contacts?field-0=campaign&op-0=not_opened&value-0={campaign_id}",
    "/contacts?field-0=campaign&op-0=clicked&value-0={campaign_id}",
    "/contacts?field-0=campaign&op-0=not_clicked&value-0={campaign_id}",
    "/contacts?field-0=created_at&op-0=this_month",
    "/contacts?field-0=last_active_at&op-0=in_last_days&days-0=30",
    "/contacts?field-0=last_active_at&op-0=not_in_last_days&days-0=90",
    "/contacts?field-0=custom_fields.city&op-0=is&value-0=Berlin&field-1=created_at&op-1=last_month",
    "/contacts?field-0=custom_fields.city&op-0=is&value-0=Rome",
    "/contacts?field-0=custom_fields.joined&op-0=last_month",
    "/contacts?field-0=custom_fields.joined&op-0=not_in_last_days&days-0=90",
    "/contacts?field-0=custom_fields.city&op-0=contains&value-0=erl",
    "/campaigns/{campaign_id}/report",
    "/campaigns/{campaign_id}/report/opens",
    "/campaigns/{campaign_id}/report/opens?certainty=maybe&page=100",
    "/segments?q=readers",
    "/emails?status=failed",
    "/emails?to=c77@example.org",
    "/mail-logs?status=failed",
    "/mail-logs?status=deferred",
    "/mail-logs?status=halted",
    "/mail-logs?to=c77@example.org",
    "/mail-logs?to=nobody@example.org",
    "/mail-logs?campaign_id={campaign_id}",
    "/mail-logs?campaign_id={campaign_id}&campaign_run_id={run_id}&status=failed",
    "/mail-logs?account_id={account_id}&status=failed",
    "/requests?status=422",
)
# What shows counts that workers keep.
COUNTED = ("/home", "/home/chart", "/campaigns", "/campaigns/{campaign_id}")
NO_PAGES = ("text/event-stream", "text/csv")  # may take as long as they have rows
STATIC = re.compile(r"/static/[^\"')\s]+")


async def main() -> int:
    """Measure; the exit code says whether every bound was kept."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.bench.pages", description=__doc__)
    parser.add_argument("start", nargs="?", default="/", help="only pages whose path begins so")
    parser.add_argument("--contacts", type=int, default=100_000)
    parser.add_argument("--mails", type=int, help="at least a million, so that a campaign reaches all contacts")
    parser.add_argument("--database", default="pennypost_bench_pages", help="its name on PostgreSQL, made anew")
    chosen = parser.parse_args()
    mails = chosen.mails or max(1_000_000, -(-chosen.contacts * 10 // OF_CAMPAIGNS))
    with tempfile.TemporaryDirectory() as name:
        async with world(Path(name), chosen.database) as settings:
            if settings.is_sqlite:
                print("PostgreSQL does not answer: nothing is measured")
                return 2
            began = time.monotonic()
            show = await fill()
            await crowd(await Organization.get(name="Northwind Books"), chosen.contacts, mails)
            print(f"{chosen.contacts:,} contacts and {mails:,} mails in {time.monotonic() - began:.0f} s")
            missed = await measure(with_port(settings), show, chosen.start)
        await drop(settings)
    print(f"{missed} MISSED" if missed else "every bound is kept")
    return int(bool(missed))


async def measure(settings: Settings, show: Showcase, start: str) -> int:
    """Print the figures of each page; returns how many pages missed a bound."""
    tour = stops(create_app(settings), show)
    known = {name: value for row in reversed(show.rows) for name, value in row.items()}
    known |= await _largest_run()
    places = [stop.path for stop in tour if stop.person == "full"] + [one.format(**known) for one in SEARCHES]
    print(f"{'':64}{'median':>8}{'worst':>8}{'first visit':>14}")
    async with web_running(settings):
        with client_of(settings.base_url, show.sessions["empty"]) as client:
            client.get("/home")
        with client_of(settings.base_url, show.sessions["full"]) as client:
            print("before a worker has counted what it keeps")
            weights, early = Weights(settings.base_url), [one.format(**known) for one in COUNTED]
            missed = sum(not look(client, weights, path) for path in early if path.startswith(start))
    await daily_chart.refresh_counts()
    await runs.keep_counts()
    print("and after")
    async with web_running(settings) as web:
        weights = Weights(settings.base_url)
        await warm(settings.base_url, show.sessions["empty"], tour)
        with client_of(settings.base_url, show.sessions["full"]) as client:
            chosen = [path for path in dict.fromkeys(places) if path.startswith(start)]
            missed += sum(not look(client, weights, path) for path in chosen)
            exported = "/campaigns/{campaign_id}/report/opens.csv".format(**known)
            return missed + (exported.startswith(start) and not download(client, web.pid, exported))


async def _largest_run() -> dict[str, str]:
    """The run with the most mail, and its campaign."""
    query = """SELECT campaign_id, campaign_run_id, count(*) FROM mail_logs WHERE campaign_run_id IS NOT NULL
        GROUP BY 1, 2 ORDER BY count(*) DESC LIMIT 1"""
    ((campaign_id, run_id, mails),) = await db.records(query)
    hits = await db.fetch_value("SELECT count(*) FROM mail_hits WHERE run_id = $1", run_id)
    print(f"the largest run of a campaign has {mails:,} mails and {hits:,} hits")
    return {"campaign_id": str(campaign_id), "run_id": str(run_id)}


def client_of(base_url: str, session: str) -> httpx2.Client:
    return httpx2.Client(base_url=base_url, cookies={"session": session}, timeout=60)


async def warm(base_url: str, session: str, tour: list[Stop]) -> None:
    """Let the process read its templates, where there is nothing to show."""
    with client_of(base_url, session) as client:
        for stop in tour:
            if stop.person == "empty":
                with client.stream("GET", stop.path):
                    pass


class Weights:
    """The kilobytes of static files as they are transferred to a browser that has none yet."""

    def __init__(self, base_url: str) -> None:
        self._client, self._known = httpx2.Client(base_url=base_url, timeout=60), dict[str, float]()

    def of(self, html: str) -> float:
        """Those of a page."""
        return sum(self._file(address) for address in set(STATIC.findall(html)))

    def _file(self, address: str) -> float:
        if address not in self._known:
            answer = self._client.get(address)
            self._known[address] = transferred(answer)
        return self._known[address]


def transferred(answer: httpx2.Response) -> float:
    """Kilobytes of an answer: its body as it came, and its headers."""
    return (answer.num_bytes_downloaded + sum(len(name) + len(value) + 4 for name, value in answer.headers.raw)) / 1000


def look(client: httpx2.Client, weights: Weights, path: str) -> bool:
    """Visit a page several times and print what it costs; whether that is within its bounds, where it is a page."""
    seconds = []
    for _ in range(VISITS):
        began = time.monotonic()
        with client.stream("GET", path) as answer:
            if answer.headers.get("Content-Type", "").startswith(NO_PAGES):
                return True
            answer.read()
        seconds.append(1000 * (time.monotonic() - began))
    if answer.is_redirect:
        return True
    weight = transferred(answer) + (weights.of(answer.text) if "<!doctype" in answer.text[:20].lower() else 0)
    median, worst = statistics.median(seconds), max(seconds)
    bound = ENGAGEMENT_MILLISECONDS if ENGAGEMENT in path else MILLISECONDS
    is_kept = worst < bound and weight < KILOBYTES and answer.status_code < 500
    print(
        f"{label(path):64}{median:5.0f} ms{worst:5.0f} ms{weight:11.0f} kB   {'ok' if is_kept else 'MISSED'}",
        flush=True,
    )
    return is_kept


def download(client: httpx2.Client, web_pid: int, path: str) -> bool:
    """Read a file once and print what it costs; whether that is within its bounds."""
    began = time.monotonic()
    with watched_service(web_pid) as sizes, client.stream("GET", path) as answer:
        parts = answer.iter_bytes()
        lines = next(parts).count(b"\n")
        first = 1000 * (time.monotonic() - began)
        lines += sum(part.count(b"\n") for part in parts)
    seconds, more = time.monotonic() - began, (max(sizes) - sizes[0]) / 1e6
    is_kept = answer.status_code == 200 and first < MILLISECONDS and more < MEGABYTES
    words = f"{lines:,} lines in {seconds:.1f} s, the first after {first:.0f} ms, {more:.0f} MB of memory"
    print(f"{label(path)}: {words}   {'ok' if is_kept else 'MISSED'}", flush=True)
    return is_kept


def label(path: str) -> str:
    """A path without its ids."""
    return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "…", path)


if __name__ == "__main__":
    sys.exit(uvloop.run(main()))
