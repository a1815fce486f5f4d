"""The long-running commands. A first signal lets work finish, a second drops it, and a timer ends a hanging process."""

import asyncio
import contextlib
import ctypes
import gc
import logging
import os
import resource
import socket
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import AbstractContextManager
from typing import Any, TypeVar

import click
import uvloop

from webapp import __version__
from webapp.cli import output
from webapp.cli.database import configure, migrate_database, open_database, wait_for_database
from webapp.cli.supervisor import SIGNALS, Parent
from webapp.config import Settings, read_settings
from webapp.file_locks import lock_data_dir, make_data_dir, writing_in
from webapp.logs import set_up_logging
from webapp.loop_monitor import monitored_loop
from webapp.tasks import in_background

log = logging.getLogger(__name__)

T = TypeVar("T")

UP_GRACE = 8.0  # seconds, so that the whole shutdown takes less than ten
WORKER_GRACE = 90.0
WATCH_SECONDS = 0.5  # between checks of the output
SLACK = 1.8  # after the grace
SANDBOX_HOST = "127.0.0.1"
M_MMAP_THRESHOLD, MMAP_BYTES = -3, 1024 * 1024  # malloc.h; bytes
M_ARENA_MAX, ARENAS = -8, 2
SWITCH_SECONDS = 0.0001  # Python's default is 0.005
GC_THRESHOLD = 20_000  # objects


class Shutdown:
    """The request to stop this process, which ends within `within` seconds even if something hangs."""

    def __init__(self, *, within: float) -> None:
        self.asked = asyncio.Event()
        self._within = within
        self._main = asyncio.current_task()
        self._has_signal = False

    @contextlib.asynccontextmanager
    async def on_request_of(self, parent: Parent | None) -> AsyncIterator[None]:
        """Stops at a signal, and if the parent asks for it; without a parent also when the output is closed."""
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            loop.add_signal_handler(number, self._on_signal)
        if parent is not None:
            loop.add_reader(parent.pipe, self._on_word_of, parent)
        try:
            async with in_background(*([] if parent else [self._on_closed_output()])):
                yield
        finally:
            for number in SIGNALS:
                loop.remove_signal_handler(number)

    def _on_signal(self) -> None:
        """Stops immediately at the second signal; the parent's request isn't counted, as both may come at once."""
        if self._has_signal and self._main is not None:
            self._main.cancel()
        self._has_signal = True
        self._ask()

    def _on_word_of(self, parent: Parent) -> None:
        """Ends immediately if the parent was killed, because its locks are free."""
        asyncio.get_running_loop().remove_reader(parent.pipe)
        if not parent.is_alive():
            os._exit(1)
        self._ask()

    async def _on_closed_output(self) -> None:
        while not output.is_closed():  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(WATCH_SECONDS)
        self._ask()

    def _ask(self) -> None:
        if self.asked.is_set():
            return
        log.info("stopping: finishing current work first; press Ctrl-C again to stop now")
        self.asked.set()
        last = threading.Timer(self._within, self._give_up)  # a timer, because a library's thread may hang
        last.daemon = True
        last.start()

    def _give_up(self) -> None:
        log.error("something still hangs after %.0f s: ended without it", self._within)
        os._exit(1)


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
    settings = read_settings()
    set_up_logging(settings.log_format)
    return configure(settings)


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
        sys.exit("pennypost: stopped immediately; unfinished work continues at the next start")
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

    async def greet() -> None:
        click.echo(await greeting(settings))

    with locked_data_dirs(settings):
        address, inbox = listen_for_web(settings), listen_for_sandbox(settings)
        await migrate_database(settings)
        async with embedded_redis(settings), open_with_keys(settings), sandbox_inbox(inbox):
            app = create_service(settings)
            with tuned_process():
                await until_stopped(
                    shutdown,
                    serve(app, address, shutdown.asked, greet),
                    run_worker(settings, shutdown.asked, grace=UP_GRACE),  # also publishes the web's jobs
                )


def listen_for_web(settings: Settings) -> socket.socket:
    from webapp.server import listen

    return listen(settings.host, settings.port, "PENNYPOST_PORT")


def listen_for_metrics(settings: Settings) -> socket.socket | None:
    if settings.metrics_port is None:
        return None
    from webapp.server import listen  # which loads the web's packages, 13 MB that a worker needs for metrics alone

    return listen(settings.metrics_host, settings.metrics_port, "PENNYPOST_METRICS_PORT")


def listen_for_sandbox(settings: Settings) -> socket.socket:
    from webapp.server import listen

    return listen(SANDBOX_HOST, settings.sandbox_port, "PENNYPOST_SANDBOX_PORT")


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
        await link_signing.load_key()
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
    if token is not None:
        lines.append(f"  set it up          {settings.base_url}/claim/{token}")
    return "\n".join([*lines, "ready"])


async def web(settings: Settings, shutdown: Shutdown) -> None:
    from webapp.app import create_service
    from webapp.server import serve

    async def greet() -> None:
        click.echo(await web_greeting(settings))

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
        click.echo("the worker is ready")

    with locked_data_dirs(settings) if settings.is_sqlite else contextlib.nullcontext():
        await run_worker(settings, shutdown, greet)


async def run_worker(settings: Settings, shutdown: Shutdown, greet: Callable[[], Awaitable[None]]) -> None:
    from jobs import worker
    from webapp.redis.embedded import embedded_redis

    async with embedded_redis(settings), open_with_keys(settings):
        await greet()
        with tuned_process():
            await until_stopped(shutdown, worker.run_worker(settings, shutdown.asked, grace=WORKER_GRACE))


async def sandbox(settings: Settings, shutdown: Shutdown) -> None:
    from webapp.sandbox_inbox import sandbox_inbox

    inbox = listen_for_sandbox(settings)
    async with open_with_keys(settings), sandbox_inbox(inbox):
        click.echo(f"the sandbox inbox is ready on smtp://{SANDBOX_HOST}:{settings.sandbox_port}")
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


async def until_stopped(shutdown: Shutdown, *parts: Coroutine[Any, Any, None]) -> None:
    """Runs the parts until all end; one that ends stops the others, and its exception is raised."""
    async with in_background(*parts) as tasks:
        for task in tasks:
            task.add_done_callback(lambda _: shutdown.asked.set())
        await shutdown.asked.wait()
        if tasks:
            await asyncio.wait(tasks)
        for task in tasks:
            task.result()
