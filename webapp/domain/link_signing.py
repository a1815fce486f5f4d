"""Signatures that outlive the secret keys: of links in mail that was sent, and of codes on paper.

They are by a key of the instance's own, made once, and sealed with everything else: `pennypost rotate-secrets` seals it
anew, and the key itself stays.
"""

import base64
import secrets

from webapp import crypto, db
from webapp.models import Instance, instance

KEY_BYTES = 32
BOUND_TO = "instance:signing_key"


class _Cache:
    """The key of this process's instance; None in one that serves nothing, which signs by the secret keys."""

    key: bytes | None = None


async def load_key() -> None:
    """Read the instance's key, made when missing, before anything is served. Raises ConfigError."""
    async with db.write_transaction():
        await instance.lock()
        row = await Instance.get(id=instance.INSTANCE_ID)
        if not row.signing_key:
            row.signing_key = seal_key(base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode())
            await row.save(update_fields=["signing_key"])
    _Cache.key = base64.b64decode(open_key(row))


def forget_key() -> None:
    """Sign by the secret keys again: for what serves another instance afterwards."""
    _Cache.key = None


def open_key(row: Instance) -> str:
    """The key in base64. Raises ConfigError where no secret key opens it."""
    return crypto.unseal(row.signing_key or "", BOUND_TO)


def seal_key(plain: str) -> str:
    """Seal the key with the first of the secret keys."""
    return crypto.seal(plain, BOUND_TO)


def sign(purpose: str, text: str) -> str:
    """A signature of `text` for one `purpose` that stays good when the secret keys change."""
    return crypto.sign(purpose, text) if _Cache.key is None else crypto.sign_by(_Cache.key, purpose, text)


def is_signed(purpose: str, text: str, signature: str) -> bool:
    """Whether `signature` is that of `text`; by a secret key too, as those were that are older than the key."""
    is_ours = _Cache.key is not None and crypto.same(crypto.sign_by(_Cache.key, purpose, text), signature)
    return is_ours or crypto.is_signed(purpose, text, signature)
