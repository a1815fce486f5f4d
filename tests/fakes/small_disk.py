"""A disk that can be filled up: a small file system of the test's own where it may mount one (Linux, root).

Elsewhere no process that it is told of may make a file longer than the largest one is, which fails in the same place.
"""

import contextlib
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

PIECE = 64 * 1024


class SmallDisk:
    """A folder on a disk of so many megabytes."""

    def __init__(self, folder: Path, *, is_mounted: bool) -> None:
        self.folder = folder
        self._is_mounted = is_mounted
        self._filler = folder / "filler"

    def fill(self, *process_ids: int) -> None:
        """Leave no room."""
        if not self._is_mounted:
            self._limit(max(file.stat().st_size for file in self.folder.rglob("*") if file.is_file()), process_ids)
            return
        with contextlib.suppress(OSError), self._filler.open("wb", buffering=0) as filler:
            while filler.write(bytes(PIECE)):
                pass

    def free(self, *process_ids: int) -> None:
        """Give the room back."""
        self._limit(resource.RLIM_INFINITY, process_ids if not self._is_mounted else ())
        self._filler.unlink(missing_ok=True)

    @staticmethod
    def _limit(size: int, process_ids: tuple[int, ...]) -> None:
        for process_id in process_ids:
            try:
                resource.prlimit(process_id, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
            except PermissionError:  # in a container root may limit nobody else's processes; they may do so themselves
                owner = Path(f"/proc/{process_id}").owner()
                limit = "unlimited" if size == resource.RLIM_INFINITY else str(size)
                command = ["runuser", "-u", owner, "--", "prlimit", f"--pid={process_id}", f"--fsize={limit}:"]
                subprocess.run(command, check=True)


@contextlib.contextmanager
def small_disk(megabytes: int) -> Iterator[SmallDisk]:
    """A small disk for the life of this block."""
    with tempfile.TemporaryDirectory(prefix="disk") as name:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", name]
        can_mount = shutil.which("mount") is not None
        is_mounted = can_mount and subprocess.run(mount, check=False, capture_output=True).returncode == 0
        try:
            yield SmallDisk(Path(name), is_mounted=is_mounted)
        finally:
            if is_mounted:
                subprocess.run(["umount", "--lazy", name], check=True)
