"""The base of tenants' tables, and the queries that reach their rows."""

from typing import Any, Self
from uuid import UUID

from tortoise import fields
from tortoise.backends.base.schema_generator import BaseSchemaGenerator
from tortoise.exceptions import DoesNotExist
from tortoise.indexes import Index
from tortoise.models import Model
from tortoise.queryset import QuerySet

from webapp.errors import NotFound
from webapp.models.organization import Organization
from webapp.models.row import TableModel


def parse_id(text: str) -> UUID:
    """Raises ValueError for any form but the canonical (RFC 9562, 4: 8-4-4-4-12 hexadecimal digits)."""
    found = UUID(text)
    if str(found) != text.lower():
        raise ValueError("a UUID without its hyphens, or with more than them")
    return found


class OrgModel(TableModel):
    """A row of one organization, reached by `of` and `one_of`; `across_orgs` is for workers alone."""

    org: fields.ForeignKeyRelation[Organization] = fields.ForeignKeyField("models.Organization")
    org_id: UUID

    class Meta:
        abstract = True

    @classmethod
    def of(cls, org: Organization) -> QuerySet[Self]:
        return cls.filter(org_id=org.id)

    @classmethod
    async def one_of(cls, org: Organization, row_id: UUID | str) -> Self:
        """Raises NotFound for a missing id, another organization's and a malformed one."""
        try:
            key = row_id if isinstance(row_id, UUID) else parse_id(row_id)
        except ValueError:
            raise NotFound from None
        row = await cls.of(org).get_or_none(id=key)
        if row is None:
            raise NotFound
        return row

    async def refresh(self) -> None:
        """Raises NotFound when the row is gone."""
        try:
            await self.refresh_from_db()
        except DoesNotExist:
            raise NotFound from None

    @classmethod
    def across_orgs(cls) -> QuerySet[Self]:
        return cls.all()


class IndexWhere(Index):
    """A partial index, its condition in SQL that both databases read."""

    def __init__(self, *, fields: tuple[str, ...], name: str, where: str = "") -> None:
        super().__init__(fields=fields, name=name)
        self.where = where
        self.extra = f" WHERE {where}"

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        path, args, kwargs = super().deconstruct()
        return path, args, kwargs | {"where": self.where}


class UniqueWhere(IndexWhere):
    def get_sql(self, schema_generator: BaseSchemaGenerator, model: type[Model], safe: bool) -> str:  # noqa: FBT001 - the library's
        return super().get_sql(schema_generator, model, safe).replace("CREATE INDEX", "CREATE UNIQUE INDEX", 1)


class JsonIndex(Index):
    """A GIN index of a JSON object's members on PostgreSQL; SQLite has no such index."""

    def get_sql(self, schema_generator: BaseSchemaGenerator, model: type[Model], safe: bool) -> str:  # noqa: FBT001 - the library's
        if schema_generator.DIALECT != "postgres":
            return ""
        exists, (field,) = "IF NOT EXISTS " if safe else "", self.fields
        table = model.describe(serializable=False)["table"]
        return f'CREATE INDEX {exists}"{self.name}" ON "{table}" USING GIN ("{field}" jsonb_path_ops);'
