"""All that the database has, as text."""

from webapp import db, models


async def dumped() -> list[tuple[str, str]]:
    """Each row as text, with its table."""
    texts = []
    for name in models.__all__:
        table = getattr(models, name)._meta.db_table
        rows = await db.fetch(f"SELECT * FROM {table}")
        texts += [(table, " ".join(map(_text, row.values()))) for row in rows]
    return texts


def _text(value: object) -> str:
    return bytes(value).decode("latin-1") if isinstance(value, bytes | memoryview) else str(value)
