"""How much memory this process takes while a piece of code runs."""

import os
import resource
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def watched_memory() -> Iterator[list[int]]:
    """The bytes of this process that are in memory, looked at all the time; tracemalloc counts what is only reserved."""
    found: list[int] = []
    is_over = threading.Event()

    def look() -> None:
        found.append(resident_bytes())

    def watch() -> None:
        while not is_over.wait(0.002):
            look()

    look()
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
