"""Signs with a key of the instance, stored encrypted, which survives a change of the secret keys."""

import base64
import secrets

from webapp import crypto, db
from webapp.models import instance

KEY_BYTES = 32
BOUND_TO = "instance:signing_key"


class SigningKey:
    """None in processes that serve nothing, which sign with the secret keys."""

    value: bytes | None = None


async def load_key() -> None:
    """Creates a missing key; locks the instance. Raises ConfigError if no secret key decrypts it."""
    async with db.write_transaction():
        row = await instance.lock()
        if not row.signing_key:
            row.signing_key = crypto.seal(base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode(), BOUND_TO)
            await row.save(update_fields=["signing_key"])
    SigningKey.value = base64.b64decode(crypto.unseal(row.signing_key, BOUND_TO))


def sign(purpose: str, text: str) -> str:
    key = SigningKey.value
    return crypto.sign(purpose, text) if key is None else crypto.sign_by(key, purpose, text)


def is_signed(purpose: str, text: str, signature: str) -> bool:
    """Also accepts signatures by a secret key, from before the instance's key existed."""
    key = SigningKey.value
    is_ours = key is not None and crypto.same(crypto.sign_by(key, purpose, text), signature)
    return is_ours or crypto.is_signed(purpose, text, signature)
