"""The commands of an operator, which a program can read the answers of."""

import base64
import re
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest

from tests.cli.conftest import PASSWORD, Pennypost, fresh_in, make_org
from tests.conftest import SECRET_KEY
from tests.structure import ROOT
from webapp import crypto


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pennypost]:
    """The command on a database of the file's own."""
    with fresh_in(tmp_path_factory.mktemp("settled")) as pennypost:
        pennypost.environ["PENNYPOST_SECRET_KEYS"] = SECRET_KEY
        pennypost.prints("migrate")
        yield pennypost


@pytest.fixture(scope="module")
def org(settled: Pennypost) -> str:
    """The id of an organization there."""
    return make_org(settled)


def test_create_org_prints_the_id_alone_and_refuses_what_is_wrong(settled: Pennypost, org: str) -> None:
    assert UUID(org).version == 7
    words = ("create-org", "Acme", "--password-stdin")
    owner = ("--owner", "ada@acme.example")
    assert "timezone" in settled.refuses(*words, *owner, "--timezone", "Mars/Base", stdin=PASSWORD)
    assert "plan must be one of" in settled.refuses(*words, *owner, "--plan", "gold", stdin=PASSWORD)
    assert "owner" in settled.refuses(*words, "--owner", "ada", stdin=PASSWORD)
    assert "password must have at least" in settled.refuses(*words, "--owner", "bob@acme.example", stdin="short")


def test_create_key_prints_the_key_alone_and_revoke_key_takes_it_or_its_beginning(settled: Pennypost, org: str) -> None:
    words = ("create-key", org, "--name", "robot", "--expires-in-days", "30", "--role")
    for length in (None, 12):
        key = settled.prints(*words, "sender")
        assert crypto.is_api_key(key)
        assert settled.prints("revoke-key", key[:length]) == f"revoked {key[:12]} (robot)"
    assert "already revoked" in settled.refuses("revoke-key", key)
    assert "role must be" in settled.refuses(*words, "owner")


def test_invite_prints_a_link_where_one_signs_up(settled: Pennypost, org: str) -> None:
    assert "PENNYPOST_SIGN_UP is closed" in settled.refuses("invite", "eve@new.example")
    setting = {"PENNYPOST_SIGN_UP": "invite", "PENNYPOST_BASE_URL": "https://mail.example.com"}
    assert settled.prints("invite", "eve@new.example", **setting).startswith("https://mail.example.com/sign-up/")
    assert "already has an account" in settled.refuses("invite", "Ada@Acme.example", **setting)
    assert "email" in settled.refuses("invite", "eve", **setting)


def test_set_plan_to_one_of_the_service_or_of_the_operators_file(settled: Pennypost, org: str, tmp_path: Path) -> None:
    assert settled.prints("set-plan", org, "scale") == "Acme is on scale"
    assert "plan must be one of" in settled.refuses("set-plan", org, "gold")
    file = tmp_path / "plans.json"
    file.write_text('{"gold": {"max_contacts": 7}, "free": {"burst": 3}}')
    assert settled.prints("set-plan", org, "gold", PENNYPOST_PLANS=str(file)) == "Acme is on gold"
    assert "PENNYPOST_PLANS has no plan gold" in settled.refuses("web")
    assert settled.prints("set-plan", org, "free") == "Acme is on free"
    file.write_text('{"free": {"max_contacts": "many"}}')
    line = settled.refuses("set-plan", org, "free", PENNYPOST_PLANS=str(file))
    assert 'max_contacts of free cannot be "many"' in line


def test_reset_password(settled: Pennypost, org: str) -> None:
    words = ("reset-password", "Ada@Acme.example", "--password-stdin")
    assert "password of ada@acme.example changed" in settled.prints(*words, stdin="another long password")
    assert "password must have at least" in settled.refuses(*words, stdin="short")
    assert "no user with" in settled.refuses("reset-password", "eve@rival.example", "--password-stdin", stdin=PASSWORD)


def test_rotate_secrets_counts_what_another_key_sealed(settled: Pennypost, org: str) -> None:
    newer = base64.b64encode(b"n" * 32).decode()  # the sandbox has a password
    both = f"{newer},{SECRET_KEY}"
    assert "add the old key" in settled.refuses("rotate-secrets", PENNYPOST_SECRET_KEYS=newer)
    for keys, count in ((both, 1), (newer, 0), (f"{SECRET_KEY},{newer}", 1)):
        said = settled.prints("rotate-secrets", PENNYPOST_SECRET_KEYS=keys)
        assert said == f"re-encrypted {count} secrets with the first of PENNYPOST_SECRET_KEYS"


def test_migrate_says_what_it_applied(fresh: Pennypost) -> None:
    applying, applied, *later = fresh.prints("migrate").splitlines()
    assert re.fullmatch("applying 0_[0-9]+_init: creates .+ and [0-9]+ more; indexes .+ and [0-9]+ more", applying)
    assert re.fullmatch(r"applied 0_[0-9]+_init in [0-9]+\.[0-9] s", applied)
    names = [path.stem for path in (ROOT / "webapp/migrations/sqlite/models").glob("[1-9]*.py")]
    names.sort(key=lambda name: int(name.partition("_")[0]))
    assert [line.replace(":", "").split()[:2] for line in later] == [
        [did, name] for name in names for did in ("applying", "applied")
    ]
    assert fresh.prints("migrate") == "the database is up to date"
