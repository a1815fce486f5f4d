"""`pennypost doctor` checks every part, and says why one fails."""

import asyncio
import os
import shutil
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

import click
from redis.exceptions import RedisError

from webapp import clock, db, health
from webapp.cli.database import check_database, configured, database_name, reason_of
from webapp.cli.listeners import SANDBOX_HOST, smtp_urls
from webapp.config import Settings, secret_keys
from webapp.db import consent_log
from webapp.db.dialects import as_instant
from webapp.domain.accounts.accounts import ending_sign_ins
from webapp.domain.auth import system_email
from webapp.domain.from_checks.from_checks import failing_accounts
from webapp.domain.instance import restore, secret_rotation, untrusted_proxy, workers
from webapp.domain.instance.backlog import measure_backlog
from webapp.domain.instance.suspension import RESUME_COMMAND, find_suspension
from webapp.domain.media import files
from webapp.errors import ConfigError, PennypostError
from webapp.logs import hide_secrets
from webapp.media_store import check_storage
from webapp.redis.client import connected_redis

PART_SECONDS = 3
SCARCE_BYTES = 500 * 1024 * 1024
CLOCK_SECONDS = 2.0  # that clocks may differ
WAIT_SECONDS = 300.0
CERTIFICATE_DAYS = 14

Check = Callable[[Settings], Awaitable[str]]


async def examine() -> bool:
    """Prints a line for each part. False if a part fails that the service cannot work without."""
    settings = configured(needs_database=False)
    has_passed = []

    async def examine_part(name: str, check: Check, *, is_essential: bool) -> None:
        try:
            async with asyncio.timeout(PART_SECONDS):
                mark, text = "ok  ", await check(settings)
        except Exception as error:  # noqa: BLE001 - the command reports whatever is wrong
            mark = "FAIL" if is_essential else "warn"
            text = str(error) if isinstance(error, PennypostError) else reason_of(error)
        click.echo(f"{mark}  {name:<15} {hide_secrets(text)}")
        has_passed.append(mark != "FAIL")

    await examine_part("settings", _settings, is_essential=False)
    has_log = _has_log(settings)
    if settings.is_sqlite or settings.redis_url is None or has_log:
        await examine_part("data directory", _data_directory, is_essential=settings.is_sqlite or has_log)
    if not has_log:
        await examine_part("consent log", consent_log.check, is_essential=True)
    await examine_part("database", _database, is_essential=True)
    if has_passed[-1]:
        async with db.connected(settings.database_url):
            await examine_part("secret keys", _secret_keys, is_essential=True)
            await examine_part("clock", _clock, is_essential=False)
            await examine_part("worker", _worker, is_essential=True)
            await examine_part("waiting email", _waiting_email, is_essential=False)
            await examine_part("sending", _sending, is_essential=False)
            await examine_part("sign-ins", _sign_ins, is_essential=False)
            await examine_part("From addresses", _from_addresses, is_essential=False)
            await examine_part("proxies", _proxies, is_essential=False)
            await examine_part("media storage", _media_storage, is_essential=False)
    await examine_part("redis", _redis, is_essential=False)
    await examine_part("sandbox inbox", _sandbox_inbox, is_essential=False)
    if settings.submission.is_on:
        await examine_part("SMTP", _smtp, is_essential=False)
    await examine_part("instance mail", _instance_mail, is_essential=False)
    await examine_part("base URL", _base_url, is_essential=False)
    return all(has_passed)


def _has_log(settings: Settings) -> bool:
    return settings.consent_url.startswith(f"{consent_log.FILE}{settings.data_dir}/")


async def _data_directory(settings: Settings) -> str:
    path = settings.data_dir
    if not os.access(path, os.W_OK | os.X_OK):
        raise ConfigError(f"{path} is not writable: make it writable for this user, or set PENNYPOST_DATA_DIR")
    if _has_log(settings):
        await consent_log.check(settings)
    free = shutil.disk_usage(path).free
    if free < SCARCE_BYTES:
        raise ConfigError(f"{path} has only {free / 1e6:.0f} MB free: free up space")
    return f"{path}, {free / 1e9:.0f} GB free"


async def _settings(settings: Settings) -> str:
    if settings.mistyped:
        raise ConfigError("; ".join(settings.mistyped))
    return "all known"


async def _media_storage(_settings: Settings) -> str:
    await files.require_stored()  # first, because `check_storage` would create a mistyped folder
    return await check_storage()


async def _database(settings: Settings) -> str:
    await check_database(settings)
    name = database_name(settings)
    async with db.connected(settings.database_url):
        if not await health.try_disk(settings):
            raise ConfigError(f"{name} is full or read-only: free up space on its disk")
    return f"{name.removeprefix('the database ')}, all migrations applied"


async def _secret_keys(settings: Settings) -> str:
    opened = await secret_rotation.check_secrets()
    is_ours = not os.environ.get("PENNYPOST_SECRET_KEYS")
    where = (
        f"; copy {settings.data_dir / secret_keys.FILE} to a safe place, as no backup contains it" if is_ours else ""
    )
    return f"keys: {len(settings.secret_keys)}, stored secrets decrypted: {opened}{where}"


async def _clock(_settings: Settings) -> str:
    of_database = as_instant(await db.fetch_value(f"SELECT {db.dialect().now}"))
    apart = (of_database - clock.now()).total_seconds()
    if abs(apart) > CLOCK_SECONDS:
        words = "behind" if apart > 0 else "ahead of"
        raise ConfigError(f"{abs(apart):.0f} s {words} the database's: keep both machines' clocks right, with NTP")
    return "the same as the database's"


async def _waiting_email(_settings: Settings) -> str:
    backlog = await measure_backlog()
    if backlog.oldest_seconds > WAIT_SECONDS:
        minutes = backlog.oldest_seconds / 60
        raise ConfigError(f"the oldest has waited {minutes:.0f} minutes: see the page Accounts, or the worker's log")
    return f"{backlog.rows:,}, none is late"


async def _worker(_settings: Settings) -> str:
    if not await workers.is_worker_alive():
        raise ConfigError("none running, so no email is sent: start pennypost worker or pennypost up")
    for trouble in await workers.worker_troubles():
        raise ConfigError(trouble)
    return "alive"


async def _sending(_settings: Settings) -> str:
    hold = await find_suspension()
    if hold is not None:
        since = f"{hold.held_at:%Y-%m-%d %H:%M} UTC"
        raise ConfigError(f"on hold since {since} ({hold.held_reason}): run pennypost accept-restore to resume")
    if await restore.is_copy():
        raise ConfigError(
            "not on hold yet, but the database was restored or copied: sending is put on hold when Pennypost starts; "
            f"stop the workers that run now, and see {RESUME_COMMAND}"
        )
    return "not on hold"


async def _sign_ins(_settings: Settings) -> str:
    _refuse_any(await ending_sign_ins())
    return "none is known to end"


async def _from_addresses(_settings: Settings) -> str:
    _refuse_any(await failing_accounts())
    return "none is known to fail"


def _refuse_any(accounts: Sequence[tuple[str, str]]) -> None:
    """Raises ConfigError that names the first of some accounts, with the reason."""
    if accounts:
        (name, reason), *others = accounts
        more = f" ({len(others)} more)" if others else ""
        raise ConfigError(f"{name}{more}: {reason.removesuffix('.')}")


async def _proxies(settings: Settings) -> str:
    address = await untrusted_proxy.find()
    if address is not None:
        raise ConfigError(untrusted_proxy.warning(address))
    return ", ".join(map(str, settings.trusted_proxies)) or "none, and no request came through one"


async def _redis(settings: Settings) -> str:
    address = settings.redis_url or str(settings.redis_socket)
    try:
        async with connected_redis(settings):
            return f"{address} responds"
    except (RedisError, OSError) as error:
        raise ConfigError(f"{address} does not respond ({reason_of(error)}): email is still sent, by polling") from None


async def _sandbox_inbox(settings: Settings) -> str:
    address = f"smtp://{SANDBOX_HOST}:{settings.sandbox_port}"
    try:
        reader, writer = await asyncio.open_connection(SANDBOX_HOST, settings.sandbox_port)
        greeting = await reader.readline()
        writer.close()
    except OSError as error:
        raise ConfigError(f"{address} does not respond ({reason_of(error)}): start pennypost sandbox") from None
    if b"Pennypost" not in greeting:
        raise ConfigError(f"{address} is used by another program: set PENNYPOST_SANDBOX_PORT")
    return f"{address} responds"


async def _smtp(settings: Settings) -> str:
    from webapp.smtp.certificate import Certificate, end_of

    urls = " and ".join(smtp_urls(settings))
    try:
        await health.try_smtp(settings)
    except OSError as error:
        raise ConfigError(f"{urls} does not respond ({reason_of(error)}): start pennypost smtp") from None
    if settings.submission.certificate is None:
        return f"{urls} responds, without TLS to this machine and private networks"
    Certificate(*settings.submission.certificate)
    end = end_of(settings.submission.certificate[0])
    if end < clock.now() + timedelta(days=CERTIFICATE_DAYS):
        raise ConfigError(f"the certificate ends on {end:%Y-%m-%d}: renew the file PENNYPOST_SMTP_CERT")
    return f"{urls} responds, with a certificate until {end:%Y-%m-%d}"


async def _instance_mail(_settings: Settings) -> str:
    if not system_email.is_set_up():
        raise ConfigError(
            "not set up, so links must be shared manually: set PENNYPOST_SMTP_URL and PENNYPOST_MAIL_FROM"
        )
    return await system_email.check_server()


async def _base_url(settings: Settings) -> str:
    url = f"{settings.base_url}/healthz"
    try:
        response = await asyncio.to_thread(urllib.request.urlopen, url, timeout=PART_SECONDS)
        with response:
            response.read(1024)
    except (OSError, ValueError) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        words = reason_of(reason) if isinstance(reason, BaseException) else reason
        raise ConfigError(f"{url} does not respond from here ({words}): links in emails point there") from None
    return f"{settings.base_url} responds"
