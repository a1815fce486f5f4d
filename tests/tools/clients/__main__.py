"""Generates three clients from the OpenAPI document, checks their types, and runs a program with each.

`python -m tests.tools.clients`, with node, npm and the registries of npm and PyPI. Each program sends, lists by a tag,
upserts 1,000 contacts, reschedules and reads metrics. Another calls /resend with Resend's Node package.
"""

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
import venv
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_urlsafe
from tempfile import TemporaryDirectory
from typing import Any

from tests.conftest import free_port
from tests.tools.showcase.service import PENNYPOST

SOURCES = Path(__file__).parent
PYTHON_PACKAGES = ("openapi-python-client==0.29.1", "mypy", "ruff")
START_SECONDS = 60
# Of a server that does not exist: programs of Resend name no account, and the sandbox is used only when it is named.
ACCOUNT = {
    "name": "News",
    "provider_type": "smtp",
    "smtp_host": "smtp.acme.example",
    "smtp_port": 587,
    "from_email": "news@acme.example",
}
TOLERANCE = timedelta(minutes=5)


def main() -> int:
    with TemporaryDirectory(prefix="pennypost-clients-") as folder:
        work = Path(folder)
        with service(work / "data") as environment:
            document = asked(environment["PENNYPOST_URL"], "/openapi.json")
            (work / "openapi.json").write_text(json.dumps(document))
            programs = {**typescript(work), "openapi-python-client": python(work)}
            results = {name: json.loads(run(*command, env=environment)) for name, command in programs.items()}
            resends = json.loads(run("node", str(work / "resend.mjs"), env=environment))
    for name, found in {**results, "resend": resends}.items():
        print(f"{name:24}{json.dumps(found)}")
    wrong = [name for name, found in results.items() if not is_right(found)] + [*resends["failed"]]
    print(
        f"failed: {', '.join(wrong)}" if wrong else f"{len(results)} clients generated, checked and run, and Resend's"
    )
    return len(wrong)


def is_right(found: Mapping[str, Any]) -> bool:
    moved = datetime.fromisoformat(found["moved"]) - datetime.now(UTC) - timedelta(days=2)
    counts = found["listed"], found["created"], found["accepted"]
    return counts == (True, 1_000, 2) and found["scheduled"] is not None and abs(moved) < TOLERANCE


@contextmanager
def service(data: Path) -> Iterator[dict[str, str]]:
    """The service with one organization; the environment of its clients."""
    ports = {f"PENNYPOST_{name}": str(free_port()) for name in ("PORT", "SANDBOX_PORT")}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PENNYPOST_")}
    settings = kept | ports | {"PENNYPOST_DATA_DIR": str(data)}
    with subprocess.Popen(
        [*PENNYPOST, "up"], env=settings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            url = f"http://127.0.0.1:{ports['PENNYPOST_PORT']}"
            until_it_answers(url)
            create = (*PENNYPOST, "create-org", "Acme", "--owner", "ada@example.com", "--password-stdin")
            org = run(*create, env=settings, stdin=token_urlsafe()).split()[-1]
            key = run(*PENNYPOST, "create-key", org, "--name", "clients", "--role", "admin", env=settings).split()[-1]
            environment = settings | {"PENNYPOST_URL": url, "PENNYPOST_API_KEY": key}
            accounts = asked(url, "/v1/accounts", key)["data"]
            asked(url, "/v1/accounts", key, ACCOUNT)
            yield environment | {"ACCOUNT_KEY": accounts[0]["account_key"]}
        finally:
            process.terminate()


def until_it_answers(url: str) -> None:
    until = time.monotonic() + START_SECONDS
    while True:
        try:
            urllib.request.urlopen(f"{url}/healthz", timeout=5).close()
        except OSError:  # refused, or too slow at first
            if time.monotonic() > until:
                raise
            time.sleep(0.2)
        else:
            return


def asked(url: str, path: str, key: str | None = None, body: Mapping[str, Any] | None = None) -> Any:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    request = urllib.request.Request(url + path, headers=headers)
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def typescript(work: Path) -> dict[str, tuple[str, ...]]:
    for name in ("package.json", "tsconfig.json", "tsconfig.hey.json", "fetch.ts", "hey.ts", "resend.mjs"):
        shutil.copy(SOURCES / name, work)
    run("npm", "install", "--no-audit", "--no-fund", "--silent", cwd=work)
    run("npx", "openapi-typescript", "openapi.json", "-o", "generated/schema.d.ts", cwd=work)
    run("npx", "openapi-ts", "-i", "openapi.json", "-o", "generated/hey", "--silent", cwd=work)
    for project in ("tsconfig.json", "tsconfig.hey.json"):
        run("npx", "tsc", "-p", project, cwd=work)
    built = work / "built"
    return {"openapi-fetch": ("node", str(built / "fetch.js")), "hey-api": ("node", str(built / "hey.js"))}


def python(work: Path) -> tuple[str, ...]:
    venv.create(work / "venv", with_pip=True)
    programs = work / "venv" / "bin"
    run(str(programs / "python"), "-m", "pip", "install", "--quiet", *PYTHON_PACKAGES)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"  # which finds ruff
    generate = (
        str(programs / "openapi-python-client"),
        "generate",
        "--path",
        "openapi.json",
        "--output-path",
        "python",
    )
    run(*generate, "--fail-on-warning", cwd=work, env=os.environ | {"PATH": path})
    shutil.copy(SOURCES / "python_client.py", work / "python")
    run(str(programs / "mypy"), "--strict", ".", cwd=work / "python")
    return str(programs / "python"), str(work / "python" / "python_client.py")


def run(*command: str, cwd: Path | None = None, env: Mapping[str, str] | None = None, stdin: str = "") -> str:
    """The output; ends the program with it if the command fails."""
    done = subprocess.run(command, cwd=cwd, env=env, input=stdin, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
