"""Counting the statements that a piece of code sends to the database."""

import contextlib
import logging
from collections.abc import Iterator


@contextlib.contextmanager
def count_queries() -> Iterator[list[str]]:
    """The statements sent inside the block."""
    found: list[str] = []

    class Notes(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(record.getMessage())

    logger, notes = logging.getLogger("tortoise.db_client"), Notes()
    level, _ = logger.level, logger.addHandler(notes)
    logger.setLevel(logging.DEBUG)
    try:
        yield found
    finally:
        logger.setLevel(level)
        logger.removeHandler(notes)
