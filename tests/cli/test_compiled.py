"""`make compiled`: what is compiled is what is imported, and only while it is of these sources."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from webapp import compiled

IMPORTED = "import webapp.sending.smtp.session as smtp, webapp.domain.delivery.dispatcher as sender; print(smtp.__file__, sender.__file__)"
COMPILING = "import sys; sys.prefix = {prefix!r}; from webapp.cli.compiling import main; main()"


def run(program: str, folder: Path = compiled.ROOT, **environ: str) -> "subprocess.CompletedProcess[str]":
    kept = {name: value for name, value in os.environ.items() if name != "PENNYPOST_COMPILED"}
    command = [sys.executable, "-c", program]
    return subprocess.run(
        command, cwd=folder, env=kept | environ, capture_output=True, text=True, timeout=60, check=False
    )


def kinds_of(done: "subprocess.CompletedProcess[str]") -> set[str]:
    """How the files of the imported modules end."""
    assert done.returncode == 0, done.stderr
    return {Path(name).suffix for name in done.stdout.split()}


def test_what_is_compiled_is_imported_unless_it_is_turned_off() -> None:
    assert kinds_of(run(IMPORTED)) == ({".so"} if compiled.is_current() else {".py"})
    assert kinds_of(run(IMPORTED, PENNYPOST_COMPILED="0")) == {".py"}


def test_what_was_compiled_of_other_sources_is_not_imported(tmp_path: Path) -> None:
    for package in ("webapp", "jobs"):
        shutil.copytree(compiled.ROOT / package, tmp_path / package)
    assert kinds_of(run(IMPORTED, tmp_path)) == ({".so"} if compiled.is_current() else {".py"})
    with (tmp_path / "webapp" / "sending" / "outcomes.py").open("a") as source:
        source.write("# changed\n")
    assert kinds_of(run(IMPORTED, tmp_path)) == {".py"}


def test_without_a_compiler_it_says_so_and_all_else_goes_on(tmp_path: Path) -> None:
    done = run(COMPILING.format(prefix=str(tmp_path)), PATH="")
    assert done.returncode == 0
    assert done.stderr.startswith("not compiled, so mail leaves more slowly: there is no C compiler (")
    assert list(tmp_path.iterdir()) == []
