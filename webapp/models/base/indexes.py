"""Indexes that Tortoise has no class for."""

from typing import Any

from tortoise.backends.base.schema_generator import BaseSchemaGenerator
from tortoise.indexes import Index
from tortoise.models import Model

from webapp.db.dialects import DIALECTS


class IndexWhere(Index):
    """A partial index; its condition is SQL that both databases understand."""

    def __init__(self, *, fields: tuple[str, ...], name: str, where: str = "") -> None:
        super().__init__(fields=fields, name=name)
        self.where = where
        self.extra = f" WHERE {where}"

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        path, args, kwargs = super().deconstruct()
        return path, args, kwargs | {"where": self.where}


class ExpressionIndex(IndexWhere):
    """A partial index on `columns`: fields of the model, which `fields` name, and expressions of them."""

    def __init__(self, *, fields: tuple[str, ...], columns: str, name: str, where: str) -> None:
        super().__init__(fields=fields, name=name, where=where)
        self.columns = columns

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        path, args, kwargs = super().deconstruct()
        return path, args, kwargs | {"columns": self.columns}

    def get_sql(self, schema_generator: BaseSchemaGenerator, model: type[Model], safe: bool) -> str:  # noqa: FBT001 - the library's
        plain = ", ".join(f'"{name}"' for name in self.fields)
        return super().get_sql(schema_generator, model, safe).replace(f"({plain})", f"({self.columns})", 1)


class UniqueWhere(IndexWhere):
    def get_sql(self, schema_generator: BaseSchemaGenerator, model: type[Model], safe: bool) -> str:  # noqa: FBT001 - the library's
        return super().get_sql(schema_generator, model, safe).replace("CREATE INDEX", "CREATE UNIQUE INDEX", 1)


class JsonIndex(Index):
    """A GIN index on a JSON object's members; only PostgreSQL has it."""

    def get_sql(self, schema_generator: BaseSchemaGenerator, model: type[Model], safe: bool) -> str:  # noqa: FBT001 - the library's
        if schema_generator.DIALECT != "postgres":
            return ""
        exists, (field,) = "IF NOT EXISTS " if safe else "", self.fields
        table = model.describe(serializable=False)["table"]
        return f'CREATE INDEX {exists}"{self.name}" ON "{table}" USING GIN ("{field}" jsonb_path_ops);'


class PrefixIndex(Index):
    """Finds texts by their start: a column, or members of a JSON object, in the order of their bytes.

    A partial one has only rows with the first member.
    """

    def __init__(
        self, *, fields: tuple[str, str], name: str, members: tuple[str, ...] = (), is_partial: bool = False
    ) -> None:
        super().__init__(fields=fields, name=name)
        self.members, self.is_partial = members, is_partial

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        path, args, kwargs = super().deconstruct()
        return path, args, kwargs | {"members": self.members} | ({"is_partial": True} if self.is_partial else {})

    def get_sql(self, schema_generator: BaseSchemaGenerator, model: type[Model], safe: bool) -> str:  # noqa: FBT001 - the library's
        sql = DIALECTS[schema_generator.DIALECT]
        exists, (first, field) = "IF NOT EXISTS " if safe else "", self.fields
        texts = [sql.text_member(f'"{field}"', name) for name in self.members] or [f'"{field}"']
        columns = ", ".join([f'"{first}"', *map(sql.bytewise, texts)])
        table = model.describe(serializable=False)["table"]
        where = f" WHERE {texts[0]} IS NOT NULL" if self.is_partial else ""
        return f'CREATE INDEX {exists}"{self.name}" ON "{table}" ({columns}){where};'


class DomainIndex(Index):
    """Finds addresses by their domain; the fields are the owner and the address."""

    def get_sql(self, schema_generator: BaseSchemaGenerator, model: type[Model], safe: bool) -> str:  # noqa: FBT001 - the library's
        exists, (owner, address) = "IF NOT EXISTS " if safe else "", self.fields
        domain = DIALECTS[schema_generator.DIALECT].domain(f'"{address}"')
        table = model.describe(serializable=False)["table"]
        return f'CREATE INDEX {exists}"{self.name}" ON "{table}" ("{owner}", ({domain}));'
