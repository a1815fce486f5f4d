"""Many connections to one port that each ask again as soon as they are answered, by wrk where it is installed."""

import asyncio
import json
import re
import shutil
import sys
from asyncio.subprocess import PIPE
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

TIMEOUT = "60s"
# What wrk sends: the requests of a file, which zero bytes divide.
CYCLE = """local made, number = {}, 0
function init(words)
  for one in io.open(words[1], "rb"):read("*a"):gmatch("[^%z]+") do made[#made + 1] = one end
end
function request()
  number = number % #made + 1
  return made[number]
end
"""
MILLISECONDS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60_000.0}


@dataclass(frozen=True)
class Load:
    """What became of the requests of some seconds; the percentiles are milliseconds."""

    answered: int
    failed: int
    seconds: float
    p50: float
    p99: float

    @property
    def rate(self) -> float:
        return self.answered / self.seconds


class LoadClient:
    """A program that asks; its files are in a folder."""

    def __init__(self, folder: Path, connections: int, *, ours: bool) -> None:
        self._tool = None if ours else shutil.which("wrk")
        self._connections = connections
        self._requests, self._script = folder / "requests", folder / "cycle.lua"
        self._script.write_text(CYCLE)

    @property
    def name(self) -> str:
        return "wrk" if self._tool else "tests/tools/bench/callers.py in wrk's stead"

    async def ask(self, port: int, requests: Iterable[bytes], seconds: int) -> Load:
        """Ask for some seconds; an error when one request was refused."""
        self._requests.write_bytes(b"\0".join(requests))
        process = await asyncio.create_subprocess_exec(*self._command(port, seconds), stdout=PIPE, stderr=PIPE)
        try:
            printed, problem = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode or problem:
            raise RuntimeError(f"{self.name}: {problem.decode()}")
        load = read_wrk(printed.decode()) if self._tool else Load(**json.loads(printed))
        if load.failed:
            raise RuntimeError(f"{load.failed} of {load.answered} requests failed")
        return load

    def _command(self, port: int, seconds: int) -> list[str]:
        if self._tool is None:
            words = (port, self._connections, seconds, self._requests)
            return [sys.executable, "-m", "tests.tools.bench.callers", *map(str, words)]
        options = f"-t1 -c{self._connections} -d{seconds}s --latency --timeout {TIMEOUT} -s {self._script}"
        return [self._tool, *options.split(), f"http://127.0.0.1:{port}/", "--", str(self._requests)]


def read_wrk(text: str) -> Load:
    """What wrk has printed."""
    total = re.search(r"(\d+) requests in ([\d.]+)(us|ms|s|m),", text)
    assert total, text
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    sockets = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", text)
    failed = [*(refused.groups() if refused else ()), *(sockets.groups() if sockets else ())]
    return Load(
        answered=int(total[1]),
        failed=sum(map(int, failed)),
        seconds=float(total[2]) * MILLISECONDS[total[3]] / 1000,
        p50=_percentile(text, 50),
        p99=_percentile(text, 99),
    )


def _percentile(text: str, number: int) -> float:
    found = re.search(rf"^ +{number}% +([\d.]+)(us|ms|s|m) *$", text, re.MULTILINE)
    assert found, text
    return float(found[1]) * MILLISECONDS[found[2]]
