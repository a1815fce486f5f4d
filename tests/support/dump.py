"""All that the database has, as text."""

from webapp import db

TABLES = {
    True: "SELECT name FROM sqlite_master WHERE type = 'table'",
    False: "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
}


async def dumped() -> list[tuple[str, str]]:
    """Each row as text, with its table."""
    texts = []
    for table in await db.fetch(TABLES[db.dialect().has_one_writer]):
        rows = await db.fetch(f'SELECT * FROM "{table["name"]}"')
        texts += [(str(table["name"]), " ".join(map(_text, row.values()))) for row in rows]
    return texts


def _text(value: object) -> str:
    return bytes(value).decode("latin-1") if isinstance(value, bytes | memoryview) else str(value)
