"""SeaweedFS, a real server of S3-compatible storage, as a process on 127.0.0.1, in a directory of its own.

with S3Server() as server:
    ... server.url("bucket") is what PENNYPOST_MEDIA_URL takes
"""

import json
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Self
from urllib.parse import quote
from urllib.request import urlopen

HOST = "127.0.0.1"
KEY, SECRET = "pennypost", "se/cr+et"
SECONDS = 60  # for its start, on a busy machine
PARTS = ("master", "volume", "filer", "s3")
GRPC = 10_000  # each part takes the port that is so much higher, too


class S3Server:
    """A server with one key; a bucket is made by its first file."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="pennypost-s3-"))
        self._running: subprocess.Popen[bytes] | None = None
        self._ports: dict[str, int] = {}

    @property
    def port(self) -> int:
        return self._ports["s3"]

    def url(self, bucket: str, *, secret: str = SECRET) -> str:
        return f"s3://{KEY}:{quote(secret, safe='')}@{HOST}:{self.port}/{bucket}?tls=none"

    def __enter__(self) -> Self:
        self._ports = dict(zip(PARTS, pairs_of_ports(len(PARTS)), strict=True))
        keys = [{"accessKey": KEY, "secretKey": SECRET}]
        actions = ["Admin", "Read", "Write", "List"]
        config = self._folder / "s3.json"
        config.write_text(json.dumps({"identities": [{"name": KEY, "credentials": keys, "actions": actions}]}))
        (self._folder / "data").mkdir()
        command = [
            *(str(Path(sys.executable).with_name("weed")), "server", f"-dir={self._folder / 'data'}"),
            *(f"-ip={HOST}", f"-ip.bind={HOST}", "-master.telemetry=false", "-filer", "-s3", f"-s3.config={config}"),
            *("-s3.port.iceberg=0", "-s3.port.lance=0", "-volume.max=100", "-master.volumeSizeLimitMB=64"),
            *(f"-{part}.localSocket={self._folder / part}.sock" for part in ("filer", "s3")),
            *(f"-{part}.port={port}" for part, port in self._ports.items()),
        ]
        with (self._folder / "log").open("wb") as log:
            self._running = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        try:
            self._wait()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _wait(self) -> None:
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            with suppress(OSError), urlopen(f"http://{HOST}:{self.port}/healthz", timeout=5) as found:
                if found.status == 200:
                    return
            time.sleep(0.1)
        raise TimeoutError((self._folder / "log").read_text()[-2000:])

    def stop(self) -> None:
        """End it, so that nobody answers any more."""
        if self._running is not None:
            self._running.kill()
            self._running.wait()
            self._running = None
        for part, port in self._ports.items():  # it has no setting for these
            Path(f"/tmp/seaweedfs-{part}-grpc-{port + GRPC}.sock").unlink(missing_ok=True)

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)


def pairs_of_ports(count: int) -> list[int]:
    """Ports that are free together with those that are GRPC higher, all below those of outgoing connections (32,768)."""
    found: list[int] = []
    while len(found) < count:
        port = random.SystemRandom().randrange(10_000, 22_000)
        with suppress(OSError), socket.socket() as first, socket.socket() as second:
            first.bind((HOST, port))
            second.bind((HOST, port + GRPC))
            found += [] if port in found else [port]
    return found
