"""Simulates how many database servers an instance needs, for docs/scale.md: `python -m tests.tools.scale`.

Simulates days, minute by minute. Organizations have sizes that follow Zipf's law. Four fifths of the email are campaigns: each
organization sends one of its size at a random minute of working hours, so that several large ones meet now and then. The
rest is transactional, with twice as much at noon as at midnight. A server works off what its organizations have due, up to
its cores times USABLE, and stores at most MOST_STORED. An organization's rows are on one server. COST is what
`make bench ARGS=processes` and the size of the tables show.
"""

import argparse
import math
import random
from typing import NamedTuple

MINUTES = 24 * 60
DAYS = 20
MAILS = (1_000_000, 10_000_000, 100_000_000)  # a day
CAMPAIGNS = 0.8  # of all email
MORNING, EVENING = 8 * 60, 18 * 60  # in which campaigns start
MAILS_EACH = 2_000  # a day, of an organization on average
LARGEST = 0.05  # of a day's email at most, of one organization
ZIPF = 1.1
CORES = (4, 8, 16, 32)
SERVERS = (1, 2, 4, 8, 16)
USABLE = 0.6  # of a server's cores; the rest is for vacuum, pages and luck
SPREAD = 1.15  # what a statement costs more on servers that a coordinator leads
PATIENCE = 15  # minutes that the last email of a campaign may wait for the database
RETENTION = 30  # days
MOST_STORED = 2e12  # bytes of a server, so that a restore and a vacuum take hours and not days


class Cost(NamedTuple):
    """The cost of one email."""

    database_ms: float  # CPU of PostgreSQL: accept, claim, settle, events
    worker_ms: float  # CPU of a worker
    stored_bytes: float  # rows with their indexes


COST = Cost(database_ms=0.6, worker_ms=0.7, stored_bytes=1_400)


class Outcome(NamedTuple):
    longest_wait: int  # minutes
    busiest: float  # share of the cores in the busiest minute of the busiest server


def sizes(mails: int) -> list[float]:
    """The number of emails that each organization sends in a day."""
    weights = [1 / rank**ZIPF for rank in range(1, max(mails // MAILS_EACH, 20) + 1)]
    total = sum(weights)
    return [min(weight / total, LARGEST) * mails for weight in weights]


def arrivals(organizations: list[float], random_: random.Random) -> list[float]:
    """The email of a day that becomes due in each minute."""
    due = [0.0] * MINUTES
    transactional = (1 - CAMPAIGNS) * sum(organizations) / MINUTES
    for minute in range(MINUTES):
        due[minute] = transactional * (1 - math.cos(2 * math.pi * minute / MINUTES) / 3)
    for size in organizations:
        due[random_.randrange(MORNING, EVENING)] += CAMPAIGNS * size
    return due


def simulate(mails: int, servers: int, cores: int, cost: Cost) -> Outcome:
    random_ = random.Random(7)
    each = cost.database_ms * (SPREAD if servers > 1 else 1.0)
    capacity = cores * USABLE * 60_000 / each  # email a minute
    longest, busiest = 0, 0.0
    for _ in range(DAYS):
        placed: list[list[float]] = [[] for _ in range(servers)]
        for size in sizes(mails):
            placed[random_.randrange(servers)].append(size)  # by a hash of its id
        for organizations in placed:
            waiting, empty_at = 0.0, 0
            for minute, due in enumerate(arrivals(organizations, random_) if organizations else ()):
                waiting += due
                done = min(waiting, capacity)
                busiest = max(busiest, done / capacity * USABLE)
                waiting -= done
                empty_at = minute if waiting == 0 else empty_at
                longest = max(longest, minute - empty_at)
    return Outcome(longest, busiest)


def stored_bytes(mails: int, cost: Cost) -> float:
    return RETENTION * mails * cost.stored_bytes


def smallest(mails: int, cost: Cost) -> tuple[int, int, Outcome] | None:
    """Servers and cores of the cheapest set-up in which nothing waits longer than PATIENCE."""
    choices = sorted(((servers, cores) for servers in SERVERS for cores in CORES), key=math.prod)
    for servers, cores in choices:
        if stored_bytes(mails, cost) > servers * MOST_STORED:
            continue
        outcome = simulate(mails, servers, cores, cost)
        if outcome.longest_wait <= PATIENCE:
            return servers, cores, outcome
    return None


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.tools.scale", description=__doc__)
    for name, value in COST._asdict().items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=float, default=value)
    cost = Cost(**vars(parser.parse_args()))
    print(
        "| emails a day | database servers | cores each | busiest minute | longest wait | worker cores | 30 days of rows |"
    )
    print("|---|---|---|---|---|---|---|")
    for mails in MAILS:
        setup = smallest(mails, cost)
        if setup is None:
            print(f"| {mails:,} | none of these set-ups is enough |")
            continue
        servers, cores, outcome = setup
        workers = math.ceil(outcome.busiest * servers * cores * cost.worker_ms / cost.database_ms)
        stored = stored_bytes(mails, cost) / 1e9
        print(
            f"| {mails:,} | {servers} | {cores} | {outcome.busiest:.0%} | {outcome.longest_wait} min | {workers} "
            f"| {stored:,.0f} GB |"
        )


if __name__ == "__main__":
    main()
