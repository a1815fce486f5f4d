"""`make dev`: a change starts the service anew, Ctrl-C ends all of it, and the demo's owner can sign in."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import httpx2
import pytest

from tests.conftest import free_port
from tests.tools.dev import prepared
from tests.tools.showcase.instance import serving
from tests.tools.showcase.service import ROOT
from tests.tools.showcase.words import OWNER, PASSWORD
from webapp.errors import ConfigError
from webapp.file_locks import lock_data_dir

SERVICE = """
import signal, sys
from pathlib import Path

def end(*_):
    print("ended", flush=True)
    sys.exit()

signal.signal(signal.SIGTERM, end)
print("serving", Path(sys.argv[1]).read_text(), flush=True)
signal.pause()
"""
WATCHER = """
import signal, sys
from pathlib import Path
from tests.tools.dev import serve

signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background of a script
serve([sys.executable, *sys.argv[1:]], {}, [Path(sys.argv[2]).parent])
"""


def test_a_change_starts_it_anew_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    code, log = tmp_path / "code" / "service.txt", tmp_path / "log"
    code.parent.mkdir()
    code.write_text("one")
    script = tmp_path / "service.py"
    script.write_text(SERVICE)
    with log.open("wb") as output:
        watcher = subprocess.Popen(
            [sys.executable, "-c", WATCHER, str(script), str(code)], cwd=ROOT, stdout=output, stderr=subprocess.DEVNULL
        )
        try:
            wait_for_line(log, "serving one")
            while "Changed" not in log.read_text():
                code.write_text("two")
                sleep(0.5)
            wait_for_line(log, "serving two")
            watcher.send_signal(signal.SIGINT)
            watcher.wait(30)
        finally:
            watcher.kill()
    first, changed, *lines = log.read_text().splitlines()
    assert (first, changed) == ("serving one", f"Changed: {os.path.relpath(code, ROOT)}. Starting anew ...")
    own = [line for line in lines if line != changed]
    assert own == ["ended", "serving two"] * (len(own) // 2) + ["ended"]


def test_fresh_data_is_refused_while_a_service_uses_the_old(tmp_path: Path) -> None:
    lock = lock_data_dir(tmp_path)
    database = tmp_path / "pennypost.db"
    database.touch()
    with pytest.raises(ConfigError, match=f"in use by another pennypost process .{os.getpid()}.: stop it"):
        prepared(tmp_path, fresh=True)
    assert database.exists()
    lock.release()


@pytest.mark.parametrize("port", ["abc", "0", "65536", "80 80"])
def test_a_wrong_port_is_named_in_a_line(port: str) -> None:
    command = [sys.executable, "-m", "tests.tools.dev"]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"PENNYPOST_PORT": port}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "PENNYPOST_PORT must be a port number from 1 to 65535\n"


def wait_for_line(log: Path, line: str) -> None:
    deadline = monotonic() + 60
    while line not in log.read_text().splitlines():
        assert monotonic() < deadline, log.read_text()
        sleep(0.05)


@pytest.mark.soak
def test_the_owner_signs_in_and_the_instances_own_mail_is_in_the_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PENNYPOST_PORT", "PENNYPOST_SANDBOX_PORT"):
        monkeypatch.setenv(name, str(free_port()))
    data = tmp_path / "dev"
    prepared(data, fresh=False)
    (data / "mark").touch()
    environment = prepared(data, fresh=False)
    assert (data / "mark").exists()
    with (
        serving("up", environment, tmp_path / "up.log") as base_url,
        httpx2.Client(base_url=base_url, follow_redirects=True) as browser,
    ):
        assert post(browser, "/reset", email=OWNER).url.path == "/reset/sent"
        assert post(browser, "/sign-in", email=OWNER, password=PASSWORD).url.path == "/home"
        assert "Readers of the letter" in browser.get("/segments").text
        deadline = monotonic() + 30
        while OWNER not in browser.get("/sandbox").text and monotonic() < deadline:
            sleep(0.5)
        assert OWNER in browser.get("/sandbox").text
    assert "mark" not in {path.name for path in Path(prepared(data, fresh=True)["PENNYPOST_DATA_DIR"]).iterdir()}


def post(browser: httpx2.Client, path: str, **fields: str) -> httpx2.Response:
    """Fill the form of a page and send it."""
    guards = re.findall(r'name="(csrf_token|form_id)" value="([^"]+)"', browser.get(path).text)
    return browser.post(path, data=dict(guards) | fields)
