"""The whole service for whoever works on it, with demo data, started anew when a file changes: `make dev`.

Its data stays in .dev/ for the next time; `ARGS=--fresh` begins with new data. Ctrl-C ends it.
"""

import argparse
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from watchfiles import watch

from tests.tools.showcase.service import PENNYPOST, ROOT, SETTINGS, fill
from tests.tools.showcase.words import OWNER, PASSWORD
from webapp.config import read_settings
from webapp.errors import ConfigError
from webapp.file_locks import lock_data_dir

WATCHED = tuple(ROOT / folder for folder in ("webapp", "jobs", "templates", "static"))
KEPT = ("PATH", "HOME", "LANG", "TERM", "TMPDIR")  # and the caller's own settings, but for the databases
GOOGLE = {f"PENNYPOST_GOOGLE_{part}_URL": "http://127.0.0.1:9" for part in ("TOKEN", "API", "SHEETS")}  # nobody's
DATA = ROOT / ".dev"
POLL_MILLISECONDS = 1_000


def main() -> int | str:
    parser = argparse.ArgumentParser(prog="python -m tests.tools.dev", description=__doc__)
    parser.add_argument("--fresh", action="store_true", help="begin with new demo data")
    fresh = parser.parse_args().fresh
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # a script's background ignores the first
        signal.signal(number, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt):
        try:
            environment = prepared(DATA, fresh=fresh)
        except ConfigError as error:
            return str(error)
        print(f"Sign in at {read_settings(environment).base_url} as {OWNER} with: {PASSWORD}", flush=True)
        serve([*PENNYPOST, "up"], environment, WATCHED)
    return 0


def prepared(data: Path, *, fresh: bool) -> dict[str, str]:
    """The environment of the service, whose folder is filled where it was not, or is to be filled anew.

    Raises ConfigError for a wrong setting, and if the folder is to be filled and a service still uses it.
    """
    own = {name: value for name, value in os.environ.items() if name.startswith("PENNYPOST_") or name in KEPT}
    own["PENNYPOST_DATA_DIR"] = str(data)
    read_settings(SETTINGS | own)
    note = data / "showcase.json"  # written last: a folder without it was not filled to the end
    if fresh or not note.exists():
        if data.exists():
            lock_data_dir(data).release()
        print(f"Filling {data} with demo data, which takes some ten seconds ...", flush=True)
        shutil.rmtree(data, ignore_errors=True)
        contents = fill(SETTINGS | own)
        note.write_text(json.dumps(contents))
    login = json.loads(note.read_text())["sandbox_login"]
    inbox = f"smtp://{login}@127.0.0.1:{own.get('PENNYPOST_SANDBOX_PORT', '1025')}?tls=none"  # the page "Test inbox"
    return SETTINGS | GOOGLE | {"PENNYPOST_SMTP_URL": inbox} | own


def serve(command: Sequence[str], environment: Mapping[str, str], folders: Sequence[Path]) -> None:
    """Run the command, and again after each change in the folders, until KeyboardInterrupt."""
    service = start(command, environment)
    has_ended = False
    try:
        for changes in watch(*folders, rust_timeout=POLL_MILLISECONDS, yield_on_timeout=True):
            if changes:
                names = sorted({os.path.relpath(path, ROOT) for _, path in changes})
                print(f"Changed: {', '.join(names)}. Starting anew ...", flush=True)
                end(service)
                service, has_ended = start(command, environment), False
            elif service.poll() is not None and not has_ended:
                print("It ended. A change of a file starts it again; Ctrl-C stops.", flush=True)
                has_ended = True
    finally:
        end(service)


def start(command: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Start it in a group of its own, so that Ctrl-C reaches it once, through us."""
    return subprocess.Popen(command, cwd=ROOT, env=environment, process_group=0)


def end(service: subprocess.Popen[bytes]) -> None:
    """Ask it to stop, which takes `pennypost up` ten seconds at most."""
    service.terminate()
    service.wait()


if __name__ == "__main__":
    sys.exit(main())
