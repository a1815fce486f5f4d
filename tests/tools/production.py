"""Follows docs/production.md word by word in a bare Debian: a campaign, scrapes, a backup, an upgrade, a second web.

As root, with mmdebstrap and prometheus: `python -m tests.tools.production --root /var/tmp/debian`. Four things differ from
the document, because of what a root without systemd and without an internet has: the program is cloned from here,
`systemctl` runs the ExecStart of each unit as its user, Caddy signs the certificate itself, and accounts may send to
this machine. `--certificates` are those of the network, if it has its own.
"""

import argparse
import json
import re
import shutil
import ssl
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any, TypeVar
from urllib.error import URLError

from tests.structure import ROOT

T = TypeVar("T")

DOCUMENT, BACKUPS, UPGRADES = (ROOT / f"docs/{name}.md" for name in ("production", "backups", "upgrades"))
DOMAIN = "mail.example.com"
RECEIVER_PORT = 2525
LETTER = {"subject": "News", "body": "<p>Hello {{ first_name | default: 'reader' }}</p>"}
SCRAPES = 4
NEVER = {"value": (0, "0")}
PROMETHEUS = "http://127.0.0.1:9090/api/v1/query"
BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)
PLAIN_BLOCK = re.compile(r"```\n(.*?)```\n", re.DOTALL)
PAGES = 300
KILL_FIRST_WEB = "kill -9 $(grep -lz PENNYPOST_METRICS_PORT=9464 /proc/[0-9]*/environ | cut -d/ -f3)"
SYSTEMCTL = ROOT / "tests/tools/systemctl.sh"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.tools.production", description=__doc__)
    parser.add_argument("--root", type=Path, default=Path("/var/tmp/pennypost-debian"), help="the folder of the Debian")
    parser.add_argument("--certificates", type=Path, help="a file of certificates that package downloads need")
    parser.add_argument("--recipients", type=int, default=10_000)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)  # a network of its own
    chosen = parser.parse_args()
    if chosen.inside:
        run_service(chosen.root, chosen.recipients)
        return
    blocks = blocks_of(DOCUMENT)
    install(chosen.root, blocks, chosen.certificates)
    again = [sys.executable, "-m", "tests.tools.production", *sys.argv[1:], "--inside"]
    subprocess.run(["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", *again], check=True)


def blocks_of(document: Path) -> list[str]:
    """The commands of the document, but for those of containers."""
    return BLOCK.findall(document.read_text().partition("## Containers")[0])


def install(root: Path, blocks: list[str], certificates: Path | None) -> None:
    """Makes the root, and runs the steps that need packages from the network."""
    if not root.exists():
        subprocess.run(["mmdebstrap", "--variant=minbase", "bookworm", str(root)], check=True)
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    environment = dict[str, str]()
    if certificates is not None:
        shutil.copy(certificates, root / "etc/network-certificates.pem")
        environment = dict.fromkeys(("PIP_CERT", "SSL_CERT_FILE"), "/etc/network-certificates.pem")
    source = root / "srv/source"
    shutil.rmtree(source, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", f"file://{ROOT}", str(source)], check=True)
    shutil.copy(SYSTEMCTL, root / "usr/local/bin/systemctl")
    with mounted(root):
        for block in blocks[:2]:
            commands = re.sub(r"git clone \S+", "git -c safe.directory='*' clone --quiet /srv/source", block)
            began = time.monotonic()
            in_root(root, commands, environment)
            print(f"{time.monotonic() - began:.0f} s: {commands.splitlines()[0]} …")


@contextmanager
def mounted(root: Path) -> Iterator[None]:
    places = ("proc", "dev", "sys")
    for place in places:
        subprocess.run(["mount", "--rbind", f"/{place}", str(root / place)], check=True)
    try:
        yield
    finally:
        for place in places:
            subprocess.run(["umount", "--lazy", str(root / place)], check=True)


def in_root(root: Path, commands: str, environment: dict[str, str] | None = None) -> str:
    """Returns what a shell of the root printed; a command that fails ends it."""
    home = {
        "PATH": "/usr/local/bin:/usr/bin:/usr/sbin:/bin:/sbin",
        "HOME": "/root",
        "DEBIAN_FRONTEND": "noninteractive",
    }
    script = ["chroot", str(root), "bash", "-e", "-c", commands]
    done = subprocess.run(
        script,
        env=home | (environment or {}),
        cwd="/",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{commands}\n{done.stdout[-4000:]}")
    return done.stdout


def run_service(root: Path, recipients: int) -> None:
    """In namespaces of its own, whose mounts, network and processes end with it."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    (root / "etc/hosts").write_text(f"127.0.0.1 localhost {DOMAIN}\n")
    for source, place in ((root / "etc/hosts", "/etc/hosts"), ("/dev", root / "dev"), ("/sys", root / "sys")):
        subprocess.run(["mount", "--rbind", source, place], check=True)
    subprocess.run(["mount", "-t", "proc", "proc", root / "proc"], check=True)
    in_root(root, "pg_dropcluster --stop 15 main; pg_createcluster --start 15 main; redis-server --daemonize yes")
    steps = "\n".join(blocks_of(DOCUMENT)[2:])
    steps = steps.replace("\nEND\nchown", "\nPENNYPOST_ALLOW_PRIVATE_HOSTS=1\nEND\nchown")
    doctor = steps.rindex("install -m 755")
    in_root(root, steps[:doctor])
    logs = root / "var/log"
    wait_until_ready(logs)
    link = wait_for(lambda: re.search(r"https?://\S+/claim/", (logs / "pennypost-web.log").read_text()))
    print(f"the link of the first person: {link[0]}…")
    with prometheus(root):
        print(in_root(root, steps[doctor:]))
        send_campaign(root, recipients)
        ask_dashboard()
    restore_backup(root)
    in_root(root, "git config --global safe.directory '*'\n" + "\n".join(blocks_of(UPGRADES)))
    wait_until_ready(logs)
    print(f"upgraded\n{in_root(root, 'pennypost doctor')}")
    kill_one_of_two_webs(root)


def wait_until_ready(logs: Path, *parts: str) -> None:
    files = [logs / f"pennypost-{part}.log" for part in parts or ("web", "worker", "sandbox")]
    wait_for(lambda: all("ready" in file.read_text() for file in files))


def kill_one_of_two_webs(root: Path) -> None:
    """Has Caddy use a second web, and asks through it while the first is killed."""
    command, site = PLAIN_BLOCK.findall(DOCUMENT.read_text().partition("## A second web")[2])[:2]
    in_root(root, command)
    wait_until_ready(root / "var/log", "web2")
    (root / "etc/caddy/Caddyfile").write_text(site)
    in_root(root, "systemctl reload caddy")
    trusted = ssl.create_default_context(cafile=str(authority(root)))
    for asked in range(PAGES):
        if asked == PAGES // 3:
            in_root(root, KILL_FIRST_WEB)
        with urllib.request.urlopen(f"https://{DOMAIN}/sign-in", timeout=60, context=trusted) as answer:
            assert answer.status == HTTPStatus.OK
        time.sleep(0.05)
    print(f"{PAGES} pages answered, of which {PAGES - PAGES // 3} after the first web was killed")


def restore_backup(root: Path) -> None:
    """Loses a table after the backup, restores it, and counts its rows."""
    psql = "cd /tmp; runuser -u postgres -- psql -qtAc {} pennypost"
    counted = psql.format("'SELECT count(*) FROM mail_logs'")
    back_up, put_back, start, accept = blocks_of(BACKUPS)
    in_root(root, back_up)
    before = in_root(root, counted)
    in_root(root, psql.format("'TRUNCATE mail_logs CASCADE'"))
    in_root(root, put_back + start)
    wait_until_ready(root / "var/log")
    print(
        f"restored {in_root(root, counted).strip()} of {before.strip()} mail logs; doctor before and after it is accepted:"
    )
    print(in_root(root, f"pennypost doctor | grep -w sending\n{accept}\npennypost doctor | grep -w sending"))


def send_campaign(root: Path, recipients: int) -> None:
    """Through Caddy, with TLS: an organization, an account, contacts, a campaign."""
    call = api_of(root)
    receiver = subprocess.Popen(
        [sys.executable, "-m", "tests.tools.bench.receiver", str(RECEIVER_PORT)],
        stdout=(root / "tmp/received").open("wb"),
    )
    try:
        address = f"news@{DOMAIN}"
        call("accounts", {
            "name": "Receiver", "provider_type": "smtp", "smtp_host": "127.0.0.1", "smtp_port": RECEIVER_PORT,
            "smtp_security": "none", "from_email": address, "daily_mail_limit": 2 * recipients,
        })  # fmt: skip
        segment, template = call("segments", {"name": "Readers"}), call("templates", {"name": "News", **LETTER})
        path = f"segments/{segment['id']}/contacts"
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda number: call(path, {"email": f"reader{number}@example.org"}), range(recipients)))
        chosen = {"segment_id": segment["id"], "template_id": template["id"], "from_email": address}
        campaign = call("campaigns", {"title": "News", **chosen})
        began = time.monotonic()
        call(f"campaigns/{campaign['id']}/send", {})
        wait_for(lambda: received(root) >= recipients, 600)
        print(f"{received(root):,} emails received, {recipients / (time.monotonic() - began):.0f} a second")
    finally:
        receiver.kill()


def api_of(root: Path) -> Callable[[str, object], Any]:
    """Calls the API of a new organization, as the commands of the root make one."""
    commands = """
        org=$(echo correct-horse-battery | pennypost create-org Acme --owner ada@example.com --plan enterprise --password-stdin)
        pennypost create-key "$org" --name production --role admin"""
    key = in_root(root, commands).split()[-1]
    trusted = ssl.create_default_context(cafile=str(authority(root)))

    def ask(path: str, body: object) -> Any:
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"https://{DOMAIN}/v1/{path}", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=60, context=trusted) as answer:
            return json.load(answer).get("data")

    return ask


def authority(root: Path) -> Path:
    return wait_for(lambda: next((root / "root/.local/share/caddy").glob("pki/authorities/local/root.crt"), None))


def wait_for(find: Callable[[], T | None], seconds: float = 60) -> T:
    deadline = time.monotonic() + seconds
    while not (result := find()):
        if time.monotonic() > deadline:
            raise SystemExit(f"nothing after {seconds:.0f} s")
        time.sleep(0.2)
    return result


def received(root: Path) -> int:
    return int((root / "tmp/received").read_text().strip().rpartition("=")[2] or 0)


@contextmanager
def prometheus(root: Path) -> Iterator[None]:
    data = root / "tmp/prometheus"
    shutil.rmtree(data, ignore_errors=True)
    settings = f"--config.file={ROOT / 'deploy/prometheus.yml'}", f"--storage.tsdb.path={data}"
    process = subprocess.Popen(["prometheus", *settings], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(30)


def ask_dashboard() -> None:
    """Prints what a real Prometheus answers to each query of the Grafana dashboard, once it has enough scrapes."""
    counts = [f"min(count_over_time({name}[10m]))" for name in ("up", 'pennypost_mail_outcomes_total{outcome="sent"}')]
    wait_for(lambda: all(float(one["value"][1]) >= SCRAPES for count in counts for one in ask(count) or [NEVER]), 300)
    dashboard = json.loads((ROOT / "deploy/grafana.json").read_text())
    for query in [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]:
        result = ask(query.replace("$__rate_interval", "5m"))
        print(f"{len(result):3} series  {query[:90]}  {[one['value'][1][:12] for one in result[:3]]}")


def ask(query: str) -> list[Any]:
    try:
        with urllib.request.urlopen(f"{PROMETHEUS}?query={urllib.parse.quote(query)}", timeout=30) as answer:
            result: list[Any] = json.load(answer)["data"]["result"]
            return result
    except URLError:  # it starts
        return []


if __name__ == "__main__":
    main()
