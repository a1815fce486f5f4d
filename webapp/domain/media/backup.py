"""Copies pictures into a backup file and back into their storage."""

from typing import NamedTuple

from webapp.errors import ConfigError
from webapp.media_store import StorageFailed, media_store, read_whole
from webapp.models import MediaFile
from webapp.models.queries import backed_up_files


class FilesCopied(NamedTuple):
    copied: int
    lost: int = 0  # missing in their storage

    @property
    def words(self) -> str:
        pictures = f" and {self.copied:,} picture{'' if self.copied == 1 else 's'}" if self.copied else ""
        are = "is" if self.lost == 1 else "are"
        return pictures + (f" ({self.lost:,} more {are} missing from the storage)" if self.lost else "")


async def save_pictures() -> FilesCopied:
    """Copies the pictures into the connected database, a backup. Raises ConfigError."""
    await backed_up_files.create_table()
    wanted = await MediaFile.named()
    lost = 0
    for hash_ in wanted:
        try:
            await backed_up_files.add(hash_, await read_whole(hash_))
        except FileNotFoundError:
            lost += 1
        except StorageFailed as error:
            raise ConfigError(f"its pictures cannot be read: {error}") from None
    return FilesCopied(len(wanted) - lost, lost)


async def restore_pictures() -> FilesCopied:
    """Copies the pictures from the connected database, a backup, into the storage. Raises ConfigError."""
    hashes = await backed_up_files.hashes()
    for hash_ in hashes:
        try:
            await media_store().put(hash_, await backed_up_files.data_of(hash_))
        except StorageFailed as error:
            raise ConfigError(f"its pictures cannot be stored: {error}") from None
    await backed_up_files.drop_table()
    return FilesCopied(len(hashes))
