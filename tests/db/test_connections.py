"""What a connection of the pool is like, however it is come by."""

import pytest

from webapp import db


@pytest.mark.postgres
async def test_no_statement_is_compiled_before_it_runs(database: str) -> None:
    assert await db.fetch("SHOW jit") == [{"jit": "off"}]
    async with db.write_transaction():
        assert await db.fetch("SHOW jit") == [{"jit": "off"}]
