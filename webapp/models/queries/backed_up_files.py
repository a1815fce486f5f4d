"""Pictures in a backup, a SQLite file with a table that live databases never have."""

from webapp import db

HAS_TABLE = "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'backed_up_files'"


async def create_table() -> None:
    await db.connection().execute_script(
        "CREATE TABLE backed_up_files (hash TEXT NOT NULL PRIMARY KEY, data BLOB NOT NULL)"
    )


async def add(hash_: str, data: bytes) -> None:
    await db.fetch("INSERT INTO backed_up_files (hash, data) VALUES ($1, $2) RETURNING hash", hash_, data)


async def hashes() -> list[str]:
    """Empty if there is no table, as in backups from before pictures existed."""
    if not await db.fetch(HAS_TABLE):
        return []
    return [row["hash"] for row in await db.fetch("SELECT hash FROM backed_up_files ORDER BY hash")]


async def data_of(hash_: str) -> bytes:
    (row,) = await db.fetch("SELECT data FROM backed_up_files WHERE hash = $1", hash_)
    return bytes(row["data"])


async def drop_table() -> None:
    """Drops the table and shrinks the file."""
    await db.connection().execute_script("DROP TABLE IF EXISTS backed_up_files")
    await db.connection().execute_script("VACUUM")
