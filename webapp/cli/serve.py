"""The long-running commands in one process each."""

import asyncio
import contextlib
import ctypes
import gc
import os
import resource
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, TypeVar

import uvloop

from webapp import __version__
from webapp.cli import output
from webapp.cli.database import configure, migrate_database, open_database, wait_for_database
from webapp.cli.listeners import (
    SANDBOX_HOST,
    listen_for_metrics,
    listen_for_sandbox,
    listen_for_smtp,
    listen_for_web,
    smtp_urls,
)
from webapp.cli.shutdown import SLACK, Shutdown, until_stopped
from webapp.cli.supervisor import Parent
from webapp.config import Settings, read_log_format, read_settings
from webapp.errors import PennypostError
from webapp.file_locks import lock_data_dir, make_data_dir, writing_in
from webapp.logs import set_up_logging
from webapp.loop_monitor import monitored_loop

if TYPE_CHECKING:  # the commands without SMTP start faster
    from webapp.smtp.service import Listener

T = TypeVar("T")

UP_GRACE = 8.0  # seconds, so that the whole shutdown takes less than ten
WORKER_GRACE = 90.0
M_MMAP_THRESHOLD, MMAP_BYTES = -3, 1024 * 1024  # malloc.h; bytes
M_ARENA_MAX, ARENAS = -8, 2
SWITCH_SECONDS = 0.0001  # Python's default is 0.005
GC_THRESHOLD = 20_000  # objects

Service = Callable[[Settings, Shutdown], Coroutine[Any, Any, T]]


def run(service: Service[None], grace: float = UP_GRACE) -> None:
    """Runs a service until a signal, after which it has `grace` seconds."""
    settings = prepare_process()
    run_once(service, settings, grace, metrics=listen_for_metrics(settings))


def prepare_process() -> Settings:
    os.umask(0o077)
    _, limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # some systems refuse even "unlimited"
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))  # the usual 1,024 files are too few
    set_up_logging(read_log_format())  # first, because a wrong setting is one of its lines
    return configure(read_settings())


def run_once(
    service: Service[T],
    settings: Settings,
    grace: float = UP_GRACE,
    parent: Parent | None = None,
    metrics: socket.socket | None = None,
) -> T | None:
    """Returns what the service does, or None if a signal came first; serves /metrics on the `metrics` socket."""
    try:
        result = uvloop.run(_until_end(service, settings, grace, parent, metrics))
    except asyncio.CancelledError:
        raise PennypostError("stopped immediately; unfinished work continues at the next start") from None
    if output.is_closed():
        output.end_like_others()
    return result


async def _until_end(
    service: Service[T], settings: Settings, grace: float, parent: Parent | None, metrics: socket.socket | None
) -> T | None:
    shutdown = Shutdown(within=grace + SLACK)
    serving_metrics = contextlib.nullcontext() if metrics is None else _metrics_served(settings, metrics)
    async with shutdown.on_request_of(parent), serving_metrics:
        await wait_for_database(settings, shutdown.asked)
        return None if shutdown.asked.is_set() else await service(settings, shutdown)


@contextlib.asynccontextmanager
async def _metrics_served(settings: Settings, listener: socket.socket) -> AsyncIterator[None]:
    """Until the end of the block, also while the service finishes its work."""
    from webapp.metrics_endpoint import create_metrics_app
    from webapp.server import serve

    async def greet() -> None:
        pass

    stop = asyncio.Event()
    serving = asyncio.create_task(serve(create_metrics_app(settings), listener, stop, greet, is_shared=True))
    try:
        yield
    finally:
        stop.set()
        await serving


def tuned_process() -> AbstractContextManager[None]:
    sys.setswitchinterval(SWITCH_SECONDS)  # for which each callback waits while a thread is busy
    # By default glibc never returns up to 32 MiB of large bodies, and dozens of threads each hold their peak.
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(M_MMAP_THRESHOLD, MMAP_BYTES)
        mallopt(M_ARENA_MAX, ARENAS)
    gc.collect()  # with the default threshold, collecting takes a tenth of the worker's time
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD, *gc.get_threshold()[1:])
    from webapp import metrics  # only now, when processes that share a port have set where

    return monitored_loop(metrics.blocked_loop_seconds.inc)


async def up(settings: Settings, shutdown: Shutdown) -> None:
    from jobs.worker import run_worker
    from webapp.app import create_service
    from webapp.redis.embedded import embedded_redis
    from webapp.sandbox_inbox import sandbox_inbox
    from webapp.server import serve
    from webapp.smtp import service as smtp_service

    async def greet() -> None:
        output.announce(await greeting(settings))

    with locked_data_dirs(settings):
        address, inbox = listen_for_web(settings), listen_for_sandbox(settings)
        listeners = listen_for_smtp(settings) if settings.submission.is_on else []
        await migrate_database(settings)
        async with embedded_redis(settings), open_with_keys(settings), sandbox_inbox(inbox):
            app = create_service(settings)
            with tuned_process():
                await until_stopped(
                    shutdown,
                    serve(app, address, shutdown.asked, greet),
                    run_worker(settings, shutdown.asked, grace=UP_GRACE),  # also publishes the jobs of the others
                    *([smtp_service.serve_smtp(settings, listeners, shutdown.asked)] if listeners else []),
                )


def smtp_greeting(settings: Settings) -> str:
    return f"email can be submitted on {' and '.join(smtp_urls(settings))}"


@contextlib.asynccontextmanager
async def open_with_keys(settings: Settings) -> AsyncIterator[None]:
    """Opens a service's database. Raises ConfigError if a secret key, a plan or the consent log is missing."""
    from webapp.db import consent_log
    from webapp.domain import link_signing
    from webapp.domain.auth import owners
    from webapp.domain.instance import restore, secret_rotation

    async with open_database(settings):
        await secret_rotation.check_keys()
        await owners.check_plans()
        await restore.check_database_identity()
        await link_signing.load_signing_key()
        await consent_log.check(settings)
        yield


async def greeting(settings: Settings) -> str:
    from webapp.domain.auth.owners import create_claim_link

    token = await create_claim_link()
    lines = [
        f"Pennypost {__version__}",
        f"  dashboard and API  {settings.base_url}",
        f"  sandbox inbox      smtp://{SANDBOX_HOST}:{settings.sandbox_port}",
        f"  data               {settings.data_dir}",
    ]
    lines += [f"  SMTP               {url}" for url in smtp_urls(settings)]
    if token is not None:
        lines.append(f"  set it up          {settings.base_url}/claim/{token}")
    return "\n".join([*lines, "ready"])


async def web(settings: Settings, shutdown: Shutdown) -> None:
    from webapp.app import create_service
    from webapp.server import serve

    async def greet() -> None:
        output.announce(await web_greeting(settings))

    address = listen_for_web(settings)
    await serve_web(lambda: serve(create_service(settings), address, shutdown.asked, greet), settings, shutdown)


async def web_greeting(settings: Settings) -> str:
    """While the instance has no owner, each web process prints its own claim link; all are valid."""
    from webapp.domain.auth.owners import create_claim_link

    token = await create_claim_link(keeps_others=True)
    ready = f"the web is ready on {settings.base_url}"
    return ready if token is None else f"{ready}\n  set it up  {settings.base_url}/claim/{token}"


async def serve_web(serve: Callable[[], Coroutine[Any, Any, None]], settings: Settings, shutdown: Shutdown) -> None:
    from webapp.queue.redis_publisher import publishing_jobs

    async with open_with_keys(settings), publishing_jobs(settings):
        with tuned_process():
            await until_stopped(shutdown, serve())


async def worker(settings: Settings, shutdown: Shutdown) -> None:
    async def greet() -> None:
        output.announce("the worker is ready")

    with locked_data_dirs(settings) if settings.is_sqlite else contextlib.nullcontext():
        await run_worker(settings, shutdown, greet)


async def run_worker(settings: Settings, shutdown: Shutdown, greet: Callable[[], Awaitable[None]]) -> None:
    from jobs import worker
    from webapp.redis.embedded import embedded_redis

    async with embedded_redis(settings), open_with_keys(settings):
        await greet()
        with tuned_process():
            await until_stopped(shutdown, worker.run_worker(settings, shutdown.asked, grace=WORKER_GRACE))


async def smtp(settings: Settings, shutdown: Shutdown) -> None:
    async def greet() -> None:
        output.announce(smtp_greeting(settings))

    await serve_smtp(listen_for_smtp(settings), greet, settings, shutdown)


async def serve_smtp(
    listeners: "list[Listener]",
    greet: Callable[[], Awaitable[None]],
    settings: Settings,
    shutdown: Shutdown,
    *,
    is_shared: bool = False,
) -> None:
    from webapp.queue.redis_publisher import publishing_jobs
    from webapp.smtp import service

    async with open_with_keys(settings), publishing_jobs(settings):
        await greet()
        with tuned_process():
            await until_stopped(shutdown, service.serve_smtp(settings, listeners, shutdown.asked, is_shared=is_shared))


async def sandbox(settings: Settings, shutdown: Shutdown) -> None:
    from webapp.sandbox_inbox import sandbox_inbox

    inbox = listen_for_sandbox(settings)
    async with open_with_keys(settings), sandbox_inbox(inbox):
        output.announce(f"the sandbox inbox is ready on smtp://{SANDBOX_HOST}:{settings.sandbox_port}")
        await until_stopped(shutdown)


@contextlib.contextmanager
def locked_data_dirs(settings: Settings) -> Iterator[None]:
    """Locks the data directory and that of the SQLite file, so that one sender loop runs per file."""
    directories = {settings.data_dir} | ({settings.sqlite_path.parent} if settings.is_sqlite else set())
    with contextlib.ExitStack() as locks:
        for directory in sorted(directories):
            make_data_dir(directory)
            with writing_in(directory):
                locks.callback(lock_data_dir(directory).release)
        yield
