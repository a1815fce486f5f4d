"""The sockets on which the commands listen; each raises ConfigError that names the setting to change."""

import socket
from typing import TYPE_CHECKING

from webapp.config import Settings
from webapp.errors import ConfigError

if TYPE_CHECKING:  # the commands without SMTP start faster
    from webapp.smtp.service import Listener

SANDBOX_HOST = "127.0.0.1"


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


def listen_for_smtp(settings: Settings) -> "list[Listener]":
    """Raises ConfigError if no port is set, and for an invalid certificate."""
    from webapp.server import listen
    from webapp.smtp.certificate import Certificate
    from webapp.smtp.service import Listener

    submission = settings.submission
    if not submission.is_on:
        raise ConfigError("set PENNYPOST_SMTP_PORT, PENNYPOST_SMTPS_PORT or both: the ports that programs submit to")
    if submission.certificate is not None:
        Certificate(*submission.certificate)
    ports = (
        (submission.port, "PENNYPOST_SMTP_PORT", False),
        (submission.tls_port, "PENNYPOST_SMTPS_PORT", True),
    )
    return [Listener(listen(submission.host, port, name), is_tls) for port, name, is_tls in ports if port is not None]


def smtp_urls(settings: Settings) -> list[str]:
    submission = settings.submission
    ports = ("smtp", submission.port), ("smtps", submission.tls_port)
    return [f"{scheme}://{submission.host}:{port}" for scheme, port in ports if port is not None]
