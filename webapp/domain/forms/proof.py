"""The proof of work that a flooded form asks browsers for, in the protocol of ALTCHA."""

import json
from typing import Any

from altcha.v2 import Payload, create_challenge, verify_solution

from webapp import clock
from webapp.domain.forms.floods import PROOF_LIFETIME, SignUpThrottle
from webapp.models import SignUpForm
from webapp.models.instance import sign

ALGORITHM, ITERATIONS = "PBKDF2/SHA-256", 2_000  # about a millisecond
PREFIX = "00"  # of the key to find, by 256 tries on average
PURPOSE = "form-proof"


def is_needed(form: SignUpForm) -> bool:
    """True for an hour after the form was flooded."""
    return form.closed_until is not None and form.closed_until > clock.now()


def new_challenge(form: SignUpForm) -> str:
    """A signed challenge as JSON, which one sign-up by this form can solve."""
    expires_at = clock.now() + PROOF_LIFETIME
    challenge = create_challenge(
        ALGORITHM, ITERATIONS, key_prefix=PREFIX, expires_at=expires_at, hmac_secret=_secret(form)
    )
    return json.dumps(challenge.to_dict())


async def is_solved(form: SignUpForm, payload: Any, throttle: SignUpThrottle) -> bool:
    """True for the first solution of a challenge of this form, false for anything else."""
    if not isinstance(payload, str) or not verify_solution(payload, _secret(form)).verified:
        return False
    return await throttle.admits_proof(Payload.from_base64(payload).challenge.parameters.nonce)


def _secret(form: SignUpForm) -> str:
    return sign(PURPOSE, str(form.id))
