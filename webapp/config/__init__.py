"""Reads the environment once, into frozen Settings."""

import hashlib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from webapp.config.environment import ENCODE, Environment, split_server_url, split_web_url
from webapp.config.mail import MailSettings, SignUp, parse_helo_name, read_mail, read_sign_up
from webapp.config.media import MediaBucket, parse_media_url
from webapp.config.networks import Network, parse_dns_servers, parse_networks, parse_private_hosts
from webapp.config.oauth import GoogleSettings, MicrosoftSettings, read_google, read_microsoft
from webapp.config.secret_keys import parse_secret_keys, stored_secret_keys
from webapp.config.submission import SubmissionSettings, read_submission
from webapp.errors import ConfigError
from webapp.hosts import HIGHEST_PORT

LONGEST_LEASE = 3600
LONGEST_RETRY = 720  # hours
LONGEST_TIMEOUT = 3600  # seconds
LONGEST_WEBHOOK_DELAY, MOST_ATTEMPTS = 7 * 86_400, 50  # seconds
WEBHOOK_SCHEDULE = "0,5,300,1800,7200,18000,36000,50400,72000,86400"  # what Standard Webhooks recommends
MAX_SOCKET_PATH = 100  # bytes; sockaddr_un holds 108 on Linux, 104 on macOS
SOURCE_DIR = Path(__file__).resolve().parent.parent


class ShareLimit(NamedTuple):
    """A share of a run's sent emails, which applies once `least` were sent."""

    share: float  # of 1
    least: int


@dataclass(frozen=True)
class Settings:
    database_url: str
    redis_url: str | None
    redis_prefix: str
    host: str
    port: int
    metrics_host: str
    metrics_port: int | None  # None: no metrics are served
    data_dir: Path
    consent_url: str
    media: Path | MediaBucket  # where pictures are stored
    base_url: str
    secret_keys: tuple[bytes, ...]
    sandbox_port: int
    allow_private_hosts: bool
    private_networks: tuple[Network, ...]
    database_seconds: int
    lease_seconds: int
    retry_hours: int
    smtp_timeouts: tuple[float, ...]
    helo_name: str | None
    dns_servers: tuple[tuple[str, int], ...]  # addresses and ports; empty: the system's
    webhook_schedule: tuple[float, ...]  # seconds before each attempt
    bounce_limit: ShareLimit
    complaint_limit: ShareLimit
    trusted_proxies: tuple[Network, ...]
    plans_file: Path | None
    submission: SubmissionSettings
    google: GoogleSettings
    microsoft: MicrosoftSettings
    mail: MailSettings | None
    sign_up: SignUp
    sign_up_plan: str
    mistyped: tuple[str, ...]  # sentences about unknown variables

    @property
    def is_sqlite(self) -> bool:
        return self.database_url.startswith("sqlite")

    @property
    def sqlite_path(self) -> Path:
        return Path(self.database_url.removeprefix("sqlite://"))

    @property
    def redis_socket(self) -> Path:
        """The unix socket of the embedded Redis: in the data directory, or in /tmp if its path would be too long."""
        path = self.data_dir / "redis.sock"
        if len(os.fsencode(path)) <= MAX_SOCKET_PATH:
            return path
        name = hashlib.sha256(os.fsencode(self.data_dir)).hexdigest()[:16]
        return Path(f"/tmp/pennypost-{os.getuid()}-{name}/redis.sock")  # noqa: S108 - embedded.py creates and checks it

    @property
    def dialect(self) -> str:
        return "sqlite" if self.is_sqlite else "postgres"

    @property
    def is_secure(self) -> bool:
        return self.base_url.startswith("https://")


def read_settings(environ: Mapping[str, str] | None = None, *, needs_database: bool = False) -> Settings:
    """Reads the settings. Raises ConfigError with one line that names the variable and its form.

    With SQLite, missing secret keys are generated into the data directory, with mode 0600, but not if the process
    `needs_database` and its file does not exist: the folder is then probably the wrong one.
    """
    env = Environment(os.environ if environ is None else environ)
    data_dir = Path(env.text("PENNYPOST_DATA_DIR", "./data")).absolute()
    database_url = env.find("DATABASE_URL", _database_url) or f"sqlite://{data_dir / 'pennypost.db'}"
    host = env.text("PENNYPOST_HOST", "127.0.0.1")
    port = env.get("PENNYPOST_PORT", "8000", _port)
    private = env.get("PENNYPOST_ALLOW_PRIVATE_HOSTS", "0", parse_private_hosts)
    mail = read_mail(env)
    if needs_database:
        require_database_file(database_url)
    read_log_format(env)
    for name in ("PENNYPOST_PROCESSES", "PENNYPOST_WORKER_PROCESSES", "PENNYPOST_SMTP_PROCESSES"):
        env.text(name, "")  # known, but read by the command line
    return Settings(
        database_url=database_url,
        redis_url=env.find("REDIS_URL", _redis_url),
        redis_prefix=env.get("PENNYPOST_REDIS_PREFIX", "pennypost", _prefix),
        host=host,
        port=port,
        metrics_host=env.text("PENNYPOST_METRICS_HOST", "127.0.0.1"),
        metrics_port=env.find("PENNYPOST_METRICS_PORT", _port),
        data_dir=data_dir,
        consent_url=env.get("PENNYPOST_CONSENT_URL", f"file://{data_dir / 'consent.log'}", _consent_url),
        media=env.find("PENNYPOST_MEDIA_URL", parse_media_url) or data_dir / "media",
        base_url=env.find("PENNYPOST_BASE_URL", _base_url) or f"http://{_url_host(host)}:{port}",
        secret_keys=env.find("PENNYPOST_SECRET_KEYS", parse_secret_keys) or stored_secret_keys(data_dir, database_url),
        sandbox_port=env.get("PENNYPOST_SANDBOX_PORT", "1025", _port),
        allow_private_hosts=private is True,
        private_networks=() if isinstance(private, bool) else private,
        database_seconds=env.get("PENNYPOST_DATABASE_SECONDS", "60", _up_to(LONGEST_TIMEOUT, "number of seconds")),
        lease_seconds=env.get("PENNYPOST_LEASE_SECONDS", "90", _up_to(LONGEST_LEASE, "number of seconds")),
        retry_hours=env.get("PENNYPOST_RETRY_HOURS", "24", _up_to(LONGEST_RETRY, "number of hours")),
        smtp_timeouts=env.get("PENNYPOST_SMTP_TIMEOUTS", "15,60,120,600,900", _timeouts),
        helo_name=env.find("PENNYPOST_HELO_NAME", parse_helo_name),
        dns_servers=env.get("PENNYPOST_DNS_SERVERS", "", parse_dns_servers),
        webhook_schedule=env.get("PENNYPOST_WEBHOOK_SCHEDULE", WEBHOOK_SCHEDULE, _webhook_schedule),
        bounce_limit=env.get("PENNYPOST_BOUNCE_LIMIT", "8,100", _share_limit),
        complaint_limit=env.get("PENNYPOST_COMPLAINT_LIMIT", "0.3,1000", _share_limit),
        trusted_proxies=env.get("PENNYPOST_TRUSTED_PROXIES", "", parse_networks),
        plans_file=env.find("PENNYPOST_PLANS", _file),
        submission=read_submission(env, host, _port, _file),
        google=read_google(env),
        microsoft=read_microsoft(env),
        mail=mail,
        sign_up=read_sign_up(env, mail),
        sign_up_plan=env.text("PENNYPOST_SIGN_UP_PLAN", "enterprise"),
        mistyped=tuple(env.mistyped()),  # must come last, after all settings are read
    )


def require_database_file(database_url: str) -> None:
    """Raises ConfigError if the URL is that of a SQLite file that does not exist."""
    scheme, _, path = database_url.partition("://")
    if scheme == "sqlite" and not Path(path).exists():
        raise ConfigError(f"no database at {path} yet: run pennypost migrate or pennypost up")


def _database_url(text: str) -> str:
    scheme, separator, rest = text.partition("://")
    scheme = scheme.lower()
    if scheme not in ("sqlite", "postgres", "postgresql") or not separator:
        raise ValueError("must be a URL like postgres://user:password@host:5432/name or sqlite:///path/to/file.db")
    if scheme == "sqlite":
        path = rest.partition("?")[0]
        if not path or path == ":memory:":
            raise ValueError("must name a file: sqlite:///path/to/file.db")
        return f"sqlite://{Path(path).absolute()}"
    if not split_server_url(text).path.strip("/"):
        raise ValueError(f"must name a database: postgres://user:password@host:5432/name; {ENCODE}")
    return f"postgres://{rest}"


def _consent_url(text: str) -> str:
    if text.startswith("postgres"):
        split_server_url(text)
    return text


def _redis_url(text: str) -> str:
    if text.partition(":")[0].lower() not in ("redis", "rediss", "unix"):
        raise ValueError("must be a URL like redis://host:6379/0, rediss://host:6379/0 or unix:///path/to/redis.sock")
    url = split_server_url(text)
    if url.query or not re.fullmatch(r"/?\d{0,4}", "" if url.scheme == "unix" else url.path):
        raise ValueError("must end with the number of a database, like redis://host:6379/0, and have no parameters (?)")
    return text


def _prefix(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9._-]{1,64}", text):
        raise ValueError("must be 1 to 64 letters, digits, dots, hyphens and underscores")
    return text


def _base_url(text: str) -> str:
    parts = split_web_url(text, "https://mail.example.com")
    if parts.path.strip("/"):
        raise ValueError(f"must have no path: give Pennypost a host of its own, like {parts.scheme}://mail.example.com")
    default_port = ":443" if parts.scheme == "https" else ":80"
    return f"{parts.scheme}://{parts.netloc.lower().removesuffix(default_port)}"  # as browsers write an origin


def _url_host(host: str) -> str:
    if host in ("0.0.0.0", "::"):  # noqa: S104 - compared, not bound
        return "localhost"
    return f"[{host}]" if ":" in host else host


def _up_to(highest: int, what: str) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not (text.isascii() and text.isdigit()) or not 1 <= int(text[:6]) <= highest:
            raise ValueError(f"must be a {what} from 1 to {highest}")
        return int(text)

    return parse


_port = _up_to(HIGHEST_PORT, "port number")


def _timeouts(text: str) -> tuple[float, ...]:
    parse = _up_to(LONGEST_TIMEOUT, "number of seconds")
    try:
        connect, command, data, dot, message = (parse(part.strip()) for part in text.split(","))
    except ValueError:
        raise ValueError(f"must be five numbers of seconds from 1 to {LONGEST_TIMEOUT}, separated by commas") from None
    return (connect, command, data, dot, message)


def _webhook_schedule(text: str) -> tuple[float, ...]:
    try:
        delays = tuple(float(part) for part in text.split(","))
    except ValueError:
        delays = ()
    if not delays or len(delays) > MOST_ATTEMPTS or not all(0 <= delay <= LONGEST_WEBHOOK_DELAY for delay in delays):
        raise ValueError(
            f"must be up to {MOST_ATTEMPTS} numbers of seconds from 0 to {LONGEST_WEBHOOK_DELAY}, separated by commas"
        )
    return delays


def _share_limit(text: str) -> ShareLimit:
    try:
        share, least = text.split(",")
        limit = ShareLimit(float(share) / 100, int(least))
    except ValueError:
        limit = ShareLimit(0, 0)
    if not 0 < limit.share <= 1 or limit.least < 1:
        raise ValueError("must be a percentage and a number of emails, like 8,100")
    return limit


def _file(text: str) -> Path:
    path = Path(text).absolute()
    if not path.is_file():
        raise ValueError(f"must be a file, but {path} is not")
    return path


def read_log_format(env: Environment | None = None) -> str | None:
    """`json` or `text`; None means text on a terminal and JSON elsewhere. Raises ConfigError."""
    return (env or Environment(os.environ)).find("PENNYPOST_LOG_FORMAT", _log_format)


def _log_format(text: str) -> str:
    if text not in ("json", "text"):
        raise ValueError("must be json or text")
    return text


def source_dir(name: str) -> Path:
    """The folder `templates`, `static` or `docs`: in webapp/ in an installed wheel, beside it in a checkout."""
    installed = SOURCE_DIR / name
    return installed if installed.is_dir() else SOURCE_DIR.parent / name


_current: Settings | None = None


def configure(settings: Settings) -> None:
    global _current  # noqa: PLW0603 - a process sets its Settings once, when it starts
    _current = settings


def settings() -> Settings:
    """Raises ConfigError before `configure`."""
    if _current is None:
        raise ConfigError("the process has no settings yet: call configure(read_settings()) first")
    return _current
