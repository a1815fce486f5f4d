"""The certificate of the SMTP door, read again when its files change."""

import logging
import ssl
from datetime import datetime
from pathlib import Path

from cryptography.x509 import load_pem_x509_certificate

from webapp.errors import ConfigError

log = logging.getLogger(__name__)


def end_of(certificate: Path) -> datetime:
    """Raises ValueError."""
    return load_pem_x509_certificate(certificate.read_bytes()).not_valid_after_utc


class Certificate:
    def __init__(self, certificate: Path, key: Path) -> None:
        """Raises ConfigError."""
        self._files = certificate, key
        self._stamp = self._read_stamp()
        self._context = self._load()

    def context(self) -> ssl.SSLContext:
        """By the files as they are now, or as they were if they cannot be read, for example while they are written."""
        try:
            stamp = self._read_stamp()
            if stamp != self._stamp:
                self._stamp = stamp
                self._context = self._load()
                log.info("the SMTP certificate was read again")
        except ConfigError as error:
            log.warning("%s; the earlier certificate is still used", error)
        return self._context

    def _read_stamp(self) -> tuple[tuple[int, int], ...]:
        try:
            return tuple((status.st_mtime_ns, status.st_ino) for status in (path.stat() for path in self._files))
        except OSError as error:
            raise ConfigError(f"PENNYPOST_SMTP_CERT and PENNYPOST_SMTP_KEY cannot be read: {error}") from None

    def _load(self) -> ssl.SSLContext:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        try:
            context.load_cert_chain(*self._files, password=_refuse_password)
        except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
            words = getattr(error, "strerror", None) or error
            raise ConfigError(
                f"PENNYPOST_SMTP_CERT and PENNYPOST_SMTP_KEY must be a PEM certificate and its key: {words}"
            ) from None
        return context


def _refuse_password() -> str:
    """Called for an encrypted key, for which OpenSSL would ask on the terminal. Raises ConfigError."""
    raise ConfigError("PENNYPOST_SMTP_KEY must be a key without a passphrase: decrypt it with `openssl pkey`")
