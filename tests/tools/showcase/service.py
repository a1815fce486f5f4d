"""How the showcase is filled and run by other processes, whatever they import."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
PENNYPOST = (sys.executable, "-c", "from webapp.cli import main; main()")
SETTINGS = {
    "PENNYPOST_ALLOW_PRIVATE_HOSTS": "1",
    "PENNYPOST_GOOGLE_CLIENT_ID": "showcase",
    "PENNYPOST_GOOGLE_CLIENT_SECRET": "showcase",
    "PENNYPOST_SMTP_URL": "smtp://127.0.0.1:9",  # nobody's: it mails nothing
    "PENNYPOST_MAIL_FROM": "post@northwind.example",
    "PENNYPOST_SIGN_UP": "open",
}


def fill(environment: Mapping[str, str]) -> dict[str, Any]:
    """Fill the empty data directory of this environment; returns the sessions, the stops and the sandbox's login."""
    words = [sys.executable, "-m", "tests.tools.showcase"]
    filled = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert filled.returncode == 0, filled.stderr[-4000:]
    contents: dict[str, Any] = json.loads(filled.stdout)
    return contents
