"""Dovecot, a real IMAP server, as a process without rights on 127.0.0.1, in a directory of its own.

with Dovecot() as dovecot:
    dovecot.deliver("ann", b"From: ...")
    ... port or tls_port, the name "ann", the password PASSWORD

With the URL of a token introspection (RFC 7662), it takes tokens by XOAUTH2 alone, and no passwords.
"""

import contextlib
import datetime as dt
import grp
import imaplib
import itertools
import os
import pwd
import re
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Self

from tests.conftest import free_port
from tests.fakes.smtp_server import authority
from tests.run import dovecot

HOST = "127.0.0.1"
PASSWORD = "secret"
SECONDS = 60  # for its start and its end, on a busy machine
CONFIGURATION = """
protocols = imap
listen = {host}
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1
disable_plaintext_auth = no
ssl = yes
ssl_cert = <{folder}/cert.pem
ssl_key = <{folder}/key.pem
mail_location = maildir:~/Maildir
{passdb}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/mail/%u
}}
service anvil {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
    ssl = yes
  }}
}}
"""

BY_PASSWORD = f"""
passdb {{
  driver = static
  args = password={PASSWORD}
}}
"""
BY_TOKEN = """
auth_mechanisms = xoauth2
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {folder}/oauth2.conf
}}
"""
OAUTH2 = """
introspection_mode = post
introspection_url = {url}
force_introspection = yes
username_attribute = username
active_attribute = active
active_value = true
"""


class Dovecot:
    """Everyone has a maildir."""

    def __init__(self, introspection_url: str | None = None) -> None:
        self._introspection_url = introspection_url
        program = dovecot()
        assert program, "Dovecot is not installed: Debian has it as dovecot-imapd"
        self._program, self._number = program, itertools.count(1)
        self.port, self.tls_port = free_port(), free_port()

    def __enter__(self) -> Self:
        self.folder = Path(tempfile.mkdtemp(prefix="dovecot-"))
        self._owner = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
        certificate = authority().issue_cert("localhost", HOST)
        certificate.cert_chain_pems[0].write_to_path(self.folder / "cert.pem")
        certificate.private_key_pem.write_to_path(self.folder / "key.pem")
        text = CONFIGURATION.format(
            host=HOST,
            folder=self.folder,
            passdb=BY_TOKEN.format(folder=self.folder) if self._introspection_url else BY_PASSWORD,
            user=self._owner.pw_name,
            group=grp.getgrgid(self._owner.pw_gid).gr_name,
            uid=self._owner.pw_uid,
            gid=self._owner.pw_gid,
            port=self.port,
            tls_port=self.tls_port,
        )
        (self.folder / "dovecot.conf").write_text(text)
        (self.folder / "oauth2.conf").write_text(OAUTH2.format(url=self._introspection_url))
        self.give(self.folder)
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(SECONDS)
        shutil.rmtree(self.folder)

    def _start(self) -> None:
        command = [self._program, "-F", "-c", str(self.folder / "dovecot.conf")]
        owner, is_root = self._owner, os.geteuid() == 0
        as_owner: dict[str, Any] = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []} if is_root else {}
        self._process = subprocess.Popen(command, cwd=self.folder, stderr=subprocess.DEVNULL, **as_owner)
        end = time.monotonic() + SECONDS
        while not self._answers():
            assert self._process.poll() is None, self.log
            assert time.monotonic() < end, self.log
            time.sleep(0.05)

    def _answers(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection((HOST, self.port), 1) as probe:
            return probe.recv(4) == b"* OK"
        return False

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text() if (self.folder / "log").exists() else "no log"

    def give(self, path: Path) -> None:
        """Everything under the path belongs to the process."""
        if os.geteuid() == 0:
            for one in (path, *path.rglob("*")):
                os.chown(one, self._owner.pw_uid, self._owner.pw_gid)

    def deliver(self, user: str, message: bytes, at: dt.datetime | None = None) -> None:
        """A new message in the maildir, that came at a time."""
        maildir = self.folder / "mail" / user / "Maildir"
        for name in ("tmp", "new", "cur"):
            (maildir / name).mkdir(parents=True, exist_ok=True)
        number = next(self._number)
        path = maildir / "tmp" / f"{1_000_000_000 + number}.M{number}.test"
        path.write_bytes(message)
        if at is not None:
            os.utime(path, (at.timestamp(), at.timestamp()))
        path = path.rename(maildir / "new" / path.name)
        self.give(self.folder / "mail")

    def state(self, user: str) -> tuple[list[str], str]:
        """The flags of every message, and the counts, as another client sees them, which changes nothing either."""
        with imaplib.IMAP4(HOST, self.port, SECONDS) as client:
            client.login(user, PASSWORD)
            (counts,) = client.status("INBOX", "(MESSAGES RECENT UIDNEXT UIDVALIDITY UNSEEN)")[1]
            client.select("INBOX", readonly=True)
            found = client.fetch("1:*", "(UID FLAGS)")[1]
            return [re.sub(r"^\d+ ", "", one.decode()) for one in found if isinstance(one, bytes)], counts.decode()
