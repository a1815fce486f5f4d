"""A PostgreSQL of the test's own, which can be killed, restarted, and put on a small disk."""

import asyncio
import os
import pwd
import shutil
import tempfile
from pathlib import Path
from typing import Any, Self

PATIENCE = 60  # seconds
ROOT = 0
USER = "postgres"  # root may not run PostgreSQL: its programs are run as this user then


def programs() -> Path | None:
    """The folder of initdb and pg_ctl, None where they are not installed."""
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return folders[-1] if folders else None


def folder_for_postgres() -> "tempfile.TemporaryDirectory[str]":
    """A new folder that PostgreSQL's user may write."""
    folder = tempfile.TemporaryDirectory(prefix="postgres")
    give(Path(folder.name))
    return folder


def give(folder: Path) -> None:
    """Let PostgreSQL's user own a folder."""
    if os.geteuid() == ROOT:
        user = pwd.getpwnam(USER)
        os.chown(folder, user.pw_uid, user.pw_gid)


class PostgresServer:
    """Runs from `start` to `stop` on a port and in a folder that are the test's."""

    def __init__(self, folder: Path, port: int, *options: str) -> None:
        self._data = folder / "data"
        listening = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
        self._options = " ".join(["-c fsync=off", listening, *options])
        self.url = f"postgres://postgres@127.0.0.1:{port}/postgres"

    async def __aenter__(self) -> Self:
        await self._run("initdb", "--no-sync", "-A", "trust", "-U", "postgres", "--wal-segsize=1", "-D", self._data)
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.kill()

    async def start(self) -> None:
        """Start it, and wait until it answers."""
        options = ("-t", str(PATIENCE), "-l", self._data.parent / "postgres.log", "-o", self._options)
        await self._run("pg_ctl", "-D", self._data, "-w", *options, "start")

    async def kill(self) -> None:
        """End it as a crash would (`-m immediate`), if it runs."""
        await self._run("pg_ctl", "-D", self._data, "-w", "-m", "immediate", "stop", is_checked=False)

    async def restart(self) -> None:
        """Let it crash and come back."""
        await self.kill()
        await self.start()

    async def is_running(self) -> bool:
        return await self._run("pg_ctl", "-D", self._data, "status", is_checked=False) == 0

    def process_ids(self) -> list[int]:
        """The server's process and those that it has started (Linux)."""
        server = (self._data / "postmaster.pid").read_text().split()[0]
        children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
        return [int(server), *map(int, children)]

    async def _run(self, program: str, *arguments: str | Path, is_checked: bool = True) -> int:
        found = programs()
        assert found is not None, "initdb is not installed"
        as_user = ("runuser", "-u", USER, "--") if os.geteuid() == ROOT else ()
        silent: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), asyncio.subprocess.DEVNULL)
        command = (*as_user, found / program, *arguments)
        process = await asyncio.create_subprocess_exec(*command, cwd=self._data.parent, **silent)
        code = await asyncio.wait_for(process.wait(), PATIENCE)
        assert code == 0 or not is_checked, f"{program} ended with {code}"
        return code
