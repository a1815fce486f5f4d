"""`backup` and `restore` as an operator runs them, on a SQLite database."""

import re
import shutil
import sqlite3
from contextlib import closing
from email import message_from_string
from email.policy import default
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.cli.conftest import OTHER_KEY, PASSWORD, Pennypost, Process, fresh_in, make_org, wait_until
from tests.conftest import SECRET_KEY
from tests.fakes.s3_server import S3Server
from tests.support.pictures import picture

PDF = b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n"


@pytest.fixture(scope="module")
def filled_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data directory of an instance with an organization, to copy: to make it takes two processes."""
    with fresh_in(tmp_path_factory.mktemp("filled")) as pennypost:
        pennypost.environ["PENNYPOST_SECRET_KEYS"] = SECRET_KEY
        pennypost.prints("migrate")
        make_org(pennypost, "Acme")
        return place_of(pennypost).parent


@pytest.fixture
def filled(fresh: Pennypost, filled_data: Path) -> Pennypost:
    """An instance with a database of its own in the data directory, and an organization in it."""
    fresh.environ["PENNYPOST_SECRET_KEYS"] = SECRET_KEY
    shutil.copytree(filled_data, place_of(fresh).parent)
    return fresh


def make_key(pennypost: Pennypost) -> str:
    """An editor's key of Ajax, a new organization."""
    return pennypost.prints("create-key", make_org(pennypost, "Ajax"), "--name", "robot", "--role", "editor")


def place_of(pennypost: Pennypost) -> Path:
    return Path(pennypost.environ["PENNYPOST_DATA_DIR"]) / "pennypost.db"


def names(path: Path) -> list[str]:
    """The organizations in a database file."""
    with closing(sqlite3.connect(path)) as found:
        return [row[0] for row in found.execute("SELECT name FROM organizations ORDER BY id")]


def left_over(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.startswith(".pennypost-")]


def test_a_backup_of_a_running_service_is_whole_and_for_its_owner_alone(filled: Pennypost, tmp_path: Path) -> None:
    filled.start("up").wait_for(r"(?m)^ready$")
    key = make_key(filled)
    file = tmp_path / "backup.db"
    said = filled.prints("backup", str(file))
    assert f"{file} contains the whole database" in said
    assert "keep PENNYPOST_SECRET_KEYS, or the file secret_keys" in said
    assert names(file) == ["Acme", "Ajax"]
    assert file.stat().st_mode & 0o777 == 0o600
    content = file.read_bytes()
    assert b"robot" in content
    for secret in (SECRET_KEY, key, PASSWORD):
        assert secret.encode() not in content
    assert left_over(tmp_path) == []
    assert f"{file} already exists" in filled.refuses("backup", str(file))
    make_org(filled, "Bolt")
    assert names(file) == ["Acme", "Ajax"]
    filled.prints("backup", str(file), "--force")
    assert names(file) == ["Acme", "Ajax", "Bolt"]


def test_a_restore_keeps_what_was_there_and_holds_what_came(filled: Pennypost, tmp_path: Path) -> None:
    file, place = tmp_path / "backup.db", place_of(filled)
    filled.prints("backup", str(file))
    make_org(filled, "Bolt")
    said = filled.prints("restore", str(file))
    (aside,) = re.findall(r"the previous database is (\S+)", said)
    assert "Sending is on hold. Start pennypost, check the data, then run: pennypost accept-restore" in said
    assert "0 recipients are pending" in said
    assert "accept-restore reapplies unsubscribes since the backup" in said
    assert (names(place), names(Path(aside))) == (["Acme"], ["Acme", "Bolt"])
    assert place.stat().st_mode & 0o777 == 0o600
    assert left_over(place.parent) == []

    service = filled.start("up").wait_for(r"(?m)^ready$")
    wait_until(lambda: service.get("/readyz").status_code == 200)
    doctor = filled.run("doctor")
    assert doctor.returncode == 0
    assert re.search(r"warn  sending +on hold since .* \(the database was restored from a backup of 20", doctor.stdout)
    assert "too late" in filled.refuses("accept-restore", "--send-waiting")
    said = filled.prints("accept-restore")
    assert said.endswith("sending resumed")
    assert "0 API keys are active" in said
    assert "0 unsubscribes applied" in said
    assert "sending is not on hold" in filled.refuses("accept-restore")


def test_a_consent_log_that_cannot_be_written_stops_the_start(filled: Pennypost, tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    url = f"file://{tmp_path}/taken"
    done = filled.run("up", PENNYPOST_CONSENT_URL=url)
    assert done.returncode == 1
    assert "set PENNYPOST_CONSENT_URL" in done.stderr
    assert "FAIL  consent log" in filled.run("doctor", PENNYPOST_CONSENT_URL=url).stdout
    filled.start("up", PENNYPOST_CONSENT_URL=f"file://{tmp_path}/new/consent.log").wait_for(r"(?m)^ready$")
    assert (tmp_path / "new" / "consent.log").exists()


def test_no_restore_while_anything_runs(filled: Pennypost, tmp_path: Path) -> None:
    file = tmp_path / "backup.db"
    filled.prints("backup", str(file))
    service = filled.start("up").wait_for(r"(?m)^ready$")
    assert f"is in use by another pennypost process ({service.running.pid})" in filled.refuses("restore", str(file))
    service.stop()
    web = filled.start("web").wait_for("the web is ready")
    wait_until(lambda: web.get("/readyz").status_code == 503)  # it has asked its database
    done = filled.run("restore", str(file))
    assert done.returncode == 1
    assert "stop every pennypost first" in done.stderr
    assert web.get("/readyz").json()["parts"]["database"] == "ok"
    web.stop()
    assert filled.run("restore", str(file)).returncode == 0


def test_what_is_no_backup_of_ours_changes_nothing(filled: Pennypost, tmp_path: Path) -> None:
    place = place_of(filled)
    stranger, later, cut = tmp_path / "stranger.db", tmp_path / "later.db", tmp_path / "cut.db"
    with closing(sqlite3.connect(stranger)) as other:
        other.execute("CREATE TABLE songs (title TEXT)")
    filled.prints("backup", str(later))
    cut.write_bytes(later.read_bytes()[:-20_000])
    with closing(sqlite3.connect(later)) as other, other:
        other.execute(
            "INSERT INTO aerich (version, app, content) VALUES ('100_20990101000000_moon.py', 'models', '{}')"
        )
    before = place.read_bytes()
    for file, why in (
        (stranger, "it is not a Pennypost database"),
        (later, "created by a later version of Pennypost, with 100_20990101000000_moon.py: update this one first"),
        (cut, "malformed"),
    ):
        line = filled.refuses("restore", str(file))
        assert line.startswith(f"{file} could not be restored, and nothing was changed")
        assert why in line
        assert place.read_bytes() == before
    assert [path.name for path in place.parent.iterdir() if "before-restore" in path.name] == []
    assert left_over(place.parent) == []


def test_a_database_that_a_former_version_tried_to_migrate_is_backed_up_and_restored(
    filled: Pennypost, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(place_of(filled))) as database, database:
        database.execute(
            "INSERT INTO aerich (version, app, content) VALUES ('0_20261120000000_init.py', 'models', '{}')"
        )
    file = tmp_path / "backup.db"
    filled.prints("backup", str(file))
    assert f"restored {file}" in filled.prints("restore", str(file))
    assert names(place_of(filled)) == ["Acme"]


def test_a_wrong_secret_key_is_told_before_anything_is_changed(filled: Pennypost, tmp_path: Path) -> None:
    file = tmp_path / "backup.db"
    filled.prints("backup", str(file))
    line = filled.refuses("restore", str(file), PENNYPOST_SECRET_KEYS=OTHER_KEY)
    assert re.search("nothing was changed: a stored secret was encrypted with key [0-9a-f]{8}, .*add the old key", line)
    assert names(place_of(filled)) == ["Acme"]


def test_a_hold_and_its_end(filled: Pennypost) -> None:
    said = filled.prints("hold", "the disk is changed")
    assert said == "sending is on hold; to resume, run: pennypost accept-restore"
    assert "(the disk is changed)" in filled.run("doctor").stdout
    assert filled.prints("accept-restore") == "sending resumed, but no worker is running: start one"
    said = filled.prints("hold", "from the snapshot of the disk", "--restored")
    assert said.startswith("0 recipients are pending")
    assert "(the database was restored from a backup: from the snapshot of the disk)" in filled.run("doctor").stdout


def test_postgresql_is_backed_up_by_its_own_tools(fresh: Pennypost, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    settings = {"DATABASE_URL": "postgres://127.0.0.1/none", "PENNYPOST_SECRET_KEYS": SECRET_KEY}
    for command in (("backup", str(tmp_path / "other")), ("restore", str(tmp_path / "file"))):
        assert "pg_dump and pg_restore: see docs/backups.md" in fresh.refuses(*command, **settings)


def upload(service: Process, key: str, data: bytes) -> str:
    headers = {"Authorization": f"Bearer {key}"}
    found = httpx2.post(f"{service.url}/v1/media", files={"file": ("logo.png", data)}, headers=headers, timeout=30)
    assert found.status_code == 201, found.text
    return str(found.json()["data"]["url"])


@pytest.mark.parametrize("places", [("", "restored"), ("pictures", "")])
def test_a_picture_survives_a_backup_and_its_restore_on_another_machine(
    filled: Pennypost, fresh_too: Pennypost, s3_server: S3Server, tmp_path: Path, places: tuple[str, str]
) -> None:
    file, data = tmp_path / "backup.db", picture()
    for pennypost, place in zip((filled, fresh_too), places, strict=True):
        pennypost.environ["PENNYPOST_SECRET_KEYS"] = SECRET_KEY
        pennypost.environ["PENNYPOST_MEDIA_URL"] = s3_server.url(f"{place}/{tmp_path.name.lower()}") if place else ""
    key = make_key(filled)
    service = filled.start("up").wait_for(r"(?m)^ready$")
    urls = [upload(service, key, one) for one in (data, picture(colour="red"))]
    assert "contains the whole database and 2 images, " in filled.prints("backup", str(file))
    assert re.search(r"ok +media storage", filled.run("doctor").stdout)
    service.stop()
    said = fresh_too.prints("restore", str(file))
    assert f"restored {file} and 2 images to {place_of(fresh_too)}" in said
    with closing(sqlite3.connect(place_of(fresh_too))) as found:
        assert found.execute("SELECT name FROM sqlite_master WHERE name = 'backed_up_files'").fetchall() == []
    service = fresh_too.start("up").wait_for(r"(?m)^ready$")
    assert [service.get(urlsplit(url).path).content for url in urls] == [data, picture(colour="red")]


def test_a_waiting_run_sends_its_attachment_after_a_restore_on_another_machine(
    filled: Pennypost, fresh_too: Pennypost, tmp_path: Path
) -> None:
    for name in ("PENNYPOST_SECRET_KEYS", "PENNYPOST_SANDBOX_PORT"):
        fresh_too.environ[name] = filled.environ[name]
    org_id, file = make_org(filled, "Ajax"), tmp_path / "backup.db"
    headers = {"Authorization": f"Bearer {filled.prints('create-key', org_id, '--name', 'robot', '--role', 'admin')}"}
    service = filled.start("web").wait_for("the web is ready")  # without a worker nothing is sent
    with httpx2.Client(base_url=f"{service.url}/v1", headers=headers, timeout=30) as api:

        def create(path: str, **body: object) -> str:
            return str(answered(api.post(path, json=body))["data"]["id"])

        pdf_id = answered(api.post("/media", files={"file": ("terms.pdf", PDF)}))["data"]["id"]
        segment_id = create("/segments", name="Readers")
        create("/contacts", email="ann@example.org", segments=[segment_id])
        template_id = create("/templates", name="News", subject="News", body="<p>News</p>")
        campaign_id = create(
            "/campaigns", title="News", segment_id=segment_id, template_id=template_id, media_ids=[pdf_id]
        )
        (sandbox,) = answered(api.get("/accounts"))["data"]
        to_send = {"sender_account_ids": [sandbox["id"]]}
        assert answered(api.post(f"/campaigns/{campaign_id}/send", json=to_send))["contacts_messaged"] == 1
        answered(api.patch(f"/campaigns/{campaign_id}", json={"media_ids": []}))
        assert api.delete(f"/media/{pdf_id}").is_success  # the run still has the file
    service.stop()
    filled.prints("backup", str(file))
    assert "1 recipients are pending" in fresh_too.prints("restore", str(file), "--send-waiting")
    service = fresh_too.start("up").wait_for(r"(?m)^ready$")
    assert fresh_too.prints("accept-restore").endswith("sending resumed")
    with httpx2.Client(base_url=f"{service.url}/v1/sandbox", headers=headers, timeout=30) as api:
        wait_until(lambda: api.get("/messages").json()["data"])
        (message,) = api.get("/messages").json()["data"]
        raw = api.get(f"/messages/{message['id']}/raw").json()["data"]["raw"]
    (attachment,) = message_from_string(raw, policy=default).iter_attachments()
    assert (attachment.get_filename(), attachment.get_content()) == ("terms.pdf", PDF)


def answered(answer: httpx2.Response) -> dict[str, Any]:
    assert answer.is_success, answer.text
    return dict(answer.json())


def test_a_backup_says_what_its_pictures_lack(filled: Pennypost, tmp_path: Path) -> None:
    key = make_key(filled)
    service = filled.start("up").wait_for(r"(?m)^ready$")
    for colour in ("red", "green"):
        upload(service, key, picture(colour=colour))
    lost, _ = [path for path in (place_of(filled).parent / "media").rglob("*") if path.is_file()]
    lost.unlink()
    said = filled.prints("backup", str(tmp_path / "backup.db"))
    assert "the whole database and 1 image (1 more is missing from the storage), " in said
    shutil.move(place_of(filled).parent / "media", place_of(filled).parent / "elsewhere")
    (place_of(filled).parent / "media").write_bytes(b"no folder")
    assert "its images cannot be read: " in filled.refuses("backup", str(tmp_path / "other.db"))
    assert not (tmp_path / "other.db").exists()
    service.stop()
    assert "its images cannot be stored: " in filled.refuses("restore", str(tmp_path / "backup.db"))
    assert names(place_of(filled)) == ["Acme", "Ajax"]
