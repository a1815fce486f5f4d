"""The single row about the installation, the key by which it signs, and the heartbeats of workers."""

import base64
import os
import secrets
import socket
from datetime import date
from uuid import UUID

from tortoise import fields

from webapp import crypto, db
from webapp.models.base.row import TableModel

INSTANCE_ID = UUID(int=1)
KEY_BYTES = 32
KEY_BOUND_TO = "instance:signing_key"
NOT_SUSPENDED = (
    f"(SELECT i.held_at FROM instance i WHERE i.id = '{INSTANCE_ID}') IS NULL"  # evaluated once per statement
)


class Instance(TableModel):
    """While `held_at` is set, nothing is sent and no schedule fires."""

    held_at = fields.DatetimeField(null=True)
    held_reason = fields.CharField(max_length=255, null=True)
    origin = fields.CharField(max_length=120, null=True)  # identifies this database; a restored copy differs
    signing_key = fields.TextField(null=True)  # sealed; signs what outlives the secret keys
    network_salt = fields.CharField(max_length=64, null=True)  # today's; earlier ones are forgotten
    network_salt_day = fields.DateField(null=True)
    untrusted_proxy = fields.CharField(max_length=64, null=True)  # the latest untrusted address that forwards requests
    untrusted_proxy_at = fields.DatetimeField(null=True)
    updated_at = fields.DatetimeField(auto_now=True)

    class Meta:
        table = "instance"


class WorkerHeartbeat(TableModel):
    hostname = fields.CharField(max_length=255)
    process_id = fields.IntField()
    seen_at = fields.DatetimeField()
    trouble = fields.TextField(null=True)  # why it does not send, or not everything

    class Meta:
        table = "worker_heartbeats"
        indexes = (("seen_at",),)


async def insert_row() -> None:
    async with db.write_transaction():  # because Tortoise's own for several rows is left open by a cancellation
        await Instance.bulk_create([Instance(id=INSTANCE_ID)], ignore_conflicts=True)


async def lock() -> Instance:
    """Locks the row until the transaction ends, inserting it if missing."""
    await insert_row()
    return await Instance.select_for_update().get(id=INSTANCE_ID)


class SigningKey:
    """None in processes that serve nothing, which sign with the secret keys."""

    value: bytes | None = None


async def load_signing_key() -> None:
    """Creates a missing key; locks the instance. Raises ConfigError if no secret key decrypts it."""
    async with db.write_transaction():
        row = await lock()
        if not row.signing_key:
            row.signing_key = crypto.seal(base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode(), KEY_BOUND_TO)
            await row.save(update_fields=["signing_key"])
    SigningKey.value = base64.b64decode(crypto.unseal(row.signing_key, KEY_BOUND_TO))


def sign(purpose: str, text: str) -> str:
    """Signs by the instance's key, which survives a change of the secret keys."""
    key = SigningKey.value
    return crypto.sign(purpose, text) if key is None else crypto.sign_by(key, purpose, text)


def is_signed(purpose: str, text: str, signature: str) -> bool:
    """Also accepts signatures by a secret key, from before the instance's key existed."""
    key = SigningKey.value
    is_ours = key is not None and crypto.same(crypto.sign_by(key, purpose, text), signature)
    return is_ours or crypto.is_signed(purpose, text, signature)


async def network_salt(day: date) -> str:
    """The day's salt for hashes of networks; overwrites yesterday's."""
    async with db.write_transaction():
        row = await lock()
        if row.network_salt is None or row.network_salt_day is None or row.network_salt_day < day:
            row.network_salt, row.network_salt_day = secrets.token_hex(32), day
            await row.save(update_fields=["network_salt", "network_salt_day"])
        return row.network_salt


async def beat(worker_id: UUID, trouble: str | None = None) -> None:
    now = db.dialect().now
    insert = f"""INSERT INTO worker_heartbeats (id, created_at, hostname, process_id, seen_at, trouble)
        VALUES ($1, {now}, $2, $3, {now}, $4)
        ON CONFLICT (id) DO UPDATE SET seen_at = {now}, trouble = $4 RETURNING id"""
    await db.fetch(insert, worker_id, socket.gethostname()[:255], os.getpid(), trouble)
