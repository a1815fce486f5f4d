"""Runs `web`, `worker` and `up` in several processes, on PostgreSQL; the parent first does what must be done once."""

import os
import re
import shutil
import sys
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory, gettempdir
from typing import Any, NamedTuple

from webapp.cli import output, serve
from webapp.cli.database import migrate_database
from webapp.cli.listeners import listen_for_metrics, listen_for_sandbox, listen_for_smtp, listen_for_web
from webapp.cli.shutdown import SLACK, Shutdown, until_stopped
from webapp.cli.supervisor import Parent, Supervisor
from webapp.config import Settings
from webapp.errors import ConfigError

MOST_CORES = 8  # by default, as each process may open 10 connections, and PostgreSQL accepts 100
MEMORY = "/dev/shm"  # noqa: S108 - a folder of its own is made in it
METRICS = "pennypost-metrics-"  # and the parent's id

Greet = Callable[[], Awaitable[None]]  # called when the process is ready


class Part(NamedTuple):
    """The work of a process, and the sockets that it listens on."""

    run: Callable[[Greet, Settings, Shutdown], Coroutine[Any, Any, None]]
    addresses: Sequence[socket] = ()


def run_web(processes: int) -> None:
    """Serves until a signal. Raises ConfigError for several processes on SQLite."""
    settings = serve.prepare_process()
    if processes == 1:
        serve.run_once(serve.web, settings, metrics=listen_for_metrics(settings))
        return
    _require_server(settings)

    async def prepare(settings: Settings, _: Shutdown) -> str:
        async with serve.open_with_keys(settings):
            return await serve.web_greeting(settings)

    with _shared_metrics(settings):
        _run(settings, prepare, _webs(settings, processes))


def run_worker(processes: int) -> None:
    """Delivers email until a signal. Raises ConfigError for several processes on SQLite."""
    settings = serve.prepare_process()
    if processes == 1:
        serve.run_once(serve.worker, settings, serve.WORKER_GRACE, metrics=listen_for_metrics(settings))
        return
    _require_server(settings)

    async def prepare(settings: Settings, _: Shutdown) -> str:
        async with serve.open_with_keys(settings):
            return "the workers are ready"

    async def run(greet: Greet, settings: Settings, shutdown: Shutdown) -> None:
        await serve.run_worker(settings, shutdown, greet)

    with _shared_metrics(settings):
        _run(settings, prepare, [Part(run)] * processes, serve.WORKER_GRACE)


def run_smtp(processes: int) -> None:
    """Receives email until a signal. Raises ConfigError for several processes on SQLite."""
    settings = serve.prepare_process()
    if processes == 1:
        serve.run_once(serve.smtp, settings, metrics=listen_for_metrics(settings))
        return
    _require_server(settings)

    async def prepare(settings: Settings, _: Shutdown) -> str:
        async with serve.open_with_keys(settings):
            return serve.smtp_greeting(settings)

    with _shared_metrics(settings):
        _run(settings, prepare, _smtps(settings, processes))


def run_up(processes: int | None) -> None:
    """Runs everything until a signal, with a web process for each core by default.

    Raises ConfigError for several processes on SQLite.
    """
    settings = serve.prepare_process()
    if processes is None:
        processes = 1 if settings.is_sqlite else min(_cores(), MOST_CORES)
    if processes == 1:
        serve.run_once(serve.up, settings, metrics=listen_for_metrics(settings))
        return
    _require_server(settings)

    async def prepare(settings: Settings, _: Shutdown) -> str:
        await migrate_database(settings)
        async with serve.open_with_keys(settings):
            return await serve.greeting(settings)

    with serve.locked_data_dirs(settings), _shared_metrics(settings):
        webs, inbox = _webs(settings, processes), listen_for_sandbox(settings)
        smtp = _smtps(settings, 1) if settings.submission.is_on else []
        _run(settings, prepare, [Part(partial(_run_all_but_web, inbox), [inbox]), *smtp, *webs])


async def _run_all_but_web(inbox: socket, greet: Greet, settings: Settings, shutdown: Shutdown) -> None:
    from jobs.worker import run_worker
    from webapp.redis.embedded import embedded_redis
    from webapp.sandbox_inbox import sandbox_inbox

    async with embedded_redis(settings), serve.open_with_keys(settings), sandbox_inbox(inbox):
        await greet()
        with serve.tuned_process():
            await until_stopped(shutdown, run_worker(settings, shutdown.asked, grace=serve.UP_GRACE))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _require_server(settings: Settings) -> None:
    if settings.is_sqlite:
        raise ConfigError(
            "more than one process needs PostgreSQL, as one alone writes to a SQLite file: leave out --processes, "
            "PENNYPOST_PROCESSES and PENNYPOST_WORKER_PROCESSES, or set DATABASE_URL to a PostgreSQL database"
        )


def _webs(settings: Settings, processes: int) -> list[Part]:
    """The processes share an app, made before the fork, and a socket that outlives them."""
    from webapp import server
    from webapp.app import create_service

    app, address = create_service(settings), listen_for_web(settings)

    async def run(greet: Greet, settings: Settings, shutdown: Shutdown) -> None:
        await serve.serve_web(
            lambda: server.serve(app, address, shutdown.asked, greet, is_shared=True), settings, shutdown
        )

    return [Part(run, [address])] * processes


def _smtps(settings: Settings, processes: int) -> list[Part]:
    """The processes share sockets that outlive them."""
    listeners = listen_for_smtp(settings)

    async def run(greet: Greet, settings: Settings, shutdown: Shutdown) -> None:
        await serve.serve_smtp(listeners, greet, settings, shutdown, is_shared=processes > 1)

    return [Part(run, [listener.socket for listener in listeners])] * processes


def _shared_metrics(settings: Settings) -> AbstractContextManager[object]:
    """Must be entered before anything counts, because metrics are then files that all processes write."""
    if settings.metrics_port is None:
        return nullcontext()
    # On a disk that is full, processes that write a mapped file would end.
    temporary = MEMORY if os.access(MEMORY, os.W_OK) else gettempdir()
    folder = TemporaryDirectory(prefix=f"{METRICS}{os.getpid()}-", dir=temporary)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder.name
    _remove_metrics_of_killed(Path(temporary))
    return folder


def _remove_metrics_of_killed(temporary: Path) -> None:
    from webapp.metrics import is_running  # only now, when the folder is set

    for folder in temporary.glob(f"{METRICS}*"):
        parent = re.match(f"{METRICS}([0-9]{{1,9}})-", folder.name)
        if parent is not None and not is_running(int(parent[1])):
            shutil.rmtree(folder, ignore_errors=True)  # it may be another user's


def _run(settings: Settings, prepare: serve.Service[str], parts: Sequence[Part], grace: float = serve.UP_GRACE) -> None:
    metrics = listen_for_metrics(settings)

    def close_all(but: Sequence[socket] = ()) -> None:
        for address in {address for part in parts for address in part.addresses if address not in but}:
            address.close()

    def run_forked(part: Part, parent: Parent) -> None:
        close_all(but=part.addresses)  # a port is free once no process has it open
        serve.run_once(partial(part.run, parent.report_ready), settings, grace, parent, metrics)

    greeting = serve.run_once(prepare, settings)
    if greeting is None:
        return
    works = [partial(run_forked, part) for part in parts]
    has_ended_well = Supervisor(works, grace + SLACK, close_all).run(greeting)
    if output.is_closed():
        output.end_like_others()
    if not has_ended_well:
        sys.exit(1)
