"""Where programs submit email by SMTP."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from webapp.config.environment import Environment
from webapp.errors import ConfigError

MIB = 1024 * 1024
LEAST_BYTES, MOST_BYTES = 64 * 1024, 100 * MIB


@dataclass(frozen=True)
class SubmissionSettings:
    host: str
    port: int | None  # for STARTTLS
    tls_port: int | None  # for TLS from the first byte
    certificate: tuple[Path, Path] | None  # with its key
    max_bytes: int  # of a message

    @property
    def is_on(self) -> bool:
        return self.port is not None or self.tls_port is not None


def read_submission(
    env: Environment, host: str, port: Callable[[str], int], file: Callable[[str], Path]
) -> SubmissionSettings:
    """`host` is the web's. Raises ConfigError."""
    certificate, key = env.find("PENNYPOST_SMTP_CERT", file), env.find("PENNYPOST_SMTP_KEY", file)
    tls_port = env.find("PENNYPOST_SMTPS_PORT", port)
    if (certificate is None) != (key is None):
        raise ConfigError("PENNYPOST_SMTP_CERT and PENNYPOST_SMTP_KEY are required together: a certificate and its key")
    if tls_port is not None and certificate is None:
        raise ConfigError("PENNYPOST_SMTP_CERT and PENNYPOST_SMTP_KEY are required with PENNYPOST_SMTPS_PORT")
    return SubmissionSettings(
        host=env.text("PENNYPOST_SMTP_HOST", host),
        port=env.find("PENNYPOST_SMTP_PORT", port),
        tls_port=tls_port,
        certificate=None if certificate is None or key is None else (certificate, key),
        max_bytes=env.get("PENNYPOST_SMTP_MAX_BYTES", str(40 * MIB), _max_bytes),
    )


def _max_bytes(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not LEAST_BYTES <= int(text[:12]) <= MOST_BYTES:
        raise ValueError(f"must be a number of bytes from {LEAST_BYTES} to {MOST_BYTES}")
    return int(text)
