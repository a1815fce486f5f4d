"""The keys that encrypt stored secrets: from the environment, or generated once in the data directory."""

import base64
import os
from pathlib import Path

from webapp.errors import ConfigError
from webapp.file_locks import make_data_dir, writing_in

KEY_BYTES = 32  # AES-256
FILE = "secret_keys"  # in the data directory


def parse_secret_keys(text: str) -> tuple[bytes, ...]:
    """Keys of 32 bytes in base64, separated by commas. Raises ValueError, whose message follows the setting's name."""
    keys = []
    for part in filter(None, map(str.strip, text.split(","))):
        try:
            keys.append(base64.b64decode(part, altchars=b"-_", validate=True))
        except ValueError:
            keys.append(b"")
    if any(len(key) != KEY_BYTES for key in keys):
        raise ValueError(
            "must be keys separated by commas, each 32 random bytes in base64; create one with: openssl rand -base64 32"
        )
    return tuple(keys)


def stored_secret_keys(data_dir: Path, database_url: str) -> tuple[bytes, ...]:
    """The keys in the data directory, generated at the first start. Raises ConfigError with a database server."""
    path = data_dir / FILE
    if not database_url.startswith("sqlite"):
        raise ConfigError(
            "PENNYPOST_SECRET_KEYS is required with a database server: 32 random bytes in base64, "
            "the same for every process; create one with: openssl rand -base64 32"
        )
    make_data_dir(data_dir)
    with writing_in(data_dir):
        _make_key_file(path)
    try:
        keys = parse_secret_keys(path.read_text())
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise ConfigError(
            f"the secret keys in {path} cannot be read ({reason}): make the file readable for this user, "
            "or set PENNYPOST_SECRET_KEYS"
        ) from None
    except ValueError as error:
        raise ConfigError(f"the secret keys in {path} are damaged: the file {error}") from None
    if not keys:
        raise ConfigError(f"the secret keys file {path} is empty: restore it, or remove it if nothing is encrypted yet")
    return keys


def _make_key_file(path: Path) -> None:
    """Writes a new key unless the file exists; concurrent processes see a complete file or none."""
    if path.exists():
        return
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(base64.b64encode(os.urandom(KEY_BYTES)) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
