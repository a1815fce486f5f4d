"""A field of a contact is written down once (webapp/contact_fields.py): an entry there is all that it takes."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_a_declared_field_is_in_the_api_events_pages_files_filters_and_undo(tmp_path: Path) -> None:
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:playwright", "-p", "no:xdist", f"--basetemp={tmp_path}"]
    plugin = ["-p", "tests.support.declared_field"]
    run = [sys.executable, "-m", "pytest", *options, *plugin, str(ROOT / "tests/domain/contacts/nickname.py")]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout
