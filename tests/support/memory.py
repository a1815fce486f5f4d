"""How much memory this process takes while a piece of code runs."""

import contextlib
import os
import resource
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.starter import children_of


@contextmanager
def watched_memory() -> Iterator[list[int]]:
    """The bytes of this process that are in memory, looked at all the time; tracemalloc counts what is only reserved."""
    with _watched(resident_bytes, 0.002) as found:
        yield found


@contextmanager
def watched_service(process_id: int) -> Iterator[list[int]]:
    """The bytes that a process and all below it have together, with their share of what they have in common (Linux)."""
    with _watched(lambda: sum(map(_share_of, _family_of(process_id))), 0.1) as found:
        yield found


@contextmanager
def _watched(measure: Callable[[], int], seconds: float) -> Iterator[list[int]]:
    """What is measured again and again in a thread."""
    found, is_over = [measure()], threading.Event()

    def watch() -> None:
        while not is_over.wait(seconds):
            found.append(measure())

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield found
    finally:
        is_over.set()
        thread.join()


def resident_bytes() -> int:
    """What /proc tells on Linux in no time, and `ps` on the others."""
    pages = Path("/proc/self/statm")
    if pages.exists():
        return int(pages.read_text().split()[1]) * resource.getpagesize()
    told = subprocess.run(["ps", "-o", "rss=", "-p", str(os.getpid())], capture_output=True, text=True, check=True)
    return int(told.stdout) * 1024


def _family_of(process_id: int) -> Iterator[int]:
    yield process_id
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
        for child in children_of(process_id):
            yield from _family_of(child)


def _share_of(process_id: int) -> int:
    """Its Pss, which counts a page that two have as half of one for each."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        for line in Path(f"/proc/{process_id}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0
