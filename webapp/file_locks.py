"""The data directory, and advisory file locks that keep it to one process."""

import contextlib
import errno
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from webapp.errors import ConfigError


class FileLock:
    """An exclusive lock on a file for the life of the process; the file contains its process id."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    def acquire(self) -> bool:
        """False if another process holds the lock."""
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return False
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        self._descriptor = descriptor
        return True

    def fileno(self) -> int:
        if self._descriptor is None:
            raise ValueError(f"{self.path} is not locked by this process")
        return self._descriptor

    def release(self) -> None:
        """Leaves the file, because removing it would race with the next owner."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


@contextlib.contextmanager
def writing_in(directory: Path) -> Iterator[None]:
    """Raises ConfigError if the block fails to create a file in the data directory, and says why and what to do."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            reason = f"the disk of the data directory {directory} is full ({error.strerror}): free up space"
        else:
            advice = "make it writable for this user, or set PENNYPOST_DATA_DIR"
            reason = f"the data directory {directory} is not writable ({error.strerror}): {advice}"
        raise ConfigError(reason) from None


def make_data_dir(directory: Path) -> None:
    """Creates the directory for this user only. Raises ConfigError."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"the data directory {directory} cannot be created ({error.strerror}): "
            "set PENNYPOST_DATA_DIR to one this user can write to"
        ) from None


def lock_data_dir(data_dir: Path) -> FileLock:
    """Ensures that only one process sends from a SQLite file. Raises ConfigError that names the other process."""
    lock = FileLock(data_dir / "pennypost.lock")
    if not lock.acquire():
        owner = lock.path.read_text().strip() or "unknown"
        raise ConfigError(
            f"the data directory {data_dir} is in use by another pennypost process ({owner}): "
            "stop it, or set PENNYPOST_DATA_DIR to another directory"
        )
    return lock
