"""The commands of an operator, which a program can read the answers of."""

import base64
import re
from pathlib import Path
from uuid import UUID

from tests.cli.conftest import Pennypost
from webapp import crypto

PASSWORD = "correct horse battery staple"


def make_org(pennypost: Pennypost, owner: str = "ada@acme.example") -> str:
    words = ("create-org", "Acme", "--owner", owner, "--plan", "free", "--timezone", "Europe/Paris", "--password-stdin")
    return pennypost.prints(*words, stdin=f"{PASSWORD}\n")


def test_create_org_prints_the_id_alone(pennypost: Pennypost) -> None:
    assert UUID(make_org(pennypost)).version == 7


def test_create_org_refuses_what_is_wrong(pennypost: Pennypost) -> None:
    words = ("create-org", "Acme", "--password-stdin")
    owner = ("--owner", "ada@acme.example")
    assert "timezone" in pennypost.refuses(*words, *owner, "--timezone", "Mars/Base", stdin=PASSWORD)
    assert "plan must be one of" in pennypost.refuses(*words, *owner, "--plan", "gold", stdin=PASSWORD)
    assert "owner" in pennypost.refuses(*words, "--owner", "ada", stdin=PASSWORD)
    assert "password must have at least" in pennypost.refuses(*words, *owner, stdin="short")


def test_create_key_prints_the_key_alone(pennypost: Pennypost) -> None:
    org = make_org(pennypost)
    key = pennypost.prints("create-key", org, "--name", "robot", "--role", "sender", "--expires-in-days", "30")
    assert crypto.is_api_key(key)
    assert "role must be" in pennypost.refuses("create-key", org, "--name", "robot", "--role", "owner")


def test_revoke_key_takes_the_key_or_its_beginning(pennypost: Pennypost) -> None:
    org = make_org(pennypost)
    for shorten in (lambda key: key, lambda key: key[:12]):
        key = pennypost.prints("create-key", org, "--name", "robot", "--role", "viewer")
        assert pennypost.prints("revoke-key", shorten(key)) == f"revoked {key[:12]} (robot)"
        assert "already revoked" in pennypost.refuses("revoke-key", key)


def test_invite_prints_a_link_where_one_signs_up(pennypost: Pennypost) -> None:
    make_org(pennypost)
    assert "PENNYPOST_SIGN_UP is closed" in pennypost.refuses("invite", "eve@new.example")
    setting = {"PENNYPOST_SIGN_UP": "invite", "PENNYPOST_BASE_URL": "https://mail.example.com"}
    assert pennypost.prints("invite", "eve@new.example", **setting).startswith("https://mail.example.com/sign-up/")
    assert "already has an account" in pennypost.refuses("invite", "Ada@Acme.example", **setting)
    assert "email" in pennypost.refuses("invite", "eve", **setting)


def test_set_plan(pennypost: Pennypost) -> None:
    org = make_org(pennypost)
    assert pennypost.prints("set-plan", org, "scale") == "Acme is on scale"
    assert "plan must be one of" in pennypost.refuses("set-plan", org, "gold")


def test_a_plan_of_ones_own(pennypost: Pennypost, tmp_path: Path) -> None:
    org, file = make_org(pennypost), tmp_path / "plans.json"
    file.write_text('{"gold": {"max_contacts": 7}, "free": {"burst": 3}}')
    assert pennypost.prints("set-plan", org, "gold", PENNYPOST_PLANS=str(file)) == "Acme is on gold"
    assert "PENNYPOST_PLANS has no plan gold" in pennypost.refuses("web")
    file.write_text('{"free": {"max_contacts": "many"}}')
    line = pennypost.refuses("set-plan", org, "free", PENNYPOST_PLANS=str(file))
    assert 'max_contacts of free cannot be "many"' in line


def test_reset_password(pennypost: Pennypost) -> None:
    make_org(pennypost)
    words = ("reset-password", "Ada@Acme.example", "--password-stdin")
    assert "password of ada@acme.example changed" in pennypost.prints(*words, stdin="another long password")
    assert "password must have at least" in pennypost.refuses(*words, stdin="short")
    assert "no user with" in pennypost.refuses(
        "reset-password", "eve@rival.example", "--password-stdin", stdin=PASSWORD
    )


def test_rotate_secrets_counts_what_another_key_sealed(pennypost: Pennypost) -> None:
    make_org(pennypost)  # whose sandbox has a password
    newer = base64.b64encode(b"n" * 32).decode()
    both = f"{newer},{pennypost.environ['PENNYPOST_SECRET_KEYS']}"
    assert "add the old key" in pennypost.refuses("rotate-secrets", PENNYPOST_SECRET_KEYS=newer)
    for count in (1, 0):
        said = pennypost.prints("rotate-secrets", PENNYPOST_SECRET_KEYS=both)
        assert said == f"re-encrypted {count} secrets with the first of PENNYPOST_SECRET_KEYS"
    assert pennypost.prints("rotate-secrets", PENNYPOST_SECRET_KEYS=newer).startswith("re-encrypted 0 ")


def test_migrate_says_what_it_applied(fresh: Pennypost) -> None:
    applying, applied = fresh.prints("migrate").splitlines()
    assert re.fullmatch("applying 0_[0-9]+_init: creates .+ and [0-9]+ more; indexes .+ and [0-9]+ more", applying)
    assert re.fullmatch(r"applied 0_[0-9]+_init in [0-9]+\.[0-9] s", applied)
    assert fresh.prints("migrate") == "the database is up to date"
