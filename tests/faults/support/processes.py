"""Real processes of the service, for tests that kill them."""

import asyncio
import base64
import os
import signal
import sys
from pathlib import Path

from tests.fakes.worker import eventually
from tests.support.starter import Started, starter
from webapp.config import Settings

Process = Started | asyncio.subprocess.Process

ROOT = Path(__file__).resolve().parents[3]
FROM_NOTHING = "from webapp.cli import main; main()"  # for what measures memory
LOADING_SECONDS = 30
KEEP = ("PATH", "HOME", "LANG", "TMPDIR", "VIRTUAL_ENV", "PYTHONPATH")


def environment(settings: Settings, **more: str) -> dict[str, str]:
    """The environment in which a process has these settings."""
    kept = {name: os.environ[name] for name in KEEP if name in os.environ}
    return kept | {
        "DATABASE_URL": settings.database_url,
        "REDIS_URL": settings.redis_url or "",
        "PENNYPOST_DATA_DIR": str(settings.data_dir),
        "PENNYPOST_SECRET_KEYS": ",".join(base64.b64encode(key).decode() for key in settings.secret_keys),
        "PENNYPOST_SANDBOX_PORT": str(settings.sandbox_port),
        "PENNYPOST_ALLOW_PRIVATE_HOSTS": "1" if settings.allow_private_hosts else "0",
        "PENNYPOST_LEASE_SECONDS": str(settings.lease_seconds),
        "PENNYPOST_SMTP_TIMEOUTS": ",".join(f"{seconds:g}" for seconds in settings.smtp_timeouts),
        "PENNYPOST_HOST": settings.host,
        "PENNYPOST_PORT": str(settings.port),
        "PENNYPOST_PLANS": str(settings.plans_file or ""),
        "PENNYPOST_METRICS_PORT": str(settings.metrics_port or ""),
        **more,
    }


async def start(settings: Settings, *command: str, program: str | None = None, **more: str) -> Process:
    """Start `pennypost <command>`; its output goes to <command>.log in the data directory.

    `program` is Python that is run instead of `pennypost`.
    """
    environ = environment(settings, **more)
    with (settings.data_dir / f"{command[0]}.log").open("ab") as output:
        if program is None:
            return await asyncio.to_thread(starter().start, command, environ=environ, folder=ROOT, output=output)
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            program,
            *command,
            cwd=ROOT,
            env=environ,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


async def output_of(settings: Settings, *command: str, stdin: str = "") -> str:
    """Run `pennypost <command>` to its end and return what it printed; an error when it fails."""
    done = await asyncio.to_thread(
        starter().run, command, stdin=stdin, environ=environment(settings), folder=ROOT, seconds=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


async def kill(process: Process) -> None:
    """End a process as a power cut would, and wait for it."""
    if process.returncode is None:
        process.send_signal(signal.SIGKILL)
    await process.wait()


async def _until_it_minds(process: Process) -> None:
    """Wait until a process that has only begun to load minds SIGTERM: until then it ends as any program (Linux)."""

    async def minds() -> bool:
        return process.returncode is not None or _minds(process.pid)

    await eventually(minds, LOADING_SECONDS)


def _minds(process_id: int) -> bool:
    """Whether a process has a handler for SIGTERM; always where that is not told."""
    try:
        status = Path(f"/proc/{process_id}/status").read_text()
    except OSError:
        return True
    return bool(int(status.partition("SigCgt:")[2].split()[0], 16) >> (signal.SIGTERM - 1) & 1)


async def terminate(process: Process, seconds: float = 45) -> int:
    """Ask a process to end and return its exit code; an error when it takes longer."""
    if process.returncode is None:
        await _until_it_minds(process)
        process.send_signal(signal.SIGTERM)
    return await asyncio.wait_for(process.wait(), seconds)
