"""Logs to standard error, as JSON or text, without secrets and with a bound for each message."""

import logging
import re
import sys
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from time import monotonic
from types import TracebackType
from typing import Any, TextIO
from urllib.parse import unquote_plus

from pythonjsonlogger.core import LogData
from pythonjsonlogger.json import JsonFormatter

from webapp import clock
from webapp.secret_names import SECRET_NAMES, is_secret_parameter

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)

HIDDEN = "[hidden]"
WARN_EVERY = 30.0
MOST_LINES, LINES_SECONDS = 50, 10.0
MOST_KINDS = 1_000
CONTROL = dict.fromkeys((*range(10), *range(11, 32), 127)) | {10: "\n    "}  # a line can't look like two
# Services at which knowing the URL's path is enough to post.
SECRET_PATHS = (
    r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/",
    r"discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d+/",
    r"api\.telegram\.org/bot",
    r"webhook\.office\.com/webhookb2/",
    r"outlook\.office(?:365)?\.com/webhook/",
    r"hooks\.zapier\.com/hooks/catch/",
    r"hook\.(?:[\w-]+\.)?make\.com/",
    r"hook\.integromat\.com/",
    r"hooks\.airtable\.com/workflows/",
    r"open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/",
    r"events\.pagerduty\.com/integration/",
    r"webhook\.site/",
    r"chat\.googleapis\.com/v1/spaces/",
    r"maker\.ifttt\.com/trigger/[\w-]+/(?:json/)?with/key/",
)


def _hide_parameter(parameter: re.Match[str]) -> str:
    is_secret = is_secret_parameter(unquote_plus(parameter[2]))
    return f"{parameter[1]}{parameter[2]}={HIDDEN}" if is_secret else parameter[0]


# A substring that is searched for first because that is much cheaper, the pattern of the secret, and its replacement.
SECRET_TEXTS: tuple[tuple[str, re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    ("svc_live_", re.compile(r"(svc_live_)[0-9A-Za-z]+"), rf"\1{HIDDEN}"),
    *(
        (f"/{page}/", re.compile(rf"(/{page}/)[\w-]+"), rf"\1{HIDDEN}")
        for page in ("claim", "join", "reset", "sign-up")
    ),
    *(  # the pages of readers, by the form of their tokens, because folders have such names as well
        (f"/{page}/", re.compile(rf"(/{page}/)[\w-]{{43}}\.[\w-]{{43}}"), rf"\1{HIDDEN}")
        for page in ("unsubscribe", "f/confirm", "data", "erase", "view")
    ),
    ("://", re.compile(r"(://[^\s:/@]*:)[^\s/@]+@"), rf"\1{HIDDEN}@"),  # the password of a URL
    ("://", re.compile(r"(\bhttps?://)[^\s:/@?#]+@"), rf"\1{HIDDEN}@"),  # or a token in place of both
    ("://", re.compile(rf"({'|'.join(SECRET_PATHS)})[^\s?#\"'<>\\]+", re.IGNORECASE), rf"\1{HIDDEN}"),
    ("=", re.compile(r"([?&;])([^\s=&;?#\"'<>\\]{1,100})=[^\s&#\"'<>\\]+"), _hide_parameter),
    # Passwords in settings may have any character, as people forget to encode them.
    ("://", re.compile(r"(\b(?:postgres|postgresql|rediss?|smtps?|s3)://[^\s:/?#]*:)\S{1,500}@"), rf"\1{HIDDEN}@"),
    *((word, re.compile(rf"(\b{word}\s+)[\w.~+/=-]{{8,}}"), rf"\1{HIDDEN}") for word in ("Bearer", "Basic")),
)
ADDRESS = re.compile(r"[^\s@<>()\[\]\"'\\,;:=/?&]{1,64}((?:@|%40)[^\W_](?:[\w-]*\.)+[^\W\d_][\w-]+)")

# Talkative libraries, of which only warnings are logged.
QUIET = {
    "aiosqlite": logging.WARNING,
    "arq": logging.WARNING,
    "asyncio": logging.WARNING,
    "asyncpg.pool": logging.ERROR,  # it logs a traceback for each attempt to connect
    "httpx2": logging.WARNING,
    "mail.log": logging.ERROR,  # aiosmtpd's, of every command of every client
    "tortoise": logging.WARNING,
    "uvicorn": logging.WARNING,
}


_is_all_json = False  # also what the commands print


def set_up_logging(log_format: str | None = None) -> None:
    """Logs as `json` or `text`, or if None as text on a terminal and as JSON elsewhere."""
    global _is_all_json  # noqa: PLW0603 - a process sets up its log once, when it starts
    _is_all_json = log_format == "json"
    if _is_all_json:
        sys.excepthook = _log_end
    is_text = sys.stderr.isatty() if log_format is None else log_format == "text"
    handler = _StandardError(sys.stderr)
    handler.setFormatter(_Lines() if is_text else _Json())
    handler.addFilter(_RateLimit())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for name, level in QUIET.items():
        logging.getLogger(name).setLevel(level)
    logging.captureWarnings(capture=True)


def _log_end(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    logging.getLogger(__name__).critical("the process failed", exc_info=(kind, error, trace))


def for_operator(text: str, level: int) -> str:
    """The text, whose links are not hidden; as an object for each line if all lines must be JSON."""
    if not _is_all_json:
        return text
    lines = (" ".join(line.split()) for line in text.splitlines())
    records = (logging.LogRecord("pennypost", level, __file__, 0, line, None, None) for line in lines)
    return "\n".join(JsonFormatter.format(_Json(), record) for record in records)


def hide_secrets(text: str) -> str:
    for part, pattern, replacement in SECRET_TEXTS:
        if part in text:
            text = pattern.sub(replacement, text)
    return text


def _hidden(line: str) -> str:
    """A line of the log without secrets, and without the local parts of addresses, because no erasure reaches logs."""
    line = hide_secrets(line)
    return ADDRESS.sub(rf"{HIDDEN}\1", line) if "@" in line or "%40" in line else line


class RateLimitedLogger:
    def __init__(self, logger: logging.Logger) -> None:
        self._logger = logger
        self._warned_at = -WARN_EVERY

    def warn(self, message: str, *values: object, error: BaseException | None = None) -> None:
        """Logs the warning, with the traceback of an error, unless one was logged in the last 30 s."""
        if monotonic() - self._warned_at > WARN_EVERY:
            self._warned_at = monotonic()
            self._logger.warning(message, *values, exc_info=error)


class _RateLimit(logging.Filter):
    """Lets MOST_LINES of each statement and kind of error pass in LINES_SECONDS; the next says how many it left out."""

    def __init__(self) -> None:
        super().__init__()
        self._windows: dict[tuple[object, ...], list[float]] = {}  # when each began, and its lines

    def filter(self, record: logging.LogRecord) -> bool:
        key = (record.pathname, record.lineno, *_kind(record.exc_info))
        if key not in self._windows and len(self._windows) >= MOST_KINDS:
            self._windows.clear()
        window = self._windows.setdefault(key, [record.created, 0])
        if not 0 <= record.created - window[0] < LINES_SECONDS:
            if window[1] > MOST_LINES:
                record.left_out = int(window[1]) - MOST_LINES
            window[:] = record.created, 0
        window[1] += 1
        return window[1] <= MOST_LINES


def _kind(exc_info: Any) -> tuple[object, ...]:
    """The type of an error, and the statement that raised it."""
    if not exc_info or exc_info[1] is None:
        return ()
    trace = exc_info[2]
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return exc_info[0], None if trace is None else (trace.tb_frame.f_code, trace.tb_lineno)


class _StandardError(logging.StreamHandler[TextIO]):
    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """Ignores a closed pipe, after which the service stops anyway."""
        if not isinstance(sys.exc_info()[1], BrokenPipeError):
            super().handleError(record)


class _Json(JsonFormatter):
    def __init__(self) -> None:
        super().__init__(
            "%(levelname)s %(name)s %(process)d %(message)s",
            rename_fields={"levelname": "level", "name": "logger"},
            json_ensure_ascii=False,  # so that addresses are found in it
        )

    def add_fields(self, log_data: LogData, record: logging.LogRecord, message_dict: dict[str, Any]) -> None:
        log_data["time"] = clock.timestamp(datetime.fromtimestamp(record.created, UTC))
        super().add_fields(log_data, record, message_dict)
        if (current := request_id.get()) is not None:
            log_data.setdefault("request_id", current)

    def process_log_record(self, log_data: LogData) -> LogData:
        return {name: HIDDEN if SECRET_NAMES.search(name) else value for name, value in log_data.items()}

    def format(self, record: logging.LogRecord) -> str:
        return _hidden(super().format(record))


class _Lines(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(process)d %(name)s: %(message)s", datefmt="%H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        current = request_id.get()
        left_out = getattr(record, "left_out", 0)
        line = super().format(record).translate(CONTROL) + (f" ({left_out} more left out)" if left_out else "")
        return _hidden(f"{line} [{current}]" if current else line)
