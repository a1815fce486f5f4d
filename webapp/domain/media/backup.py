"""Copies pictures into a backup, a SQLite file with a table that live databases never have, and back."""

from typing import NamedTuple

from webapp import db
from webapp.errors import ConfigError
from webapp.media_store import StorageFailed, media_store, read_whole
from webapp.models import MediaFile


class FilesCopied(NamedTuple):
    copied: int
    lost: int = 0  # missing in their storage

    @property
    def words(self) -> str:
        pictures = f" and {self.copied:,} image{'' if self.copied == 1 else 's'}" if self.copied else ""
        are = "is" if self.lost == 1 else "are"
        return pictures + (f" ({self.lost:,} more {are} missing from the storage)" if self.lost else "")


async def save_pictures() -> FilesCopied:
    """Copies the pictures into the connected database, a backup. Raises ConfigError."""
    await db.connection().execute_script(
        "CREATE TABLE backed_up_files (hash TEXT NOT NULL PRIMARY KEY, data BLOB NOT NULL)"
    )
    wanted = await MediaFile.named()
    lost = 0
    for hash_ in wanted:
        try:
            data = await read_whole(hash_)
            await db.fetch("INSERT INTO backed_up_files (hash, data) VALUES ($1, $2) RETURNING hash", hash_, data)
        except FileNotFoundError:
            lost += 1
        except StorageFailed as error:
            raise ConfigError(f"its images cannot be read: {error}") from None
    return FilesCopied(len(wanted) - lost, lost)


async def restore_pictures() -> FilesCopied:
    """Copies the pictures from the connected database, a backup, into the storage. Raises ConfigError."""
    # Backups from before pictures existed have no table.
    has_table = await db.fetch("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'backed_up_files'")
    hashes = await db.records("SELECT hash FROM backed_up_files ORDER BY hash") if has_table else []
    for (hash_,) in hashes:
        ((data,),) = await db.records("SELECT data FROM backed_up_files WHERE hash = $1", hash_)
        try:
            await media_store().put(hash_, bytes(data))
        except StorageFailed as error:
            raise ConfigError(f"its images cannot be stored: {error}") from None
    for script in ("DROP TABLE IF EXISTS backed_up_files", "VACUUM"):  # which shrinks the file
        await db.connection().execute_script(script)
    return FilesCopied(len(hashes))
